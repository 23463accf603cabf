package io.slotwise.kubernetes.manifest.gang;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.kubernetes.gangs.GangRecognition;
import io.slotwise.kubernetes.gangs.GangSize;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.AnnotationReader;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.field.ManifestFlaw;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the conventions say of a gang, after our own annotations.
 *
 * @param extent how many of its pods start together
 * @param timeLimit how long it may run, seconds; null: not stated
 */
record RecognisedGang(GangSize extent, @Nullable Long timeLimit) {
    private static final GangSize ONE = new GangSize.Together(1);

    /** Reads it; what cannot be read becomes a problem among what the pods state. O(pods). */
    static RecognisedGang read(AnnotationReader stated, List<Pod> pods, GroupObjects groups) {
        GangRecognition recognition;
        try {
            recognition = GangRecognition.of(pods, groups);
        } catch (IllegalArgumentException e) {
            stated.problem(String.valueOf(e.getMessage()));
            return new RecognisedGang(ONE, null);
        }
        return new RecognisedGang(extent(stated, recognition, pods.getFirst()), timeLimit(stated, recognition));
    }

    private static @Nullable Long timeLimit(AnnotationReader stated, GangRecognition recognition) {
        if (stated.text(AnnotationKeys.RUNTIME) != null) {
            return null;
        }
        try {
            return recognition.timeLimit();
        } catch (IllegalArgumentException e) {
            stated.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static GangSize extent(AnnotationReader stated, GangRecognition recognition, Pod first) {
        String label = stated.text(AnnotationKeys.GANG);
        if (label != null && label.isEmpty()) {
            stated.flaw(ManifestFlaw.field(AnnotationKeys.GANG)
                    .and(" ()")
                    .of(pod(first))
                    .and(" is not valid: expected the gang's name"));
            return ONE;
        }
        return stated.text(AnnotationKeys.GANG_SIZE) == null
                ? byConvention(stated, recognition, first)
                : byAnnotation(stated, recognition, first);
    }

    private static String pod(Pod pod) {
        return "pod " + Pods.name(pod);
    }

    private static GangSize byAnnotation(AnnotationReader stated, GangRecognition recognition, Pod first) {
        int size = stated.read(GangKey.SIZE, 1);
        if (size != 1 && !recognition.isNamed()) {
            stated.flaw(ManifestFlaw.field(AnnotationKeys.GANG_SIZE)
                    .and(" (%d)".formatted(size))
                    .of(pod(first))
                    .and(" needs the label ")
                    .andField(AnnotationKeys.GANG)
                    .and(": expected the gang's name"));
        }
        try {
            return recognition.withEnded(new GangSize.Together(size));
        } catch (IllegalArgumentException e) {
            stated.problem(String.valueOf(e.getMessage()));
            return ONE;
        }
    }

    private static GangSize byConvention(AnnotationReader stated, GangRecognition recognition, Pod first) {
        try {
            GangSize extent = recognition.extent();
            if (extent instanceof GangSize.Unstated(String words)) {
                stated.flaw(ManifestFlaw.words(words)
                        .of(pod(first))
                        .and(" has no size: expected the annotation ")
                        .andField(AnnotationKeys.GANG_SIZE)
                        .and(" on one of the gang's pods"));
            }
            return extent;
        } catch (IllegalArgumentException e) {
            stated.problem(String.valueOf(e.getMessage()));
            return ONE;
        }
    }
}
