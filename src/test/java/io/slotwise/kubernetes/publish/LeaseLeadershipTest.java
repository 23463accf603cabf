package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true)
class LeaseLeadershipTest {
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final LeaseLeadership.Terms TERMS =
            new LeaseLeadership.Terms("ns", "slotwise", "a", Duration.ofSeconds(8), Duration.ofSeconds(5), RETRY);

    @SuppressWarnings("NullAway.Init")
    private static KubernetesClient client;

    private final List<Boolean> told = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch goesOn = new CountDownLatch(0);

    /** The threads of a process that is frozen until the latch is open. */
    private final Executor threads = task -> Thread.ofVirtual().start(() -> {
        try {
            goesOn.await();
            task.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    });

    @Test
    void aReplicaFrozenForLongerThanARenewalLeadsAgainAtOnce() {
        try (LeaseLeadership leadership = new LeaseLeadership(client, TERMS, threads, told::add)) {
            leadership.start();
            await().until(leadership::getAsBoolean);
            goesOn = new CountDownLatch(1);
            await().pollDelay(TERMS.renewDeadline().plus(RETRY))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> true);

            goesOn.countDown();
            long resumed = System.nanoTime();
            await().until(() -> told.equals(List.of(true, false, true)));

            assertThat(leadership.getAsBoolean()).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - resumed)).isLessThan(RETRY);
        }
    }
}
