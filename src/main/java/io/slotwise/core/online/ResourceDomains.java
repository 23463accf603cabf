package io.slotwise.core.online;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Timeline;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The resource domains of a cluster, each with the nodes of one value of a label. Nodes without the label form a domain
 * with an empty name. O(N log N) once for N nodes.
 */
public final class ResourceDomains {
    private final String key;
    private final List<Domain> domains;

    /**
     * A resource domain.
     *
     * @param bandwidth into the domain, bit/s, the least that any of its nodes states, or {@link Node#UNKNOWN}
     */
    public record Domain(String name, long bandwidth) {
        /** Returns the seconds for moving bytes into the domain, or {@link Node#UNKNOWN}. */
        public long transferTime(long bytes) {
            if (bytes == 0 || bandwidth == Node.UNKNOWN) {
                return bytes == 0 ? 0 : Node.UNKNOWN;
            }
            BigInteger rate = BigInteger.valueOf(bandwidth);
            BigInteger bits = BigInteger.valueOf(bytes).shiftLeft(3);
            return bits.add(rate)
                    .subtract(BigInteger.ONE)
                    .divide(rate)
                    .min(BigInteger.valueOf(Long.MAX_VALUE / 4))
                    .longValueExact();
        }
    }

    public ResourceDomains(Timeline timeline, String key) {
        this.key = key;
        Map<String, Long> bandwidths = new TreeMap<>();
        for (NodeTimeline node : timeline.nodes()) {
            bandwidths.merge(nameOf(node.node()), node.node().bandwidth(), ResourceDomains::lower);
        }
        List<Domain> all = new ArrayList<>();
        bandwidths.forEach((name, bandwidth) -> all.add(new Domain(name, bandwidth)));
        this.domains = List.copyOf(all);
    }

    private static long lower(long one, long other) {
        if (one == Node.UNKNOWN || other == Node.UNKNOWN) {
            return Math.max(one, other);
        }
        return Math.min(one, other);
    }

    public List<Domain> all() {
        return domains;
    }

    public String nameOf(Node node) {
        return node.labels().getOrDefault(key, "");
    }
}
