package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a pod takes of its node, as kube-scheduler counts them. They are the larger of the sum of its
 * containers and the need at any moment of its initialisation; sidecars (init containers that always restart) count in
 * both from their start. A pod-level figure for CPU, memory or huge pages takes precedence. The overhead, one pod, and
 * the {@linkplain HostPorts host ports} are added.
 */
public final class PodResources {
    private static final Set<String> POD_LEVEL = Set.of(Resources.CPU, Resources.MEMORY);
    private static final String HUGE_PAGES = "hugepages-";

    private PodResources() {}

    /**
     * Returns the resources of a pod. While containers of a bound pod are resized, this is the largest of the request,
     * the allocation by the node, and the actual resources. The request does not count if the node cannot grant it at
     * all.
     */
    public static Resources of(Pod pod, QuantityAmounts amounts) {
        PodStatus status = pod.getStatus();
        if (Pods.node(pod) == null || status == null) {
            return of(pod.getSpec(), amounts);
        }
        Map<String, ContainerStatus> containers = containers(status);
        if (containers.isEmpty() && status.getAllocatedResources() == null && status.getResources() == null) {
            return of(pod.getSpec(), amounts);
        }
        ResourceRequirements podLevel = pod.getSpec().getResources();
        boolean isInfeasible = pendingResizes(status).anyMatch(condition -> "Infeasible".equals(condition.getReason()));
        List<Resources> all = new ArrayList<>();
        if (!isInfeasible) {
            all.add(of(pod.getSpec(), amounts));
        }
        all.add(of(
                pod.getSpec(),
                podLevel == null ? null : podLevel(status.getAllocatedResources(), podLevel),
                container -> allocated(container, containers.get(container.getName()), isInfeasible),
                amounts));
        all.add(of(
                pod.getSpec(),
                podLevel == null
                        ? null
                        : podLevel(
                                status.getResources() == null
                                        ? null
                                        : status.getResources().getRequests(),
                                podLevel),
                container -> actuated(container, containers.get(container.getName()), isInfeasible),
                amounts));
        return Resources.most(all);
    }

    /**
     * Returns the allocation of a bound pod: its initial resources and each resize that its node has granted. If the
     * node states no allocation, the result is the actual resources during a pending resize, else the request.
     */
    public static Resources allocated(Pod pod, QuantityAmounts amounts) {
        PodStatus status = pod.getStatus();
        if (status == null) {
            return of(pod.getSpec(), amounts);
        }
        Map<String, ContainerStatus> containers = containers(status);
        boolean waits = pendingResizes(status).findAny().isPresent();
        ResourceRequirements podLevel = pod.getSpec().getResources();
        return of(
                pod.getSpec(),
                podLevel == null ? null : podLevel(status.getAllocatedResources(), podLevel),
                container -> {
                    ContainerStatus known = containers.get(container.getName());
                    return waits && known != null && !isThere(known.getAllocatedResources())
                            ? actuated(container, known, true)
                            : allocated(container, known, false);
                },
                amounts);
    }

    private static Map<String, ContainerStatus> containers(PodStatus status) {
        Map<String, ContainerStatus> containers = new HashMap<>();
        Stream.concat(status.getContainerStatuses().stream(), status.getInitContainerStatuses().stream())
                .filter(PodResources::saysWhatItHas)
                .forEach(container -> containers.put(container.getName(), container));
        return containers;
    }

    private static Stream<PodCondition> pendingResizes(PodStatus status) {
        return status.getConditions().stream().filter(condition -> "PodResizePending".equals(condition.getType()));
    }

    private static boolean saysWhatItHas(ContainerStatus container) {
        return container.getName() != null
                && (isThere(container.getAllocatedResources())
                        || (container.getResources() != null
                                && isThere(container.getResources().getRequests())));
    }

    private static boolean isThere(@Nullable Map<String, Quantity> amounts) {
        return amounts != null && !amounts.isEmpty();
    }

    private static ResourceRequirements podLevel(
            @Nullable Map<String, Quantity> stated, ResourceRequirements otherwise) {
        return isThere(stated)
                ? new ResourceRequirementsBuilder().withRequests(stated).build()
                : otherwise;
    }

