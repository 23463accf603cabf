package io.slotwise.lab.simulation.planned;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.plan.Policy;
import io.slotwise.lab.simulation.planned.QueueReplay.Hour;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueReplayTest {
    private static final int JOBS = Integer.getInteger("slotwise.queues.jobs", 800);
    private static final long SEED = Long.getLong("slotwise.queues.seed", 1);

    @Test
    void theEntitlementsAreThoseOfWeightsAndGuarantees() {
        assertThat(QueueReplay.entitled()).isEqualTo(Map.of("a", 100L, "b", 60L, "c", 100L, "d", 60L, "e", 80L));
    }

    @Test
    void eachQueueGetsItsEntitlementInEveryContendedHour() {
        Policy policy = Policy.DEFAULT
                .withReplan(Policy.Replan.FREE)
                .withBatch(Policy.DEFAULT.batch().withAlternatives(1));

        List<Hour> hours = QueueReplay.run(QueueReplay.jobs(JOBS, SEED), policy);

        assertThat(hours.stream().filter(Hour::contended))
                .isNotEmpty()
                .allSatisfy(hour -> QueueReplay.QUEUES.forEach(queue ->
                        assertThat(hour.received(queue.name())).as(queue.name()).isGreaterThan(0.98)));
    }
}
