package io.slotwise.kubernetes.manifest.admission;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.Comparator;
import java.util.List;

/**
 * The objects by which the API server changes and refuses pods, each kind in the order of its names.
 *
 * @param runtimeClasses all of them
 * @param priorityClasses all of them
 * @param limitRanges of all namespaces
 * @param quotas of all namespaces
 */
public record AdmissionObjects(
        List<RuntimeClass> runtimeClasses,
        List<PriorityClass> priorityClasses,
        List<LimitRange> limitRanges,
        List<ResourceQuota> quotas) {
    public AdmissionObjects {
        runtimeClasses = List.copyOf(runtimeClasses);
        priorityClasses = List.copyOf(priorityClasses);
        limitRanges = List.copyOf(limitRanges);
        quotas = List.copyOf(quotas);
    }

    /** Those of a list; objects of other kinds are left out. */
    public static AdmissionObjects of(List<HasMetadata> objects) {
        return new AdmissionObjects(
                those(objects, RuntimeClass.class),
                those(objects, PriorityClass.class),
                those(objects, LimitRange.class),
                those(objects, ResourceQuota.class));
    }

    private static <T extends HasMetadata> List<T> those(List<HasMetadata> objects, Class<T> type) {
        return objects.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .sorted(Comparator.comparing(object -> object.getMetadata().getName()))
                .toList();
    }
}