    private static @Nullable Map<String, Quantity> allocated(
            Container container, @Nullable ContainerStatus status, boolean isInfeasible) {
        if (status != null && isThere(status.getAllocatedResources())) {
            return status.getAllocatedResources();
        }
        return isInfeasible && status != null ? null : requests(container.getResources());
    }

    private static @Nullable Map<String, Quantity> actuated(
            Container container, @Nullable ContainerStatus status, boolean isInfeasible) {
        return status != null
                        && status.getResources() != null
                        && isThere(status.getResources().getRequests())
                ? status.getResources().getRequests()
                : allocated(container, status, isInfeasible);
    }

    public static Resources of(PodSpec spec, QuantityAmounts amounts) {
        return of(spec, spec.getResources(), container -> requests(container.getResources()), amounts);
    }

    /** Returns the limits, counted as requests are. A container without a limit has zero. */
    public static Resources limits(PodSpec spec, QuantityAmounts amounts) {
        return of(
                spec,
                spec.getResources(),
                container -> container.getResources() == null
                        ? null
                        : container.getResources().getLimits(),
                amounts);
    }

    private static Resources of(
            PodSpec spec,
            @Nullable ResourceRequirements podLevel,
            Function<Container, @Nullable Map<String, Quantity>> asked,
            QuantityAmounts amounts) {
        SortedMap<String, Long> running = new TreeMap<>();
        for (Container container : spec.getContainers()) {
            add(running, amounts.requests(asked.apply(container)));
        }
        SortedMap<String, Long> most = initialising(spec.getInitContainers(), running, asked, amounts);
        if (podLevel != null) {
            amounts.requests(podLevel.getLimits()).forEach((name, limit) -> {
                if (isPodLevel(name)) {
                    most.putIfAbsent(name, limit);
                }
            });
            amounts.requests(podLevel.getRequests()).forEach((name, request) -> {
                if (isPodLevel(name)) {
                    most.put(name, request);
                }
            });
        }
        add(most, amounts.requests(spec.getOverhead()));
        most.put(Resources.PODS, 1L);
        HostPorts.addTo(most, spec);
        return Resources.of(most);
    }

    /** Returns the maximum over time, and adds the sidecars to {@code running}. */
    private static SortedMap<String, Long> initialising(
            List<Container> initContainers,
            SortedMap<String, Long> running,
            Function<Container, @Nullable Map<String, Quantity>> asked,
            QuantityAmounts amounts) {
        SortedMap<String, Long> sidecars = new TreeMap<>();
        SortedMap<String, Long> most = new TreeMap<>();
        for (Container container : initContainers) {
            SortedMap<String, Long> needed = amounts.requests(asked.apply(container));
            add(needed, sidecars);
            raise(most, needed);
            if ("Always".equals(container.getRestartPolicy())) {
                sidecars = needed;
            }
        }
        add(running, sidecars);
        raise(most, running);
        return most;
    }

    /** Returns the requests. A limit stands for a missing request, as the API server fills it in. */
    private static @Nullable Map<String, Quantity> requests(@Nullable ResourceRequirements resources) {
        if (resources == null) {
            return null;
        }
        Map<String, Quantity> limits = resources.getLimits();
        if (limits == null || limits.isEmpty()) {
            return resources.getRequests();
        }
        Map<String, Quantity> filled = new HashMap<>(limits);
        if (resources.getRequests() != null) {
            filled.putAll(resources.getRequests());
        }
        return filled;
    }

    private static boolean isPodLevel(String name) {
        return POD_LEVEL.contains(name) || name.startsWith(HUGE_PAGES);
    }

    private static void add(SortedMap<String, Long> sum, Map<String, Long> more) {
        more.forEach((name, amount) -> sum.merge(name, amount, (a, b) -> {
            if (a > Long.MAX_VALUE - b) {
                throw new IllegalArgumentException("its containers ask for %s of %s in all: expected at most %d"
                        .formatted(
                                BigInteger.valueOf(a).add(BigInteger.valueOf(b)),
                                SafeText.value(name),
                                Long.MAX_VALUE));
            }
            return a + b;
        }));
    }

    private static void raise(SortedMap<String, Long> most, Map<String, Long> other) {
        other.forEach((name, amount) -> most.merge(name, amount, Math::max));
    }
}
