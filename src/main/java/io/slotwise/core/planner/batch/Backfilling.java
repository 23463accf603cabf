package io.slotwise.core.planner.batch;

import io.slotwise.core.backfill.BackfillArbiter;
import io.slotwise.core.backfill.BackfillRequest;
import io.slotwise.core.backfill.ConservativeBackfilling;
import io.slotwise.core.backfill.EasyBackfilling;
import io.slotwise.core.booking.Bookings;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.Workers;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Places the gangs that the cyclic part did not plan, or for which it found no window. If the policy's limit on the
 * batch holds for all windows, backfilled windows count against it too.
 */
public final class Backfilling implements BackfillArbiter {
    private final Policy policy;
    private final long now;
    private final Bookings bookings;
    private final BatchLimit limit;
    private final List<PlanningGang> queue;
    private final Map<GangId, PlanningGang> byId = new HashMap<>();

    public Backfilling(Policy policy, long now, Bookings bookings, BatchLimit limit, List<PlanningGang> queue) {
        this.policy = policy;
        this.now = now;
        this.bookings = bookings;
        this.limit = limit;
        this.queue = queue;
    }

    /** Gives windows to the gangs of a stage that have none and may have one. */
    public void place(List<PlanningGang> stage, Workers workers) {
        stage.forEach(gang -> byId.put(gang.gang.id(), gang));
        List<BackfillRequest> requests = stage.stream()
                .filter(gang -> gang.window() == null && gang.leftOut() == null)
                .map(gang -> new BackfillRequest(
                        gang.gang, gang.search(bookings.balances()), gang.terms(), bookings.balances()))
                .toList();
        switch (policy.backfill()) {
            case CONSERVATIVE -> ConservativeBackfilling.place(requests, this, workers);
            case EASY -> easy(requests);
            case NONE -> {}
        }
    }

    private void easy(List<BackfillRequest> requests) {
        Optional<Window> promised = queue.stream()
                .filter(gang -> gang.promise() == null
                        ? gang.via() == WindowOrigin.BACKFILL
                        : gang.promise().origin() == WindowOrigin.BACKFILL)
                .flatMap(gang -> Optional.ofNullable(gang.window()).stream())
                .filter(window -> window.start() > now)
                .findFirst();
        EasyBackfilling easy = new EasyBackfilling(now, promised.orElse(null), this);
        easy.place(requests);
        for (BackfillRequest request : easy.behind()) {
            PlanningGang gang = gang(request);
            Optional<Window> laterWindow = gang.leftOut() == null ? request.earliest() : Optional.empty();
            if (laterWindow.isPresent() && request.terms().earliest() > now) {
                gang.leaveOut(new Refusal.NotBefore(request.terms().earliest()));
            } else if (laterWindow.isPresent()) {
                easy.reservation()
                        .map(headWindow -> new Refusal.Behind(headWindow.gang(), headWindow.start()))
                        .ifPresent(gang::leaveOut);
            }
        }
    }

    private PlanningGang gang(BackfillRequest request) {
        return Objects.requireNonNull(byId.get(request.gang().id()));
    }

    @Override
    public boolean admits(BackfillRequest request, Window window) {
        return bookings.holds(request.gang(), window);
    }

    @Override
    public boolean grant(BackfillRequest request, Window window) {
        PlanningGang gang = gang(request);
        if (limit.holdsForAll()) {
            BigInteger given = queue.stream()
                    .flatMap(other -> Optional.ofNullable(other.window()).stream())
                    .map(limit::weight)
                    .reduce(BigInteger.ZERO, BigInteger::add);
            if (!limit.admits(given, window)) {
                gang.leaveOut(limit.refusal(given, window));
                return false;
            }
        }
        gang.take(bookings, window, WindowOrigin.BACKFILL);
        return true;
    }

    @Override
    public void revoke(BackfillRequest request, Window window) {
        gang(request).giveUp(bookings);
    }
}
