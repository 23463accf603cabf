package io.slotwise.kubernetes.extender;

import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import org.jspecify.annotations.Nullable;

/**
 * A pod's part in a reservation.
 *
 * @param placement its place in the window; null while there is no window, or none for this pod
 */
public record ReservedSeat(
        Reservation reservation, @Nullable PlacementSpec placement) {}
