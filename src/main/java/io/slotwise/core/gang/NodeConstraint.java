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
 * Where a pod may run: node selector, required node affinity and tolerations, with the meaning that Kubernetes gives
 * them.
 *
 * @param selector labels that the node must have
 * @param affinity required terms, of which one must hold; empty: no requirement
 * @param tolerations of the pod
 * @param avoided names of nodes that refused this gang a short while ago
 * @param closed names of nodes that a required anti-affinity between the pod and what runs closes to it, each with the
 *     second, since the epoch, in which what closes it is expected to have ended
 * @param home the resource domains that it must not leave; null: it may go anywhere
 * @param volumes for each volume that is not within reach of every node, the terms of which one must hold
 * @param devices for each device claim that has been given devices, the terms of which one must hold
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
    /** What keeps pods of others off nodes that Slotwise has bought, and not those that it binds itself. */
    public static final Toleration BOUGHT = new Toleration("slotwise.io/bought", true, "", Taint.Effect.NO_SCHEDULE);

    /** Anywhere. */
    public static final NodeConstraint NONE = new NodeConstraint(Map.of(), List.of(), List.of(), Set.of());

    /** Without closed nodes, a home, volumes and devices. */
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

    /** Why a node is not eligible, in the order in which it is looked at; the last four by the search itself. */
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

    /** The first reason why the node is not eligible, or null if it is. */
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
     * The first reason why the node is not eligible for a pod that has been promised a start there in this second, or
     * null if it is: what closes the node now may have ended by then.
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

    /** Whether each of the volumes can be used from a node. */
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

    /** Whether a spread of a pod with this constraint counts a node. */
    public boolean counts(Node node, PodRule.Counted counted) {
        return node.labels().keySet().containsAll(counted.labels())
                && (!counted.ofAffinity() || (isSelected(node) && isRequired(node)))
                && (!counted.ofTaints()
                        || node.taints().stream()
                                .allMatch(taint ->
                                        taint.effect() == Taint.Effect.PREFER_NO_SCHEDULE || tolerates(taint)));
    }

    /** Whether this and another constraint have the same node selector, affinity and tolerations. */
    public boolean sameNodesAs(NodeConstraint other) {
        return selector.equals(other.selector)
                && affinity.equals(other.affinity)
                && tolerations.equals(other.tolerations);
    }

    /** The same for a pod to which these nodes are closed, until when by name. */
    public NodeConstraint closing(Map<String, Long> nodes) {
        return nodes.equals(closed) ? this : withClosed(nodes);
    }

    /** The same for a pod with these volumes: for each of them terms of which one must hold. */
    public NodeConstraint reaching(List<List<Term>> reach) {
        return reach.equals(volumes) ? this : withVolumes(reach);
    }

    /** The same for a pod whose device claims were given devices: for each of them terms of which one must hold. */
    public NodeConstraint pinned(List<List<Term>> allocated) {
        return allocated.equals(devices) ? this : withDevices(allocated);
    }

    /** Resource domains: the nodes whose label has one of some values; null stands for nodes without the label. */
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
     * One term of the required node affinity: all of its requirements must hold; a term without any matches nothing.
     *
     * @param fields requirements on fields, of which {@code metadata.name} exists
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

        /** Whether a value satisfies it; null: there is none. */
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

        /** The sign of value minus bound; 0, which satisfies neither operator, if one of them is no integer. */
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
     * @param key the taint's key; null: every key (with {@code exists})
     * @param exists true: any value; false: the value must be equal
     * @param value compared unless {@code exists}
     * @param effect the taint's effect; null: every effect
     */
    public record Toleration(@Nullable String key, boolean exists, String value, Taint.@Nullable Effect effect) {
        boolean tolerates(Taint taint) {
            return (effect == null || effect == taint.effect())
                    && (key == null ? exists : key.equals(taint.key()))
                    && (exists || value.equals(taint.value()));
        }
    }
}
