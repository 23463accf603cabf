package io.slotwise.kubernetes.manifest.neighbours;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.resource.Place;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.Isolated;
import io.slotwise.core.work.Steps;
import io.slotwise.kubernetes.manifest.field.LabelSelectors;
import io.slotwise.kubernetes.manifest.field.Labels;
import io.slotwise.kubernetes.manifest.pods.NamespaceKinds;
import io.slotwise.kubernetes.manifest.pods.PodBounds;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The planner's rules for the placement of waiting pods relative to other pods, and the pods that bear the marks of
 * these rules. The rules are required pod affinity and anti-affinity, and topology spread constraints with {@code
 * DoNotSchedule}, with kube-scheduler's semantics. Used for one intake.
 *
 * <p>Only terms of waiting pods are read; {@link ClosedNodes} handles those of running pods. An anti-affinity on the
 * host name that concerns only pods of the same gang is not a rule, because a gang with one pod per node keeps it. With
 * t different terms, of which a namespace has a bounded number, and p pods this takes O(t p), plus O(1) for each term
 * that a pod states; O(waiting pods) without terms.
 */
public final class PodNeighbours {
    private static final String HOST_NAME = "kubernetes.io/hostname";
    private static final String DO_NOT_SCHEDULE = "DoNotSchedule";
    /** The most different rules of a namespace's pods, together with their values. Each is compared with every pod. */
    static final int MOST_PARTS = 3_000;

    private final AntiAffinity.NamespaceLabels namespaces;
    /** For each mark, the pods that bear it. */
    private final Map<String, Predicate<Pod>> marks = new TreeMap<>();
    /** The anti-affinity terms that require more than their gangs keep anyway. */
    private final Set<Term> wide = new TreeSet<>();

    private final NamespaceKinds countedKinds = new NamespaceKinds(MOST_PARTS);

    /** The anti-affinity terms that each pod states. */
    private final IdentityHashMap<Pod, Set<Term>> stated = new IdentityHashMap<>();
    /** The pods with a rule beyond the limit of their namespace. */
    private final Set<Pod> tooMany = identities();

    /**
     * A term and the namespace of the pods that state it.
     *
     * @param words its canonical text, by which terms are compared
     */
    private record Term(String namespace, PodAffinityTerm term, String words) implements Comparable<Term> {
        static Term of(Pod pod, PodAffinityTerm term) {
            Steps.add(Steps.Kind.RULES, 1);
            String namespace = pod.getMetadata().getNamespace();
            return new Term(namespace, term, PodNeighbours.words(namespace, term));
        }

        int parts() {
            return PodBounds.parts(term);
        }

        @Override
        public int compareTo(Term other) {
            return words.compareTo(other.words);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Term term && words.equals(term.words);
        }

        @Override
        public int hashCode() {
            return words.hashCode();
        }
    }

    /**
     * @param waiting pods of Slotwise without a node that have not ended; the first ones use up their namespace's limit
     */
    public PodNeighbours(
            Collection<Pod> waiting, Function<Pod, GangId> gangOf, AntiAffinity.NamespaceLabels namespaces) {
        this.namespaces = namespaces;
        Map<Term, Set<Pod>> apart = new HashMap<>();
        // A pod that cannot be read is refused later, with its gang.
        waiting.forEach(pod -> Isolated.run(
                () -> stated(pod)
                        .forEach(term ->
                                apart.computeIfAbsent(term, _ -> identities()).add(pod)),
                _ -> {}));
        LabelledPods labelled = new LabelledPods(apart.isEmpty() ? List.of() : waiting);
        for (Pod pod : waiting) {
            stated.getOrDefault(pod, Set.of()).stream()
                    .filter(apart::containsKey)
                    .sorted()
                    .forEach(term -> look(term, Objects.requireNonNull(apart.remove(term)), labelled, gangOf));
            Isolated.run(() -> look(pod), _ -> {});
        }
    }

    /**
     * Reads a term. A term that can select only the pods that state it costs no more than these, and counts only as a
     * rule.
     */
    private void look(Term term, Set<Pod> owners, LabelledPods labelled, Function<Pod, GangId> gangOf) {
        List<List<Pod>> among = labelled.among(term.term(), term.namespace());
        int size = LabelledPods.size(among);
        if (size > owners.size() && !isAmongMost(term, owners)) {
            return;
        }
        Steps.add(Steps.Kind.RULES, size);
        Set<Pod> selected = identities();
        among.forEach(pods -> pods.stream().filter(pod -> selects(term, pod)).forEach(selected::add));
        boolean oneAnother = owners.size() == selected.size() && selected.containsAll(owners);
        long gangs = Stream.concat(owners.stream(), selected.stream())
                .map(gangOf)
                .distinct()
                .count();
        if ((gangs > 1 || !oneAnother || !HOST_NAME.equals(term.term().getTopologyKey()))
                && isAmongMost(term, owners)) {
            wide.add(term);
            marks.put(selected(term), pod -> selects(term, pod));
            marks.put(stating(term), pod -> states(term, pod));
        }
    }

