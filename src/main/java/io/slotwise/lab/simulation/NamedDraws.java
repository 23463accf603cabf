package io.slotwise.lab.simulation;

import io.slotwise.core.work.RandomSource;
import io.slotwise.lab.workload.Job;
import java.util.random.RandomGenerator;

/**
 * Draws that depend only on the seed of a replication and a name: the same user or job draws the same under every
 * policy.
 *
 * @param mixer a different number for each drawn quantity, so that draws are independent
 */
record NamedDraws(RandomSource source, long seed, long mixer) {
    RandomGenerator of(String user) {
        return source.seeded(seed * mixer + user.hashCode());
    }

    RandomGenerator of(Job job) {
        return source.seeded(
                seed * mixer + 31L * job.user().hashCode() + job.id().hashCode());
    }
}
