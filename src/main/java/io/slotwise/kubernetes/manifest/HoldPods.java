package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.slotwise.kubernetes.crd.v1alpha1.HoldSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The pods that stand for the seats of an advance reservation, named {@code NAME-0} and so on: its words are read as those of a gang
 * would be. They exist nowhere else.
 */
final class HoldPods {
    /** The field of {@code spec.hold} behind each annotation. */
    private static final Map<String, String> FIELDS = fields();

    private final Reservation reservation;
    private final HoldSpec hold;

    private HoldPods(Reservation reservation, HoldSpec hold) {
        this.reservation = reservation;
        this.hold = hold;
    }

    /** Those of a Reservation that has {@code spec.hold}. */
    static HoldPods of(Reservation reservation) {
        return new HoldPods(
                reservation, Objects.requireNonNull(reservation.getSpec().hold()));
    }

    private static Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(Keys.GANG_SIZE, "size");
        fields.put(Keys.RUNTIME, "runtime");
        fields.put(Keys.EARLIEST_START, "earliest");
        fields.put(Keys.DEADLINE, "deadline");
        fields.put(Keys.BUDGET, "budget");
        fields.put(Keys.CRITERION, "criterion");
        fields.put(Keys.TOPOLOGY, "topology");
        fields.put(Keys.MAX_PER_NODE, "maxPerNode");
        fields.put(Keys.LOCKSTEP, "lockstep");
        return fields;
    }

    /** The length of the longest name of a seat. */
    static int longestName(String name, int size) {
        return name.length() + 1 + Integer.toString(size - 1).length();
    }

    /** One for each seat; the first one speaks for all, and is the only one where the size is none. */
    List<Pod> pods() {
        PodSpec spec = spec();
        return IntStream.range(0, hold.size() > GangTerms.LARGEST ? 1 : Math.max(hold.size(), 1))
                .mapToObj(i -> pod(i, spec))
                .toList();
    }

    private Pod pod(int index, PodSpec spec) {
        String name = reservation.getMetadata().getName();
        Pod pod = new Pod();
        pod.setMetadata(new ObjectMetaBuilder()
                .withNamespace(reservation.getMetadata().getNamespace())
                .withName(name + "-" + index)
                .withCreationTimestamp(reservation.getMetadata().getCreationTimestamp())
                .addToLabels(Keys.GANG, name)
                .withAnnotations(index == 0 ? annotations() : Map.of())
                .build());
        pod.setSpec(spec);
        return pod;
    }

    /** A window without a runtime is as long on every node. */
    private PodSpec spec() {
        Container seat = new ContainerBuilder()
                .withName("seat")
                .withNewResources()
                .withRequests(hold.resources())
                .endResources()
                .build();
        HoldSpec.Span window = hold.window();
        Long length = window == null || hold.runtime() != null ? null : length(window);
        return new PodSpecBuilder()
                .withContainers(seat)
                .withNodeSelector(hold.nodeSelector())
                .withTolerations(hold.tolerations())
                .withActiveDeadlineSeconds(length)
                .build();
    }

    /** Seconds; null if the window cannot be read, which its annotations tell. */
    private static @Nullable Long length(HoldSpec.Span window) {
        try {
            long length = Intervals.parseDown(window.end()) - Intervals.parseUp(window.start());
            return length > 0 ? length : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private Map<String, String> annotations() {
        HoldSpec.Span window = hold.window();
        Map<String, @Nullable Object> words = new TreeMap<>();
        words.put(Keys.GANG_SIZE, hold.size());
        words.put(Keys.RUNTIME, hold.runtime());
        words.put(Keys.EARLIEST_START, window == null ? hold.earliest() : window.start());
        words.put(Keys.DEADLINE, window == null ? hold.deadline() : window.end());
        words.put(Keys.BUDGET, hold.budget());
        words.put(Keys.CRITERION, hold.criterion());
        words.put(Keys.TOPOLOGY, hold.topology());
        words.put(Keys.MAX_PER_NODE, hold.maxPerNode());
        words.put(Keys.LOCKSTEP, hold.lockstep());
        Map<String, String> annotations = new TreeMap<>();
        words.forEach((key, word) -> {
            if (word != null) {
                annotations.put(key, word.toString());
            }
        });
        return annotations;
    }

    /** What the Reservation calls the field that stands behind an annotation of its pods. */
    String field(String key) {
        String field = FIELDS.get(key);
        return field == null ? key : "spec.hold." + within(field);
    }

    private String within(String field) {
        if (hold.window() == null) {
            return field;
        }
        return switch (field) {
            case "earliest" -> "window.start";
            case "deadline" -> "window.end";
            default -> field;
        };
    }
}
