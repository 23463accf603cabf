package io.slotwise.kubernetes.extender;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A view that a test fills by hand. Pods are found by the part of their name before the last dash. UIDs are {@code
 * uid-of-NAME}.
 */
public final class KnownReservations implements ReservationView {
    private final Map<GangId, Reservation> byGang = new ConcurrentHashMap<>();
    private final List<Consumer<GangId>> listeners = new CopyOnWriteArrayList<>();

    public void put(Reservation reservation) {
        notifyOf(putQuietly(reservation));
    }

    /** Publishes a reservation without notifying the listeners. */
    public GangId putQuietly(Reservation reservation) {
        GangId gang = Objects.requireNonNull(reservation.gang());
        byGang.put(gang, reservation);
        return gang;
    }

    public void remove(String gang) {
        GangId id = new GangId("user", gang);
        byGang.remove(id);
        notifyOf(id);
    }

    public void clear() {
        byGang.clear();
    }

    public void notifyOf(GangId gang) {
        listeners.forEach(listener -> listener.accept(gang));
    }

    @Override
    public @Nullable PodReservation ofPod(String namespace, String pod) {
        int dash = pod.lastIndexOf('-');
        Reservation reservation = dash < 0 ? null : byGang(new GangId(namespace, pod.substring(0, dash)));
        if (reservation == null) {
            return null;
        }
        WindowSpec window = reservation.window();
        PlacementSpec placement = window == null ? null : window.placementOf(pod);
        return window != null && placement == null ? null : new PodReservation(reservation, placement);
    }

    @Override
    public @Nullable Reservation byGang(GangId gang) {
        return byGang.get(gang);
    }

    @Override
    public @Nullable Reservation byPodUid(String uid) {
        if (!uid.startsWith("uid-of-")) {
            return null;
        }
        PodReservation podReservation = ofPod("user", uid.substring("uid-of-".length()));
        return podReservation == null ? null : podReservation.reservation();
    }

    @Override
    public void started(Reservation start) {
        put(start);
    }

    @Override
    public void onChange(Consumer<GangId> listener) {
        listeners.add(listener);
    }
}
