package io.slotwise.core.window;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.money.Cost;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The same start for every pod of a gang, each on a named node.
 *
 * @param start common first second, since the epoch
 * @param energy the energy of the whole gang, milliwatt-seconds; {@link #UNKNOWN_ENERGY} if a node does not state its
 *     power
 */
public record Window(GangId gang, long start, List<Placement> placements, Cost cost, long energy) {
    /** The energy of a window on a node that does not state its power: more than any other. */
    public static final long UNKNOWN_ENERGY = Long.MAX_VALUE;

    public Window {
        placements = List.copyOf(placements);
    }

    public static Window of(GangId gang, long start, List<Placement> placements) {
        return of(gang, start, placements, UNKNOWN_ENERGY);
    }

    /** Returns a window whose cost is the sum of its pods'. */
    public static Window of(GangId gang, long start, List<Placement> placements, long energy) {
        return new Window(
                gang,
                start,
                placements,
                placements.stream().map(Placement::cost).reduce(Cost.ZERO, Cost::plus),
                energy);
    }

    /** Returns the first second after the last pod's planned end. */
    public long end() {
        // Called for every window in every comparison.
        if (placements.isEmpty()) {
            return start;
        }
        long end = Long.MIN_VALUE;
        for (Placement placement : placements) {
            end = Math.max(end, placement.end());
        }
        return end;
    }

    /** Returns the seconds in which the gang uses its queue, from the start to {@link #end()}. */
    public Interval interval() {
        return new Interval(start, end());
    }

    /** Returns whether the gang's queue allows this window once an own window of the gang gives up its use. */
    private boolean isAllowed(@Nullable Window ownWindow, Timeline timeline, Gang gang) {
        QueueTimeline queues = timeline.queues();
        return queues == null
                || gang.queue() == null
                || queues.allows(
                        gang.queue(), gang.total(), interval(), ownWindow == null ? null : ownWindow.interval());
    }

    /** Returns the seconds from the start to {@link #end()}. */
    public long runtime() {
        return end() - start;
    }

    /** Returns the sum of the pods' seconds. */
    public long processorTime() {
        long sum = 0;
        for (Placement placement : placements) {
            sum += placement.end() - placement.start();
        }
        return sum;
    }

    public List<String> pods() {
        return placements.stream().map(Placement::pod).toList();
    }

    public long value(Gang gang) {
        return value(gang.criterion(), gang);
    }

    /** Returns the value of any criterion, to be minimized; exact. */
    public long value(Criterion criterion, Gang gang) {
        return switch (criterion) {
            case VALUE -> costWithDelay(gang);
            case PREFERENCE -> distance(gang);
            case START, FINISH, RUNTIME, COST, PROCESSOR_TIME, ENERGY -> value(criterion);
        };
    }

    /** Returns the distance from the gang's preferences, 1/3600 millionths: see {@code Preferences}. */
    public long distance(Gang gang) {
        return gang.preferences().distance(start, end(), cost.microSecondsPerHour());
    }

    /** Returns the cost plus the value of the delay to the gang, 1/3600 millionths. */
    public long costWithDelay(Gang gang) {
        return sum(cost.microSecondsPerHour(), gang.delay(end()));
    }

    /** Adds a cost and the value of a delay. A sum that overflows is {@link Long#MAX_VALUE}. */
    public static long sum(long cost, long delay) {
        long sum = cost + delay;
        return delay > 0 && sum < cost ? Long.MAX_VALUE : sum;
    }

    /** Returns the value of a criterion that does not need the gang, to be minimized; exact. */
    public long value(Criterion criterion) {
        return switch (criterion) {
            case START -> start;
            case FINISH -> end();
            case RUNTIME -> runtime();
            case COST -> cost.microSecondsPerHour();
            case PROCESSOR_TIME -> processorTime();
            case ENERGY -> energy;
            case VALUE, PREFERENCE ->
                throw new IllegalArgumentException("The criterion %s needs the gang.".formatted(criterion.key()));
        };
    }

    /** Returns the window with nodes renamed. Nodes without a new name keep theirs. */
    public Window on(Map<String, String> names) {
        return placements.stream().noneMatch(placement -> names.containsKey(placement.node()))
                ? this
                : new Window(
                        gang,
                        start,
                        placements.stream()
                                .map(placement -> new Placement(
                                        placement.pod(),
                                        names.getOrDefault(placement.node(), placement.node()),
                                        placement.start(),
                                        placement.end(),
                                        placement.cost()))
                                .toList(),
                        cost,
                        energy);
    }

    public boolean isOn(String node) {
        return placements.stream().anyMatch(placement -> placement.node().equals(node));
    }

    public void occupy(Timeline timeline, Gang gang) {
        eachRoom(gang, timeline::occupy);
        QueueTimeline queues = timeline.queues();
        if (queues != null && gang.queue() != null) {
            queues.take(gang.queue(), gang.total(), interval());
        }
    }

    /** Gives up what {@link #occupy} took. */
    public void vacate(Timeline timeline, Gang gang) {
        eachRoom(gang, timeline::vacate);
        QueueTimeline queues = timeline.queues();
        if (queues != null && gang.queue() != null) {
            queues.giveUp(gang.queue(), gang.total(), interval());
        }
    }

    @FunctionalInterface
    public interface Room {
        /** Takes or gives up room; {@code resources} are the sum over the window's pods there. */
        void change(String node, Resources resources, Interval interval);
    }

    /**
     * Calls {@code room} for all room of the window, once for a group of pods with the same request on one node at the
     * same time. O(p) for p pods.
     */
    public void eachRoom(Gang gang, Room room) {
        for (int i = 0; i < placements.size(); ) {
            Placement placement = placements.get(i);
            Resources podResources = gang.requestOf(placement.pod()).resources();
            int next = i + 1;
            while (next < placements.size() && isLike(placement, podResources, placements.get(next), gang)) {
                next++;
            }
            Resources allResources = podResources.copies(next - i);
            Interval interval = new Interval(placement.start(), placement.end());
            if (allResources == null) {
                room.change(placement.node(), podResources, interval);
                i++;
            } else {
                room.change(placement.node(), allResources, interval);
                i = next;
            }
        }
    }

    /** Returns whether a pod has the same request, node and time as the one before. False for the first. */
    public boolean isLikeTheOneBefore(int i, Gang gang) {
        return i > 0
                && isLike(
                        placements.get(i - 1),
                        gang.requestOf(placements.get(i - 1).pod()).resources(),
                        placements.get(i),
                        gang);
    }

    private static boolean isLike(Placement placement, Resources resources, Placement other, Gang gang) {
        return other.start() == placement.start()
                && other.end() == placement.end()
                && other.node().equals(placement.node())
                && gang.requestOf(other.pod()).resources().equals(resources);
    }

    /** Returns the free capacity without this window, which has its room in the timeline. */
    public RestoredCapacity restored(Timeline timeline, Gang gang) {
        RestoredCapacity restored = new RestoredCapacity();
        eachRoom(gang, (node, resources, interval) -> restored.vacate(timeline, node, resources, interval));
        restored.vacateQueues(interval());
        return restored;
    }

    /** Returns the free capacity of a node without this window, which has its room there. */
    public NodeTimeline restoredOn(NodeTimeline node, Gang gang) {
        NodeTimeline timeline = node.copy();
        for (Placement placement : placements) {
            if (placement.node().equals(node.node().name())) {
                timeline.vacate(
                        gang.requestOf(placement.pod()).resources(), new Interval(placement.start(), placement.end()));
            }
        }
        return timeline;
    }

    /** Returns whether this window has room and breaks no rule. Leaves the timeline unchanged. */
    public boolean fits(Timeline timeline, Gang gang) {
        if (!isAllowed(null, timeline, gang)) {
            return false;
        }
        if (isSimple(gang)) {
            return hasRoom(timeline, gang) && broken(timeline, gang) == null;
        }
        occupy(timeline, gang);
        boolean fits = holds(timeline, gang, UnaryOperator.identity());
        vacate(timeline, gang);
        return fits && broken(timeline, gang) == null;
    }

    /**
     * Returns whether this window has room once another window of the same gang, which has room in the timeline, gives
     * its own up. Leaves the timeline unchanged, and ignores rules about other pods. O(placements x breakpoints of
     * their nodes), less for that window itself.
     */
    public boolean fitsInPlaceOf(@Nullable Window ownWindow, Timeline timeline, Gang gang) {
        if (ownWindow != null && equals(ownWindow)) {
            return holds(timeline, gang, UnaryOperator.identity());
        }
        if (!isAllowed(ownWindow, timeline, gang)) {
            return false;
        }
        if (ownWindow == null && isSimple(gang)) {
            return hasRoom(timeline, gang);
        }
        RestoredCapacity restored = ownWindow == null ? new RestoredCapacity() : ownWindow.restored(timeline, gang);
        eachRoom(gang, (node, resources, interval) -> restored.occupy(timeline, node, resources, interval));
        return holds(timeline, gang, restored::of);
    }

    /** Returns the first rule about other pods that this window breaks, which has no room yet, or null. */
    public @Nullable PodRule broken(Timeline timeline, Gang gang) {
        return gang.hasRules()
                ? new NeighbourRules(gang, timeline.nodes(), RestoredCapacity.NONE::of).broken(this)
                : null;
    }

    /**
     * Returns whether the pods on each node are alike and without marks. Then each node's room can be checked without
     * taking it.
     */
    private boolean isSimple(Gang gang) {
        for (int i = 0; i < placements.size(); i++) {
            Placement placement = placements.get(i);
            if (isLikeTheOneBefore(i, gang)) {
                continue;
            }
            Resources resources = gang.requestOf(placement.pod()).resources();
            boolean ordered = i == 0 || placements.get(i - 1).node().compareTo(placement.node()) < 0;
            if (!ordered || resources.hasMarks() || resources.copies(placements.size()) == null) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether this simple window, which has no room in the timeline, would fit. */
    private boolean hasRoom(Timeline timeline, Gang gang) {
        for (int i = 0; i < placements.size(); ) {
            Placement placement = placements.get(i);
            int next = i + 1;
            while (next < placements.size() && isLikeTheOneBefore(next, gang)) {
                next++;
            }
            Resources resources = gang.requestOf(placement.pod()).resources().copies(next - i);
            NodeTimeline node = timeline.node(placement.node());
            if (node == null
                    || resources == null
                    || !node.hasRoomFor(resources, new Interval(placement.start(), placement.end()))) {
                return false;
            }
            i = next;
        }
        return true;
    }

    /** Returns whether the nodes of this window, which has its room in the timeline, hold everything on them. */
    private boolean holds(Timeline timeline, Gang gang, UnaryOperator<NodeTimeline> seen) {
        for (int i = 0; i < placements.size(); i++) {
            Placement placement = placements.get(i);
            if (isLikeTheOneBefore(i, gang)) {
                continue;
            }
            NodeTimeline node = timeline.node(placement.node());
            if (node == null
                    || !seen.apply(node)
                            .holds(
                                    gang.requestOf(placement.pod()).resources(),
                                    new Interval(placement.start(), placement.end()))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether this window starts and ends no later than a promise, costs no more and is no worse. */
    @SuppressWarnings("ReferenceEquality") // A promise usually stays as it is.
    public boolean keeps(Window promised, Gang gang) {
        return this == promised
                || (start <= promised.start
                        && end() <= promised.end()
                        && cost.compareTo(promised.cost) <= 0
                        && value(gang) <= promised.value(gang));
    }

    /** Returns whether this window {@linkplain #keeps keeps} a promise, may replace it, and is better in something. */
    @SuppressWarnings("ReferenceEquality") // A promise usually stays as it is.
    public boolean improves(Window promised, Gang gang) {
        return this != promised
                && keeps(promised, gang)
                && (start < promised.start
                        || end() < promised.end()
                        || cost.compareTo(promised.cost) < 0
                        || value(gang) < promised.value(gang));
    }

    /**
     * Returns whether this window {@linkplain #improves(Window, Gang) improves} a promise enough to be worth the
     * change: it costs less, is better by a criterion other than time, or starts or ends earlier by {@code leastGain}
     * seconds.
     */
    public boolean improves(Window promised, Gang gang, long leastGain) {
        return improves(promised, gang)
                && (promised.start - start >= leastGain
                        || promised.end() - end() >= leastGain
                        || cost.compareTo(promised.cost) < 0
                        || (!gang.criterion().isOfTime() && value(gang) < promised.value(gang)));
    }
}
