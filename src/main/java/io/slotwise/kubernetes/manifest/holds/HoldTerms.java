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

/** The terms of an advance reservation, read by the same table of keys as those of gangs, and its seats. */
public sealed interface HoldTerms {
    /**
     * Terms that could be read.
     *
     * @param seats artificial pods for the seats, named {@code NAME-0} and so on
     */
    record Clear(AnnotatedGang annotated, List<Pod> seats) implements HoldTerms {}

    /** A refusal in terms of the Reservation's fields. */
    record Unclear(Refusal refusal) implements HoldTerms {}

    /** Reads a Reservation that has {@code spec.hold}. O(seats). */
    static HoldTerms read(Reservation reservation, GangDefaults defaults) {
        HoldSpec hold = Objects.requireNonNull(reservation.getSpec().hold());
        AnnotationReader annotations = new AnnotationReader();
        for (GangKey<?> key : GangKey.ALL) {
            String word = key.textOf(hold);
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

    /** Checks that a window has both ends, and that no other field states the time. */
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

    private static String field(String key, HoldSpec hold) {
        return GangKey.ALL.stream()
                .filter(one -> one.key().equals(key))
                .findFirst()
                .map(one -> one.field(hold))
                .orElse(key);
    }

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
     * Returns the length of a window without a runtime, the same on every node, seconds. Null if there is none or it
     * cannot be read, which is reported elsewhere.
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
