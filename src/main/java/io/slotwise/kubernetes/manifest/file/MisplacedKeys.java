package io.slotwise.kubernetes.manifest.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Slotwise's keys in the metadata of a workload or a PodGroup, or of a Job in a JobSet. Only those of pods count. Lives
 * for one object.
 */
final class MisplacedKeys {
    private record Key(String path, String key, String value) {}

    private final List<Key> misplaced = new ArrayList<>();
    /** The keys of pod templates with their values. */
    private final Set<String> ofPods = new HashSet<>();

    private MisplacedKeys() {}

    /**
     * Returns a warning for each key, unless a pod template, or a pod that the object makes, has it with the same
     * value. O(size of the object + pods).
     */
    static List<IntakeWarning> warnings(ObjectNode object, Subject subject, List<Pod> pods) {
        MisplacedKeys keys = new MisplacedKeys();
        keys.look(object, "");
        for (Pod pod : pods) {
            pod.getMetadata().getLabels().forEach((key, value) -> keys.ofPods.add(key + "=" + value));
            pod.getMetadata().getAnnotations().forEach((key, value) -> keys.ofPods.add(key + "=" + value));
        }
        String name = subject.namespace() + "/" + subject.name();
        return keys.misplaced.stream()
                .filter(key -> !keys.ofPods.contains(key.key + "=" + key.value))
                .map(key -> IntakeWarning.of(
                        IntakeWarning.Reason.IGNORED,
                        subject,
                        key.path,
                        "`%s` (%s) in %s of %s %s does not count"
                                .formatted(
                                        SafeText.value(key.key),
                                        SafeText.value(key.value),
                                        key.path,
                                        subject.kind(),
                                        name),
                        "expected it in the pod template"))
                .toList();
    }

    private void look(JsonNode node, String path) {
        boolean isPod = node.path("spec").path("containers").isArray();
        for (String field : List.of("labels", "annotations")) {
            node.path("metadata").path(field).properties().forEach(entry -> {
                String value = entry.getValue().asText();
                if (isPod) {
                    ofPods.add(entry.getKey() + "=" + value);
                } else if (entry.getKey().startsWith(AnnotationKeys.PREFIX)) {
                    misplaced.add(new Key(path + "metadata." + field, entry.getKey(), value));
                }
            });
        }
        if (!isPod) {
            node.properties().forEach(entry -> look(entry.getValue(), path + entry.getKey() + "."));
            for (int i = 0; node.isArray() && i < node.size(); i++) {
                look(node.get(i), "%s[%d].".formatted(path.substring(0, path.length() - 1), i));
            }
        }
    }
}
