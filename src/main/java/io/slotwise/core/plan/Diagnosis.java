package io.slotwise.core.plan;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Terms;
import io.slotwise.core.window.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Why a gang has no window, on the free capacity that the plan leaves: the first reason that holds, the coarsest first. */
final class Diagnosis {
    private final Snapshot snapshot;
    private final long horizonEnd;

    Diagnosis(Snapshot snapshot, long horizonEnd) {
        this.snapshot = snapshot;
        this.horizonEnd = horizonEnd;
    }

    Refusal why(Contender contender) {
        if (contender.leftOut != null) {
            return contender.leftOut;
        }
        if (contender.eligibility.offers().isEmpty()) {
            return new Refusal.NoEligibleNode(snapshot.cluster().nodes().size(), contender.eligibility.excluded());
        }
        long room = room(contender);
        if (room < contender.gang.size()) {
            return new Refusal.TooLarge(contender.gang.size(), room);
        }
        return priced(contender).orElseGet(() -> new Refusal.NoWindow(noWindow(contender.gang)));
    }

    /** How many pods the largest field of eligible nodes takes when nothing runs there. */
    private static long room(Contender contender) {
        return contender.eligibility.fields(contender.gang).stream()
                .mapToLong(offers -> offers.stream()
                        .mapToLong(offer -> room(contender.gang, offer))
                        .sum())
                .max()
                .orElse(0);
    }

    private static long room(Gang gang, Offer offer) {
        return Math.min(
                gang.maxPerNode(),
                offer.timeline().node().allocatable().times(gang.request().resources()));
    }

    private static Optional<Refusal> priced(Contender contender) {
        Budget budget = contender.gang.budget();
        if (budget.total() != null) {
            Optional<Window> cheapest = contender.search.best(Criterion.COST, contender.terms, Cost.UNLIMITED);
            if (cheapest.isPresent() && cheapest.get().cost().compareTo(budget.limit()) > 0) {
                return Optional.of(new Refusal.OverBudget(
                        cheapest.get().cost().roundedUp(), cheapest.get().start(), budget.total()));
            }
        }
        if (budget.slotPrice() != null) {
            Terms terms = contender.terms.withoutSlotPrice();
            if (contender.search.best(Criterion.START, terms, Cost.UNLIMITED).isPresent()) {
                return Optional.of(new Refusal.OverSlotPrice(Objects.requireNonNull(budget.slotPrice())));
            }
        }
        return Optional.empty();
    }

    private String noWindow(Gang gang) {
        List<String> bounds = new ArrayList<>();
        if (gang.earliestStart() > snapshot.now()) {
            bounds.add("starts at or after " + Instant.ofEpochSecond(gang.earliestStart()));
        }
        bounds.add(
                gang.deadline() < horizonEnd
                        ? "ends by the deadline " + Instant.ofEpochSecond(gang.deadline())
                        : "ends inside the horizon, by " + Instant.ofEpochSecond(horizonEnd));
        return "no window for %d pods at once that %s".formatted(gang.size(), String.join(" and ", bounds));
    }
}
