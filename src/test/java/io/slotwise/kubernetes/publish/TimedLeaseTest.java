package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.time.Duration;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true)
class TimedLeaseTest {
    private static final Duration DURATION = Duration.ofSeconds(15);
    private static final LeaderElectionRecord RECORD = new LeaderElectionRecord(
            "a", DURATION, ZonedDateTime.parse("2030-01-01T00:00:00Z"), ZonedDateTime.parse("2030-01-01T00:00:00Z"), 0);

    @SuppressWarnings("NullAway.Init")
    private static KubernetesClient client;

    private long nanos = -7;
    private final TimedLease lease = new TimedLease(
            new LeaseLeadership.Terms("ns", "slotwise", "a", DURATION, Duration.ofSeconds(10), Duration.ofSeconds(2)),
            () -> nanos);

    @AfterEach
    void nobodyHoldsIt() {
        client.leases().inNamespace("ns").withName("slotwise").delete();
    }

    @Test
    void aLeaseIsNotValidBeforeItIsTaken() {
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void aLeaseExpiresUnlessRenewed() {
        lease.create(client, RECORD);
        assertThat(lease.isValid()).isTrue();

        nanos += DURATION.toNanos() - 1;
        assertThat(lease.isValid()).isTrue();
        nanos++;
        assertThat(lease.isValid()).isFalse();

        lease.get(client);
        lease.update(client, RECORD);
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void aLeaseEndsWhenAnotherHolderIsSeenAndKeepsItsEpoch() {
        lease.create(client, RECORD);
        client.leases()
                .inNamespace("ns")
                .withName("slotwise")
                .edit(there -> new LeaseBuilder(there)
                        .editSpec()
                        .withHolderIdentity("b")
                        .withLeaseTransitions(4)
                        .endSpec()
                        .build());
        assertThat(lease.isValid()).isTrue();

        lease.look(client);

        assertThat(lease.isValid()).isFalse();
        assertThat(lease.held()).as("it says its epoch in every binding").isEqualTo(1_000_000);
        assertThat(lease.seen()).isEqualTo(4);
    }

    @Test
    void aRenewalThatIsRefusedCountsForNothing() {
        lease.create(client, RECORD);
        nanos += DURATION.toNanos();
        client.leases().inNamespace("ns").withName("slotwise").delete();

        assertThatThrownBy(() -> lease.update(client, RECORD)).isInstanceOf(KubernetesClientException.class);
        assertThat(lease.isValid()).isFalse();
    }
}
