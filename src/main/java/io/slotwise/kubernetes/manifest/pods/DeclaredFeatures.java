package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.resource.Place;
import io.slotwise.core.work.Isolated;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Features that pods require and that nodes have to declare ({@code status.declaredFeatures}), as kube-scheduler's
 * NodeDeclaredFeatures plugin infers them: restarts of all containers, user namespaces in the host's network, options
 * of bind mounts. Each is a {@link Place} of which a node has all or nothing. Used for one intake. O(pods), plus
 * O(nodes) if a feature is required.
 */
public final class DeclaredFeatures {
    private static final String RESTART_ALL = "RestartAllContainersOnContainerExits";
    private static final String USER_NAMESPACES = "UserNamespacesHostNetworkSupport";
    private static final String MOUNT_OPTIONS = "VolumeBindMountOptions";
    private static final String BIND_MOUNT_OPTIONS = "bindMountOptions";

    private final Map<String, Map<String, Long>> limits = new TreeMap<>();

    public DeclaredFeatures(Collection<Pod> waiting, Collection<Node> nodes) {
        Set<String> asked = new TreeSet<>();
        waiting.forEach(pod -> Isolated.run(() -> addTo(asked, pod), _ -> {}));
        asked.forEach(feature -> limits.put(place(feature), declared(feature, nodes)));
    }

    private static Map<String, Long> declared(String feature, Collection<Node> nodes) {
        Map<String, Long> declared = new HashMap<>();
        nodes.forEach(node -> declared.put(
                node.getMetadata().getName(),
                node.getStatus() != null
                                && node.getStatus().getDeclaredFeatures().contains(feature)
                        ? Place.WHOLE
                        : 0L));
        return declared;
    }

    private static void addTo(Set<String> features, Pod pod) {
        if (Boolean.TRUE.equals(pod.getSpec().getHostNetwork())
                && Boolean.FALSE.equals(pod.getSpec().getHostUsers())) {
            features.add(USER_NAMESPACES);
        }
        pod.getSpec().getContainers().forEach(container -> add(features, container));
        pod.getSpec().getInitContainers().forEach(container -> add(features, container));
    }

    private static void add(Set<String> features, Container container) {
        if (container.getRestartPolicyRules().stream()
                .anyMatch(rule -> "RestartAllContainers".equals(rule.getAction()))) {
            features.add(RESTART_ALL);
        }
        if (container.getVolumeMounts().stream()
                .anyMatch(mount -> mount.getAdditionalProperties().get(BIND_MOUNT_OPTIONS) instanceof Collection<?> some
                        && !some.isEmpty())) {
            features.add(MOUNT_OPTIONS);
        }
    }

    private static String place(String feature) {
        return "the declared feature " + feature;
    }

    public Map<String, Map<String, Long>> limits() {
        return limits;
    }

    public Map<String, Long> places(Pod pod) {
        if (limits.isEmpty()) {
            return Map.of();
        }
        Map<String, Long> places = new HashMap<>();
        Set<String> features = new TreeSet<>();
        addTo(features, pod);
        features.stream()
                .map(DeclaredFeatures::place)
                .filter(limits::containsKey)
                .forEach(place -> places.put(place, 1L));
        return places;
    }
}
