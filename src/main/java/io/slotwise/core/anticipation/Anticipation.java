package io.slotwise.core.anticipation;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Replicates the reference of a whole batch: the gangs, in queue order, each get the window most like their reference
 * beside those placed before them.
 *
 * <p>Invariant: the windows so far, and whatever else holds room in the timeline, leave room for the next one, so that
 * the result is feasible although the reference is not. Who comes first in the queue gets closest to its reference.
 *
 * <p>One {@link Replication} for each gang. Source: the paper on anticipation, section 3, the third step.
 */
public final class Anticipation {
    private final Function<Follower, Optional<Window>> replication;

    private Anticipation(Function<Follower, Optional<Window>> replication) {
        this.replication = replication;
    }

    public Anticipation(Distance distance) {
        this(new Replication(distance)::closest);
    }

    /** The same by replication as the paper prints it, which does not look at budgets. */
    public static Anticipation printed(Distance distance, PrintedReplication.Runs runs) {
        return new Anticipation(new PrintedReplication(distance, runs)::closest);
    }

    /**
     * Gives every gang a window that can get one, and takes its room in the timeline.
     *
     * @param queue the gangs in queue order, whose searches look at this timeline
     * @return the windows in queue order; a gang that found none has none here
     */
    public List<Window> replicate(List<Follower> queue, Timeline timeline) {
        List<Window> windows = new ArrayList<>();
        for (Follower follower : queue) {
            Optional<Window> closestWindow = replication.apply(follower);
            closestWindow.ifPresent(window -> {
                window.occupy(timeline, follower.gang());
                windows.add(window);
            });
        }
        return windows;
    }
}
