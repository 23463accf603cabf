package io.slotwise.kubernetes.manifest.gang;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.TopologyLevels;
import io.slotwise.kubernetes.gangs.GangRecognition;
import io.slotwise.kubernetes.gangs.GangSize;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.gangs.StatedTopology;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.AnnotationReader;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.field.ManifestFlaw;
import io.slotwise.kubernetes.manifest.nodes.HyperNodes;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a gang by other projects' conventions, which come after Slotwise's annotations.
 *
 * @param timeLimit seconds, or null
 * @param localQueues the names of Kueue's LocalQueue: none, one, or several if pods disagree
 */
record RecognisedGang(GangSize size, @Nullable Long timeLimit, SortedSet<String> localQueues) {
    private static final GangSize ONE = new GangSize.Together(1);

    /** Reads the terms. A value that cannot be read becomes a problem of the annotations. O(pods). */
    static RecognisedGang read(
            AnnotationReader annotations, List<Pod> pods, GroupObjects groups, TopologyLevels levels) {
        GangRecognition recognition;
        try {
            recognition = GangRecognition.of(pods, groups);
        } catch (IllegalArgumentException e) {
            annotations.problem(String.valueOf(e.getMessage()));
            return new RecognisedGang(ONE, null, Collections.emptySortedSet());
        }
        addTopology(annotations, recognition, levels);
        return new RecognisedGang(
                size(annotations, recognition, pods.getFirst()),
                annotations.text(AnnotationKeys.RUNTIME) == null ? read(annotations, recognition::timeLimit) : null,
                recognition.localQueues());
    }

    /** Adds the levels that other projects' words state, if Slotwise's own state none. */
    private static void addTopology(AnnotationReader annotations, GangRecognition recognition, TopologyLevels levels) {
        StatedTopology stated = AnnotationKeys.TOPOLOGIES.stream().allMatch(key -> annotations.text(key) == null)
                ? read(annotations, recognition::topology)
                : null;
        if (stated != null) {
            add(annotations, GangKey.TOPOLOGY, stated.requiredLevel(), levels);
            add(annotations, GangKey.TOPOLOGY_PREFERRED, stated.preferredLevel(), levels);
            add(annotations, GangKey.TOPOLOGY_SLICE, stated.slicesLevel(), levels);
        }
    }

    private static void add(
            AnnotationReader annotations, GangKey<?> key, StatedTopology.@Nullable Level level, TopologyLevels levels) {
        if (level != null) {
            String label = level.isTier() ? HyperNodes.level(levels, level.key()) : level.key();
            if (label != null) {
                annotations.add(key, label, "`%s`".formatted(level.field()));
            }
        }
    }

    private static <T> @Nullable T read(AnnotationReader annotations, Supplier<@Nullable T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            annotations.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static GangSize size(AnnotationReader annotations, GangRecognition recognition, Pod first) {
        String label = annotations.text(AnnotationKeys.GANG);
        if (label != null && label.isEmpty()) {
            annotations.flaw(ManifestFlaw.field(AnnotationKeys.GANG)
                    .and(" ()")
                    .of(pod(first))
                    .and(" is not valid: expected the gang's name"));
            return ONE;
        }
        return annotations.text(AnnotationKeys.GANG_SIZE) == null
                ? byConvention(annotations, recognition, first)
                : byAnnotation(annotations, recognition, first);
    }

    private static String pod(Pod pod) {
        return "pod " + Pods.name(pod);
    }

    private static GangSize byAnnotation(AnnotationReader annotations, GangRecognition recognition, Pod first) {
        int size = annotations.read(GangKey.SIZE, 1);
        if (size != 1 && !recognition.isNamed()) {
            annotations.flaw(ManifestFlaw.field(AnnotationKeys.GANG_SIZE)
                    .and(" (%d)".formatted(size))
                    .of(pod(first))
                    .and(" needs the label ")
                    .andField(AnnotationKeys.GANG)
                    .and(": expected the gang's name"));
        }
        try {
            return recognition.withEnded(new GangSize.Together(size));
        } catch (IllegalArgumentException e) {
            annotations.problem(String.valueOf(e.getMessage()));
            return ONE;
        }
    }

    private static GangSize byConvention(AnnotationReader annotations, GangRecognition recognition, Pod first) {
        try {
            GangSize size = recognition.size();
            if (size instanceof GangSize.Unstated(String words)) {
                annotations.flaw(ManifestFlaw.words(words)
                        .of(pod(first))
                        .and(" has no size: expected the annotation ")
                        .andField(AnnotationKeys.GANG_SIZE)
                        .and(" on one of the gang's pods"));
            }
            return size;
        } catch (IllegalArgumentException e) {
            annotations.problem(String.valueOf(e.getMessage()));
            return ONE;
        }
    }
}
