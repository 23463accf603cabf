package io.slotwise.core.window;

import io.slotwise.core.cluster.MarkPresence;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a gang's pod rules, given all other pods that run or are promised. The rules are anti-affinity,
 * affinity and topology spread. The result has two parts. The first is the seconds in which a node is closed to
 * a pod. The second is, for a range of starts, the open nodes and the rules between the gang's own pods. Used for one
 * search.
 *
 * <p>Anti-affinity to other pods closes nodes over time. Affinity and spread only depend on the second of the start. So
 * starts are grouped into ranges in which no pod that these rules count comes or goes. In such a range
 * <ul>
 * <li>an affinity leaves the domains that have a match. If there is no match anywhere, and all pods with the affinity
 * and no others of the gang match it, one domain takes them all. Pods of the gang without the affinity do not count:
 * the order in which kube-scheduler takes them is unknown;
 * <li>a spread is one alternative for each number m that the emptiest domain may have in the end. Every domain then has
 * at least m, and those with pods of the gang at most m plus the largest skew. A window is in one of these if and only
 * if its pods can come one after the other, each within the skew. The next pod always goes to the emptiest domain that
 * still gets one.
 * </ul>
 *
 * <p>A label is unique if its values are different on all nodes, as for host names. The result is exact for rules about
 * other pods. For rules among the gang's own pods it is exact if they use one label, or one label and a unique one.
 * Rules over more labels are not supported ({@link #unsupported}). One deviation, on the safe side: next to rules over
 * another label, windows are not found in which a rule over the unique label requires a node to get pods.
 */
public final class NeighbourRules {
    /** A bound on the alternatives. Spreads over few domains have few, and more would not help. */
    private static final int MOST_ALTERNATIVES = 256;

    private final Gang gang;
    private final List<NodeTimeline> nodes;
    private final UnaryOperator<NodeTimeline> seen;
    private final Map<List<Object>, MarkPresence> known = new HashMap<>();
    private final Map<List<Object>, List<Interval>> closed = new HashMap<>();
    private final Map<String, Boolean> unique = new HashMap<>();
    private boolean bounded;

    /** Precondition: the gang's own room is free. {@code seen} returns the free capacity of a node. */
    public NeighbourRules(Gang gang, List<NodeTimeline> nodes, UnaryOperator<NodeTimeline> seen) {
        this.gang = gang;
        this.nodes = nodes;
        this.seen = seen;
    }

    /**
     * An alternative way to keep all rules.
     *
     * @param open whether a pod of a shape may run on a node
     * @param rules the rules among the gang's own pods, or null
     * @param sameDomain the pods that must all be in one domain, or null
     */
    public record Alternative(
            BiPredicate<Integer, Node> open,
            @Nullable CompanionRules rules,
            @Nullable SameDomain sameDomain) {}

    /** A condition that all pods of some shapes ({@code owners}) run where the labels have the same values. */
    public record SameDomain(List<String> labels, List<Boolean> owners) {
        /** Returns the values of all labels; empty if the node lacks one. */
        public List<String> values(Node node) {
            return node.labels().keySet().containsAll(labels)
                    ? labels.stream()
                            .map(label -> node.labels().getOrDefault(label, ""))
                            .toList()
                    : List.of();
        }

        private SameDomain and(@Nullable SameDomain other) {
            if (other == null) {
                return this;
            }
            TreeSet<String> both = new TreeSet<>(labels);
            both.addAll(other.labels);
            List<Boolean> either = IntStream.range(0, owners.size())
                    .mapToObj(shape -> owners.get(shape) || other.owners.get(shape))
                    .toList();
            return new SameDomain(List.copyOf(both), either);
        }
    }

    /** A way to keep a single rule, with the parts of an {@link Alternative}. A rule may have several. */
    private record Way(
            BiPredicate<Integer, Node> open,
            @Nullable String label,
            CompanionRules.@Nullable Among among,
            @Nullable SameDomain sameDomain) {
        private static Way open(BiPredicate<Integer, Node> open) {
            return new Way(open, null, null, null);
        }

        private static Way among(BiPredicate<Integer, Node> open, String label, CompanionRules.Among among) {
            return new Way(open, label, among, null);
        }
    }

    /** Returns when running and promised pods close a node to a shape, ascending for each rule. */
    public List<Interval> closed(int shape, Node node) {
        List<Interval> all = new ArrayList<>();
        for (PodRule rule : request(shape).rules()) {
            if (rule instanceof PodRule.Apart(String label, String mark)) {
                String domain = node.labels().get(label);
                if (domain != null) {
                    all.addAll(closed.computeIfAbsent(List.of(label, mark, domain), _ -> closed(label, mark, domain)));
                }
            }
        }
        return all;
    }

    /** Returns when a mark closes a domain. An earlier pod must have left, and the turnover must have passed. */
    private List<Interval> closed(String label, String mark, String domain) {
        long turnover = nodes.isEmpty() ? 0 : nodes.getFirst().turnover();
        return presence(label, mark, null).when(domain).stream()
                .map(interval -> new Interval(
                        Math.max(interval.start(), Long.MIN_VALUE + turnover) - turnover, interval.end() + turnover))
                .toList();
    }

    /** Returns the seconds from {@code earliest} on at which something changes that rules check at a start. */
    public List<Long> stretches(long earliest, long latest) {
        TreeSet<Long> starts = new TreeSet<>();
        for (int shape = 0; shape < gang.shapes().size(); shape++) {
            for (PodRule rule : request(shape).rules()) {
                presencesAtStart(shape, rule).forEach(presence -> starts.addAll(presence.changes()));
            }
        }
        List<Long> stretches = new ArrayList<>(List.of(earliest));
        starts.stream().filter(second -> second > earliest && second <= latest).forEach(stretches::add);
        return stretches;
    }

    /** Returns what a rule counts at the second of the start alone. */
    private List<MarkPresence> presencesAtStart(int shape, PodRule rule) {
        return switch (rule) {
            case PodRule.Apart _ -> List.of();
            case PodRule.Together together ->
                together.labels().stream()
                        .map(label -> presence(label, together.mark(), null))
                        .toList();
            case PodRule.Spread spread ->
                List.of(presence(spread.label(), spread.mark(), new Counting(request(shape), spread.counted())));
        };
    }

    /** The key of the nodes that a spread of a shape's pods counts. */
    private record Counting(PodRequest request, PodRule.Counted counted) {}

    private MarkPresence presence(String label, String mark, @Nullable Counting counting) {
        return known.computeIfAbsent(
                counting == null ? List.of(label, mark) : List.of(label, mark, counting),
                _ -> new MarkPresence(
                        nodes,
                        seen,
                        label,
                        mark,
                        node -> counting == null
                                || counting.request().constraint().counts(node, counting.counted())));
    }

    private PodRequest request(int shape) {
        return gang.shapes().get(shape).request();
    }

    private List<Boolean> owners(PodRule rule) {
        return gang.shapes().stream()
                .map(shape -> shape.request().rules().contains(rule))
                .toList();
    }

    private List<Boolean> bearers(String mark) {
        return gang.shapes().stream().map(shape -> shape.request().bears(mark)).toList();
    }

    private long pods(List<Boolean> shapes) {
        return IntStream.range(0, shapes.size())
                .filter(shapes::get)
                .mapToLong(shape -> gang.shapes().get(shape).pods().size())
                .sum();
    }

    public boolean bounded() {
        return bounded;
    }

    /** Returns the ways to keep all rules with a start at second {@code t}; empty if there is none. */
    public List<Alternative> at(long t) {
        List<List<Way>> ways = List.of(List.of());
        for (PodRule rule : gang.rules()) {
            List<List<Way>> longer = new ArrayList<>();
            for (Way way : ways(rule, t)) {
                for (List<Way> others : ways) {
                    List<Way> all = new ArrayList<>(others);
                    all.add(way);
                    longer.add(all);
                }
            }
            bounded |= longer.size() > MOST_ALTERNATIVES;
            ways = longer.size() > MOST_ALTERNATIVES ? longer.subList(0, MOST_ALTERNATIVES) : longer;
        }
        return ways.stream().flatMap(all -> Stream.ofNullable(alternative(all))).toList();
    }

    private @Nullable Alternative alternative(List<Way> ways) {
        Map<String, List<CompanionRules.Among>> byLabel = new LinkedHashMap<>();
        for (Way way : ways) {
            if (way.label() != null && way.among() != null) {
                byLabel.computeIfAbsent(way.label(), _ -> new ArrayList<>()).add(way.among());
            }
        }
        BiPredicate<Integer, Node> open =
                (shape, node) -> ways.stream().allMatch(way -> way.open().test(shape, node));
        SameDomain sameDomain = null;
        for (Way way : ways) {
            sameDomain =
                    way.sameDomain() == null ? sameDomain : way.sameDomain().and(sameDomain);
        }
        if (byLabel.isEmpty()) {
            return new Alternative(open, null, sameDomain);
        }
        // Labels with domains of several nodes come first.
        List<String> labels = byLabel.keySet().stream()
                .sorted(Comparator.comparing(this::isUnique))
                .toList();
        if (labels.size() > 2 || (labels.size() == 2 && !isUnique(labels.get(1)))) {
            return null;
        }
        String second = labels.size() == 2 ? labels.get(1) : null;
        CompanionRules rules = new CompanionRules(
                labels.getFirst(),
                Objects.requireNonNull(byLabel.get(labels.getFirst())),
                second,
                second == null ? List.of() : Objects.requireNonNull(byLabel.get(second)));
        int shapes = gang.shapes().size();
        return new Alternative(
                (shape, node) -> open.test(shape, node)
                        && rules.allows(rules.domain(node), CompanionRules.one(shape, shapes))
                        && rules.allowsOn(node, CompanionRules.one(shape, shapes)),
                rules,
                sameDomain);
    }

    private boolean isUnique(String label) {
        return unique.computeIfAbsent(label, key -> {
            Set<String> values = new HashSet<>();
            return nodes.stream()
                    .map(node -> node.node().labels().get(key))
                    .filter(Objects::nonNull)
                    .allMatch(values::add);
        });
    }

    private List<Way> ways(PodRule rule, long t) {
        List<Boolean> owners = owners(rule);
        return switch (rule) {
            case PodRule.Apart apart -> apart(apart, owners);
            case PodRule.Together together -> together(together, owners, t);
            case PodRule.Spread spread -> spread(spread, owners, t);
        };
    }

    private List<Way> apart(PodRule.Apart apart, List<Boolean> owners) {
        List<Boolean> bearers = bearers(apart.mark());
        boolean alone = gang.size() == 1 || (gang.maxPerNode() == 1 && isUnique(apart.label()));
        return List.of(
                alone || !bearers.contains(true)
                        ? Way.open((_, _) -> true)
                        : Way.among((_, _) -> true, apart.label(), new CompanionRules.Apart(owners, bearers)));
    }

    private List<Way> together(PodRule.Together together, List<Boolean> owners, long t) {
        List<Boolean> bearers = bearers(together.mark());
        List<MarkPresence> presences = together.labels().stream()
                .map(label -> presence(label, together.mark(), null))
                .toList();
        boolean nowhere = presences.stream()
                .allMatch(presence -> presence.domains().stream().allMatch(domain -> presence.at(domain, t) == 0));
        if (nowhere && owners.equals(bearers)) {
            SameDomain sameDomain = new SameDomain(together.labels(), owners);
            BiPredicate<Integer, Node> open = (shape, node) ->
                    !owners.get(shape) || !sameDomain.values(node).isEmpty();
            return List.of(pods(owners) == 1 ? Way.open(open) : new Way(open, null, null, sameDomain));
        }
        return List.of(Way.open((shape, node) -> !owners.get(shape)
                || presences.stream().allMatch(presence -> presence.at(presence.domain(node), t) > 0)));
    }

    private List<Way> spread(PodRule.Spread spread, List<Boolean> owners, long t) {
        List<Boolean> bearers = bearers(spread.mark());
        Counting counting = new Counting(request(owners.indexOf(true)), spread.counted());
        MarkPresence presence = presence(spread.label(), spread.mark(), counting);
        boolean tooFewDomains = presence.domains().size() < spread.minDomains();
        long fewest = tooFewDomains
                ? 0
                : presence.domains().stream()
                        .mapToLong(domain -> presence.at(domain, t))
                        .min()
                        .orElse(0);
        BiPredicate<Integer, Node> counts = counting(spread, owners);
        if (!bearers.contains(true)) {
            return List.of(Way.open((shape, node) -> counts.test(shape, node)
                    && (!owners.get(shape) || presence.at(presence.domain(node), t) - fewest <= spread.maxSkew())));
        }
        if (gang.size() == 1) {
            return List.of(Way.open((shape, node) -> counts.test(shape, node)
                    && presence.at(presence.domain(node), t) + 1 - fewest <= spread.maxSkew()));
        }
        if (problem(spread) != null) {
            return List.of();
        }
        return numbers(spread, bearers, presence, t, tooFewDomains).stream()
                .map(between -> Way.among(counts, spread.label(), between))
                .toList();
    }

    private BiPredicate<Integer, Node> counting(PodRule.Spread spread, List<Boolean> owners) {
        return (shape, node) ->
                !owners.get(shape) || request(shape).constraint().counts(node, spread.counted());
    }

    /** Returns one rule for each number of pods that the emptiest domain may have in the end. */
    private List<CompanionRules.Between> numbers(
            PodRule.Spread spread, List<Boolean> bearers, MarkPresence presence, long t, boolean tooFewDomains) {
        long pods = pods(bearers);
        Map<String, Long> podsInDomain = new TreeMap<>();
        presence.domains().forEach(domain -> podsInDomain.put(domain, presence.at(domain, t)));
        long all = podsInDomain.values().stream().mapToLong(Long::longValue).sum();
        long least = tooFewDomains
                ? 0
                : podsInDomain.values().stream()
                        .mapToLong(Long::longValue)
                        .min()
                        .orElse(0);
        long most = tooFewDomains || podsInDomain.isEmpty() ? 0 : (all + pods) / podsInDomain.size();
        List<CompanionRules.Between> numbers = new ArrayList<>();
        for (long m = least; m <= most; m++) {
            if (numbers.size() == MOST_ALTERNATIVES) {
                bounded = true;
                break;
            }
            Map<String, Long> lower = new TreeMap<>();
            Map<String, Long> upper = new TreeMap<>();
            long fewest = m;
            podsInDomain.forEach((domain, present) -> {
                if (!tooFewDomains && present < fewest) {
                    lower.put(domain, fewest - present);
                }
                if (present < fewest + spread.maxSkew()) {
                    upper.put(domain, fewest + spread.maxSkew() - present);
                }
            });
            long needed = lower.values().stream().mapToLong(Long::longValue).sum();
            long taken = upper.values().stream().mapToLong(Long::longValue).sum();
            if (needed <= pods && pods <= taken) {
                numbers.add(new CompanionRules.Between(bearers, lower, upper));
            }
        }
        return numbers;
    }

    /** Returns why rules of this gang are not supported, in words that follow "its", or null if they are. */
    public @Nullable String unsupported() {
        TreeSet<String> labels = new TreeSet<>();
        for (PodRule rule : gang.rules()) {
            String problem = rule instanceof PodRule.Spread spread ? problem(spread) : null;
            if (problem != null) {
                return problem;
            }
            if (isAmong(rule)) {
                labels.addAll(rule.labels());
            }
        }
        long wide = labels.stream().filter(label -> !isUnique(label)).count();
        return wide > 1 || labels.size() > 2
                ? ("pods keep rules among themselves over %d labels (%s), of which at most one may have a "
                                + "value on several nodes")
                        .formatted(labels.size(), String.join(", ", labels))
                : null;
    }

    /** Returns whether a rule is about the gang's own pods, other than putting all in one domain. */
    private boolean isAmong(PodRule rule) {
        return gang.size() > 1
                && switch (rule) {
                    case PodRule.Apart(String label, String mark) ->
                        bearers(mark).contains(true) && !(gang.maxPerNode() == 1 && isUnique(label));
                    case PodRule.Spread spread -> bearers(spread.mark()).contains(true);
                    case PodRule.Together _ -> false;
                };
    }

    private @Nullable String problem(PodRule.Spread spread) {
        List<Boolean> owners = owners(spread);
        List<Boolean> bearers = bearers(spread.mark());
        if (gang.size() == 1 || !bearers.contains(true)) {
            return null;
        }
        PodRequest request = null;
        for (int shape = 0; shape < owners.size(); shape++) {
            if (!owners.get(shape).equals(bearers.get(shape))) {
                return spread.words() + " counts pods of the gang that do not state it";
            }
            if (owners.get(shape)) {
                PodRequest other = request(shape);
                request = request == null ? other : request;
                if (!request.constraint().sameNodesAs(other.constraint())) {
                    return spread.words() + " is stated by pods that may use different nodes";
                }
            }
        }
        return null;
    }

    /** Returns the first rule that a window breaks, which has no room in the timeline, or null. */
    @Nullable
    PodRule broken(Window window) {
        if (keeps(window)) {
            return null;
        }
        for (PodRule rule : gang.rules()) {
            Gang onlyGang = gang;
            for (PodRule other : gang.rules()) {
                onlyGang = other.equals(rule) ? onlyGang : onlyGang.without(other);
            }
            if (!new NeighbourRules(onlyGang, nodes, seen).keeps(window)) {
                return rule;
            }
        }
        return gang.rules().getFirst();
    }

    private boolean keeps(Window window) {
        Map<String, Integer> shapes = new HashMap<>();
        for (int i = 0; i < gang.shapes().size(); i++) {
            int shape = i;
            gang.shapes().get(i).pods().forEach(pod -> shapes.put(pod, shape));
        }
        Map<String, Node> byName = new HashMap<>();
        nodes.forEach(node -> byName.put(node.node().name(), node.node()));
        List<Node> places = new ArrayList<>();
        int[] shapeOf = new int[window.placements().size()];
        for (int i = 0; i < shapeOf.length; i++) {
            Placement placement = window.placements().get(i);
            Node node = byName.get(placement.node());
            shapeOf[i] = shapes.getOrDefault(placement.pod(), 0);
            if (node == null
                    || closed(shapeOf[i], node).stream()
                            .anyMatch(
                                    interval -> interval.overlaps(new Interval(placement.start(), placement.end())))) {
                return false;
            }
            places.add(node);
        }
        return at(window.start()).stream().anyMatch(alternative -> holds(alternative, places, shapeOf));
    }

    private boolean holds(Alternative alternative, List<Node> places, int[] shapeOf) {
        for (int i = 0; i < shapeOf.length; i++) {
            if (!alternative.open().test(shapeOf[i], places.get(i))) {
                return false;
            }
        }
        SameDomain sameDomain = alternative.sameDomain();
        List<String> values = null;
        for (int i = 0; sameDomain != null && i < shapeOf.length; i++) {
            if (sameDomain.owners().get(shapeOf[i])) {
                List<String> valuesOfPlace = sameDomain.values(places.get(i));
                if (values != null && !values.equals(valuesOfPlace)) {
                    return false;
                }
                values = valuesOfPlace;
            }
        }
        return alternative.rules() == null
                || alternative.rules().admits(places, shapeOf, gang.shapes().size());
    }
}
