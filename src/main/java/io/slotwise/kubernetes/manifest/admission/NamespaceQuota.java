package io.slotwise.kubernetes.manifest.admission;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.pods.PodResources;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The use of one ResourceQuota, which limits the pods of its namespace. Not reused.
 *
 * <p>Source: Kubernetes 1.37, pkg/quota/v1/evaluator/core/pods.go.
 */
final class NamespaceQuota {
    private static final String REQUESTS = "requests.";
    private static final String LIMITS = "limits.";
    private static final String COUNT = "count/pods";
    /** The resources that every container has to state if a quota counts them. */
    private static final Set<String> TO_STATE =
            Set.of("cpu", "memory", REQUESTS + "cpu", REQUESTS + "memory", LIMITS + "cpu", LIMITS + "memory");

    private final ResourceQuota quota;
    private final QuantityAmounts amounts;
    private final SortedMap<String, Long> hard = new TreeMap<>();
    private final Map<String, Long> used = new HashMap<>();
    private final boolean saysWhatIsUsed;

    /** Reads a quota with {@code spec.hard}. The use starts at the quota's status. */
    NamespaceQuota(ResourceQuota quota, QuantityAmounts amounts) {
        this.quota = quota;
        this.amounts = amounts;
        Map<String, Quantity> stated =
                quota.getStatus() == null ? null : quota.getStatus().getUsed();
        this.saysWhatIsUsed = stated != null && !stated.isEmpty();
        quota.getSpec().getHard().forEach((name, amount) -> {
            if (isOfPods(name)) {
                hard.put(name, amount(name, amount));
                Quantity before = stated == null ? null : stated.get(name);
                used.put(name, before == null ? 0 : amount(name, before));
            }
        });
    }

    private static boolean isOfPods(String name) {
        return name.equals(Resources.PODS)
                || name.equals(COUNT)
                || TO_STATE.contains(name)
                || name.equals("ephemeral-storage")
                || name.startsWith("hugepages-")
                || name.startsWith(LIMITS)
                || (name.startsWith(REQUESTS) && !name.equals(REQUESTS + "storage"));
    }

    private static String resource(String name) {
        return name.startsWith(REQUESTS)
                ? name.substring(REQUESTS.length())
                : name.startsWith(LIMITS) ? name.substring(LIMITS.length()) : name;
    }

    private long amount(String name, Quantity quantity) {
        String resource = resource(name);
        return Objects.requireNonNull(
                amounts.requests(Map.of(resource, quantity)).get(resource));
    }

    /** Counts an existing pod. The status already counts pods that an API server has created. */
    void occupy(Pod pod) {
        if ((!saysWhatIsUsed || pod.getMetadata().getUid() == null) && counts(pod.getSpec())) {
            asked(pod.getSpec()).forEach((name, amount) -> used.merge(name, amount, NamespaceQuota::sum));
        }
    }

    /** Returns why a pod cannot be created next to the existing ones, or null if it can. */
    @Nullable
    String problem(Pod pod) {
        PodSpec spec = pod.getSpec();
        if (!counts(spec)) {
            return null;
        }
        String name = "ResourceQuota " + SafeText.value(quota.getMetadata().getName());
        for (String resource : hard.keySet()) {
            String container = TO_STATE.contains(resource) ? silent(spec, resource) : null;
            if (container != null) {
                return "container %s does not state %s, which %s counts"
                        .formatted(
                                SafeText.value(container),
                                resource.startsWith(LIMITS) ? resource : REQUESTS + resource(resource),
                                name);
            }
        }
        return excess(asked(spec));
    }

    /** Returns why {@code seats} seats of an advance reservation cannot be kept, or null. A seat has only requests. */
    @Nullable
    String problem(PodSpec seat, int seats) {
        return counts(seat) ? excess(asked(seat, seats)) : null;
    }

    void keep(PodSpec seat, int seats) {
        if (counts(seat)) {
            asked(seat, seats).forEach((name, amount) -> used.merge(name, amount, NamespaceQuota::sum));
        }
    }

    private SortedMap<String, Long> asked(PodSpec seat, int seats) {
        SortedMap<String, Long> asked = asked(seat);
        asked.replaceAll((_, amount) -> amount > Long.MAX_VALUE / seats ? Long.MAX_VALUE : amount * seats);
        return asked;
    }

    private @Nullable String excess(SortedMap<String, Long> asked) {
        for (Map.Entry<String, Long> entry : asked.entrySet()) {
            long most = hard.getOrDefault(entry.getKey(), Long.MAX_VALUE);
            long before = used.getOrDefault(entry.getKey(), 0L);
            if (entry.getValue() > 0 && sum(before, entry.getValue()) > most) {
                return "ResourceQuota %s allows %s of %s, %s are used, and it asks for %s"
                        .formatted(
                                SafeText.value(quota.getMetadata().getName()),
                                shown(entry.getKey(), most),
                                SafeText.value(entry.getKey()),
                                shown(entry.getKey(), before),
                                shown(entry.getKey(), entry.getValue()));
            }
        }
        return null;
    }

    private boolean counts(PodSpec spec) {
        return QuotaScopes.match(quota.getSpec(), spec);
    }

    private SortedMap<String, Long> asked(PodSpec spec) {
        SortedMap<String, Long> requests = PodResources.of(spec, amounts).asMap();
        SortedMap<String, Long> limits = PodResources.limits(spec, amounts).asMap();
        SortedMap<String, Long> asked = new TreeMap<>();
        for (String name : hard.keySet()) {
            asked.put(
                    name,
                    name.equals(COUNT)
                            ? 1L
                            : (name.startsWith(LIMITS) ? limits : requests).getOrDefault(resource(name), 0L));
        }
        return asked;
    }

    /** Returns the first container that does not state a resource; null if each does, or the pod as a whole. */
    private static @Nullable String silent(PodSpec spec, String name) {
        boolean isLimit = name.startsWith(LIMITS);
        if (states(spec.getResources(), resource(name), isLimit)) {
            return null;
        }
        return Stream.concat(spec.getContainers().stream(), spec.getInitContainers().stream())
                .filter(container -> !states(container.getResources(), resource(name), isLimit))
                .map(Container::getName)
                .map(String::valueOf)
                .findFirst()
                .orElse(null);
    }

    /** A limit stands for a missing request. */
    private static boolean states(@Nullable ResourceRequirements resources, String name, boolean isLimit) {
        return resources != null
                && (Objects.requireNonNullElse(resources.getLimits(), Map.of()).containsKey(name)
                        || (!isLimit
                                && Objects.requireNonNullElse(resources.getRequests(), Map.of())
                                        .containsKey(name)));
    }

    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    private static String shown(String name, long amount) {
        return resource(name).equals(Resources.CPU)
                ? BigDecimal.valueOf(amount, 3).stripTrailingZeros().toPlainString()
                : String.valueOf(amount);
    }
}
