package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the Bindings of one start say.
 *
 * @param gang that starts
 * @param begun when this attempt began; no two attempts of a gang begin in the same millisecond
 * @param startReservation the gang's record from this start on, durable with the binding that carries it; null: this
 *     binding carries none
 */
record StartNote(GangId gang, Instant begun, @Nullable Reservation startReservation) {
    /** That of a pod whose gang has started before: it carries no record. */
    static StartNote late(Reservation runningReservation) {
        String startedAt = runningReservation.getStatus() == null
                ? null
                : runningReservation.getStatus().startedAt();
        GangId gang = runningReservation.gang();
        if (gang == null || startedAt == null) {
            throw new IllegalArgumentException("The gang has not started.");
        }
        return new StartNote(gang, Instant.parse(startedAt), null);
    }

    /** That of all other pods of the same start. */
    StartNote others() {
        return new StartNote(gang, begun, null);
    }

    /** The annotations that the API server merges into the pod as it binds it. */
    Map<String, String> annotations(long epoch) {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(StartRecord.RUN, epoch + name());
        if (startReservation != null) {
            annotations.put(StartRecord.RECORD, StartRecord.text(startReservation));
        }
        return annotations;
    }

    /** Whether a pod that is bound was bound by this start, in whichever epoch. */
    boolean isOf(String run) {
        return run.endsWith(name()) && run.indexOf('/') == run.length() - name().length();
    }

    private String name() {
        return "/" + begun + "/" + gang.name();
    }
}
