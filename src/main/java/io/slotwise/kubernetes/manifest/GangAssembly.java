package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Provision;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Slice;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the planner's gangs from pods that were read. */
record GangAssembly(IntakeInput input, PodSorter sorter, StoppableGangs stoppable) {
    /**
     * The pods of one gang as read.
     *
     * @param beside running pods that a gang of one joins
     */
    record Read(GangId id, List<Pod> pods, AnnotatedGang annotated, List<PodReader.Alike> shapes, List<Pod> beside) {}

    /** Returns the planner's gang. O(pods). */
    Gang gang(Read read) {
        KnownGang known = input.known(read.id);
        Home home = stoppable.home(known);
        Demand demand = demand(read);
        return new Gang(
                read.id,
                read.shapes.stream()
                        .map(alike -> shape(alike, read.annotated, read.beside, home))
                        .toList(),
                read.shapes.getFirst().shape().alone() ? demand.withMaxPerNode(1) : demand,
                Pods.priority(read.pods),
                arrival(read, known),
                read.annotated.request(),
                Pods.preempts(read.pods));
    }

    /**
     * Returns the arrival that decides a gang's place in the queue. A moved gang keeps its place though its pods are
     * new. So does a gang whose pods arrive while their predecessors terminate: the room of these is theirs first.
     */
    private long arrival(Read read, KnownGang known) {
        long arrival = Pods.arrival(read.pods, input.now());
        return known.history() != null
                ? Math.min(arrival, known.seen())
                : Math.min(arrival, Pods.arrival(sorter.going(read.id), arrival));
    }

    private Gang.Shape shape(PodReader.Alike alike, AnnotatedGang annotated, List<Pod> running, @Nullable Home home) {
        NodeConstraint constraint = alike.shape().constraint().withHome(home);
        for (Slice slice : annotated.size() == 1 ? annotated.demand().topology().slices() : List.<Slice>of()) {
            if (slice.size() > 1) {
                constraint = beside(constraint, slice.level(), incomplete(slice, running));
            }
        }
        return new Gang.Shape(
                alike.pods().stream().map(pod -> pod.getMetadata().getName()).toList(),
                new PodRequest(
                        alike.shape().resources(),
                        onBought(constraint, alike.pods(), annotated.demand().provision()),
                        annotated.runtime(),
                        annotated.nodeIndependent(),
                        alike.shape().rules()));
    }

    /**
     * Adds the constraints of bought nodes: only pods that Slotwise binds itself, and pods that tolerate the taint
     * themselves, may run there. Some gangs may run nowhere else.
     */
    private NodeConstraint onBought(NodeConstraint nodeConstraint, List<Pod> pods, Provision provision) {
        if (input.settings().policy().provisioning().mode() == Provisioning.Mode.NONE) {
            return nodeConstraint;
        }
        NodeConstraint constraint = input.filter().annotated() || pods.stream().allMatch(input.filter()::isDirect)
                ? nodeConstraint.tolerating(NodeConstraint.BOUGHT)
                : nodeConstraint;
        if (provision != Provision.ONLY) {
            return constraint;
        }
        Map<String, String> selector = new HashMap<>(constraint.selector());
        selector.put(AnnotationKeys.BOUGHT, "true");
        return constraint.withSelector(selector);
    }

    /** Returns what a gang asks for. A pod that joins a running gang goes where it is near the running pods. */
    private Demand demand(Read read) {
        Demand demand = inSlice(input.inQueue(read.id, read.annotated), read);
        return read.annotated.size() == 1
                ? demand.withTopology(demand.topology()
                        .joining(read.beside.stream()
                                .flatMap(pod -> Stream.ofNullable(input.nodes().get(String.valueOf(Pods.node(pod)))))
                                .toList()))
                : demand;
    }

    /**
     * Returns the demand without slices if it is that of the only missing pod of a running gang, which joins the slice
     * of each level that is not whole. Another single pod keeps the slices, so it gets no window.
     */
    private Demand inSlice(Demand demand, Read read) {
        Topology topology = demand.topology();
        return read.annotated.size() == 1
                        && !read.beside.isEmpty()
                        && topology.slices().stream()
                                .allMatch(slice -> slice.size() == 1
                                        || !incomplete(slice, read.beside).isEmpty())
                ? demand.withTopology(topology.in(List.of()))
                : demand;
    }

    /** Returns the pods in the domain that lacks one pod of a slice, or none if that is not the only such domain. */
    private List<Pod> incomplete(Slice slice, List<Pod> running) {
        Map<String, List<Pod>> domains = new HashMap<>();
        for (Pod pod : running) {
            Node node = input.nodes().get(String.valueOf(Pods.node(pod)));
            String domain = node == null ? null : slice.level().domain(node);
            if (domain == null) {
                return List.of();
            }
            domains.computeIfAbsent(domain, _ -> new ArrayList<>()).add(pod);
        }
        List<List<Pod>> incompleteDomains = domains.values().stream()
                .filter(pods -> pods.size() % slice.size() != 0)
                .toList();
        return incompleteDomains.size() == 1 && incompleteDomains.getFirst().size() % slice.size() == slice.size() - 1
                ? incompleteDomains.getFirst()
                : List.of();
    }

    /** Restricts a pod that joins a slice to the domain of its running pods. */
    private NodeConstraint beside(NodeConstraint constraint, TopologyLevel level, List<Pod> running) {
        Set<Map<String, String>> domains = new HashSet<>();
        for (Pod pod : running) {
            Node node = input.nodes().get(String.valueOf(Pods.node(pod)));
            if (node != null && level.domain(node) != null) {
                Map<String, String> domain = new HashMap<>(node.labels());
                domain.keySet().retainAll(level.keys());
                domains.add(domain);
            }
        }
        if (domains.size() != 1) {
            return constraint;
        }
        Map<String, String> selector = new HashMap<>(constraint.selector());
        selector.putAll(domains.iterator().next());
        return constraint.withSelector(selector);
    }
}
