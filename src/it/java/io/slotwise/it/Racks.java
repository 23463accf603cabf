package io.slotwise.it;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * 200 nodes in 5 blocks of 5 racks of 8 hosts, and the domains of pods by the present labels of their nodes. Racks of
 * different blocks have the same names.
 *
 * <p>Neighbours in a rack are of one pool: host 1 with host 2, host 3 with host 4, and so on. The first of them is
 * cheap, and the second one costs twice as much. So the cheapest nodes of a pool are in different racks.
 */
final class Racks {
    static final String BLOCK = "cloud.example/block";
    static final String RACK = "cloud.example/rack";
    static final String HOST = "kubernetes.io/hostname";

    /** The levels from wide to narrow. */
    static final List<String> LEVELS = List.of(BLOCK, RACK, HOST);

    /** The label with a pool and either {@code cheap} or {@code expensive}. */
    static final String PRICED = "it.slotwise.io/priced";

    static final int IN_BLOCK = 5;
    static final int BLOCKS = 5;
    private static final int HOSTS = 8;

    private final Cluster cluster;

    /** The pool of two hosts of a rack. */
    interface Pools {
        /** Returns its name. Block and rack count from 1, and the pairs of hosts from 1 to 4. */
        String of(int block, int rack, int pair);
    }

    private Racks(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Creates the nodes. */
    static Racks create(Cluster cluster, Pools pools) {
        for (int block = 1; block <= BLOCKS; block++) {
            for (int rack = 1; rack <= IN_BLOCK; rack++) {
                for (int host = 1; host <= HOSTS; host++) {
                    String pool = pools.of(block, rack, (host + 1) / 2);
                    boolean cheap = host % 2 == 1;
                    cluster.nodeIn(
                            Map.of(BLOCK, "b" + block, RACK, "r" + rack, PRICED, priced(pool, cheap)),
                            "b%d-r%d-h%d".formatted(block, rack, host),
                            4,
                            cheap ? "1" : "2",
                            pool);
                }
            }
        }
        return new Racks(cluster);
    }

    static String priced(String pool, boolean cheap) {
        return pool + (cheap ? "-cheap" : "-expensive");
    }

    /** Returns the domains of the nodes of pods at a level, in the order of the pods. */
    List<String> domains(List<Pod> pods, String level) {
        return domainsOf(pods.stream().map(pod -> pod.getSpec().getNodeName()).toList(), level);
    }

    /** Returns the domains of the nodes at a level, in their order. A node that lacks a label is a domain by itself. */
    List<String> domainsOf(Collection<String> nodes, String level) {
        return nodes.stream().map(node -> domain(node, level)).toList();
    }

    /** Sorts pods by the last number in their names, or by the index of their Job's completion. */
    static List<Pod> byRank(List<Pod> pods) {
        return pods.stream()
                .sorted(Comparator.comparingInt(pod -> {
                    String name = pod.getMetadata().getName();
                    return Integer.parseInt(pod.getMetadata()
                            .getLabels()
                            .getOrDefault(
                                    "batch.kubernetes.io/job-completion-index",
                                    name.substring(name.lastIndexOf('-') + 1)));
                }))
                .toList();
    }

    private String domain(String name, String level) {
        Node node =
                Objects.requireNonNull(cluster.client().nodes().withName(name).get(), name);
        List<String> values = new ArrayList<>();
        for (String key : LEVELS.subList(0, LEVELS.indexOf(level) + 1)) {
            String value = node.getMetadata().getLabels().get(key);
            if (value == null) {
                return "only " + name;
            }
            values.add(value);
        }
        return String.join("/", values);
    }
}
