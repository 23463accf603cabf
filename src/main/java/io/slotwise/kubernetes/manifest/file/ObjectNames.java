package io.slotwise.kubernetes.manifest.file;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.InvalidManifest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The names of the objects of files. Lives for one reading. */
final class ObjectNames {
    /** The place where each object was read, by kind, namespace and name. */
    private final Map<String, String> places = new HashMap<>();
    /** The number of objects to which each name was given, by API, kind, namespace and name. */
    private final Map<String, Integer> generated = new HashMap<>();

    void once(HasMetadata value, String kind, String place) {
        String key = key(value, kind);
        String earlier = places.putIfAbsent(key, place);
        if (earlier != null) {
            throw new InvalidManifest(
                    "%s: %s appears twice, also in %s: expected it once".formatted(place, key, earlier));
        }
    }

    private static String key(HasMetadata value, String kind) {
        String namespace = value.getMetadata().getNamespace();
        String name = value.getMetadata().getName();
        return kind + " " + (namespace == null ? name : namespace + "/" + name);
    }

    /** Returns a name for an object whose name the API server generates: the stem, with a number from the second on. */
    String generated(HasMetadata value, String stem) {
        String namespace = Objects.requireNonNullElse(value.getMetadata().getNamespace(), "default");
        String key = value.getApiVersion() + " " + value.getKind() + " " + namespace + "/" + stem;
        int number = generated.merge(key, 1, Integer::sum);
        return number == 1 ? stem : stem + "-" + number;
    }

    /** Takes the names of what a workload makes. Returns why it is left out, or null. O(objects made). */
    @Nullable
    IntakeWarning take(ExpandedWorkload expanded, List<GenericKubernetesResource> groups) {
        Set<String> made = new HashSet<>();
        Optional<String> taken = Stream.concat(
                        groups.stream().map(group -> key(group, group.getApiVersion() + " " + group.getKind())),
                        expanded.expansion().pods().stream().map(pod -> key(pod, "Pod")))
                .filter(key -> places.containsKey(key) || !made.add(key))
                .findFirst();
        if (taken.isEmpty()) {
            made.forEach(key -> places.put(key, expanded.place()));
            return null;
        }
        Subject subject = Subject.of(expanded.object());
        return new IntakeWarning(
                IntakeWarning.Reason.INVALID_VALUE,
                subject,
                "%s, %s %s: it makes %s, which is also in %s: expected it once; it is left out"
                        .formatted(
                                expanded.place(),
                                subject.kind(),
                                subject.name(),
                                taken.get(),
                                places.getOrDefault(taken.get(), expanded.place())));
    }
}
