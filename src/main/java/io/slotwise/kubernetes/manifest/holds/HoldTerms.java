package io.slotwise.kubernetes.manifest.holds;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.crd.v1alpha1.HoldSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.gangs.GangSize;
import io.slotwise.kubernetes.gangs.TimeLimit;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.AnnotationReader;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.field.Intervals;
import io.slotwise.kubernetes.manifest.field.ManifestFlaw;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.GangDefaults;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What an advance reservation asks for: its words, read by the same table of keys as those of gangs, and the room of
 * its seats.
 */
public sealed interface HoldTerms {
    /**
     * All could be read.
     *
     * @param seats the pods that stand for the seats, named {@code NAME-0} and so on; they exist nowhere else
     */
    record Clear(AnnotatedGang annotated, List<Pod> seats) implements HoldTerms {}

    /** Something could not; it is told by the fields of the Reservation. */
    record Unclear(Refusal refusal) implements HoldTerms {}

    /** Reads a Reservation that has {@code spec.hold}. O(seats). */
    static HoldTerms read(Reservation reservation, GangDefaults defaults) {
        HoldSpec hold = Objects.requireNonNull(reservation.getSpec().hold());
        AnnotationReader annotations = new AnnotationReader();
        for (GangKey<?> key : GangKey.ALL) {
            String word = key.said(hold);
            if (word != null) {
                annotations.add(key, word);
            }
        }
        checkWindow(annotations, hold);
        int size = annotations.read(GangKey.SIZE, 1);
        GangDefaults.Hour hour = defaults.hour(reservation.getMetadata().getNamespace(), Set.of());
        AnnotatedGang annotated =
                AnnotatedGang.read(annotations, new GangSize.Together(size), length(hold), defaults, hour);
        return annotations.flaws().isEmpty()
                ? new Clear(annotated, seats(reservation, hold))
                : new Unclear(annotations.flaws().getFirst().refusal(key -> field(key, hold)));
    }

    /** A window has both ends and says by itself when. */
    private static void checkWindow(AnnotationReader annotations, HoldSpec hold) {
        HoldSpec.Span span = hold.window();
        if (span == null) {
            return;
        }
        if (span.start() == null || span.end() == null) {
            annotations.flaw(ManifestFlaw.field("spec.hold.window." + (span.start() == null ? "start" : "end"))
                    .and(" is missing: expected an RFC 3339 instant such as 2030-01-01T08:00:00Z"));
        }
        String other = hold.earliest() != null ? "earliest" : hold.deadline() != null ? "deadline" : null;
        if (other != null) {
            annotations.flaw(ManifestFlaw.field("spec.hold." + other)
                    .and(" (%s) cannot be combined with "
                            .formatted(SafeText.value(hold.earliest() != null ? hold.earliest() : hold.deadline())))
                    .andField("spec.hold.window")
                    .and(": expected either the window, or earliest and deadline"));
        }
    }

    /** What the Reservation calls what stands under a key of gangs. */
    private static String field(String key, HoldSpec hold) {
        return GangKey.ALL.stream()
                .filter(one -> one.key().equals(key))
                .findFirst()
                .map(one -> one.field(hold))
                .orElse(key);
    }

    /** The length of the longest name of a seat. */
    static int longestName(String name, int size) {
        return name.length() + 1 + Integer.toString(size - 1).length();
    }

    private static List<Pod> seats(Reservation reservation, HoldSpec hold) {
        PodSpec spec = seat(hold);
        return IntStream.range(0, hold.size())
                .mapToObj(i -> pod(reservation, i, spec))
                .toList();
    }

    private static Pod pod(Reservation reservation, int index, PodSpec spec) {
        String name = reservation.getMetadata().getName();
        Pod pod = new Pod();
        pod.setMetadata(new ObjectMetaBuilder()
                .withNamespace(reservation.getMetadata().getNamespace())
                .withName(name + "-" + index)
                .withCreationTimestamp(reservation.getMetadata().getCreationTimestamp())
                .addToLabels(AnnotationKeys.GANG, name)
                .build());
        pod.setSpec(spec);
        return pod;
    }

    /** What each seat asks of its node, as a pod would. */
    static PodSpec seat(HoldSpec hold) {
        Container seat = new ContainerBuilder()
                .withName("seat")
                .withNewResources()
                .withRequests(hold.resources())
                .endResources()
                .build();
        return new PodSpecBuilder()
                .withContainers(seat)
                .withNodeSelector(hold.nodeSelector())
                .withTolerations(hold.tolerations())
                .build();
    }

    /**
     * A window without a runtime is as long on every node. Seconds; null if there is none, or it cannot be read, which
     * its words tell.
     */
    private static @Nullable Long length(HoldSpec hold) {
        HoldSpec.Span span = hold.window();
        if (span == null || span.start() == null || span.end() == null || hold.runtime() != null) {
            return null;
        }
        try {
            long length = Intervals.parseDown(span.end()) - Intervals.parseUp(span.start());
            return length > 0 ? TimeLimit.ofPod(length) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
