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
 * Experience with offers: the offers that are paused because a node was not available, and how long their nodes take to
 * start. Stored in the {@link PurchaseBooks} for the next replica.
 */
final class OfferExperience {
    /** The end of each offer's pause, by name. */
    private final SortedMap<String, Long> resting = new TreeMap<>();
    /** The start delays of nodes, by the name of their offer. */
    private final SortedMap<String, StartDelays> delays = new TreeMap<>();
    /** The experience that is not known to be stored. */
    private final List<Seen> unkept = new ArrayList<>();

    private boolean rested;

    private record Seen(String offer, UnaryOperator<StartDelays> start) {}

    void rest(String offer, long until) {
        rested |= !Long.valueOf(until).equals(resting.put(offer, until));
    }

    /** Notes that a node was ready {@code seconds} seconds after its purchase. */
    void started(String offer, long seconds) {
        see(new Seen(offer, knownDelays -> knownDelays.with(seconds)));
    }

    /** Notes that a node was given up because it was not ready {@code seconds} seconds after its purchase. */
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

    /** Takes over the stored experience, and adds what was seen since. */
    void adopt(PurchaseBooks books) {
        books.resting().forEach((offer, until) -> resting.merge(offer, until, Math::max));
        delays.clear();
        delays.putAll(books.delays());
        unkept.forEach(this::learn);
    }

    void pass(long now) {
        resting.values().removeIf(until -> until <= now);
    }

    /** Applies the experience to the offers, and forgets all other offers. */
    List<NodeOffer> on(Collection<NodeOffer> offers) {
        List<String> names = offers.stream().map(NodeOffer::name).toList();
        resting.keySet().retainAll(names);
        delays.keySet().retainAll(names);
        return offers.stream()
                .map(offer -> offer.learning(delays.getOrDefault(offer.name(), StartDelays.NONE)))
                .map(offer -> resting.containsKey(offer.name()) ? offer.closed() : offer)
                .toList();
    }

    /** Returns whether there is something to store. */
    boolean hasNews() {
        return rested || !unkept.isEmpty();
    }

    PurchaseBooks beside(SortedMap<String, Expense> expenses) {
        return new PurchaseBooks(expenses, resting, delays);
    }

    void kept() {
        unkept.clear();
        rested = false;
    }

    /** Forgets everything, because another replica may have seen more since. */
    void forget() {
        resting.clear();
        delays.clear();
        kept();
    }
}
