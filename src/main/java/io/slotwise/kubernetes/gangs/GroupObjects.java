package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The objects that say how large gangs are. */
@FunctionalInterface
public interface GroupObjects {
    /** None at all. */
    GroupObjects NONE = key -> null;

    /** What no convention reads and makes objects large. */
    Set<String> BULK = Set.of("status", "containers", "initContainers", "volumes");

    /** An object, or null where there is none. */
    @Nullable
    GenericKubernetesResource find(GroupKey key);

    /** The kinds that are there and cannot be read. */
    default Set<GroupKind> unread() {
        return Set.of();
    }

    /** Those of a list, as they were read from files; objects of other kinds are left out. */
    static GroupObjects of(List<GenericKubernetesResource> objects) {
        Map<GroupKey, GenericKubernetesResource> known = new HashMap<>();
        for (GenericKubernetesResource object : objects) {
            GroupKey key = GroupKey.of(object);
            if (key != null) {
                known.put(key, object);
            }
        }
        return known.isEmpty() ? NONE : known::get;
    }

    /** These, and what only the others have. */
    default GroupObjects or(GroupObjects otherObjects) {
        if (otherObjects.equals(NONE)) {
            return this;
        }
        GroupObjects these = this;
        return new GroupObjects() {
            @Override
            public @Nullable GenericKubernetesResource find(GroupKey key) {
                GenericKubernetesResource found = these.find(key);
                return found == null ? otherObjects.find(key) : found;
            }

            @Override
            public Set<GroupKind> unread() {
                Set<GroupKind> all = new TreeSet<>(these.unread());
                all.addAll(otherObjects.unread());
                return all;
            }
        };
    }

    /**
     * Takes out of an object what no convention reads: what its pods are made of, and its status but for the progress
     * of a Job. An object of which pods come later is kept whole: it tells which.
     */
    static void strip(GenericKubernetesResource object) {
        if (LatePods.areIn(object)) {
            return;
        }
        Object status = object.getAdditionalProperties().get("status");
        strip(object.getAdditionalProperties());
        if (status instanceof Map<?, ?> fields
                && GroupKind.of(object.getApiVersion(), object.getKind()) == GroupKind.JOB) {
            Map<Object, Object> progress = new HashMap<>(fields);
            progress.keySet().retainAll(JobProgress.FIELDS);
            object.setAdditionalProperty("status", progress);
        }
    }

    private static void strip(Map<?, ?> fields) {
        fields.keySet().removeIf(BULK::contains);
        fields.values().forEach(GroupObjects::stripWithin);
    }

    private static void stripWithin(@Nullable Object value) {
        if (value instanceof Map<?, ?> fields) {
            strip(fields);
        } else if (value instanceof List<?> items) {
            items.forEach(GroupObjects::stripWithin);
        }
    }
}
