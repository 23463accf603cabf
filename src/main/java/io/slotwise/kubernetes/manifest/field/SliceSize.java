package io.slotwise.kubernetes.manifest.field;

import io.slotwise.core.gang.Topology;
import io.slotwise.kubernetes.gangs.GangSize;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a gang at a level, in {@code rack/16, kubernetes.io/hostname/4}.
 *
 * @param level the name of a level of the policy, or the key of a node label
 * @param pods in a slice
 */
public record SliceSize(String level, int pods) {
    private static final int MOST = 16;
    private static final String EXPECTED =
            "expected levels with the pods of a slice from 1 to %d, such as rack/16, kubernetes.io/hostname/4"
                    .formatted(GangSize.LARGEST);

    static List<SliceSize> parse(String text) {
        String[] items = text.split(",", -1);
        if (items.length > MOST) {
            throw new IllegalArgumentException("expected at most %d levels".formatted(MOST));
        }
        return Arrays.stream(items).map(SliceSize::item).toList();
    }

    private static SliceSize item(String text) {
        int at = text.lastIndexOf('/');
        if (at < 0 || text.substring(0, at).isBlank()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        try {
            return new SliceSize(
                    text.substring(0, at).strip(),
                    AnnotationReader.number(text.substring(at + 1).strip(), GangSize.LARGEST));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
    }

    /** Returns the text for the slices of a topology, or null if it has none. */
    static @Nullable String spelled(Topology topology) {
        return topology.slices().isEmpty()
                ? null
                : topology.slices().stream().map(Topology.Slice::spelled).collect(Collectors.joining(", "));
    }
}