    private void look(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        List<Term> together = together(pod);
        int parts = together.stream().mapToInt(Term::parts).sum();
        if (!together.isEmpty() && isAmongMost(namespace, mark(together), parts, Set.of(pod))) {
            marks.putIfAbsent(mark(together), other -> together.stream().allMatch(term -> selects(term, other)));
        }
        for (TopologySpreadConstraint spread : spreads(pod)) {
            LabelSelector selector = selector(spread, pod);
            if (isAmongMost(namespace, mark(namespace, selector), 1 + PodBounds.parts(selector), Set.of(pod))) {
                marks.putIfAbsent(mark(namespace, selector), other -> counts(other, namespace, selector));
            }
        }
    }

    private boolean isAmongMost(Term term, Collection<Pod> stating) {
        return isAmongMost(term.namespace(), stating(term), term.parts(), stating);
    }

    /** Returns whether a rule is within its namespace's limit. If not, the pods that state it are refused. */
    private boolean isAmongMost(String namespace, String rule, int parts, Collection<Pod> stating) {
        boolean isAmong = countedKinds.take(namespace, rule, parts);
        if (!isAmong) {
            tooMany.addAll(stating);
        }
        return isAmong;
    }

    private static Set<Pod> identities() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /** Returns whether no pod has a rule and no pod bears a mark. */
    public boolean isEmpty() {
        return marks.isEmpty();
    }

    public Map<String, Long> marks(Pod pod) {
        if (marks.isEmpty()) {
            return Map.of();
        }
        Steps.add(Steps.Kind.RULES, countedKinds.parts());
        Map<String, Long> borne = new HashMap<>();
        marks.forEach((mark, bears) -> {
            if (bears.test(pod)) {
                borne.put(mark, 1L);
            }
        });
        return Map.copyOf(borne);
    }

    /**
     * Returns the rules of a pod.
     *
     * @throws IllegalArgumentException if a rule cannot be read
     */
    public List<PodRule> rules(Pod pod) {
        if (tooMany.contains(pod)) {
            throw new IllegalArgumentException(
                    ("the pods of its namespace that wait have more than %d different affinities, anti-affinities and "
                                    + "spread constraints, with their labels and values, together")
                            .formatted(MOST_PARTS));
        }
        if (marks.isEmpty()) {
            return List.of();
        }
        Set<PodRule> rules = new LinkedHashSet<>();
        Steps.add(Steps.Kind.RULES, wide.size());
        for (Term term : wide) {
            String label = String.valueOf(term.term().getTopologyKey());
            if (states(term, pod)) {
                requireKey("pod anti-affinity", term.term().getTopologyKey());
                rules.add(new PodRule.Apart(label, selected(term)));
            }
            if (selects(term, pod)) {
                rules.add(new PodRule.Apart(label, stating(term)));
            }
        }
        List<Term> together = together(pod);
        together.forEach(term -> requireKey("pod affinity", term.term().getTopologyKey()));
        if (!together.isEmpty()) {
            rules.add(new PodRule.Together(
                    together.stream()
                            .map(term -> String.valueOf(term.term().getTopologyKey()))
                            .distinct()
                            .toList(),
                    mark(together)));
        }
        List<TopologySpreadConstraint> spreads = spreads(pod);
        spreads.forEach(spread -> requireKey("topology spread constraint", spread.getTopologyKey()));
        List<String> labels = spreads.stream()
                .map(spread -> String.valueOf(spread.getTopologyKey()))
                .distinct()
                .sorted()
                .toList();
        spreads.forEach(spread -> rules.add(rule(spread, pod, labels)));
        return rules.stream().sorted(Comparator.comparing(PodRule::toString)).toList();
    }

    private static void requireKey(String rule, @Nullable String key) {
        if (key == null || key.isEmpty()) {
            throw new IllegalArgumentException(
                    "a required %s has no topologyKey: expected the key of a node label such as %s"
                            .formatted(rule, HOST_NAME));
        }
    }

