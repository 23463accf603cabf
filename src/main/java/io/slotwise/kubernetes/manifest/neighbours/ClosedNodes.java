package io.slotwise.kubernetes.manifest.neighbours;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.slotwise.core.cluster.Node;
import io.slotwise.kubernetes.manifest.field.Labels;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that required anti-affinity closes to a waiting pod, as in kube-scheduler. A resident is a bound pod of any
 * scheduler that has not ended. A term counts if a resident has it and it selects the waiting pod, or the other way
 * round. It closes all nodes with the same value of its topology label as the resident's node. Used for one intake.
 *
 * <p>If residents have t terms, and there are p pods and v nodes, reading the residents takes O(t). A waiting pod is
 * compared only with the residents' terms that require one of its labels, and with those that require no particular
 * label. Each of these is evaluated once, in O(residents that have it). Each different term of a waiting pod takes O(p)
 * once, and the first use of a topology label O(v). Without any term nothing is done.
 */
public final class ClosedNodes {
    /** In place of an expected end: the resident makes room at once, so it closes nothing. */
    public static final long NOT_AT_ALL = Long.MIN_VALUE;

    private final ToLongFunction<Pod> ends;
    private final Collection<Node> nodes;
    private final Map<String, Node> nodesByName;
    private final List<Pod> pods;
    private final AntiAffinity.NamespaceLabels namespaces;
    /** The residents that state each term. */
    private final Map<Stated, List<Pod>> residents = new HashMap<>();
    /** The terms of residents by one label that they require; null is the key of those that require none. */
    private final Map<Map.@Nullable Entry<String, String>, List<Stated>> byLabel = new HashMap<>();

    private final Map<Stated, Map<String, Long>> closedByResidents = new HashMap<>();
    private final Map<Stated, Map<String, Long>> closedByOwn = new HashMap<>();
    private final Map<String, Map<String, List<String>>> topologies = new HashMap<>();

    private record Stated(String namespace, PodAffinityTerm term) {}

    /**
     * @param pods all pods; the bound ones are compared with the terms of waiting pods
     * @param ends returns the expected end of a bound pod, seconds since the epoch, or {@link #NOT_AT_ALL}
     */
    public ClosedNodes(
            Map<String, Node> nodes,
            List<Pod> pods,
            AntiAffinity.NamespaceLabels namespaces,
            ToLongFunction<Pod> ends) {
        this.ends = ends;
        this.nodes = nodes.values();
        this.nodesByName = nodes;
        this.pods = pods;
        this.namespaces = namespaces;
    }

    /** Adds a bound pod that has not ended. */
    public void add(Pod pod) {
        for (PodAffinityTerm term : AntiAffinity.terms(pod)) {
            Stated stated = new Stated(pod.getMetadata().getNamespace(), term);
            List<Pod> same = residents.get(stated);
            if (same == null) {
                same = new ArrayList<>();
                residents.put(stated, same);
                byLabel.computeIfAbsent(label(term), _ -> new ArrayList<>()).add(stated);
            }
            same.add(pod);
        }
    }

    private static Map.@Nullable Entry<String, String> label(PodAffinityTerm term) {
        Map<String, String> labels =
                term.getLabelSelector() == null ? null : term.getLabelSelector().getMatchLabels();
        return labels == null || labels.isEmpty()
                ? null
                : Map.copyOf(labels).entrySet().iterator().next();
    }

    /**
     * Returns the nodes that are closed to a pod, each with the second in which it is expected to open.
     *
     * @param gang the running pods of its gang that would make room for it; they close nothing
     */
    public Map<String, Long> to(Pod pod, Collection<Pod> gang) {
        List<PodAffinityTerm> own = AntiAffinity.terms(pod);
        if (residents.isEmpty() && own.isEmpty()) {
            return Map.of();
        }
        List<Map<String, Long>> closed = new ArrayList<>();
        for (Stated stated : asking(pod)) {
            if (AntiAffinity.selects(stated.term(), stated.namespace(), pod, namespaces)) {
                closed.add(closedByResidents(stated, gang));
            }
        }
        for (PodAffinityTerm term : own) {
            closed.add(closedByOwn(new Stated(pod.getMetadata().getNamespace(), term), gang));
        }
        closed.removeIf(Map::isEmpty);
        return switch (closed.size()) {
            case 0 -> Map.of();
            case 1 -> closed.getFirst();
            default -> {
                Map<String, Long> all = new HashMap<>();
                closed.forEach(some -> some.forEach((node, until) -> all.merge(node, until, Math::max)));
                yield Map.copyOf(all);
            }
        };
    }

    private List<Stated> asking(Pod pod) {
        List<Stated> asking = new ArrayList<>(byLabel.getOrDefault(null, List.of()));
        Labels.of(pod).forEach((key, value) -> asking.addAll(byLabel.getOrDefault(Map.entry(key, value), List.of())));
        return asking;
    }

    private Map<String, Long> closedByResidents(Stated stated, Collection<Pod> gang) {
        List<Pod> all = Objects.requireNonNull(residents.get(stated));
        return gang.isEmpty()
                ? closedByResidents.computeIfAbsent(stated, _ -> around(stated.term(), all))
                : around(stated.term(), without(all, gang));
    }

    private Map<String, Long> closedByOwn(Stated stated, Collection<Pod> gang) {
        return gang.isEmpty()
                ? closedByOwn.computeIfAbsent(stated, _ -> around(stated.term(), selected(stated)))
                : around(stated.term(), without(selected(stated), gang));
    }

    private List<Pod> selected(Stated stated) {
        return pods.stream()
                .filter(pod -> Pods.node(pod) != null
                        && AntiAffinity.selects(stated.term(), stated.namespace(), pod, namespaces)
                        && !Pods.isTerminal(pod))
                .toList();
    }

    private static List<Pod> without(List<Pod> all, Collection<Pod> gang) {
        Set<String> names = gang.stream().map(Pods::name).collect(Collectors.toSet());
        return all.stream().filter(pod -> !names.contains(Pods.name(pod))).toList();
    }

    /**
     * Returns the nodes with the same value of the term's topology label as the nodes of these pods. A pod on a node
     * without the label closes nothing.
     */
    private Map<String, Long> around(PodAffinityTerm term, List<Pod> pods) {
        String key = term.getTopologyKey();
        if (key == null) {
            // Only in files: the API server requires a topology key.
            return Map.of();
        }
        Map<String, List<String>> topology = topologies.computeIfAbsent(key, this::topology);
        Map<String, Long> closed = new HashMap<>();
        for (Pod pod : pods) {
            Node node = nodesByName.get(String.valueOf(Pods.node(pod)));
            String value = node == null ? null : node.labels().get(key);
            long end = value == null ? NOT_AT_ALL : ends.applyAsLong(pod);
            if (value != null && end != NOT_AT_ALL) {
                topology.getOrDefault(value, List.of()).forEach(name -> closed.merge(name, end, Math::max));
            }
        }
        return Map.copyOf(closed);
    }

    private Map<String, List<String>> topology(String key) {
        Map<String, List<String>> byValue = new HashMap<>();
        for (Node node : nodes) {
            String value = node.labels().get(key);
            if (value != null) {
                byValue.computeIfAbsent(value, _ -> new ArrayList<>()).add(node.name());
            }
        }
        return byValue;
    }
}
