package io.slotwise.lab.simulation;

import io.slotwise.core.work.RandomSource;
import io.slotwise.lab.workload.Job;
import java.util.random.RandomGenerator;

/**
 * Draws that follow from the seed of a replication and a name alone, whatever is drawn before: the same user, or job,
 * draws the same under every policy.
 *
 * @param mixer a number of its own for each thing that is drawn, so that the draws do not follow from each other
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
