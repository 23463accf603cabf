package io.slotwise.it.load;

import io.slotwise.core.gang.GangId;
import io.slotwise.it.ControlPlane;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The starts of gangs' windows, by their Reservations. */
final class Windows {
    private Windows() {}

    static @Nullable Instant of(ControlPlane plane, String gang) {
        Reservation reservation = plane.client()
                .resources(Reservation.class)
                .inNamespace(Load.NAMESPACE)
                .withName(ReservationName.of(new GangId(Load.NAMESPACE, gang)))
                .get();
        WindowSpec window = reservation == null ? null : reservation.window();
        return window == null ? null : Instant.ofEpochSecond(window.startSecond());
    }

    /** The starts of all gangs of the load with a window, by the gang's name. */
    static Map<String, Instant> of(ControlPlane plane) {
        Map<String, Instant> starts = new TreeMap<>();
        plane.client()
                .resources(Reservation.class)
                .inNamespace(Load.NAMESPACE)
                .list()
                .getItems()
                .forEach(reservation -> {
                    WindowSpec window = reservation.window();
                    if (window != null) {
                        starts.put(
                                Objects.requireNonNull(reservation.gang()).name(),
                                Instant.ofEpochSecond(window.startSecond()));
                    }
                });
        return starts;
    }
}
