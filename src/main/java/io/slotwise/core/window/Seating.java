package io.slotwise.core.window;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.window.UnitKnapsack.Taken;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Seats the pods of a gang of several shapes on the nodes at one second: the least sum of values under a limit on the cost, and of
 * those seatings the cheapest; without values the cheapest.
 *
 * <p>Candidates: for each shape only offers that fewer than n others beat in value and cost, n being all pods of the gang. If a pod
 * sat on another one, one of those n nodes would be without any of the other n - 1 pods, and the pod could move there. On the
 * nodes of the candidates a dynamic programme goes from node to node; its state is how many pods of each shape are seated, and
 * for each state it keeps the pairs (value, cost) of which none is beaten in both. Exact.
 *
 * <p>O(c p f l) for c candidate nodes, p states (the product of the shapes' sizes plus one), f ways to fill a node, and lists of l
 * pairs (l = 1 without values). Where c p f passes {@value #MOST_WORK}, or all seatings of one search together {@value
 * #MOST_IN_ALL}, the pods are seated greedily instead: one shape after the other, the one with the fewest candidates first, each
 * pod on the best offer with room. Then the search tells that a better window may exist.
 */
final class Seating {
    /** Steps of one programme beyond which pods are seated greedily. */
    static final long MOST_WORK = 5_000_000;

    /** Steps of all programmes of one search beyond which pods are seated greedily. */
    static final long MOST_IN_ALL = 100_000_000;

    private final Search search;
    private final List<Offer> offers;
    private final int[] shapeOf;
    private final int[] pods;
    private final int n;
    private final long @Nullable [] values;

    /** Digits of the states: the number of seated pods of shape j is {@code state / stride[j] % (pods[j] + 1)}. */
    private final long[] stride;

    private final long states;
    private long work;

    /**
     * What a seating must keep.
     *
     * @param cost at most this
     * @param below its value is less than this
     * @param longest no pod takes longer, seconds
     */
    record Limits(long cost, long below, long longest) {}

    /** A seating. */
    record Seated(long value, long cost, List<Taken> taken) {
        /** How many pods each of {@code offers} offers takes. */
        int[] units(int offers) {
            int[] units = new int[offers];
            taken.forEach(some -> units[some.node()] += some.units());
            return units;
        }
    }

    /**
     * A seating for this search.
     *
     * @param values of a pod on each offer; null: none
     */
    Seating(Search search, long @Nullable [] values) {
        this.search = search;
        this.offers = search.offers();
        this.shapeOf = search.shapeOf().stream().mapToInt(Integer::intValue).toArray();
        this.pods = search.shapes().stream().mapToInt(Search.ShapeOffers::pods).toArray();
        this.n = search.size();
        this.values = values;
        this.stride = new long[pods.length];
        long product = 1;
        for (int j = 0; j < pods.length; j++) {
            stride[j] = product;
            product = Math.min(product * (pods[j] + 1), MOST_WORK);
        }
        this.states = product;
    }

    /** The units of the cheapest seating at second {@code t}, on offers that take at most {@code longest}; there must be one. */
    static int[] cheapest(Search search, long t, long longest) {
        Seated seated = Objects.requireNonNull(new Seating(search, null)
                .best(t, i -> search.slots().countAt(i, t), new Limits(Long.MAX_VALUE, Long.MAX_VALUE, longest)));
        return seated.units(search.offers().size());
    }

    /**
     * The best seating.
     *
     * @param t the common start
     * @param free how many pods each offer takes then
     * @param limits what it must keep
     * @return null if there is none
     */
    @Nullable
    Seated best(long t, IntUnaryOperator free, Limits limits) {
        List<List<Candidate>> byShape = new ArrayList<>();
        for (int j = 0; j < pods.length; j++) {
            byShape.add(new ArrayList<>());
        }
        for (int i = 0; i < offers.size(); i++) {
            int count = free.applyAsInt(i);
            if (count > 0 && offers.get(i).duration() <= limits.longest()) {
                long cost = offers.get(i).cost(t).microSecondsPerHour();
                byShape.get(shapeOf[i]).add(new Candidate(i, count, values == null ? 0 : values[i], cost));
            }
        }
        Map<String, List<Candidate>> nodes = new TreeMap<>();
        for (List<Candidate> shape : byShape) {
            for (Candidate candidate : unbeaten(shape)) {
                nodes.computeIfAbsent(offers.get(candidate.offer()).node(), _ -> new ArrayList<>())
                        .add(candidate);
            }
        }
        return new Programme(List.copyOf(nodes.values()), t, limits).best(byShape);
    }

    /** An offer with room. */
    private record Candidate(int offer, int free, long value, long cost) {
        private static final Comparator<Candidate> ORDER = Comparator.comparingLong(Candidate::value)
                .thenComparingLong(Candidate::cost)
                .thenComparingInt(Candidate::offer);
    }

    /** Those that fewer than n others beat; in the order of value and cost, so that the first ones are the best. */
    private List<Candidate> unbeaten(List<Candidate> shape) {
        shape.sort(Candidate.ORDER);
        PriorityQueue<Long> cheapest = new PriorityQueue<>(Collections.reverseOrder());
        List<Candidate> unbeaten = new ArrayList<>();
        for (Candidate candidate : shape) {
            if (cheapest.size() == n && cheapest.element() <= candidate.cost()) {
                continue;
            }
            unbeaten.add(candidate);
            cheapest.add(candidate.cost());
            if (cheapest.size() > n) {
                cheapest.remove();
            }
        }
        return unbeaten;
    }

    /** Pods of one node: how many of each shape, as a state, and what they add. */
    private record Fill(int state, List<Integer> counts, long value, long cost) {}

    /** A partial seating: its totals, the one that it extends, and which fill of which node it adds. */
    private record Partial(
            long value,
            long cost,
            @Nullable Partial before,
            int node,
            @Nullable Fill fill) {}

    private final class Programme {
        private final List<List<Candidate>> nodes;
        private final long t;
        private final Limits limits;

        Programme(List<List<Candidate>> nodes, long t, Limits limits) {
            this.nodes = nodes;
            this.t = t;
            this.limits = limits;
        }

        @Nullable
        Seated best(List<List<Candidate>> byShape) {
            List<List<Fill>> fills = new ArrayList<>();
            long steps = 0;
            for (List<Candidate> node : nodes) {
                if (states + steps >= MOST_WORK || work + steps >= MOST_IN_ALL) {
                    search.bound();
                    return greedy(byShape);
                }
                fills.add(fills(node));
                steps += states * fills.getLast().size();
            }
            work += steps;
            List<List<Partial>> lists = new ArrayList<>(Collections.nCopies((int) states, List.of()));
            lists.set(0, List.of(new Partial(0, 0, null, -1, null)));
            for (int node = 0; node < nodes.size(); node++) {
                add(lists, node, fills.get(node));
            }
            List<Partial> whole = lists.getLast();
            return whole.isEmpty() ? null : seated(whole.getFirst());
        }

        /** One shape after the other, each pod on the best offer with room. */
        private @Nullable Seated greedy(List<List<Candidate>> byShape) {
            Map<String, Room> rooms = new HashMap<>();
            Map<String, int[]> counts = new HashMap<>();
            List<Taken> taken = new ArrayList<>();
            long value = 0;
            long cost = 0;
            List<Integer> order = IntStream.range(0, pods.length)
                    .boxed()
                    .sorted(Comparator.comparingInt(shape -> byShape.get(shape).size()))
                    .toList();
            for (int shape : order) {
                int left = pods[shape];
                for (Candidate candidate : byShape.get(shape)) {
                    Offer offer = offers.get(candidate.offer());
                    Room room = rooms.computeIfAbsent(offer.node(), _ -> new Room(offer, t, requests()));
                    int[] here = counts.computeIfAbsent(offer.node(), _ -> new int[pods.length]);
                    int most = Math.min(left, candidate.free());
                    while (most > 0 && !room.fits(here, shape, most)) {
                        most--;
                    }
                    if (most > 0) {
                        here[shape] = most;
                        left -= most;
                        value += most * candidate.value();
                        cost += most * candidate.cost();
                        taken.add(new Taken(candidate.offer(), most));
                    }
                    if (left == 0) {
                        break;
                    }
                }
                if (left > 0) {
                    return null;
                }
            }
            return value < limits.below() && cost <= limits.cost() ? new Seated(value, cost, taken) : null;
        }

        /** What a pod of each shape asks for. */
        private Resources[] requests() {
            Resources[] requests = new Resources[pods.length];
            for (int i = 0; i < offers.size(); i++) {
                requests[shapeOf[i]] = offers.get(i).request();
            }
            return requests;
        }

        /** Fewer pods come before more, so each node is filled once. */
        private void add(List<List<Partial>> lists, int node, List<Fill> fills) {
            for (int state = (int) states - 1; state > 0; state--) {
                List<Partial> all = null;
                for (Fill fill : fills) {
                    if (fill.state() > state || !contains(state, fill)) {
                        continue;
                    }
                    for (Partial partial : lists.get(state - fill.state())) {
                        long value = partial.value() + fill.value();
                        long cost = partial.cost() + fill.cost();
                        if (value < limits.below() && cost <= limits.cost()) {
                            all = all == null ? new ArrayList<>(lists.get(state)) : all;
                            insert(all, new Partial(value, cost, partial, node, fill));
                        }
                    }
                }
                if (all != null) {
                    lists.set(state, all);
                }
            }
        }

        private boolean contains(int state, Fill fill) {
            for (int j = 0; j < pods.length; j++) {
                if (state / stride[j] % (pods[j] + 1) < fill.counts().get(j)) {
                    return false;
                }
            }
            return true;
        }

        /** Keeps the list ascending in value and descending in cost, without pairs that are beaten. */
        private static void insert(List<Partial> list, Partial added) {
            int at = 0;
            while (at < list.size() && list.get(at).value() < added.value()) {
                at++;
            }
            boolean beaten = (at > 0 && list.get(at - 1).cost() <= added.cost())
                    || (at < list.size()
                            && list.get(at).value() == added.value()
                            && list.get(at).cost() <= added.cost());
            if (beaten) {
                return;
            }
            while (at < list.size() && list.get(at).cost() >= added.cost()) {
                list.remove(at);
            }
            list.add(at, added);
        }

        /** All ways to fill one node with at least one pod, as far as they can be looked at. */
        private List<Fill> fills(List<Candidate> node) {
            List<Fill> fills = new ArrayList<>();
            extend(
                    node,
                    0,
                    new int[pods.length],
                    new Room(offers.get(node.getFirst().offer()), t, requests()),
                    fills);
            return fills;
        }

        private void extend(List<Candidate> node, int next, int[] counts, Room room, List<Fill> fills) {
            if (fills.size() * states >= MOST_WORK) {
                return;
            }
            if (next == node.size()) {
                if (Arrays.stream(counts).anyMatch(count -> count > 0)) {
                    fills.add(fill(node, counts));
                }
                return;
            }
            int shape = shapeOf[node.get(next).offer()];
            int most = Math.min(node.get(next).free(), pods[shape]);
            for (int count = 0; count <= most && room.fits(counts, shape, count); count++) {
                counts[shape] = count;
                extend(node, next + 1, counts, room, fills);
                counts[shape] = 0;
            }
        }

        private Fill fill(List<Candidate> node, int[] counts) {
            long value = 0;
            long cost = 0;
            long state = 0;
            for (Candidate candidate : node) {
                int count = counts[shapeOf[candidate.offer()]];
                value += count * candidate.value();
                cost += count * candidate.cost();
                state += count * stride[shapeOf[candidate.offer()]];
            }
            return new Fill((int) state, Arrays.stream(counts).boxed().toList(), value, cost);
        }

        private Seated seated(Partial whole) {
            List<Taken> taken = new ArrayList<>();
            for (Partial partial = whole; partial != null; partial = partial.before()) {
                Fill fill = partial.fill();
                if (fill != null) {
                    for (Candidate candidate : nodes.get(partial.node())) {
                        int count = fill.counts().get(shapeOf[candidate.offer()]);
                        if (count > 0) {
                            taken.add(new Taken(candidate.offer(), count));
                        }
                    }
                }
            }
            return new Seated(whole.value(), whole.cost(), taken);
        }
    }

    /** What one node has free throughout a pod's time. */
    private final class Room {
        private final Resources allocatable;
        private final long[] free;
        private final Resources[] requests;

        Room(Offer offer, long t, Resources[] requests) {
            NodeTimeline timeline = offer.timeline();
            this.allocatable = timeline.node().allocatable();
            this.free = timeline.leastFree(t, t + offer.duration() + timeline.turnover());
            this.requests = requests;
        }

        /** Whether {@code count} pods of a shape fit beside the others. */
        boolean fits(int[] counts, int shape, int count) {
            int all = count;
            for (int j = 0; j < counts.length; j++) {
                all += j == shape ? 0 : counts[j];
            }
            if (all > search.maxPerNode()) {
                return false;
            }
            for (int r = 0; r < free.length; r++) {
                long left = Math.max(free[r], 0);
                for (int j = 0; j < counts.length; j++) {
                    long each = requests[j].get(allocatable.name(r));
                    int pods = j == shape ? count : counts[j];
                    if (each > 0 && pods > left / each) {
                        return false;
                    }
                    left -= pods * each;
                }
            }
            return true;
        }
    }
}
