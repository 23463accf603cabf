package io.slotwise.live.cycle;

import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.StartDelays;
import io.slotwise.live.port.PurchaseBooks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What was seen of offers: which of them rest, since a node of theirs was not to be had, and how long their nodes take
 * to start. It is kept in the {@link PurchaseBooks}, so that the next replica goes on with it.
 */
final class OfferExperience {
    /** Until when offers rest, by name. */
    private final SortedMap<String, Long> resting = new TreeMap<>();
    /** How long nodes took, by the name of their offer. */
    private final SortedMap<String, StartDelays> delays = new TreeMap<>();
    /** What was seen and is not known to be kept. */
    private final List<Seen> unkept = new ArrayList<>();

    private boolean rested;

    /** One more start of a node of an offer. */
    private record Seen(String offer, UnaryOperator<StartDelays> start) {}

    /** An offer rests from now on. */
    void rest(String offer, long until) {
        rested |= !Long.valueOf(until).equals(resting.put(offer, until));
    }

    /** A node was ready so many seconds after its purchase. */
    void started(String offer, long seconds) {
        see(new Seen(offer, knownDelays -> knownDelays.with(seconds)));
    }

    /** A node was given up that was not ready so many seconds after its purchase. */
    void gaveUp(String offer, long seconds) {
        see(new Seen(offer, knownDelays -> knownDelays.without(seconds)));
    }

    private void see(Seen seen) {
        unkept.add(seen);
        learn(seen);
    }

    private void learn(Seen seen) {
        delays.put(seen.offer(), seen.start().apply(delays.getOrDefault(seen.offer(), StartDelays.NONE)));
    }

    /** Takes over what was kept, with what was seen since. */
    void adopt(PurchaseBooks books) {
        books.resting().forEach((offer, until) -> resting.merge(offer, until, Math::max));
        delays.clear();
        delays.putAll(books.delays());
        unkept.forEach(this::learn);
    }

    /** What no longer holds is forgotten. */
    void pass(long now) {
        resting.values().removeIf(until -> until <= now);
    }

    /** The offers as experience has it; others are forgotten. */
    List<NodeOffer> on(Collection<NodeOffer> offers) {
        List<String> names = offers.stream().map(NodeOffer::name).toList();
        resting.keySet().retainAll(names);
        delays.keySet().retainAll(names);
        return offers.stream()
                .map(offer -> offer.learning(delays.getOrDefault(offer.name(), StartDelays.NONE)))
                .map(offer -> resting.containsKey(offer.name()) ? offer.closed() : offer)
                .toList();
    }

    /** Whether there is something to be kept. */
    boolean hasNews() {
        return rested || !unkept.isEmpty();
    }

    /** The books with these expenses. */
    PurchaseBooks beside(SortedMap<String, Expense> expenses) {
        return new PurchaseBooks(expenses, resting, delays);
    }

    /** All of it is kept. */
    void kept() {
        unkept.clear();
        rested = false;
    }

    /** Another replica may have seen more since. */
    void forget() {
        resting.clear();
        delays.clear();
        kept();
    }
}
