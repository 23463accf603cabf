package io.slotwise.kubernetes.gangs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.gangs.StatedTopology.Level;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a gang in Kueue's annotations: one level with a size, or several layers.
 *
 * <p>A JobSet needs no size: a slice is then one of its Jobs.
 *
 * <p>Source: kubernetes-sigs/kueue, keps/2724-topology-aware-scheduling, sections on the user-facing API and
 * validation.
 */
final class KueueSlices {
    private static final String PREFIX = "kueue.x-k8s.io/podset-slice-";
    private static final String LEVEL = PREFIX + "required-topology";
    private static final String SIZE = PREFIX + "size";
    private static final String LAYERS = PREFIX + "required-topology-constraints";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private KueueSlices() {}

    /**
     * Returns the levels with the pods of a slice, as in {@code rack/16, host/4}, or null if there are none. O(pods).
     *
     * @throws IllegalArgumentException if that cannot be read; the message is a sentence
     */
    static @Nullable Level of(List<Pod> pods, GroupObjects objects) {
        Level level = StatedTopology.ofPods(pods, LEVEL);
        Level layersLevel = StatedTopology.ofPods(pods, LAYERS);
        Level sizeLevel = StatedTopology.ofPods(pods, SIZE);
        Level statedLevel = layersLevel == null ? level : layersLevel;
        if (statedLevel == null) {
            if (sizeLevel == null) {
                return null;
            }
            throw error(sizeLevel, pods.getFirst(), "needs `%s`".formatted(LEVEL), "the level of the slices");
        }
        if (layersLevel != null && (level != null || sizeLevel != null)) {
            throw error(
                    layersLevel,
                    pods.getFirst(),
                    "cannot be combined with `%s`".formatted(level == null ? SIZE : LEVEL),
                    "one of them");
        }
        for (Pod pod : pods) {
            if (AnnotationParsing.annotation(pod, statedLevel.field()) == null) {
                throw error(
                        statedLevel,
                        pod,
                        "is missing",
                        "it on all pods of the gang, whose slices are in order of rank");
            }
        }
        return new Level(
                statedLevel.field(),
                layersLevel == null
                        ? statedLevel.key() + "/" + size(statedLevel, pods, objects)
                        : layers(layersLevel, pods.getFirst()));
    }

    private static long size(Level level, List<Pod> pods, GroupObjects objects) {
        OptionalLong stated = AnnotationParsing.annotated(pods, SIZE, GangSize.LARGEST);
        if (stated.isPresent()) {
            return stated.getAsLong();
        }
        List<GenericKubernetesResource> owners =
                Owners.found(Owners.above(pods.getFirst(), objects), objects).toList();
        if (owners.stream().noneMatch(owner -> GroupKind.of(owner) == GroupKind.JOB_SET)) {
            throw error(level, pods.getFirst(), "needs `%s`".formatted(SIZE), "the pods of a slice");
        }
        return owners.stream()
                .filter(owner -> GroupKind.of(owner) == GroupKind.JOB)
                .mapToLong(job -> ObjectPart.spec(job).count("parallelism", 1))
                .findFirst()
                .orElse(1);
    }

    private static String layers(Level level, Pod pod) {
        String expected = "a list such as [{\"topology\": \"cloud.example/rack\", \"size\": 16}]";
        try {
            JsonNode list = JSON.readTree(level.key());
            if (list.isArray()
                    && !list.isEmpty()
                    && items(list)
                            .allMatch(item -> item.path("topology").isTextual()
                                    && item.path("size").isValueNode())) {
                return items(list)
                        .map(item -> item.path("topology").asText() + "/"
                                + item.path("size").asText())
                        .collect(Collectors.joining(", "));
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(message(level, pod, "is not valid", expected), e);
        }
        throw error(level, pod, "is not valid", expected);
    }

    private static Stream<JsonNode> items(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private static IllegalArgumentException error(Level level, Pod pod, String problem, String expected) {
        return new IllegalArgumentException(message(level, pod, problem, expected));
    }

    private static String message(Level level, Pod pod, String problem, String expected) {
        return "`%s` (%s) of %s %s: expected %s"
                .formatted(level.field(), SafeText.value(level.key()), AnnotationParsing.name(pod), problem, expected);
    }
}
