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
 * @param attempt number of earlier rollbacks
 */
record WindowKey(GangId gang, int attempt, WindowSpec window) {
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
        return new WindowKey(gang, attempt(reservation), window);
    }

    /**
     * Returns whether a gang is still in this attempt and has not started, whatever window its record has. A gang that
     * starts earlier than it was promised has another window there, or no record.
     */
    boolean isOf(@Nullable Reservation reservation) {
        return reservation == null
                || (reservation.getMetadata().getDeletionTimestamp() == null
                        && !reservation.phase().started()
                        && reservation.phase() != Phase.BROKEN
                        && attempt(reservation) == attempt);
    }

    private static int attempt(Reservation reservation) {
        return reservation.getStatus() == null ? 0 : reservation.getStatus().attempts();
    }
}
