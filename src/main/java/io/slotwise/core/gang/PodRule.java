package io.slotwise.core.gang;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule about the other pods near a pod's node. The domain of a node is its value of a label. The rule applies to pods
 * with a mark, see {@link io.slotwise.core.resource.Place}. The meaning is that of Kubernetes' pod affinity, pod
 * anti-affinity and topology spread constraints.
 */
public sealed interface PodRule {
    /** Returns the rule in words that follow "its". */
    String words();

    /** Returns the mark of the pods to which the rule applies. */
    String mark();

    /** Returns the labels whose values are the domains. */
    List<String> labels();

    /** No other pod with the mark is in the pod's domain while it is there. Nodes without the label are open. */
    record Apart(String label, String mark) implements PodRule {
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
     * At the start of the pod, a pod with the mark is in its domain by each of the labels. If there is none anywhere,
     * pods that bear the mark themselves may be the first, all in one domain.
     *
     * @param labels whose values are the domains; a node without one of them takes no such pod
     * @param claim {@code namespace/name} of the PersistentVolumeClaim or ResourceClaim that the pods share and that
     *     only one domain at a time can use, or null for a rule of the pod itself
     * @param ofDevices whether the claim is a ResourceClaim and not a PersistentVolumeClaim
     */
    record Together(
            List<String> labels, String mark, @Nullable String claim, boolean ofDevices) implements PodRule {
        public Together {
            labels = List.copyOf(labels);
        }

        /** A PersistentVolumeClaim that the pods share. */
        public Together(List<String> labels, String mark, @Nullable String claim) {
            this(labels, mark, claim, false);
        }

        /** A rule of the pod itself. */
        public Together(List<String> labels, String mark) {
            this(labels, mark, null);
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
     * At the start of the pod, its domain has at most {@code maxSkew} more pods with the mark than the domain with the
     * fewest. The pod itself counts if it bears the mark.
     *
     * @param maxSkew positive
     * @param minDomains with fewer domains, the fewest count as 0
     * @param counted the nodes that count, and make a domain
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
        public String words() {
            return "topology spread constraint (%s, DoNotSchedule)".formatted(label);
        }

        @Override
        public List<String> labels() {
            return List.of(label);
        }
    }

    /**
     * The nodes that a spread counts.
     *
     * @param labels a node must have all of them, with any values
     * @param ofAffinity only nodes that the pod's node selector and affinity allow
     * @param ofTaints only nodes whose taints the pod tolerates
     */
    record Counted(List<String> labels, boolean ofAffinity, boolean ofTaints) {
        public Counted {
            labels = List.copyOf(labels);
        }
    }
}
