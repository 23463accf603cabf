package io.slotwise.kubernetes.manifest.holds;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.gangs.GangSize;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which advance reservations are too large to be looked at. It is told from their figures alone, before there is
 * anything for each seat: a line of text can ask for a hundred thousand.
 *
 * <p>In a namespace those with a promise come first, then the oldest, then by name. One is left out if its record could
 * not be written, or if it has more seats than those before it leave of {@link #MOST_SEATS}; smaller ones behind it may
 * have a place.
 */
public final class ReservationBounds {
    /** The most seats of all advance reservations of one namespace. */
    static final int MOST_SEATS = 10_000;

    private final Map<GangId, KnownGang> known;
    private final RecordSize recordSize;
    private final Map<String, Integer> seats = new HashMap<>();
    private final Map<GangId, String> problems = new HashMap<>();

    private ReservationBounds(Map<GangId, KnownGang> known, RecordSize recordSize) {
        this.known = known;
        this.recordSize = recordSize;
    }

    /** Why each of those that are left out is, by reservation. O(r log r) for r reservations, whatever their sizes. */
    public static Map<GangId, String> problems(
            Collection<Reservation> reservations, Map<GangId, KnownGang> known, RecordSize recordSize) {
        ReservationBounds bounds = new ReservationBounds(known, recordSize);
        List<Reservation> inOrder = reservations.stream()
                .sorted(Comparator.comparing((Reservation hold) -> bounds.promise(hold) == null)
                        .thenComparing(hold ->
                                Objects.requireNonNullElse(hold.getMetadata().getCreationTimestamp(), ""))
                        .thenComparing(hold -> Objects.requireNonNull(hold.gang())))
                .toList();
        inOrder.forEach(bounds::add);
        return bounds.problems;
    }

    private @Nullable Promise promise(Reservation hold) {
        return known.getOrDefault(Objects.requireNonNull(hold.gang()), KnownGang.NOTHING)
                .promise();
    }

    private void add(Reservation hold) {
        GangId id = Objects.requireNonNull(hold.gang());
        int size = Objects.requireNonNull(hold.getSpec().hold()).size();
        if (size < 1 || size > GangSize.LARGEST) {
            return;
        }
        Promise promise = promise(hold);
        boolean written = promise != null && promise.window().placements().size() == size;
        String tooLarge = written ? null : recordSize.problem(size, HoldTerms.longestName(id.name(), size));
        int before = seats.getOrDefault(id.namespace(), 0);
        if (tooLarge != null) {
            problems.put(id, tooLarge);
        } else if (size > MOST_SEATS - before) {
            problems.put(
                    id,
                    ("`spec.hold.size` (%d) is too much in addition to the %d seats of other advance "
                                    + "reservations of namespace %s: expected at most %d in all")
                            .formatted(size, before, id.namespace(), MOST_SEATS));
        } else {
            seats.put(id.namespace(), before + size);
        }
    }
}
