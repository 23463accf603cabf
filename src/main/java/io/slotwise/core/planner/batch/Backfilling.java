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

/** Places the gangs that the cyclic part did not plan or left over, within a figure that limits the batch. */
public final class Backfilling implements BackfillArbiter {
    private final Policy policy;
    private final long now;
    private final Bookings bookings;
    private final BatchLimit allowance;
    private final List<PlanningGang> queue;
    private final Map<GangId, PlanningGang> byId = new HashMap<>();

    /** Before the first gang is placed; {@code queue}: all gangs in queue order, with the windows that they have. */
    public Backfilling(Policy policy, long now, Bookings bookings, BatchLimit allowance, List<PlanningGang> queue) {
        this.policy = policy;
        this.now = now;
        this.bookings = bookings;
        this.allowance = allowance;
        this.queue = queue;
    }

    /** Gives windows to these gangs of the queue, as far as they have none and may have one. */
    public void place(List<PlanningGang> stage, Workers workers) {
        stage.forEach(contender -> byId.put(contender.gang.id(), contender));
        List<BackfillRequest> bids = stage.stream()
                .filter(contender -> contender.window() == null && contender.leftOut() == null)
                .map(contender ->
                        new BackfillRequest(contender.gang, contender.search(), contender.terms(), bookings.purses()))
                .toList();
        switch (policy.backfill()) {
            case CONSERVATIVE -> ConservativeBackfilling.place(bids, this, workers);
            case EASY -> easy(bids);
            case NONE -> {}
        }
    }

    private void easy(List<BackfillRequest> bids) {
        Optional<Window> promised = queue.stream()
                .filter(contender -> contender.promise() == null
                        ? contender.via() == WindowOrigin.BACKFILL
                        : contender.promise().via() == WindowOrigin.BACKFILL)
                .flatMap(contender -> Optional.ofNullable(contender.window()).stream())
                .filter(window -> window.start() > now)
                .findFirst();
        EasyBackfilling easy = new EasyBackfilling(now, promised.orElse(null), this);
        easy.place(bids);
        for (BackfillRequest bid : easy.behind()) {
            PlanningGang contender = contender(bid);
            Optional<Window> later = contender.leftOut() == null ? bid.earliest() : Optional.empty();
            if (later.isPresent() && bid.terms().earliest() > now) {
                contender.leaveOut(new Refusal.NotBefore(bid.terms().earliest()));
            } else if (later.isPresent()) {
                easy.reservation()
                        .map(head -> new Refusal.Behind(head.gang(), head.start()))
                        .ifPresent(contender::leaveOut);
            }
        }
    }

    private PlanningGang contender(BackfillRequest bid) {
        return Objects.requireNonNull(byId.get(bid.gang().id()));
    }

    @Override
    public boolean admits(BackfillRequest bid, Window window) {
        return bookings.holds(bid.gang(), window);
    }

    @Override
    public boolean grant(BackfillRequest bid, Window window) {
        PlanningGang contender = contender(bid);
        if (allowance.holdsForAll()) {
            BigInteger given = queue.stream()
                    .flatMap(other -> Optional.ofNullable(other.window()).stream())
                    .map(allowance::weight)
                    .reduce(BigInteger.ZERO, BigInteger::add);
            if (!allowance.admits(given, window)) {
                contender.leaveOut(allowance.refusal(given, window));
                return false;
            }
        }
        contender.take(bookings, window, WindowOrigin.BACKFILL);
        return true;
    }

    @Override
    public void revoke(BackfillRequest bid, Window window) {
        contender(bid).giveUp(bookings);
    }
}
