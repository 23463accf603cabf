package io.slotwise.kubernetes.manifest.admission;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.LimitRangeItem;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The admission plugin LimitRanger. Containers without requests or limits get those of a LimitRange of their namespace,
 * and values outside its bounds are refused.
 *
 * <p>Source: Kubernetes 1.37, plugin/pkg/admission/limitranger/admission.go, pkg/apis/core/v1/defaults.go.
 */
final class ContainerLimits {
    private static final String OF_CONTAINERS = "Container";
    private static final String OF_PODS = "Pod";

    private final Map<String, List<LimitRange>> ranges = new HashMap<>();

    private record Stated(Map<String, Quantity> requests, Map<String, Quantity> limits) {}

    ContainerLimits(List<LimitRange> objects) {
        objects.stream()
                .filter(range -> range.getSpec() != null)
                .forEach(range -> ranges.computeIfAbsent(range.getMetadata().getNamespace(), _ -> new ArrayList<>())
                        .add(range));
    }

    void admit(PodSpec spec, String namespace) throws Refused {
        List<LimitRange> namespaceRanges = ranges.getOrDefault(namespace, List.of());
        if (namespaceRanges.isEmpty()) {
            return;
        }
        for (Container container : containers(spec)) {
            complete(container);
        }
        for (LimitRange range : namespaceRanges) {
            for (LimitRangeItem item : range.getSpec().getLimits()) {
                if (OF_CONTAINERS.equals(item.getType())) {
                    containers(spec).forEach(container -> complete(container, item));
                }
            }
        }
        for (LimitRange range : namespaceRanges) {
            for (LimitRangeItem item : range.getSpec().getLimits()) {
                judge(spec, item, range);
            }
        }
    }

    private static List<Container> containers(PodSpec spec) {
        return Stream.concat(spec.getContainers().stream(), spec.getInitContainers().stream())
                .toList();
    }

    private static void complete(Container container) {
        ResourceRequirements own = Objects.requireNonNullElseGet(container.getResources(), ResourceRequirements::new);
        container.setResources(own);
        own.setLimits(both(own.getLimits(), Map.of()));
        own.setRequests(both(own.getRequests(), own.getLimits()));
    }

    private static void complete(Container container, LimitRangeItem item) {
        Map<String, Quantity> limits = both(item.getDefault(), both(item.getMax(), Map.of()));
        Map<String, Quantity> requests = both(both(item.getDefaultRequest(), limits), both(item.getMin(), Map.of()));
        ResourceRequirements own = container.getResources();
        own.setLimits(both(own.getLimits(), limits));
        own.setRequests(both(own.getRequests(), requests));
    }

    private static Map<String, Quantity> both(@Nullable Map<String, Quantity> own, Map<String, Quantity> others) {
        Map<String, Quantity> all = new HashMap<>(others);
        if (own != null) {
            all.putAll(own);
        }
        return all;
    }

    private static void judge(PodSpec spec, LimitRangeItem item, LimitRange range) throws Refused {
        String place = "LimitRange " + SafeText.value(range.getMetadata().getName());
        if (OF_CONTAINERS.equals(item.getType())) {
            for (Container container : containers(spec)) {
                ResourceRequirements own = container.getResources();
                judge(
                        new Stated(own.getRequests(), own.getLimits()),
                        item,
                        "container %s".formatted(SafeText.value(container.getName())),
                        place);
            }
        } else if (OF_PODS.equals(item.getType())) {
            Map<String, Quantity> requests = new HashMap<>();
            Map<String, Quantity> limits = new HashMap<>();
            for (Container container : spec.getContainers()) {
                add(requests, container.getResources().getRequests());
                add(limits, container.getResources().getLimits());
            }
            judge(new Stated(requests, limits), item, "the pod", place);
        }
    }

    private static void add(Map<String, Quantity> sum, Map<String, Quantity> more) {
        more.forEach((name, amount) -> sum.merge(
                name,
                amount,
                (one, other) -> new Quantity(QuantityAmounts.exact(name, one)
                        .add(QuantityAmounts.exact(name, other))
                        .toPlainString())));
    }

    private static void judge(Stated stated, LimitRangeItem item, String what, String place) throws Refused {
        for (Map.Entry<String, Quantity> leastEntry : sorted(item.getMin())) {
            String name = leastEntry.getKey();
            Quantity request = stated.requests().get(name);
            if (request == null || isMore(name, leastEntry.getValue(), request)) {
                throw new Refused("%s requests %s of %s, and %s wants at least %s"
                        .formatted(what, shown(request), SafeText.value(name), place, shown(leastEntry.getValue())));
            }
        }
        for (Map.Entry<String, Quantity> mostEntry : sorted(item.getMax())) {
            String name = mostEntry.getKey();
            Quantity limit = stated.limits().get(name);
            Quantity request = stated.requests().get(name);
            Quantity asked = limit != null && request != null && isMore(name, request, limit) ? request : limit;
            if (asked == null || isMore(name, asked, mostEntry.getValue())) {
                throw new Refused("%s has a limit of %s of %s, and %s allows at most %s"
                        .formatted(what, shown(asked), SafeText.value(name), place, shown(mostEntry.getValue())));
            }
        }
        for (Map.Entry<String, Quantity> entry : sorted(item.getMaxLimitRequestRatio())) {
            String name = entry.getKey();
            Quantity limit = stated.limits().get(name);
            Quantity request = stated.requests().get(name);
            if (limit == null || request == null || isMoreThan(name, limit, request, entry.getValue())) {
                throw new Refused("%s has a limit of %s of %s and requests %s, and %s allows at most %s times as much"
                        .formatted(
                                what,
                                shown(limit),
                                SafeText.value(name),
                                shown(request),
                                place,
                                shown(entry.getValue())));
            }
        }
    }

    private static Iterable<Map.Entry<String, Quantity>> sorted(@Nullable Map<String, Quantity> amounts) {
        return amounts == null ? List.of() : new TreeMap<>(amounts).entrySet();
    }

    private static boolean isMore(String name, Quantity one, Quantity other) {
        return QuantityAmounts.exact(name, one).compareTo(QuantityAmounts.exact(name, other)) > 0;
    }

    private static boolean isMoreThan(String name, Quantity limit, Quantity request, Quantity ratio) {
        BigDecimal most = QuantityAmounts.exact(name, request).multiply(QuantityAmounts.exact(name, ratio));
        return QuantityAmounts.exact(name, limit).compareTo(most) > 0;
    }

    private static String shown(@Nullable Quantity quantity) {
        return quantity == null ? "nothing" : SafeText.value(quantity.toString());
    }
}
