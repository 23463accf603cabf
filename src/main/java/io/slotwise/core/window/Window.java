package io.slotwise.core.window;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.money.Cost;
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
 * @param energy of the whole gang, milliwatt-seconds; {@link #UNKNOWN_ENERGY} if a node does not tell its power
 */
public record Window(GangId gang, long start, List<Placement> placements, Cost cost, long energy) {
    /** The energy of a window on a node that does not tell its power: more than any other. */
    public static final long UNKNOWN_ENERGY = Long.MAX_VALUE;

    public Window {
        placements = List.copyOf(placements);
    }

    /** A window whose cost is the sum of its pods', of unknown energy. */
    public static Window of(GangId gang, long start, List<Placement> placements) {
        return of(gang, start, placements, UNKNOWN_ENERGY);
    }

    /** A window whose cost is the sum of its pods'. */
    public static Window of(GangId gang, long start, List<Placement> placements, long energy) {
        return new Window(
                gang,
                start,
                placements,
                placements.stream().map(Placement::cost).reduce(Cost.ZERO, Cost::plus),
                energy);
    }

    /** The first second after the last pod's planned end. */
    public long end() {
        // Asked for of every window in every comparison.
        if (placements.isEmpty()) {
            return start;
        }
        long end = Long.MIN_VALUE;
        for (Placement placement : placements) {
            end = Math.max(end, placement.end());
        }
        return end;
    }

    /** Seconds from the start to {@link #end()}. */
    public long runtime() {
        return end() - start;
    }

    /** The sum of the pods' seconds. */
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

    /** The value of the gang's own criterion, to be minimised; exact. */
    public long value(Gang gang) {
        return value(gang.criterion(), gang);
    }

    /** The value of any criterion, to be minimised; exact. */
    public long value(Criterion criterion, Gang gang) {
        return switch (criterion) {
            case VALUE -> costWithDelay(gang);
            case PREFERENCE -> distance(gang);
            case START, FINISH, RUNTIME, COST, PROCESSOR_TIME, ENERGY -> value(criterion);
        };
    }

    /** How far it is from what the gang prefers, 1/3600 millionths: see {@code Preferences}. */
    public long distance(Gang gang) {
        return gang.preferences().distance(start, end(), cost.microSecondsPerHour());
    }

    /** What it costs and what its delay is worth to the gang, 1/3600 millionths. */
    public long costWithDelay(Gang gang) {
        return sum(cost.microSecondsPerHour(), gang.delay(end()));
    }

    /** The sum of a cost and what a delay is worth; what a long cannot hold counts as the most that it can. */
    public static long sum(long cost, long delay) {
        long sum = cost + delay;
        return delay > 0 && sum < cost ? Long.MAX_VALUE : sum;
    }

    /** The value of a criterion that does not need the gang, to be minimised; exact. */
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

    /** The same on nodes of other names; those that are not among these keep theirs. */
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
    }

    /** Gives back what {@link #occupy} took. */
    public void vacate(Timeline timeline, Gang gang) {
        eachRoom(gang, timeline::vacate);
    }

    /** Room on a node for some time. */
    @FunctionalInterface
    public interface Room {
        /** The window takes it, or gives it back; {@code resources}: of all its pods there together. */
        void change(String node, Resources resources, Interval interval);
    }

    /**
     * Tells of all room that the window takes, of pods that ask for the same on one node at the same time together.
     * O(p) for p pods, with a change for each group of them.
     */
    public void eachRoom(Gang gang, Room room) {
        for (int i = 0; i < placements.size(); ) {
            Placement placement = placements.get(i);
            Resources one = gang.requestOf(placement.pod()).resources();
            int next = i + 1;
            while (next < placements.size() && isLike(placement, one, placements.get(next), gang)) {
                next++;
            }
            Resources all = one.copies(next - i);
            Interval interval = new Interval(placement.start(), placement.end());
            if (all == null) {
                room.change(placement.node(), one, interval);
                i++;
            } else {
                room.change(placement.node(), all, interval);
                i = next;
            }
        }
    }

    /** Whether a pod asks for as much as the one before it, on the same node at the same time; not the first one. */
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

    /** The free capacity as it would be without this window, which has its room in the timeline. */
    public RestoredCapacity vacancy(Timeline timeline, Gang gang) {
        RestoredCapacity restored = new RestoredCapacity();
        eachRoom(gang, (node, resources, interval) -> restored.vacate(timeline, node, resources, interval));
        return restored;
    }

    /** The free capacity of one node as it would be without this window, which has its room there. */
    public NodeTimeline vacancyOn(NodeTimeline node, Gang gang) {
        NodeTimeline timeline = node.copy();
        for (Placement placement : placements) {
            if (placement.node().equals(node.node().name())) {
                timeline.vacate(
                        gang.requestOf(placement.pod()).resources(), new Interval(placement.start(), placement.end()));
            }
        }
        return timeline;
    }

    /** Whether there is room for this window and its pods may be with the others; the timeline stays the same. */
    public boolean fits(Timeline timeline, Gang gang) {
        if (isSimple(gang)) {
            return hasRoom(timeline, gang) && broken(timeline, gang) == null;
        }
        occupy(timeline, gang);
        boolean fits = holds(timeline, gang, UnaryOperator.identity());
        vacate(timeline, gang);
        return fits && broken(timeline, gang) == null;
    }

    /**
     * Whether there is room for this window once another one of the same gang has given its own up, which it has in the
     * timeline; the timeline does not change, and rules about other pods are not looked at. O(seats x breakpoints of
     * their nodes), less for that window itself.
     */
    public boolean fitsInPlaceOf(@Nullable Window ownWindow, Timeline timeline, Gang gang) {
        if (ownWindow != null && equals(ownWindow)) {
            return holds(timeline, gang, UnaryOperator.identity());
        }
        if (ownWindow == null && isSimple(gang)) {
            return hasRoom(timeline, gang);
        }
        RestoredCapacity restored = ownWindow == null ? new RestoredCapacity() : ownWindow.vacancy(timeline, gang);
        eachRoom(gang, (node, resources, interval) -> restored.occupy(timeline, node, resources, interval));
        return holds(timeline, gang, restored::of);
    }

    /** The first rule about other pods that this window, which has no room yet, does not keep; null: it keeps all. */
    public @Nullable PodRule broken(Timeline timeline, Gang gang) {
        return gang.hasRules()
                ? new NeighbourRules(gang, timeline.nodes(), RestoredCapacity.NONE::of).broken(this)
                : null;
    }

    /**
     * Whether each node has only pods beside each other that ask for the same, without marks: then whether there is
     * room for all of it can be told of each node without taking it.
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

    /** Whether the nodes of this window, which is simple and has no room in the timeline, have it beside all others. */
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

    /** Whether the nodes of this window, which has its room in the timeline, hold all that is on them. */
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

    /** Whether this starts and ends no later than a promised one, costs no more and is no worse by the criterion. */
    @SuppressWarnings("ReferenceEquality") // Mostly a promise stays what it was.
    public boolean keeps(Window promised, Gang gang) {
        return this == promised
                || (start <= promised.start
                        && end() <= promised.end()
                        && cost.compareTo(promised.cost) <= 0
                        && value(gang) <= promised.value(gang));
    }

    /** Whether this {@linkplain #keeps keeps} a promised window, which it may replace, and is better in something. */
    @SuppressWarnings("ReferenceEquality") // Mostly a promise stays what it was.
    public boolean improves(Window promised, Gang gang) {
        return this != promised
                && keeps(promised, gang)
                && (start < promised.start
                        || end() < promised.end()
                        || cost.compareTo(promised.cost) < 0
                        || value(gang) < promised.value(gang));
    }

    /**
     * Whether this window {@linkplain #improves(Window, Gang) improves} on a promised one so much that the change is
     * worth it: it costs less, is better by a criterion other than time, or starts or ends earlier by {@code leastGain}
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
