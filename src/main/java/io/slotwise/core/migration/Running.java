package io.slotwise.core.migration;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A gang that runs with all its pods and may be stopped: the controller that made its pods makes them again.
 *
 * @param gang the gang as it was when this run began, with the runtime and the budget of this run
 * @param room the occupations of its pods in the snapshot's cluster
 * @param timing how long its pods are away at most if they are evicted
 * @param moves the seconds of its earlier stops within the last hour
 * @param keepsWork whether the gang resumes its work after a stop, so that it may be moved; otherwise it starts from
 *     the beginning
 * @param lost the work that it lost in earlier stops, pod-seconds
 */
public record Running(
        Gang gang,
        GangProgress progress,
        List<Occupation> room,
        EvictionTiming timing,
        List<Long> moves,
        boolean keepsWork,
        List<DisruptionLimit> guards,
        long lost) {
    public Running {
        room = List.copyOf(room);
        moves = List.copyOf(moves);
        guards = List.copyOf(guards);
    }

    /** Returns whether the policy allows stopping it at {@code now}, and its run is as planned. O(pods). */
    public boolean mayStop(MigrationPolicy policy, long now, Timeline timeline) {
        return progress.elapsed() >= policy.minRun()
                && moves.stream()
                                .filter(second -> second > now - MigrationPolicy.HOUR)
                                .count()
                        < policy.limit()
                && progress.isUnderWay()
                && room.stream().noneMatch(Occupation::overrun)
                && progress.window().placements().stream()
                        .allMatch(placement -> timeline.node(placement.node()) != null)
                && progress.paid().compareTo(gang.budget().limit()) <= 0;
    }

    /**
     * Returns the gang's remaining work, seconds on the reference node (or on any, if its runtime does not depend on
     * the node). The gang has progressed as far as its slowest member. Seconds in the overhead of this run do no work.
     * A gang that does not keep its work has all of it left. Positive while {@link GangProgress#isUnderWay}.
     */
    public long work(Timeline timeline) {
        if (!keepsWork) {
            return gang.runtime() - progress.overhead();
        }
        List<Placement> placements = progress.window().placements();
        List<Node> nodes = placements.stream()
                .map(placement ->
                        Objects.requireNonNull(timeline.node(placement.node())).node())
                .toList();
        long elapsed = gang.topology().spanOf(nodes).worked(progress.elapsed());
        long done = IntStream.range(0, nodes.size())
                .mapToLong(i -> done(gang.requestOf(placements.get(i).pod()), elapsed, nodes.get(i)))
                .min()
                .orElse(0);
        return gang.runtime() - Math.max(done, progress.overhead());
    }

    private static long done(PodRequest request, long elapsed, Node node) {
        return request.nodeIndependent() ? elapsed : node.performance().work(elapsed);
    }

    /**
     * Returns the rest to be placed elsewhere: the remaining work with a new overhead, and the rest of the budget. A
     * gang that starts from the beginning has the overhead of this run.
     */
    public Gang rest(Timeline timeline, long overhead) {
        return gang.lasting(work(timeline) + (keepsWork ? overhead : progress.overhead()))
                .paying(gang.budget().after(progress.paid()));
    }

    public Home home(Timeline timeline, String key) {
        return Home.of(
                key,
                progress.window().placements().stream()
                        .map(placement -> Objects.requireNonNull(timeline.node(placement.node()))
                                .node()));
    }

    /** Gives up its room from second {@code gone} on. */
    void leave(Timeline timeline, long gone) {
        for (Occupation occupation : room) {
            timeline.vacate(occupation.node(), occupation.resources(), occupation.interval());
            hold(occupation, gone).ifPresent(left -> timeline.occupy(occupation.node(), occupation.resources(), left));
        }
        QueueTimeline queues = timeline.queues();
        if (queues != null) {
            queues.leave(gang.id().toString(), gone);
        }
    }

    /** Returns what its pods hold if they are evicted at second {@code now}. */
    public List<Occupation> roomUntilGone(long now) {
        return room.stream()
                .flatMap(occupation ->
                        hold(occupation, now + timing.gone()).stream().map(occupation::during))
                .toList();
    }

    /** Takes the room again that {@link #leave} gave up. */
    void stay(Timeline timeline, long gone) {
        for (Occupation occupation : room) {
            hold(occupation, gone).ifPresent(left -> timeline.vacate(occupation.node(), occupation.resources(), left));
            timeline.occupy(occupation.node(), occupation.resources(), occupation.interval());
        }
        QueueTimeline queues = timeline.queues();
        if (queues != null) {
            queues.stay(gang.id().toString(), gone);
        }
    }

    private static Optional<Interval> hold(Occupation occupation, long gone) {
        long end = Math.min(occupation.interval().end(), gone);
        return occupation.interval().start() < end
                ? Optional.of(new Interval(occupation.interval().start(), end))
                : Optional.empty();
    }
}
