package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The record of a gang in the Binding of its first pod: its Reservation from this start on, as compressed JSON in
 * Base64. It is durable with the binding of that pod.
 */
public final class StartRecord {
    /** Annotation of a pod, set by Slotwise's Binding: epoch, instant and gang of the start that bound it. */
    public static final String RUN = "slotwise.io/run";

    /** Annotation of the first two pods of a gang, set by Slotwise's Binding: the gang's record from its start on. */
    public static final String RECORD = "slotwise.io/record";

    /** The record of a larger gang would take too much of the 256 KiB that the annotations of a pod may have. */
    public static final int MOST_MEMBERS = 1_000;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private StartRecord() {}

    /** Returns the whole Reservation of a record. */
    public static Reservation of(GangRecord record) {
        Reservation reservation = Reservations.withSpec(record);
        reservation.setStatus(Reservations.status(record));
        return reservation;
    }

    /** Returns the annotation of a started gang's first pod. */
    public static String text(Reservation startedReservation) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            MAPPER.writeValue(zip, startedReservation);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    /**
     * Returns the start that a pod carries. Null if there is none, or if it has not bound this pod to its node.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public static @Nullable Reservation of(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String text = annotations == null ? null : annotations.get(RECORD);
        if (text == null) {
            return null;
        }
        Reservation startedReservation = read(text);
        startedReservation.getMetadata().setNamespace(pod.getMetadata().getNamespace());
        return hasBound(startedReservation, pod) ? startedReservation : null;
    }

    private static Reservation read(String text) {
        try (GZIPInputStream zip =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            Reservation reservation = MAPPER.readValue(zip.readNBytes(1 << 22), Reservation.class);
            if (reservation == null
                    || reservation.getMetadata().getName() == null
                    || reservation.getSpec() == null
                    || reservation.getStatus() == null) {
                throw new IllegalArgumentException("it lacks a part");
            }
            return reservation;
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static boolean hasBound(Reservation startedReservation, Pod pod) {
        WindowSpec window = startedReservation.window();
        PlacementSpec placement =
                window == null ? null : window.placementOf(pod.getMetadata().getName());
        return placement != null
                && startedReservation.phase() == Phase.RUNNING
                && startedReservation
                        .getStatus()
                        .members()
                        .contains(pod.getMetadata().getUid())
                && placement.node().equals(pod.getSpec().getNodeName());
    }

    /**
     * Returns a gang's record with a start that it does not contain yet. Null if the record contains it, or if a
     * rollback or a move has ended it.
     *
     * @param writtenReservation the record as the API server has it, or null
     */
    public static @Nullable Reservation over(Reservation startedReservation, @Nullable Reservation writtenReservation) {
        if (writtenReservation != null
                && (writtenReservation.phase().started()
                        || !ends(writtenReservation).equals(ends(startedReservation)))) {
            return null;
        }
        Reservation shownReservation = new Reservation();
        shownReservation.setMetadata(
                writtenReservation != null
                        ? writtenReservation.getMetadata()
                        : new ObjectMetaBuilder(startedReservation.getMetadata())
                                .withCreationTimestamp(
                                        startedReservation.getStatus().startedAt())
                                .withResourceVersion(null)
                                .build());
        shownReservation.setSpec(startedReservation.getSpec());
        shownReservation.setStatus(startedReservation.getStatus());
        return shownReservation;
    }

    /** Returns the numbers of rolled-back starts and of moved runs. A start counts until one of them grows. */
    private static List<Integer> ends(Reservation reservation) {
        ReservationStatus status = Objects.requireNonNullElse(reservation.getStatus(), ReservationStatus.NONE);
        return List.of(
                status.attempts(), status.past() == null ? 0 : status.past().moves());
    }
}
