package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.Volume;
import io.slotwise.kubernetes.manifest.field.Labels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The closed list of requirements for which a pod has to go through kube-scheduler, because the planner does not model
 * them, or because kube-scheduler decides them.
 *
 * <p>The chart's admission policy ({@code templates/admission/_needs.tpl}) has the same list in CEL, which sees only
 * the pod's own specification and labels. A table of pods in the tests checks both. A required anti-affinity that only
 * keeps pods of one kind on different nodes does not need kube-scheduler: the topology key is the host name, and the
 * selector consists of labels that the pod itself has.
 */
public final class KubeSchedulerNeeds {
    private static final String HOST_NAME = "kubernetes.io/hostname";
    private static final String DEVICE_CLASS = "deviceclass.resource.kubernetes.io/";

    private KubeSchedulerNeeds() {}

    /** Returns the requirement for kube-scheduler, in words that follow "has". O(size of the specification). */
    public static Optional<String> of(Pod pod) {
        PodSpec spec = pod.getSpec();
        return volume(spec.getVolumes())
                .or(() -> claim(spec))
                .or(() -> device(spec))
                .or(() -> affinity(spec.getAffinity()))
                .or(() -> antiAffinity(pod))
                .or(() -> spread(spec.getTopologySpreadConstraints()));
    }

    private static Optional<String> volume(List<Volume> volumes) {
        return volumes.stream()
                .filter(volume -> !isPlain(volume))
                .map(volume -> volume.getPersistentVolumeClaim() != null
                        ? "the persistent volume claim `%s` (volume %s)"
                                .formatted(volume.getPersistentVolumeClaim().getClaimName(), volume.getName())
                        : volume.getEphemeral() != null
                                ? "the ephemeral volume %s".formatted(volume.getName())
                                : "the volume %s of a type that is bound to nodes".formatted(volume.getName()))
                .findFirst();
    }

    /** Returns whether a volume is available on every node. */
    private static boolean isPlain(Volume volume) {
        return volume.getConfigMap() != null
                || volume.getSecret() != null
                || volume.getEmptyDir() != null
                || volume.getDownwardAPI() != null
                || volume.getProjected() != null
                || volume.getHostPath() != null
                || volume.getImage() != null
                || volume.getNfs() != null
                || volume.getCsi() != null;
    }

    private static Optional<String> claim(PodSpec spec) {
        return spec.getResourceClaims().stream()
                .map(claim -> "the resource claim %s".formatted(claim.getName()))
                .findFirst();
    }

    private static Optional<String> device(PodSpec spec) {
        return containers(spec)
                .map(Container::getResources)
                .flatMap(resources ->
                        resources == null ? Stream.empty() : Stream.of(resources.getRequests(), resources.getLimits()))
                .flatMap(KubeSchedulerNeeds::names)
                .filter(name -> name.startsWith(DEVICE_CLASS))
                .map(name -> "the device request `%s`".formatted(name))
                .findFirst();
    }

    private static Stream<String> names(@Nullable Map<String, Quantity> amounts) {
        return amounts == null ? Stream.empty() : amounts.keySet().stream();
    }

    private static Optional<String> affinity(@Nullable Affinity affinity) {
        return affinity == null
                        || affinity.getPodAffinity() == null
                        || affinity.getPodAffinity()
                                .getRequiredDuringSchedulingIgnoredDuringExecution()
                                .isEmpty()
                ? Optional.empty()
                : Optional.of("a required pod affinity");
    }

    private static Optional<String> antiAffinity(Pod pod) {
        Affinity affinity = pod.getSpec().getAffinity();
        if (affinity == null || affinity.getPodAntiAffinity() == null) {
            return Optional.empty();
        }
        Map<String, String> own = Labels.of(pod);
        return affinity.getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution().stream()
                .filter(term -> !isPlain(term, own))
                .map(term -> ("a required pod anti-affinity (topologyKey %s) that is not only `matchLabels` of its own "
                                + "labels on %s")
                        .formatted(term.getTopologyKey(), HOST_NAME))
                .findFirst();
    }

    private static boolean isPlain(PodAffinityTerm term, Map<String, String> own) {
        LabelSelector selector = term.getLabelSelector();
        return HOST_NAME.equals(term.getTopologyKey())
                && selector != null
                && selector.getMatchExpressions().isEmpty()
                && (selector.getMatchLabels() == null
                        || own.entrySet().containsAll(selector.getMatchLabels().entrySet()))
                && term.getNamespaces().isEmpty()
                && term.getNamespaceSelector() == null
                && term.getMatchLabelKeys().isEmpty()
                && term.getMismatchLabelKeys().isEmpty();
    }

    private static Optional<String> spread(List<TopologySpreadConstraint> constraints) {
        return constraints.stream()
                .filter(constraint -> "DoNotSchedule".equals(constraint.getWhenUnsatisfiable()))
                .map(constraint ->
                        "a topology spread constraint (%s, DoNotSchedule)".formatted(constraint.getTopologyKey()))
                .findFirst();
    }

    private static Stream<Container> containers(PodSpec spec) {
        return Stream.concat(spec.getContainers().stream(), spec.getInitContainers().stream());
    }
}
