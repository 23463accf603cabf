package io.slotwise.kubernetes.extender;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reservations as this replica has seen them last. Look-ups take no lock and never wait; what they return is never
 * changed afterwards: an update is another object.
 */
public interface ReservationView {
    /**
     * The reservation that a pod belongs to, with its place in the window; null if there is none for it yet. A member
     * of a gang without a window has a seat without a placement.
     */
    @Nullable
    ReservedSeat seat(String namespace, String pod);

    @Nullable
    Reservation byGang(GangId gang);

    /** The reservation that the pod with this UID is a member of, or null. */
    @Nullable
    Reservation byPodUid(String uid);

    /** Takes in what a gang's record is from the binding of its first pod on, which this replica has made. */
    void started(Reservation reservation);

    /**
     * Calls {@code listenerId} after every change to a gang's reservation, its deletion included, once the change is
     * visible here. The listener returns quickly and never throws.
     */
    void onChange(Consumer<GangId> listenerId);
}
