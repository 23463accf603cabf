package io.slotwise.kubernetes.extender;

import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import org.jspecify.annotations.Nullable;

/**
 * The reservation of a pod's gang, with the pod's placement in it.
 *
 * @param placement null if there is no window, or no placement for this pod
 */
public record PodReservation(
        Reservation reservation, @Nullable PlacementSpec placement) {}
