package io.slotwise.core.window.sweep;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.window.CompanionRules;
import io.slotwise.core.window.knapsack.UnitKnapsack.Taken;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Places the pods of a gang of several shapes on nodes at one second: the least sum of values under a limit on the
 * cost, and then the least cost. Without values the least cost.
 *
 * <p>Candidates for each shape are the offers that fewer than n others beat in value and cost, n being all pods of the
 * gang. If a pod were on another offer, one of those n nodes would be without any of the other n - 1 pods, and the pod
 * could move there. A dynamic program goes from node to node of the candidates. Its state is the number of placed pods
 * of each shape. For each state it keeps the pairs (value, cost) of which none is beaten in both. Exact.
 *
 * <p>O(c p f l) for c candidate nodes, p states (the product of the shapes' sizes plus one), f ways to fill a node, and
 * lists of l pairs (l = 1 without values). The pods are placed greedily if c p f exceeds {@value #MOST_WORK}, or all
 * placements of one search together {@value #MOST_IN_ALL}. Then the shape with the fewest candidates is placed first,
 * each pod on the best offer with room. The search reports that a better window may exist.
 *
 * <p>Pods with rules among themselves ({@link CompanionRules}) are placed in each domain separately, with the
 * candidates of the domain. Then the domains are joined, O(p^2) for each of them, using only the placements that the
 * rules admit in a domain. Pods in slices are placed by {@link SlicePacking}.
 */
public final class MixedPlacement {
    /** The steps of one program beyond which pods are placed greedily. */
    static final long MOST_WORK = 5_000_000;

    /** The steps of all programs of one search beyond which pods are placed greedily. */
    static final long MOST_IN_ALL = 100_000_000;

    private final SlotSearch search;
    private final List<Offer> offers;
    private final int[] shapeOf;
    private final int[] pods;
    private final int n;
    private final long @Nullable [] values;
    private final @Nullable CompanionRules rules;
    private final @Nullable SlicePacking slices;

    /** The digits of the states: the number of placed pods of shape j is {@code state / stride[j] % (pods[j] + 1)}. */
    private final long[] stride;

    private final long states;
    private long work;

    /** The limits of a placement: its cost at most, its value below a bound, and the longest pod in seconds. */
    record Limits(long cost, long below, long longest) {}

    record Assignment(long value, long cost, List<Taken> taken) {
        /** Returns how many pods each of {@code offers} offers takes. */
        int[] units(int offers) {
            int[] units = new int[offers];
            taken.forEach(taken -> units[taken.node()] += taken.units());
            return units;
        }
    }

    /** The values are those of a pod on each offer, or null. */
    MixedPlacement(SlotSearch search, long @Nullable [] values) {
        this.search = search;
        this.offers = search.offers();
        this.shapeOf = search.shapeOf();
        this.pods =
                search.shapes().stream().mapToInt(SlotSearch.ShapeOffers::pods).toArray();
        this.n = search.size();
        this.values = values;
        this.rules = search.company();
        this.slices = search.slices().isEmpty() ? null : new SlicePacking(search, values);
        this.stride = new long[pods.length];
        long product = 1;
        for (int j = 0; j < pods.length; j++) {
            stride[j] = product;
            product = Math.min(product * (pods[j] + 1), MOST_WORK);
        }
        this.states = product;
    }

    /** Returns the cheapest placement at second {@code t} on offers that take no longer. Precondition: it exists. */
    public static int[] cheapest(SlotSearch search, long t, long longest) {
        Assignment assignment = Objects.requireNonNull(new MixedPlacement(search, null)
                .best(t, i -> search.slots().countAt(i, t), new Limits(Long.MAX_VALUE, Long.MAX_VALUE, longest)));
        return assignment.units(search.offers().size());
    }

    /**
     * Returns the best placement with room on each offer for as many pods as {@code free} returns, or null if there is
     * none.
     */
    @Nullable
    Assignment best(long t, IntUnaryOperator free, Limits limits) {
        if (slices != null) {
            return slices.best(t, free, limits);
        }
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
            for (Candidate candidate : promising(shape)) {
                nodes.computeIfAbsent(offers.get(candidate.offer()).node(), _ -> new ArrayList<>())
                        .add(candidate);
            }
        }
        return new Programme(List.copyOf(nodes.values()), t, limits).best(byShape);
    }

    /** Returns a shape's candidates that may be useful. Pods with rules stay in their domains. */
    private List<Candidate> promising(List<Candidate> shape) {
        if (rules == null) {
            return unbeaten(shape);
        }
        Map<Optional<String>, List<Candidate>> byDomain = new HashMap<>();
        shape.forEach(candidate -> byDomain.computeIfAbsent(domain(candidate), _ -> new ArrayList<>())
                .add(candidate));
        shape.sort(Candidate.ORDER);
        return byDomain.values().stream()
                .flatMap(domain -> unbeaten(domain).stream())
                .sorted(Candidate.ORDER)
                .toList();
    }

    /** Returns the domain in which rules apply to the pods of an offer, if any. */
    private Optional<String> domain(Candidate candidate) {
        return rules == null ? Optional.empty() : Optional.ofNullable(rules.domain(node(candidate)));
    }

    private Node node(Candidate candidate) {
        return offers.get(candidate.offer()).timeline().node();
    }

    /** An offer with room. */
    private record Candidate(int offer, int free, long value, long cost) {
        private static final Comparator<Candidate> ORDER = Comparator.comparingLong(Candidate::value)
                .thenComparingLong(Candidate::cost)
                .thenComparingInt(Candidate::offer);
    }

    /** Returns the candidates that fewer than n others beat, by value and cost, so the first are the best. */
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
        Assignment best(List<List<Candidate>> byShape) {
            List<List<PartialAssignment.Fill>> fills = new ArrayList<>();
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
            List<PartialAssignment> whole = (rules == null ? all(fills) : inDomains(rules, fills)).getLast();
            return whole.isEmpty() ? null : assignment(whole.getFirst());
        }

        private List<List<PartialAssignment>> all(List<List<PartialAssignment.Fill>> fills) {
            List<List<PartialAssignment>> lists = empty();
            for (int node = 0; node < nodes.size(); node++) {
                add(lists, node, fills.get(node));
            }
            return lists;
        }

        private List<List<PartialAssignment>> empty() {
            List<List<PartialAssignment>> lists = new ArrayList<>(Collections.nCopies((int) states, List.of()));
            lists.set(0, List.of(PartialAssignment.EMPTY));
            return lists;
        }

        /** Places pods in each domain separately, and joins the placements that the rules admit. */
        private List<List<PartialAssignment>> inDomains(
                CompanionRules rules, List<List<PartialAssignment.Fill>> fills) {
            SortedMap<String, List<Integer>> byDomain = new TreeMap<>();
            List<Integer> outside = new ArrayList<>();
            for (int node = 0; node < nodes.size(); node++) {
                String domain = domain(nodes.get(node).getFirst()).orElse(null);
                (domain == null ? outside : byDomain.computeIfAbsent(domain, _ -> new ArrayList<>())).add(node);
            }
            if (!rules.reaches(byDomain.keySet())) {
                return new ArrayList<>(Collections.nCopies((int) states, List.of()));
            }
            List<List<PartialAssignment>> lists = empty();
            for (int node : outside) {
                add(lists, node, fills.get(node));
            }
            lists = joined(lists, null, empty(), rules);
            for (Map.Entry<String, List<Integer>> entry : byDomain.entrySet()) {
                List<List<PartialAssignment>> ofDomain = empty();
                for (int node : entry.getValue()) {
                    add(ofDomain, node, fills.get(node));
                }
                lists = joined(ofDomain, entry.getKey(), lists, rules);
            }
            return lists;
        }

        /** Joins the admitted placements of one domain with those of the domains before. */
        private List<List<PartialAssignment>> joined(
                List<List<PartialAssignment>> ofDomain,
                @Nullable String domain,
                List<List<PartialAssignment>> before,
                CompanionRules rules) {
            List<List<PartialAssignment>> both = new ArrayList<>();
            for (int state = 0; state < states; state++) {
                both.add(new ArrayList<>());
            }
            for (int added = 0; added < states; added++) {
                int[] counts = counts(added);
                if (ofDomain.get(added).isEmpty() || !rules.admits(domain, counts)) {
                    continue;
                }
                for (int state = 0; state + added < states; state++) {
                    if (!before.get(state).isEmpty() && isBeside(state, counts)) {
                        for (PartialAssignment assignment : before.get(state)) {
                            for (PartialAssignment other : ofDomain.get(added)) {
                                join(both.get(state + added), assignment, other);
                            }
                        }
                    }
                }
            }
            return both;
        }

        private void join(List<PartialAssignment> list, PartialAssignment assignment, PartialAssignment other) {
            long value = assignment.value() + other.value();
            long cost = assignment.cost() + other.cost();
            if (value < limits.below() && cost <= limits.cost() && !PartialAssignment.isBeaten(list, value, cost)) {
                PartialAssignment.insert(list, PartialAssignment.after(assignment, other));
            }
        }

        private int[] counts(int state) {
            int[] counts = new int[pods.length];
            for (int j = 0; j < pods.length; j++) {
                counts[j] = (int) (state / stride[j] % (pods[j] + 1));
            }
            return counts;
        }

        /** Returns whether adding these pods stays within the number of pods of every shape. */
        private boolean isBeside(int state, int[] more) {
            int[] there = counts(state);
            for (int j = 0; j < pods.length; j++) {
                if (there[j] + more[j] > pods[j]) {
                    return false;
                }
            }
            return true;
        }

        /** Places one shape after the other, each pod on the best offer with room. */
        private @Nullable Assignment greedy(List<List<Candidate>> byShape) {
            Map<String, NodeRoom> roomOnNode = new HashMap<>();
            Map<String, int[]> counts = new HashMap<>();
            Map<Optional<String>, int[]> inDomain = new HashMap<>();
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
                    NodeRoom room =
                            roomOnNode.computeIfAbsent(offer.node(), _ -> new NodeRoom(search, offer, t, requests()));
                    int[] here = counts.computeIfAbsent(offer.node(), _ -> new int[pods.length]);
                    int[] domain = inDomain.computeIfAbsent(domain(candidate), _ -> new int[pods.length]);
                    int most = Math.min(left, candidate.free());
                    while (most > 0 && !(room.fits(here, shape, most) && isAllowed(candidate, domain, shape, most))) {
                        most--;
                    }
                    if (most > 0) {
                        here[shape] = most;
                        domain[shape] += most;
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
            return value < limits.below() && cost <= limits.cost() && isAdmitted(inDomain, counts, roomOnNode)
                    ? new Assignment(value, cost, taken)
                    : null;
        }

        private boolean isAllowed(Candidate candidate, int[] domain, int shape, int more) {
            if (rules == null) {
                return true;
            }
            int[] together = domain.clone();
            together[shape] += more;
            return rules.allows(domain(candidate).orElse(null), together);
        }

        private boolean isAdmitted(
                Map<Optional<String>, int[]> inDomain, Map<String, int[]> counts, Map<String, NodeRoom> roomOnNode) {
            if (rules == null) {
                return true;
            }
            Set<String> domains = new HashSet<>();
            inDomain.keySet().forEach(domain -> domain.ifPresent(domains::add));
            return rules.reaches(domains)
                    && counts.entrySet().stream()
                            .allMatch(entry -> rules.admitsOn(
                                    Objects.requireNonNull(roomOnNode.get(entry.getKey()))
                                            .node(),
                                    entry.getValue()))
                    && inDomain.entrySet().stream()
                            .allMatch(entry -> rules.admits(entry.getKey().orElse(null), entry.getValue()));
        }

        private Resources[] requests() {
            Resources[] requests = new Resources[pods.length];
            for (int i = 0; i < offers.size(); i++) {
                requests[shapeOf[i]] = offers.get(i).request();
            }
            return requests;
        }

        /** Adds the fills of a node. Smaller states come before larger ones, so each node is filled once. */
        private void add(List<List<PartialAssignment>> lists, int node, List<PartialAssignment.Fill> fills) {
            for (int state = (int) states - 1; state > 0; state--) {
                List<PartialAssignment> all = null;
                for (PartialAssignment.Fill fill : fills) {
                    if (fill.state() > state || !contains(state, fill)) {
                        continue;
                    }
                    for (PartialAssignment partial : lists.get(state - fill.state())) {
                        long value = partial.value() + fill.value();
                        long cost = partial.cost() + fill.cost();
                        if (value < limits.below() && cost <= limits.cost()) {
                            all = all == null ? new ArrayList<>(lists.get(state)) : all;
                            PartialAssignment.insert(all, new PartialAssignment(value, cost, partial, node, fill));
                        }
                    }
                }
                if (all != null) {
                    lists.set(state, all);
                }
            }
        }

        private boolean contains(int state, PartialAssignment.Fill fill) {
            for (int j = 0; j < pods.length; j++) {
                if (state / stride[j] % (pods[j] + 1) < fill.counts().get(j)) {
                    return false;
                }
            }
            return true;
        }

        /** Returns all ways to fill one node with at least one pod, within the limit of work. */
        private List<PartialAssignment.Fill> fills(List<Candidate> node) {
            List<PartialAssignment.Fill> fills = new ArrayList<>();
            extend(
                    node,
                    0,
                    new int[pods.length],
                    new NodeRoom(search, offers.get(node.getFirst().offer()), t, requests()),
                    fills);
            return fills;
        }

        private void extend(
                List<Candidate> node, int next, int[] counts, NodeRoom room, List<PartialAssignment.Fill> fills) {
            if (fills.size() * states >= MOST_WORK) {
                return;
            }
            if (next == node.size()) {
                if (Arrays.stream(counts).anyMatch(count -> count > 0)
                        && (rules == null || rules.admitsOn(node(node.getFirst()), counts))) {
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

        private PartialAssignment.Fill fill(List<Candidate> node, int[] counts) {
            long value = 0;
            long cost = 0;
            long state = 0;
            for (Candidate candidate : node) {
                int count = counts[shapeOf[candidate.offer()]];
                value += count * candidate.value();
                cost += count * candidate.cost();
                state += count * stride[shapeOf[candidate.offer()]];
            }
            return new PartialAssignment.Fill(
                    (int) state, Arrays.stream(counts).boxed().toList(), value, cost);
        }

        private Assignment assignment(PartialAssignment assignment) {
            List<Taken> taken = new ArrayList<>();
            for (PartialAssignment partial = assignment; partial != null; partial = partial.before()) {
                PartialAssignment.Fill fill = partial.fill();
                if (fill != null) {
                    for (Candidate candidate : nodes.get(partial.node())) {
                        int count = fill.counts().get(shapeOf[candidate.offer()]);
                        if (count > 0) {
                            taken.add(new Taken(candidate.offer(), count));
                        }
                    }
                }
            }
            return new Assignment(assignment.value(), assignment.cost(), taken);
        }
    }
}
