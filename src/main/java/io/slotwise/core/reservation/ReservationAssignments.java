package io.slotwise.core.reservation;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.GangEnds;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.Isolated;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Assigns gangs to the advance reservations that they name. Such a gang gets seats of its reservation or waits with a
 * reason; it is never planned elsewhere. A reservation has one guest at a time: the gang that was already promised a
 * part of it, otherwise the first by arrival that fits.
 *
 * <p>With g gangs that name reservations and n seats: O(g log g + n log n), and the work of {@link ReservationSeats}
 * for each gang.
 */
public final class ReservationAssignments {
    private final Map<GangId, Request> holds = new HashMap<>();
    private final SortedMap<GangId, Guest> guests = new TreeMap<>();
    private final List<Pending> waiting = new ArrayList<>();
    private final List<BrokenPromise> broken = new ArrayList<>();
    private final Snapshot snapshot;
    private final ReservationNames names;
    private final ReservationSeats seats;
    private final Function<Request, PromiseTariff> tariffs;

    /** A gang inside a reservation, with its part of the reservation's window and the prices of that part. */
    private record Guest(Request request, Request holdRequest, Window window, PromiseTariff tariff) {
        private boolean kept() {
            return request.promise() != null;
        }
    }

    private ReservationAssignments(
            Snapshot snapshot,
            ReservationNames names,
            ReservationSeats seats,
            Function<Request, PromiseTariff> tariffs) {
        this.snapshot = snapshot;
        this.names = names;
        this.seats = seats;
        this.tariffs = tariffs;
    }

    /** Assigns the gangs of a snapshot. {@code wholeNode}: a pod pays for its whole node. */
    public static ReservationAssignments of(
            Snapshot snapshot, ReservationNames names, Function<Request, PromiseTariff> tariffs, boolean wholeNode) {
        ReservationAssignments assignments = new ReservationAssignments(
                snapshot, names, new ReservationSeats(snapshot.cluster(), snapshot.now(), wholeNode), tariffs);
        assignments.assignAll();
        return assignments;
    }

    private void assignAll() {
        TreeMap<GangId, List<Request>> gangsByHold = new TreeMap<>();
        for (Request request : snapshot.requests()) {
            GangId id = request.gang().id();
            if (names.holds().contains(id)) {
                holds.put(id, request);
            }
            GangId namedId = names.named().get(id);
            if (namedId != null) {
                gangsByHold.computeIfAbsent(namedId, _ -> new ArrayList<>()).add(request);
            }
        }
        gangsByHold.forEach((holdId, gangs) -> {
            gangs.sort(Comparator.comparing((Request request) -> request.promise() == null)
                    .thenComparingLong(request -> request.gang().arrival())
                    .thenComparing(request -> request.gang().id()));
            assign(holdId, gangs);
        });
    }

    private void assign(GangId holdId, List<Request> gangs) {
        Request heldRequest = holds.get(holdId);
        if (heldRequest == null || heldRequest.promise() == null) {
            Refusal refusal = heldRequest == null
                    ? unknownHold(holdId)
                    : new Refusal.AwaitsReservation(holdId, "it has no window yet");
            gangs.forEach(gangRequest -> waits(gangRequest, refusal));
            return;
        }
        GangId first = null;
        for (Request gangRequest : gangs) {
            if (first != null) {
                waits(gangRequest, new Refusal.AwaitsReservation(holdId, "gang %s already uses it".formatted(first)));
            } else if (Isolated.get(() -> assign(gangRequest, heldRequest), error -> failed(gangRequest, error))) {
                first = gangRequest.gang().id();
            }
        }
    }

    private boolean failed(Request request, Throwable error) {
        waits(request, Refusal.Failed.by(error));
        return false;
    }

    /** Assigns a gang to a reservation without a guest. Returns false, with a refusal, if it does not fit. */
    private boolean assign(Request request, Request holdRequest) {
        Promise promise = request.promise();
        Window promisedWindow = Objects.requireNonNull(holdRequest.promise()).window();
        if (promise != null) {
            boolean inside = ReservationSeats.inside(promise.window(), promisedWindow);
            if (inside) {
                guests.put(
                        request.gang().id(), new Guest(request, holdRequest, promise.window(), PromiseTariff.CONSTANT));
            } else {
                waits(request, new Refusal.AwaitsReservation(holdRequest.gang().id(), "it has another window now"));
            }
            return inside;
        }
        return switch (seats.of(request.gang(), holdRequest, tariffs.apply(holdRequest))) {
            case ReservationSeats.Answer.Taken(Window window, PromiseTariff tariff) -> {
                guests.put(request.gang().id(), new Guest(request, holdRequest, window, tariff));
                yield true;
            }
            case ReservationSeats.Answer.Unfit(String problem) -> {
                waits(request, new Refusal.InvalidRequest(problem));
                yield false;
            }
        };
    }

    private void waits(Request request, Refusal refusal) {
        waiting.add(new Pending(request.gang().id(), refusal));
        Promise promise = request.promise();
        if (promise != null) {
            broken.add(new BrokenPromise(request.gang().id(), promise.window(), Cause.ROOM_TAKEN, refusal));
        }
    }

