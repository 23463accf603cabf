package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The objects that describe gangs. */
@FunctionalInterface
public interface GroupObjects {
    GroupObjects NONE = key -> null;

    /** Large parts of objects that no convention reads. */
    Set<String> BULK = Set.of("status", "containers", "initContainers", "volumes");

    @Nullable
    GenericKubernetesResource find(GroupKey key);

    /** Returns the kinds that are served and cannot be read. */
    default Set<GroupKind> unread() {
        return Set.of();
    }

    /** Returns the known objects of a kind in any order. */
    default List<GenericKubernetesResource> all(GroupKind kind) {
        return List.of();
    }

    /** Returns the objects of a list, as read from files. Objects of other kinds are left out. */
    static GroupObjects of(List<GenericKubernetesResource> objects) {
        Map<GroupKey, GenericKubernetesResource> known = new HashMap<>();
        for (GenericKubernetesResource object : objects) {
            GroupKey key = GroupKey.of(object);
            if (key != null) {
                known.put(key, object);
            }
        }
        return known.isEmpty()
                ? NONE
                : new GroupObjects() {
                    @Override
                    public @Nullable GenericKubernetesResource find(GroupKey key) {
                        return known.get(key);
                    }

                    @Override
                    public List<GenericKubernetesResource> all(GroupKind kind) {
                        return known.entrySet().stream()
                                .filter(entry -> entry.getKey().kind() == kind)
                                .map(Map.Entry::getValue)
                                .toList();
                    }
                };
    }

    /** Returns these objects, completed by the others. */
    default GroupObjects or(GroupObjects otherObjects) {
        if (otherObjects.equals(NONE)) {
            return this;
        }
        GroupObjects ownObjects = this;
        return new GroupObjects() {
            @Override
            public @Nullable GenericKubernetesResource find(GroupKey key) {
                GenericKubernetesResource found = ownObjects.find(key);
                return found == null ? otherObjects.find(key) : found;
            }

            @Override
            public List<GenericKubernetesResource> all(GroupKind kind) {
                return Stream.concat(ownObjects.all(kind).stream(), otherObjects.all(kind).stream())
                        .toList();
            }

            @Override
            public Set<GroupKind> unread() {
                Set<GroupKind> all = new TreeSet<>(ownObjects.unread());
                all.addAll(otherObjects.unread());
                return all;
            }
        };
    }

    /**
     * Removes the parts of an object that no convention reads: the contents of its pods, and its status except a Job's
     * progress. An object with late pods is kept whole, because it describes them.
     */
    static void strip(GenericKubernetesResource object) {
        if (LatePods.areIn(object)) {
            return;
        }
        Object status = object.getAdditionalProperties().get("status");
        strip(object.getAdditionalProperties());
        if (status instanceof Map<?, ?> fields && GroupKind.of(object) == GroupKind.JOB) {
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
