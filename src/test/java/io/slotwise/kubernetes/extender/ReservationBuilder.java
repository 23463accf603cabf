package io.slotwise.kubernetes.extender;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.live.record.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reservations of the gang {@code user/g} with pods {@code g-0} on node {@code n00} and so on. */
public final class ReservationBuilder {
    /** The promised start unless another is given. */
    public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private String gang = "g";
    private int pods = 2;
    private Instant start = START;
    private Phase phase = Phase.STARTING;
    private List<String> members = List.of();
    private int attempts;
    private int version = 1;
    private boolean deleting;
    private boolean windowless;
    private @Nullable Instant startedAt;
    private @Nullable Instant endedAt;
    private List<ReservationStatus.Condition> conditions = List.of();

    public ReservationBuilder gang(String name) {
        gang = name;
        return this;
    }

    public ReservationBuilder pods(int count) {
        pods = count;
        return this;
    }

    public ReservationBuilder start(Instant at) {
        start = at;
        return this;
    }

    public ReservationBuilder phase(Phase is) {
        phase = is;
        return this;
    }

    public ReservationBuilder attempts(int count) {
        attempts = count;
        return this;
    }

    public ReservationBuilder version(int number) {
        version = number;
        return this;
    }

    public ReservationBuilder startedAt(Instant at) {
        startedAt = at;
        return this;
    }

    public ReservationBuilder endedAt(Instant at) {
        endedAt = at;
        return this;
    }

    public ReservationBuilder deleting() {
        deleting = true;
        return this;
    }

    /** Opens the barrier. Not all pods are seen bound yet. */
    public ReservationBuilder opened() {
        conditions = List.of(new ReservationStatus.Condition(
                "Started", "True", "BarrierOpened", "all its pods had arrived", start.toString()));
        return this;
    }

    public ReservationBuilder pendingFor(String reason, String message) {
        windowless = true;
        phase = Phase.PENDING;
        conditions = List.of(new ReservationStatus.Condition("Planned", "False", reason, message, start.toString()));
        return this;
    }

    /** Starts the gang with its first pods, as many as these, with the UIDs {@code uid-of-NAME}. */
    public ReservationBuilder members(String... started) {
        members = Stream.of(started).map(pod -> "uid-of-" + pod).toList();
        return this;
    }

    public Reservation build() {
        Reservation reservation = new Reservation();
        reservation.setMetadata(new ObjectMetaBuilder()
                .withNamespace("user")
                .withName(gang)
                .withUid("uid-of-" + gang)
                .withResourceVersion(Integer.toString(version))
                .withDeletionTimestamp(deleting ? start.toString() : null)
                .build());
        reservation.setSpec(new ReservationSpec(
                gang, "start", null, null, "cyclic", null, null, null, windowless ? null : window(), null, null, null));
        reservation.setStatus(new ReservationStatus(
                phase,
                conditions,
                start.toString(),
                null,
                startedAt == null ? null : startedAt.toString(),
                endedAt == null ? null : endedAt.toString(),
                List.of(),
                attempts,
                0,
                List.of(),
                null,
                null,
                members,
                List.of(),
                null,
                null,
                null));
        return reservation;
    }

    private WindowSpec window() {
        String end = start.plusSeconds(600).toString();
        List<PlacementSpec> placement = new ArrayList<>();
        for (int i = 0; i < pods; i++) {
            placement.add(new PlacementSpec(
                    gang + "-" + i, node(i), start.toString(), end, "0.500000", 1_800_000_000L, null));
        }
        return new WindowSpec(
                start.toString(), end, "1.000000", 1_800_000_000L * pods, null, placement, List.of(), List.of());
    }

    public static String node(int pod) {
        return "n%02d".formatted(pod);
    }
}
