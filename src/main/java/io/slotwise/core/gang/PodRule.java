package io.slotwise.core.gang;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pod asks of the other pods near its node. The domain of a node is its value of a label; who is meant bears a
 * mark, see {@link io.slotwise.core.resource.Place}. The meaning is that of Kubernetes' pod affinity, pod anti-affinity
 * and topology spread constraints.
 */
public sealed interface PodRule {
    /** The kind of rule in the word that programs compare. */
    String key();

    /** The rule in words that follow "its". */
    String words();

    /** Which pods it speaks of. */
    String mark();

    /** The labels whose values are its domains. */
    List<String> labels();

    /** While it is there no other pod with the mark is in its domain; nodes without the label are open. */
    record Apart(String label, String mark) implements PodRule {
        @Override
        public String key() {
            return "anti-affinity";
        }

        @Override
        public String words() {
            return "required pod anti-affinity (%s)".formatted(label);
        }

        @Override
        public List<String> labels() {
            return List.of(label);
        }
    }

    /**
     * When the pod starts, a pod with the mark is in its domain by each of the labels. If none is anywhere, pods that
     * bear the mark themselves may be the first, all in one domain.
     *
     * @param labels whose values are the domains; a node without one of them takes no such pod
     * @param claim {@code namespace/name} of the claim that they have in common and that one domain at a time can use;
     *     null: it is the pod's own wish
     * @param ofDevices whether it is a claim of devices and not of a volume
     */
    record Together(
            List<String> labels, String mark, @Nullable String claim, boolean ofDevices) implements PodRule {
        public Together {
            labels = List.copyOf(labels);
        }

        /** A volume claim that they have in common. */
        public Together(List<String> labels, String mark, @Nullable String claim) {
            this(labels, mark, claim, false);
        }

        /** A wish of the pod's own. */
        public Together(List<String> labels, String mark) {
            this(labels, mark, null);
        }

        @Override
        public String key() {
            return claim == null ? "affinity" : ofDevices ? "device" : "volume";
        }

        @Override
        public String words() {
            return claim == null
                    ? "required pod affinity (%s)".formatted(String.join(", ", labels))
                    : ofDevices
                            ? "device claim %s on one node".formatted(claim)
                            : "volume claim %s on one node at a time (ReadWriteOnce)".formatted(claim);
        }
    }

    /**
     * When the pod starts, its domain has at most {@code maxSkew} more pods with the mark, the pod itself counted if it
     * bears it, than the domain that has fewest.
     *
     * @param maxSkew positive
     * @param minDomains with fewer domains the fewest count as 0
     * @param counted which nodes count, and make a domain
     */
    record Spread(String label, String mark, int maxSkew, int minDomains, Counted counted) implements PodRule {
        public Spread {
            if (maxSkew <= 0 || minDomains <= 0) {
                throw new IllegalArgumentException(
                        "The largest skew (%d) and the least number of domains (%d) must be positive."
                                .formatted(maxSkew, minDomains));
            }
        }

        @Override
        public String key() {
            return "spread";
        }

        @Override
        public String words() {
            return "topology spread constraint (%s, DoNotSchedule)".formatted(label);
        }

        @Override
        public List<String> labels() {
            return List.of(label);
        }
    }

    /**
     * Which nodes a spread counts.
     *
     * @param labels a node must have all of them, whatever their values
     * @param ofAffinity only nodes that the pod's node selector and affinity allow
     * @param ofTaints only nodes whose taints the pod tolerates
     */
    record Counted(List<String> labels, boolean ofAffinity, boolean ofTaints) {
        public Counted {
            labels = List.copyOf(labels);
        }
    }
}
