package io.slotwise.core.gang;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Taint;
import io.slotwise.core.text.Keyed;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes where a pod may run: node selector, required node affinity and tolerations, with the meaning of Kubernetes.
 *
 * @param selector labels that the node must have
 * @param affinity required terms, at least one of which must hold; empty for no requirement
 * @param avoided names of nodes that refused this gang a short while ago
 * @param closed names of nodes that a required anti-affinity with running pods closes, each with the second, since the
 *     epoch, in which these pods are expected to have ended
 * @param home the resource domains that the pod must not leave, or null if it may go anywhere
 * @param volumes for each volume that some nodes cannot reach, alternative terms, at least one of which must hold
 * @param devices for each ResourceClaim that has devices already, alternative terms, at least one of which must hold
 */
@RecordBuilder
public record NodeConstraint(
        Map<String, String> selector,
        List<Term> affinity,
        List<Toleration> tolerations,
        Set<String> avoided,
        Map<String, Long> closed,
        @Nullable Home home,
        List<List<Term>> volumes,
        List<List<Term>> devices)
        implements NodeConstraintBuilder.With {
    /** The toleration of the taint that keeps other pods off nodes that Slotwise has bought. */
    public static final Toleration BOUGHT = new Toleration("slotwise.io/bought", true, "", Taint.Effect.NO_SCHEDULE);

    public static final NodeConstraint NONE = new NodeConstraint(Map.of(), List.of(), List.of(), Set.of());

    public NodeConstraint(
            Map<String, String> selector, List<Term> affinity, List<Toleration> tolerations, Set<String> avoided) {
        this(selector, affinity, tolerations, avoided, Map.of(), null, List.of(), List.of());
    }

    public NodeConstraint {
        selector = Map.copyOf(selector);
        affinity = List.copyOf(affinity);
        tolerations = List.copyOf(tolerations);
        avoided = Set.copyOf(avoided);
        closed = Map.copyOf(closed);
        volumes = volumes.stream().map(List::copyOf).toList();
        devices = devices.stream().map(List::copyOf).toList();
    }

    /**
     * The reason why a node is not eligible. Messages list the reasons in this order. {@code Eligibility} checks the
     * last four, {@code exclusion} all others.
     */
    public enum Exclusion implements Keyed {
        UNSCHEDULABLE("cordoned or not ready"),
        UNREADABLE("with an invalid value"),
        TAINT("tainted without a toleration"),
        SELECTOR("outside the node selector"),
        AFFINITY("outside the node affinity"),
        VOLUME("out of reach of a volume"),
        DEVICE("out of reach of a device"),
        AVOIDED("left out after a refusal"),
        ANTI_AFFINITY("closed by a required pod anti-affinity"),
        HOME("outside the domains of a gang that was moved"),
        POWER("without watts"),
        DRAW("with a power beyond exact arithmetic"),
        PRICE("with a price beyond exact arithmetic"),
        TOO_SMALL("too small for one pod");

        private final String words;

        Exclusion(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** Returns the first reason why the node is not eligible, or null if it is. */
    public @Nullable Exclusion exclusion(Node node) {
        if (node.unreadable().contains(Node.ALL)) {
            return Exclusion.UNREADABLE;
        }
        if (!node.schedulable()
                && !tolerates(new Taint("node.kubernetes.io/unschedulable", "", Taint.Effect.NO_SCHEDULE))) {
            return Exclusion.UNSCHEDULABLE;
        }
        for (Taint taint : node.taints()) {
            if (taint.effect() != Taint.Effect.PREFER_NO_SCHEDULE && !tolerates(taint)) {
                return Exclusion.TAINT;
            }
        }
        if (!isSelected(node)) {
            return Exclusion.SELECTOR;
        }
        if (!isRequired(node)) {
            return Exclusion.AFFINITY;
        }
        if (!reachesVolumes(node)) {
            return Exclusion.VOLUME;
        }
        if (!reaches(devices, node)) {
            return Exclusion.DEVICE;
        }
        if (avoided.contains(node.name())) {
            return Exclusion.AVOIDED;
        }
        if (closed.containsKey(node.name())) {
            return Exclusion.ANTI_AFFINITY;
        }
        return home == null || home.has(node) ? null : Exclusion.HOME;
    }

    /**
     * Returns the first reason why the node is not eligible for a pod with a promised start there in this second, or
     * null if it is. A node that is closed now counts as open if the pods that close it are expected to have ended by
     * then.
     */
    public @Nullable Exclusion exclusion(Node node, long start) {
        Long until = closed.get(node.name());
        return until != null && until <= start ? closing(Map.of()).exclusion(node) : exclusion(node);
    }

    public NodeConstraint tolerating(Toleration toleration) {
        List<Toleration> all = Stream.concat(tolerations.stream(), Stream.of(toleration))
                .distinct()
                .toList();
        return withTolerations(all);
    }

    private boolean isSelected(Node node) {
        return selector.isEmpty() || node.labels().entrySet().containsAll(selector.entrySet());
    }

    private boolean isRequired(Node node) {
        return affinity.isEmpty() || affinity.stream().anyMatch(term -> term.matches(node));
    }

    public boolean reachesVolumes(Node node) {
        return reaches(volumes, node);
    }

    private static boolean reaches(List<List<Term>> wanted, Node node) {
        for (List<Term> one : wanted) {
            if (one.stream().noneMatch(term -> term.matches(node))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a topology spread constraint of a pod counts a node. The pod has this node constraint. */
    public boolean counts(Node node, PodRule.Counted counted) {
        return node.labels().keySet().containsAll(counted.labels())
                && (!counted.ofAffinity() || (isSelected(node) && isRequired(node)))
                && (!counted.ofTaints()
                        || node.taints().stream()
                                .allMatch(taint ->
                                        taint.effect() == Taint.Effect.PREFER_NO_SCHEDULE || tolerates(taint)));
    }

    /** Returns whether both constraints have the same node selector, affinity and tolerations. */
    public boolean sameNodesAs(NodeConstraint other) {
        return selector.equals(other.selector)
                && affinity.equals(other.affinity)
                && tolerations.equals(other.tolerations);
    }

    /** Returns a copy with these closed nodes, each with the second until which it is closed. */
    public NodeConstraint closing(Map<String, Long> nodes) {
        return nodes.equals(closed) ? this : withClosed(nodes);
    }

    /** Returns a copy for these volumes: for each volume, alternative terms, at least one of which must hold. */
    public NodeConstraint reaching(List<List<Term>> reach) {
        return reach.equals(volumes) ? this : withVolumes(reach);
    }

    /**
     * Returns a copy for ResourceClaims that have devices: for each claim, alternative terms, at least one of which
     * must hold.
     */
    public NodeConstraint pinned(List<List<Term>> allocated) {
        return allocated.equals(devices) ? this : withDevices(allocated);
    }

    /** Resource domains: the nodes whose label has one of some values. Null stands for nodes without the label. */
    public record Home(String key, Set<@Nullable String> domains) {
        public Home {
            domains = Collections.unmodifiableSet(new HashSet<>(domains));
        }

        public static Home of(String key, Stream<Node> nodes) {
            Set<@Nullable String> domains = new HashSet<>();
            nodes.forEach(node -> domains.add(node.labels().get(key)));
            return new Home(key, domains);
        }

        public boolean has(Node node) {
            return domains.contains(node.labels().get(key));
        }
    }

    private boolean tolerates(Taint taint) {
        return tolerations.stream().anyMatch(toleration -> toleration.tolerates(taint));
    }

    /**
     * A term of the required node affinity. All its requirements must hold. A term without requirements matches no
     * node.
     *
     * @param fields requirements on fields; the only field is {@code metadata.name}
     */
    public record Term(List<Requirement> labels, List<Requirement> fields) {
        public Term {
            labels = List.copyOf(labels);
            fields = List.copyOf(fields);
        }

        boolean matches(Node node) {
            if (labels.isEmpty() && fields.isEmpty()) {
                return false;
            }
            return labels.stream()
                            .allMatch(requirement ->
                                    requirement.matches(node.labels().get(requirement.key())))
                    && fields.stream()
                            .allMatch(requirement -> requirement.matches(
                                    requirement.key().equals("metadata.name") ? node.name() : null));
        }
    }

    /** A requirement on the value of one label, or of the field at a path. */
    public record Requirement(String key, Operator operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        /** Kubernetes' operators of a node selector requirement. */
        public enum Operator {
            IN,
            NOT_IN,
            EXISTS,
            DOES_NOT_EXIST,
            GT,
            LT
        }

        /** Returns whether a value satisfies the requirement. Null is a missing value. */
        public boolean matches(@Nullable String value) {
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                case GT -> compare(value) > 0;
                case LT -> compare(value) < 0;
            };
        }

        /**
         * Returns the sign of value minus bound. Returns 0 if one of them is not an integer, so that neither operator
         * is satisfied.
         */
        private int compare(@Nullable String value) {
            if (value == null || values.size() != 1) {
                return 0;
            }
            try {
                return Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
            } catch (NumberFormatException e) {
                return 0;
            }
        }
    }

    /**
     * A toleration.
     *
     * @param key the taint's key, or null for every key (with {@code exists})
     * @param exists true for any value, false for an equal value
     * @param value compared unless {@code exists}
     * @param effect the taint's effect, or null for every effect
     */
    public record Toleration(@Nullable String key, boolean exists, String value, Taint.@Nullable Effect effect) {
        boolean tolerates(Taint taint) {
            return (effect == null || effect == taint.effect())
                    && (key == null ? exists : key.equals(taint.key()))
                    && (exists || value.equals(taint.value()));
        }
    }
}
