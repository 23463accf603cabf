package io.slotwise.core.anticipation;

import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.FreeUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Replication as its paper prints it, a baseline for {@link Replication}: one pass over the slots, a distance at each
 * step, and the first window with the least distance.
 *
 * <p>The listing does not say which n slots of the extended window the distance is of. Here it is the nearest of the
 * {@linkplain Runs runs} of n neighbouring units in the order of duration, from the shortest on. Ties go to the first
 * step, and within a step to the shortest run. As in the listing, seconds between steps and other combinations are not
 * considered. The budget is ignored unless the runs include it, so that a window may cost more than the gang may pay.
 *
 * <p>For m changes of N nodes with units for gangs of n pods: O(m N) and O(N) space.
 *
 * <p>Source: the paper on anticipation, section 3, AEP modification with the Execution Similarity criterion.
 */
public record PrintedReplication(Distance distance, Runs runs) {
    /** The runs of n neighbouring units to consider, and the order of nodes with equal durations. */
    public enum Runs {
        /** The cheaper node first. */
        CHEAPER_FIRST,

        /** By name: the listing does not order them. */
        BY_NAME,

        /** By name, and only runs that cost no more than the budget. */
        WITHIN_BUDGET
    }

    private record Found(double distance, Window window) {}

    /** Returns the nearest window found for a gang whose pods are all alike. */
    public Optional<Window> closest(Follower follower) {
        Found bestFound = null;
        for (FreeUnits units : follower.search().passes(follower.terms())) {
            Found found = closest(follower, units);
            if (found != null && (bestFound == null || found.distance < bestFound.distance)) {
                bestFound = found;
            }
        }
        return Optional.ofNullable(bestFound).map(Found::window);
    }

    private @Nullable Found closest(Follower follower, FreeUnits units) {
        int size = follower.gang().size();
        int[] shortestFirst = runs == Runs.CHEAPER_FIRST
                ? ReplicationPass.shortestFirst(units)
                : ReplicationPass.shortestFirst(units, _ -> 0);
        long most =
                runs == Runs.WITHIN_BUDGET ? follower.gang().budget().limit().microSecondsPerHour() : Long.MAX_VALUE;
        UnitTrial trial = new UnitTrial(units, follower.gang());
        double least = Double.POSITIVE_INFINITY;
        long start = 0;
        int[] taken = null;
        while (units.advance()) {
            if (!units.enough()) {
                continue;
            }
            units.stand(units.from());
            List<Integer> free = free(units, shortestFirst);
            trial.clear();
            for (int i = 0; i < free.size(); i++) {
                trial.take(free.get(i), 1);
                if (i >= size) {
                    trial.take(free.get(i - size), -1);
                }
                if (i >= size - 1 && trial.complete() && trial.cost() <= most) {
                    double here = distance.between(trial.figures(units.from()), follower.reference());
                    if (here < least) {
                        least = here;
                        start = units.from();
                        taken = trial.copy();
                    }
                }
            }
        }
        return taken == null ? null : new Found(least, units.window(start, taken));
    }

    private static List<Integer> free(FreeUnits units, int[] order) {
        List<Integer> free = new ArrayList<>();
        for (int node : order) {
            for (int unit = 0; unit < units.free(node); unit++) {
                free.add(node);
            }
        }
        return free;
    }
}
