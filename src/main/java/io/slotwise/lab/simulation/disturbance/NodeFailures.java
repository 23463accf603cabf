package io.slotwise.lab.simulation.disturbance;

import io.slotwise.lab.simulation.disturbance.Disturbance.Removed;
import io.slotwise.lab.simulation.disturbance.Disturbance.Returned;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Nodes that fail and are repaired independently: the times between failures and the repair times are exponentially
 * distributed, rounded up to whole seconds.
 *
 * @param meanUp seconds, positive
 * @param meanAway seconds, positive
 * @param until the first second without failures
 */
public record NodeFailures(long meanUp, long meanAway, long until) {
    public NodeFailures {
        if (meanUp <= 0 || meanAway <= 0) {
            throw new IllegalArgumentException(
                    "The mean times up (%d s) and away (%d s) must be positive.".formatted(meanUp, meanAway));
        }
    }

    /** Returns the disturbances by second, drawn by node in the order of names. Nodes are up at {@code from}. */
    public List<Disturbance> of(Collection<String> nodes, long from, RandomGenerator random) {
        List<Disturbance> all = new ArrayList<>();
        for (String node : nodes.stream().sorted().toList()) {
            long failed = from + exponential(meanUp, random);
            while (failed < until) {
                long back = failed + exponential(meanAway, random);
                all.add(new Removed(failed, node));
                all.add(new Returned(back, node));
                failed = back + exponential(meanUp, random);
            }
        }
        all.sort(Comparator.comparingLong(Disturbance::second));
        return all;
    }

    private static long exponential(long mean, RandomGenerator random) {
        return Math.max(1, (long) Math.ceil(mean * random.nextExponential()));
    }
}
