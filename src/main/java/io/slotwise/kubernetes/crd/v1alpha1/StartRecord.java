package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
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
 * The record of a gang as the Binding of its first pod carries it: its Reservation as it is from this start on, as
 * JSON, compressed, in Base64. It is durable with the binding of that pod.
 */
public final class StartRecord {
    /** Annotation of a pod, set by Slotwise's Binding: epoch, instant and gang of the start that bound it. */
    public static final String RUN = "slotwise.io/run";

    /** Annotation of the first pod of a gang, set by Slotwise's Binding: the gang's record from its start on. */
    public static final String RECORD = "slotwise.io/record";

    /** The record of a larger gang would take too much of the 256 KiB that the annotations of a pod may have. */
    public static final int MOST_MEMBERS = 1_000;

    /** Longer than the record of the largest gang. */
    private static final int LONGEST = 1 << 22;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private StartRecord() {}

    /**
     * The parts of a Reservation that are not told by the pod.
     *
     * @param name of the Reservation
     * @param version of the record that the start went on from; null: there was none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Content(String name, @Nullable String version, ReservationSpec spec, ReservationStatus status) {}

    /** The whole Reservation of a record. */
    public static Reservation of(GangRecord record) {
        Reservation reservation = Reservations.withSpec(record);
        reservation.setStatus(Reservations.status(record));
        return reservation;
    }

    /** A gang that has started, as its first pod's annotation. */
    public static String text(Reservation startedReservation) {
        ObjectMeta meta = startedReservation.getMetadata();
        Content content = new Content(
                meta.getName(),
                meta.getResourceVersion(),
                startedReservation.getSpec(),
                startedReservation.getStatus());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            MAPPER.writeValue(zip, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    /**
     * The start that a pod carries; null: none, or one that has not bound this very pod to its node.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public static @Nullable Reservation of(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String text = annotations == null ? null : annotations.get(RECORD);
        if (text == null) {
            return null;
        }
        Content content = read(text);
        Reservation startedReservation = new Reservation();
        startedReservation.setMetadata(new ObjectMetaBuilder()
                .withName(content.name())
                .withNamespace(pod.getMetadata().getNamespace())
                .withResourceVersion(content.version())
                .withCreationTimestamp(content.status().startedAt())
                .build());
        startedReservation.setSpec(content.spec());
        startedReservation.setStatus(content.status());
        return hasBound(startedReservation, pod) ? startedReservation : null;
    }

    private static Content read(String text) {
        try (GZIPInputStream zip =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            Content content = MAPPER.readValue(zip.readNBytes(LONGEST), Content.class);
            if (content == null || content.name() == null || content.spec() == null || content.status() == null) {
                throw new IllegalArgumentException("it lacks a part");
            }
            return content;
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static boolean hasBound(Reservation startedReservation, Pod pod) {
        WindowSpec window = startedReservation.window();
        List<PlacementSpec> places = window == null ? List.of() : window.placement();
        List<String> uids = startedReservation.getStatus().members();
        for (int i = 0; i < Math.min(places.size(), uids.size()); i++) {
            if (places.get(i).pod().equals(pod.getMetadata().getName())) {
                return startedReservation.phase() == Phase.RUNNING
                        && uids.get(i).equals(pod.getMetadata().getUid())
                        && places.get(i).node().equals(pod.getSpec().getNodeName());
            }
        }
        return false;
    }

    /**
     * What a gang's record says with a start that it does not know yet; null: the record knows it, or a rollback has
     * ended it.
     *
     * @param writtenReservation the record as the API server has it; null: there is none
     */
    public static @Nullable Reservation over(Reservation startedReservation, @Nullable Reservation writtenReservation) {
        if (writtenReservation != null
                && (writtenReservation.phase().started()
                        || attempts(writtenReservation) != attempts(startedReservation))) {
            return null;
        }
        Reservation shownReservation = new Reservation();
        shownReservation.setMetadata(
                writtenReservation != null
                        ? writtenReservation.getMetadata()
                        : new ObjectMetaBuilder(startedReservation.getMetadata())
                                .withUid(null)
                                .withResourceVersion(null)
                                .build());
        shownReservation.setSpec(startedReservation.getSpec());
        shownReservation.setStatus(startedReservation.getStatus());
        return shownReservation;
    }

    /** Whether both are the same start. */
    public static boolean isSame(Reservation reservation, @Nullable Reservation other) {
        return other != null
                && Objects.equals(
                        reservation.getStatus().startedAt(), other.getStatus().startedAt())
                && reservation.getStatus().members().equals(other.getStatus().members())
                && attempts(reservation) == attempts(other);
    }

    private static int attempts(Reservation reservation) {
        return reservation.getStatus() == null ? 0 : reservation.getStatus().attempts();
    }
}
