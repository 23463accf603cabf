package io.slotwise.kubernetes.extender;

import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import org.jspecify.annotations.Nullable;

/**
 * The part of a pod in a reservation.
 *
 * @param placement null if there is no window, or no placement for this pod
 */
public record ReservedSeat(
        Reservation reservation, @Nullable PlacementSpec placement) {}
