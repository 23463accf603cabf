package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.Phase;
import org.jspecify.annotations.Nullable;

/**
 * The record of one gang: its window in {@code spec}, its state in {@code status}. Every gang has one from the moment
 * that its first pod is seen, so the list of them is the queue. A Reservation with {@code spec.hold} is an advance
 * reservation: room for a gang that names it.
 */
@Group(Reservation.GROUP)
@Version(Reservation.VERSION)
@Kind("Reservation")
@Plural("reservations")
@Singular("reservation")
public final class Reservation extends CustomResource<ReservationSpec, ReservationStatus> implements Namespaced {
    public static final String GROUP = "slotwise.io";
    public static final String VERSION = "v1alpha1";

    private static final long serialVersionUID = 1L;

    @Override
    protected @Nullable ReservationSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable ReservationStatus initStatus() {
        return null;
    }

    /** Returns the gang of the record, or an advance reservation's own name. Null if a user wrote neither. */
    public @Nullable GangId gang() {
        ReservationSpec spec = getSpec();
        if (spec == null || (spec.gang() == null && spec.hold() == null)) {
            return null;
        }
        String name = spec.gang() == null ? getMetadata().getName() : spec.gang();
        return new GangId(getMetadata().getNamespace(), name);
    }

    /**
     * Returns the phase. Until a status is written it is {@link Phase#PROMISED} with a window, which then starts at
     * once, and {@link Phase#PENDING} without.
     */
    public Phase phase() {
        ReservationStatus status = getStatus();
        if (status != null) {
            return status.phase();
        }
        boolean held = getSpec() != null && getSpec().hold() != null;
        return window() == null || held ? Phase.PENDING : Phase.PROMISED;
    }

    public @Nullable WindowSpec window() {
        ReservationSpec spec = getSpec();
        return spec == null ? null : spec.window();
    }
}
