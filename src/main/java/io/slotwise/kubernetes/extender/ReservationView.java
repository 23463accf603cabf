package io.slotwise.kubernetes.extender;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reservations as this replica has last seen them. Look-ups take no lock and never wait. Returned objects never
 * change: an update is another object.
 */
public interface ReservationView {
    /**
     * Returns the reservation of a pod's gang; null if there is none yet. It has no placement while the gang has no
     * window.
     */
    @Nullable
    PodReservation ofPod(String namespace, String pod);

    @Nullable
    Reservation byGang(GangId gang);

    /** Returns the reservation of the pod with this UID, or null. */
    @Nullable
    Reservation byPodUid(String uid);

    /** Takes in a gang's record from the binding of its first pod on, which this replica has made. */
    void started(Reservation reservation);

    /**
     * Calls {@code listener} after every change of a gang's reservation, including its deletion, once the change is
     * visible here. The listener returns quickly and never throws.
     */
    void onChange(Consumer<GangId> listener);
}