    private PodRule rule(TopologySpreadConstraint spread, Pod pod, List<String> labels) {
        Integer maxSkew = spread.getMaxSkew();
        Integer minDomains = spread.getMinDomains();
        if (maxSkew == null || maxSkew <= 0 || (minDomains != null && minDomains <= 0)) {
            throw new IllegalArgumentException(
                    ("the topology spread constraint on %s has maxSkew %s and minDomains %s: expected numbers "
                                    + "of at least 1")
                            .formatted(SafeText.value(String.valueOf(spread.getTopologyKey())), maxSkew, minDomains));
        }
        return new PodRule.Spread(
                String.valueOf(spread.getTopologyKey()),
                mark(pod.getMetadata().getNamespace(), selector(spread, pod)),
                maxSkew,
                minDomains == null ? 1 : minDomains,
                new PodRule.Counted(
                        labels,
                        !"Ignore".equals(spread.getNodeAffinityPolicy()),
                        "Honor".equals(spread.getNodeTaintsPolicy())));
    }

    private static List<Term> together(Pod pod) {
        Affinity affinity = pod.getSpec().getAffinity();
        return affinity == null || affinity.getPodAffinity() == null
                ? List.of()
                : affinity.getPodAffinity().getRequiredDuringSchedulingIgnoredDuringExecution().stream()
                        .map(term -> Term.of(pod, AntiAffinity.completed(term, Labels.of(pod))))
                        .sorted()
                        .toList();
    }

    private static List<TopologySpreadConstraint> spreads(Pod pod) {
        return pod.getSpec().getTopologySpreadConstraints().stream()
                .filter(spread -> DO_NOT_SCHEDULE.equals(spread.getWhenUnsatisfiable()))
                .toList();
    }

    private boolean selects(Term term, Pod pod) {
        return AntiAffinity.selects(term.term(), term.namespace(), pod, namespaces);
    }

    private boolean states(Term term, Pod pod) {
        return stated(pod).contains(term);
    }

    private Set<Term> stated(Pod pod) {
        Set<Term> known = stated.get(pod);
        if (known == null) {
            known = AntiAffinity.terms(pod).stream()
                    .map(term -> Term.of(pod, term))
                    .collect(Collectors.toUnmodifiableSet());
            stated.put(pod, known);
        }
        return known;
    }

    /**
     * Returns whether a spread constraint counts a pod. An empty selector counts no pod, and terminating pods do not
     * count.
     */
    private static boolean counts(Pod pod, String namespace, @Nullable LabelSelector selector) {
        return selector != null
                && !isEmpty(selector)
                && namespace.equals(pod.getMetadata().getNamespace())
                && !Pods.isTerminating(pod)
                && LabelSelectors.match(selector, Labels.of(pod));
    }

    private static boolean isEmpty(LabelSelector selector) {
        return (selector.getMatchLabels() == null || selector.getMatchLabels().isEmpty())
                && selector.getMatchExpressions().isEmpty();
    }

    /**
     * Returns the constraint's selector, completed by its label keys as the API server does when the pod is created.
     */
    private static @Nullable LabelSelector selector(TopologySpreadConstraint spread, Pod pod) {
        return AntiAffinity.completed(spread.getLabelSelector(), spread.getMatchLabelKeys(), List.of(), Labels.of(pod));
    }

    private static String selected(Term term) {
        return Place.mark("selected by " + term.words());
    }

    private static String stating(Term term) {
        return Place.mark("with anti-affinity " + term.words());
    }

    private static String mark(List<Term> together) {
        return Place.mark("selected by all of "
                + String.join("; ", together.stream().map(Term::words).toList()));
    }

    private static String mark(String namespace, @Nullable LabelSelector selector) {
        return Place.mark("counted in %s: %s".formatted(namespace, words(selector)));
    }

    private static String words(String namespace, PodAffinityTerm term) {
        return "%s/%s on %s in %s, %s"
                .formatted(
                        namespace,
                        words(term.getLabelSelector()),
                        term.getTopologyKey(),
                        term.getNamespaces().stream().sorted().toList(),
                        words(term.getNamespaceSelector()));
    }

    private static String words(@Nullable LabelSelector selector) {
        if (selector == null) {
            return "nobody";
        }
        return "%s %s"
                .formatted(
                        selector.getMatchLabels() == null ? Map.of() : new TreeMap<>(selector.getMatchLabels()),
                        selector.getMatchExpressions().stream()
                                .map(each -> "%s %s %s"
                                        .formatted(
                                                each.getKey(),
                                                each.getOperator(),
                                                each.getValues().stream()
                                                        .sorted()
                                                        .toList()))
                                .sorted()
                                .toList());
    }
}
