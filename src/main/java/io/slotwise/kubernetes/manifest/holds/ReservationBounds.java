package io.slotwise.kubernetes.manifest.holds;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.kubernetes.crd.v1alpha1.HoldSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.gangs.GangSize;
import io.slotwise.kubernetes.manifest.admission.ReservationQuotas;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The advance reservations that are too large to be planned. They are found by their figures alone, before an object
 * exists for each seat, because a line of text can ask for a hundred thousand seats.
 *
 * <p>In a namespace reservations with a promise come first, then the oldest, then by name. A reservation is left out in
 * these cases:
 * <ul>
 * <li>{@link #MOST} reservations of the namespace come before it.
 * <li>Its record is too large to be written.
 * <li>It has more seats than earlier reservations leave of the namespace's limit.
 * <li>It has no promise, and asks for more than earlier reservations and the pods leave of a ResourceQuota.
 * </ul>
 * A smaller reservation behind one that is left out may have a place.
 */
public final class ReservationBounds {
    /** Advance reservations of one namespace that are looked at. */
    public static final int MOST = 2_000;

    private final Map<GangId, KnownGang> known;
    private final RecordSize recordSize;
    private final int mostSeats;
    private final ReservationQuotas quotas;
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Integer> seats = new HashMap<>();
    private final Map<GangId, String> problems = new HashMap<>();

    /**
     * @param mostSeats the most seats of all advance reservations of one namespace
     */
    public ReservationBounds(
            Map<GangId, KnownGang> known, RecordSize recordSize, int mostSeats, ReservationQuotas quotas) {
        this.known = known;
        this.recordSize = recordSize;
        this.mostSeats = mostSeats;
        this.quotas = quotas;
    }

    /**
     * Returns the reservations that are left out, with the reason. O(r log r + quotas of their namespaces) for r
     * reservations of any size.
     */
    public Map<GangId, String> problems(Collection<Reservation> reservations) {
        List<Reservation> inOrder = reservations.stream()
                .sorted(Comparator.comparing((Reservation reservation) -> promise(reservation) == null)
                        .thenComparing(reservation -> Objects.requireNonNullElse(
                                reservation.getMetadata().getCreationTimestamp(), ""))
                        .thenComparing(reservation -> Objects.requireNonNull(reservation.gang())))
                .toList();
        inOrder.forEach(this::add);
        return problems;
    }

    private @Nullable Promise promise(Reservation reservation) {
        return known.getOrDefault(Objects.requireNonNull(reservation.gang()), KnownGang.NOTHING)
                .promise();
    }

    private void add(Reservation reservation) {
        GangId id = Objects.requireNonNull(reservation.gang());
        HoldSpec spec = Objects.requireNonNull(reservation.getSpec().hold());
        int size = spec.size();
        if (counts.merge(id.namespace(), 1, Integer::sum) > MOST) {
            problems.put(
                    id,
                    "namespace %s has more than %d advance reservations: this one is planned once there are fewer"
                            .formatted(id.namespace(), MOST));
            return;
        }
        if (size < 1 || size > GangSize.LARGEST) {
            return;
        }
        Promise promise = promise(reservation);
        boolean written = promise != null && promise.window().placements().size() == size;
        String tooLarge = written ? null : recordSize.problem(size, HoldTerms.longestName(id.name(), size));
        int before = seats.getOrDefault(id.namespace(), 0);
        PodSpec seat = HoldTerms.seat(spec);
        String beyondQuota = promise == null ? quotas.problem(id.namespace(), seat, size) : null;
        if (tooLarge != null) {
            problems.put(id, tooLarge);
        } else if (size > mostSeats - before) {
            problems.put(
                    id,
                    ("`spec.hold.size` (%d) is too much in addition to the %d seats of other advance "
                                    + "reservations of namespace %s: expected at most %d in all")
                            .formatted(size, before, id.namespace(), mostSeats));
        } else if (beyondQuota != null) {
            problems.put(id, "`spec.hold` (%d seats) is too much: %s".formatted(size, beyondQuota));
        } else {
            quotas.keep(id.namespace(), seat, size);
            seats.put(id.namespace(), before + size);
        }
    }
}
