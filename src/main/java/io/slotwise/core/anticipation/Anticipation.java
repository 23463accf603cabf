package io.slotwise.core.anticipation;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Replicates the reference of a whole batch: each gang, in queue order, gets the window most like its reference next to
 * the gangs placed before it.
 *
 * <p>Invariant: earlier windows, and other holders of room in the timeline, leave room for the next window, so the
 * result is feasible although the reference is not. The first gang in the queue gets closest to its reference.
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

    /** Returns an anticipation with the replication as the paper prints it, which ignores budgets. */
    public static Anticipation printed(Distance distance, PrintedReplication.Runs runs) {
        return new Anticipation(new PrintedReplication(distance, runs)::closest);
    }

    /**
     * Gives a window to every gang that can get one, and takes its room in the timeline.
     *
     * @param queue the gangs in queue order, whose searches use this timeline
     * @return the windows in queue order, without gangs that found none
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
