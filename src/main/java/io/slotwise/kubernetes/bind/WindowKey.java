package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.live.record.Phase;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a gang to start in one window. Reservations with equal keys make the same promise. Any difference means
 * that the gang was planned again.
 *
 * @param uid the reservation's UID
 * @param attempt number of earlier rollbacks
 */
record WindowKey(GangId gang, String uid, int attempt, WindowSpec window) {
    Instant start() {
        return Instant.ofEpochSecond(window.startSecond());
    }

    /** Returns the key. Null if the reservation has no window or is being deleted. */
    static @Nullable WindowKey of(@Nullable Reservation reservation) {
        if (reservation == null || reservation.getMetadata().getDeletionTimestamp() != null) {
            return null;
        }
        GangId gang = reservation.gang();
        WindowSpec window = reservation.window();
        if (gang == null || window == null) {
            return null;
        }
        String uid = reservation.getMetadata().getUid();
        int attempt =
                reservation.getStatus() == null ? 0 : reservation.getStatus().attempts();
        return new WindowKey(gang, uid == null ? "" : uid, attempt, window);
    }

    /**
     * Returns whether a gang has a window in which it has not started. A waiting gang that starts at once gets only its
     * window written.
     */
    static boolean isPromised(Reservation reservation) {
        return reservation.phase() == Phase.PROMISED
                || (reservation.phase() == Phase.PENDING && reservation.window() != null);
    }
}
