package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.device.PodDevices;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.gang.PromisePlacements;
import io.slotwise.kubernetes.manifest.neighbours.AntiAffinity;
import io.slotwise.kubernetes.manifest.neighbours.PodNeighbours;
import io.slotwise.kubernetes.manifest.pods.DeclaredFeatures;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.kubernetes.manifest.volumes.PodVolumes;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The needs of pods apart from amounts of resources. Used for one intake.
 *
 * @param features the features that nodes have to declare
 */
record PodNeeds(PodNeighbours neighbours, PodVolumes volumes, PodDevices devices, DeclaredFeatures features) {
    /**
     * @param pods the pods to be planned, as far as their own objects tell
     */
    static PodNeeds of(List<Pod> pods, IntakeInput input) {
        PodFilter filter = input.filter();
        Map<String, Set<String>> promisedNodes = PromisePlacements.promisedNodes(pods, input::promise);
        List<Pod> waiting = inTurn(pods, promisedNodes.keySet());
        ClusterObjects objects = input.objects();
        PodNeighbours neighbours = new PodNeighbours(waiting, Pods::gangOf, AntiAffinity.labels(objects.namespaces()));
        PodVolumes volumes = new PodVolumes(
                objects.optional(), filter.annotated(), input.cache().nodes());
        volumes.look(objects.pods(), waiting, Pods::gangOf, input.known()::promisedStart);
        Map<String, Resources> allocatable =
                input.nodes().values().stream().collect(Collectors.toMap(Node::name, Node::allocatable));
        PodDevices devices = new PodDevices(
                objects.optional(),
                input.cache().selectors(),
                allocatable,
                pod -> !filter.annotated() && filter.isDirect(pod),
                input.amounts());
        devices.look(
                objects.pods(), waiting, Pods::gangOf, pod -> promisedNodes.getOrDefault(Pods.name(pod), Set.of()));
        return new PodNeeds(neighbours, volumes, devices, new DeclaredFeatures(waiting, objects.nodes()));
    }

    /**
     * Returns the pods in the order in which they use up the limits of their namespace: pods with a placement in a
     * promise, then first come, first served, then pods without such needs.
     */
    private static List<Pod> inTurn(List<Pod> pods, Set<String> promisedPods) {
        return Stream.concat(
                        pods.stream()
                                .filter(PodNeeds::isBounded)
                                .sorted(Comparator.comparing((Pod pod) -> !promisedPods.contains(Pods.name(pod)))
                                        .thenComparing(Pods.BY_ARRIVAL)),
                        pods.stream().filter(pod -> !isBounded(pod)))
                .toList();
    }

    private static boolean isBounded(Pod pod) {
        PodSpec spec = pod.getSpec();
        return spec.getAffinity() != null
                || !spec.getTopologySpreadConstraints().isEmpty()
                || !spec.getVolumes().isEmpty();
    }

    Map<String, Map<String, Long>> limits() {
        if (devices.isEmpty() && features.limits().isEmpty()) {
            return volumes.limits();
        }
        Map<String, Map<String, Long>> limits = new TreeMap<>(volumes.limits());
        limits.putAll(devices.limits());
        limits.putAll(features.limits());
        return limits;
    }

    /** Returns the rules of a pod about other pods. The volumes and devices of a pod about to be bound add none. */
    List<PodRule> rules(Pod pod, boolean onItsWay) {
        return onItsWay
                ? neighbours.rules(pod)
                : Stream.of(neighbours.rules(pod), volumes.rules(pod), devices.rules(pod))
                        .flatMap(List::stream)
                        .toList();
    }

    /** Adds the marks of the pod that holds these resources, and its places for volumes and devices. */
    Resources marked(Resources heldResources, Pod pod) {
        Resources markedResources = heldResources;
        for (Map<String, Long> places :
                List.of(neighbours.marks(pod), volumes.places(pod), devices.places(pod), features.places(pod))) {
            markedResources = places.isEmpty() ? markedResources : markedResources.plus(Resources.of(places));
        }
        return markedResources;
    }

    /**
     * Adds the marks to occupations that were cached without them, and the devices of claims that no single pod holds.
     * These are occupied until the last of their pods has ended, and then until they are given back.
     */
    List<Occupation> complete(List<Occupation> held, IntakeInput input) {
        List<Occupation> marked = marked(held, input);
        List<Occupation> apart = devices.apart(marked, input.now(), input.settings());
        return apart.isEmpty()
                ? marked
                : Stream.concat(marked.stream(), apart.stream()).toList();
    }

    private List<Occupation> marked(List<Occupation> held, IntakeInput input) {
        if (neighbours.isEmpty() && volumes.isEmpty() && devices.isEmpty()) {
            return held;
        }
        Map<String, Pod> remembered = new HashMap<>();
        input.objects().pods().stream()
                .filter(input.cache()::isEndless)
                .forEach(pod -> remembered.put(Pods.name(pod), pod));
        return held.stream()
                .map(occupation -> {
                    Pod pod = remembered.get(occupation.holder());
                    return pod == null ? occupation : occupation.of(marked(occupation.resources(), pod));
                })
                .toList();
    }

    /** Returns why one of these pods cannot start anywhere, or null if all can. */
    @Nullable
    Refusal obstacle(List<Pod> pods) {
        for (Pod pod : pods) {
            Refusal volumeRefusal = volumes.obstacle(pod);
            Refusal obstacleRefusal = volumeRefusal == null ? devices.obstacle(pod) : volumeRefusal;
            if (obstacleRefusal != null) {
                return obstacleRefusal;
            }
        }
        return null;
    }

    /** Returns the objects that pods name, of kinds that the input lacks altogether. */
    List<PodFindings> missing() {
        return List.of(volumes.missing(), devices.missing());
    }
}
