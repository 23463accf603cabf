package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.kubernetes.gangs.Extent;
import io.slotwise.kubernetes.gangs.Groups;
import io.slotwise.kubernetes.gangs.Recognition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the conventions say of a gang, after our own annotations.
 *
 * @param extent how many of its pods start together
 * @param timeLimit how long it may run, seconds; null: nobody says it
 */
record Recognised(Extent extent, @Nullable Long timeLimit) {
    private static final Extent ONE = new Extent.Together(1);

    /** Reads it; what cannot be read becomes a problem among what the pods state. O(pods). */
    static Recognised read(Stated stated, List<Pod> pods, Groups groups) {
        Recognition recognition;
        try {
            recognition = Recognition.of(pods, groups);
        } catch (IllegalArgumentException e) {
            stated.problem(String.valueOf(e.getMessage()));
            return new Recognised(ONE, null);
        }
        return new Recognised(extent(stated, recognition, pods.getFirst()), timeLimit(stated, recognition));
    }

    private static @Nullable Long timeLimit(Stated stated, Recognition recognition) {
        if (stated.text(Keys.RUNTIME) != null) {
            return null;
        }
        try {
            return recognition.timeLimit();
        } catch (IllegalArgumentException e) {
            stated.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static Extent extent(Stated stated, Recognition recognition, Pod first) {
        String label = stated.text(Keys.GANG);
        if (label != null && label.isEmpty()) {
            stated.flaw(Flaw.field(Keys.GANG).and(" ()").of(pod(first)).and(" is not valid: expected the gang's name"));
            return ONE;
        }
        return stated.text(Keys.GANG_SIZE) == null
                ? byConvention(stated, recognition, first)
                : byAnnotation(stated, recognition, first);
    }

    private static String pod(Pod pod) {
        return "pod " + Pods.name(pod);
    }

    private static Extent byAnnotation(Stated stated, Recognition recognition, Pod first) {
        int size = stated.read(GangKey.SIZE, 1);
        if (size != 1 && !recognition.isNamed()) {
            stated.flaw(Flaw.field(Keys.GANG_SIZE)
                    .and(" (%d)".formatted(size))
                    .of(pod(first))
                    .and(" needs the label ")
                    .andField(Keys.GANG)
                    .and(": expected the gang's name"));
        }
        return new Extent.Together(size);
    }

    private static Extent byConvention(Stated stated, Recognition recognition, Pod first) {
        try {
            Extent extent = recognition.extent();
            if (extent instanceof Extent.Unstated(String words)) {
                stated.flaw(Flaw.words(words)
                        .of(pod(first))
                        .and(" has no size: expected the annotation ")
                        .andField(Keys.GANG_SIZE)
                        .and(" on one of the gang's pods"));
            }
            return extent;
        } catch (IllegalArgumentException e) {
            stated.problem(String.valueOf(e.getMessage()));
            return ONE;
        }
    }
}
