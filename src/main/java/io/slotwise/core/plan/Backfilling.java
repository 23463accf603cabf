package io.slotwise.core.plan;

import io.slotwise.core.backfill.Bid;
import io.slotwise.core.backfill.ConservativeBackfilling;
import io.slotwise.core.backfill.Court;
import io.slotwise.core.backfill.EasyBackfilling;
import io.slotwise.core.booking.Bookings;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.Workers;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Places the gangs that the cyclic part did not plan or left over. A figure that limits the batch holds for these too. */
final class Backfilling implements Court {
    private final Policy policy;
    private final long now;
    private final Bookings bookings;
    private final Allowance allowance;
    private final List<Contender> queue;
    private final Workers workers;
    private final Map<GangId, Contender> byId = new HashMap<>();

    /**
     * Before the first gang is placed.
     *
     * @param queue all gangs in queue order, with the windows that they have
     */
    Backfilling(
            Policy policy, long now, Bookings bookings, Allowance allowance, List<Contender> queue, Workers workers) {
        this.workers = workers;
        this.policy = policy;
        this.now = now;
        this.bookings = bookings;
        this.allowance = allowance;
        this.queue = queue;
        queue.forEach(contender -> byId.put(contender.gang.id(), contender));
    }

    void place() {
        List<Bid> bids = queue.stream()
                .filter(contender -> contender.window() == null && contender.leftOut() == null)
                .map(contender -> new Bid(contender.gang, contender.recalled, contender.terms, bookings.purses()))
                .toList();
        switch (policy.backfill()) {
            case CONSERVATIVE -> ConservativeBackfilling.place(bids, this, workers);
            case EASY -> easy(bids);
            case NONE -> {}
        }
    }

    private void easy(List<Bid> bids) {
        Optional<Window> promised = queue.stream()
                .filter(contender ->
                        contender.promise() != null && contender.promise().via() == Via.BACKFILL)
                .flatMap(contender -> Optional.ofNullable(contender.window()).stream())
                .filter(window -> window.start() > now)
                .findFirst();
        EasyBackfilling easy = new EasyBackfilling(now, promised.orElse(null), this);
        easy.place(bids);
        for (Bid bid : easy.behind()) {
            Contender contender = contender(bid);
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

    private Contender contender(Bid bid) {
        return Objects.requireNonNull(byId.get(bid.gang().id()));
    }

    @Override
    public boolean admits(Bid bid, Window window) {
        return bookings.holds(bid.gang(), window);
    }

    @Override
    public boolean grant(Bid bid, Window window) {
        Contender contender = contender(bid);
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
        contender.take(bookings, window, Via.BACKFILL);
        return true;
    }

    @Override
    public void revoke(Bid bid, Window window) {
        contender(bid).giveUp(bookings);
    }
}
