package io.slotwise.core.window.search;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Racks of nodes that follow each other by name, in blocks of ten racks. */
final class Racks {
    private static final TopologyLevel BLOCK = TopologyLevel.of("block");
    private static final TopologyLevel RACK = new TopologyLevel(List.of("block", "rack"));

    static final Topology REQUIRED = Topology.within(RACK);

    static final Topology DISTANCE = new Topology(
            List.of(new Span(RACK, Span.ONE), new Span(BLOCK, 1_150_000), new Span(null, 1_600_000)), null);

    /** The racks of a cluster of any size. */
    private static final int RACKS = 600;

    private Racks() {}

    static Cluster of(Cluster cluster) {
        int size = cluster.inventory().size();
        List<Node> nodes = IntStream.range(0, size)
                .mapToObj(i -> {
                    int rack = (int) ((long) i * RACKS / size);
                    Node node = cluster.inventory().get(i);
                    Map<String, String> labels = new HashMap<>(node.labels());
                    labels.put("rack", Integer.toString(rack));
                    labels.put("block", Integer.toString(rack / 10));
                    return node.withLabels(labels);
                })
                .toList();
        return new Cluster(nodes, cluster.occupations());
    }
}
