package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of the Bindings of one start.
 *
 * @param begun when this attempt began; no two attempts of a gang begin in the same millisecond
 * @param startReservation the gang's record from this start on, which becomes durable with the Binding that carries it,
 *     or null for a Binding without it
 */
record StartNote(GangId gang, Instant begun, @Nullable Reservation startReservation) {
    /** Returns the note of a pod whose gang has started before. */
    static StartNote late(Reservation runningReservation) {
        String startedAt = Objects.requireNonNull(runningReservation.getStatus().startedAt());
        return new StartNote(Objects.requireNonNull(runningReservation.gang()), Instant.parse(startedAt), null);
    }

    /** Returns the note of the other pods of the same start. */
    StartNote others() {
        return new StartNote(gang, begun, null);
    }

    /** Returns the annotations that the API server merges into the pod when it binds it. */
    Map<String, String> annotations(long epoch) {
        String run = epoch + name();
        return startReservation == null
                ? Map.of(StartRecord.RUN, run)
                : Map.of(StartRecord.RUN, run, StartRecord.RECORD, StartRecord.text(startReservation));
    }

    /** Returns whether a bound pod was bound by this start, in any epoch. */
    boolean isOf(String run) {
        return run.endsWith(name()) && run.indexOf('/') == run.length() - name().length();
    }

    private String name() {
        return "/" + begun + "/" + gang.name();
    }
}