    private Refusal unknownHold(GangId holdId) {
        String over = names.over().get(holdId);
        if (over != null) {
            return new Refusal.InvalidRequest(
                    "reservation %s is over, %s: expected one that still keeps its room".formatted(holdId, over));
        }
        return snapshot.held().stream()
                .filter(pending ->
                        names.holds().contains(holdId) && pending.gang().equals(holdId))
                .findFirst()
                .<Refusal>map(pending ->
                        new Refusal.AwaitsReservation(holdId, pending.refusal().message()))
                .orElseGet(() -> new Refusal.InvalidRequest(
                        "reservation %s does not exist: expected an advance reservation (spec.hold) of that name"
                                .formatted(holdId)));
    }

    /** Returns the snapshot for the planner, without gangs that name reservations and pods of guests. */
    public Snapshot left() {
        if (names.named().isEmpty() && names.guests().isEmpty()) {
            return snapshot;
        }
        List<Request> requests = snapshot.requests().stream()
                .filter(request -> !names.named().containsKey(request.gang().id()))
                .toList();
        Set<String> entered = names.guestsOf(holds.keySet());
        Cluster cluster = entered.isEmpty()
                ? snapshot.cluster()
                : new Cluster(
                        snapshot.cluster().inventory(),
                        snapshot.cluster().occupations().stream()
                                .filter(occupation -> !entered.contains(occupation.holder()))
                                .toList());
        return snapshot.with(copy -> copy.cluster(cluster)
                .requests(requests)
                .held(Stream.concat(snapshot.held().stream(), waiting.stream()).toList())
                .used(Map.of())
                .uses(Map.of())
                .ends(ends()));
    }

    /** Returns the ends of the gangs that the planner does not see: those of their windows. */
    private GangEnds ends() {
        Map<GangId, Long> ends = new HashMap<>();
        guests.forEach((gang, guest) -> ends.put(gang, guest.window().end()));
        return snapshot.ends().with(ends);
    }

    /** Returns the plan with guests in place of reservations. If a reservation loses its window, so does its guest. */
    public Plan carriedOut(Plan plan) {
        if (names.named().isEmpty()) {
            return plan;
        }
        Map<GangId, Window> kept = new HashMap<>();
        plan.windows().forEach(planned -> kept.put(planned.gang().id(), planned.window()));
        Set<GangId> taken = new HashSet<>();
        List<Planned> windows = new ArrayList<>();
        List<Pending> pending = new ArrayList<>(waiting);
        List<BrokenPromise> lost = new ArrayList<>(plan.broken());
        List<String> notes = new ArrayList<>(plan.notes());
        lost.addAll(broken);
        guests.forEach((gang, guest) -> {
            GangId holdId = guest.holdRequest().gang().id();
            Promise promise = Objects.requireNonNull(guest.holdRequest().promise());
            if (promise.window().equals(kept.get(holdId))) {
                taken.add(holdId);
                windows.add(new Planned(guest.request().gang(), guest.window(), promise.origin(), guest.kept())
                        .withBound(promise.promiseBound()));
                notes.add("gang %s takes over reservation %s".formatted(gang, holdId));
            } else {
                pending.add(new Pending(gang, new Refusal.AwaitsReservation(holdId, "its own window was lost")));
                lostWith(guest, plan).ifPresent(lost::add);
            }
        });
        plan.windows().stream()
                .filter(planned -> !taken.contains(planned.gang().id()))
                .forEach(windows::add);
        plan.pending().stream()
                .filter(other -> !names.named().containsKey(other.gang()))
                .forEach(pending::add);
        windows.sort(
                Comparator.comparingLong((Planned planned) -> planned.window().start())
                        .thenComparing(planned -> planned.gang().id()));
        pending.sort(Comparator.comparing(Pending::gang));
        lost.sort(Comparator.comparing(BrokenPromise::gang));
        return plan.deciding(windows, pending, lost, notes);
    }

    /** Returns the promise that a guest loses with its reservation, if it had one. */
    private static Optional<BrokenPromise> lostWith(Guest guest, Plan plan) {
        GangId holdId = guest.holdRequest().gang().id();
        return plan.broken().stream()
                .filter(brokenPromise -> guest.kept() && brokenPromise.gang().equals(holdId))
                .findFirst()
                .map(brokenPromise -> new BrokenPromise(
                        guest.request().gang().id(), guest.window(), brokenPromise.cause(), brokenPromise.reason()));
    }

    /** Returns the reservation of which a gang gets a part, or null. */
    public @Nullable GangId holdOf(GangId gang) {
        Guest guest = guests.get(gang);
        return guest == null ? null : guest.holdRequest().gang().id();
    }

    /** Returns the prices of a window that is new to a gang, or null if the gang gets none or had it before. */
    public @Nullable PromiseTariff tariffOf(GangId gang) {
        Guest guest = guests.get(gang);
        return guest == null || guest.kept() ? null : guest.tariff();
    }
}
