package io.slotwise.core.plan;

import io.slotwise.core.combination.Purses;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.slot.Eligibility;
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
    private final Purses purses;
    private final Backfill backfill;

    Diagnosis(Snapshot snapshot, long horizonEnd, Purses purses, Backfill backfill) {
        this.snapshot = snapshot;
        this.horizonEnd = horizonEnd;
        this.purses = purses;
        this.backfill = backfill;
    }

    Refusal why(Contender contender) {
        if (contender.leftOut != null) {
            return contender.leftOut;
        }
        for (Eligibility shape : contender.eligibility) {
            if (shape.offers().isEmpty()) {
                return new Refusal.NoEligibleNode(snapshot.cluster().nodes().size(), shape.excluded());
            }
        }
        long room = room(contender);
        if (room < contender.gang.size()) {
            return new Refusal.TooLarge(contender.gang.size(), room);
        }
        return unpaid(contender).or(() -> priced(contender)).orElseGet(() -> new Refusal.NoWindow(noWindow(contender)));
    }

    /** Whether there is a window, but the namespace cannot pay for it. */
    private Optional<Refusal> unpaid(Contender contender) {
        if (!purses.bind(contender.gang.id().namespace())) {
            return Optional.empty();
        }
        return cheapest(contender, contender.gang.budget().limit())
                .filter(window -> !purses.pay(window))
                .flatMap(window -> purses.of(window)
                        .map(account -> new Refusal.NamespaceBudget(
                                account.namespace(),
                                account.left().roundedDown(),
                                window.cost().roundedUp(),
                                account.end())));
    }

    private static Optional<Window> cheapest(Contender contender, Cost budget) {
        return contender.search.best(Criterion.COST, contender.terms, budget);
    }

    /** How many pods the largest field of eligible nodes takes when nothing runs there, at most those of each shape. */
    private static long room(Contender contender) {
        return Eligibility.fields(contender.gang, contender.eligibility).stream()
                .mapToLong(field -> room(contender.gang, field))
                .max()
                .orElse(0);
    }

    private static long room(Gang gang, List<List<Offer>> field) {
        long room = 0;
        for (int shape = 0; shape < field.size(); shape++) {
            long here = field.get(shape).stream()
                    .mapToLong(offer -> Math.min(
                            gang.maxPerNode(),
                            offer.timeline().node().allocatable().times(offer.request())))
                    .sum();
            room += gang.isUniform()
                    ? here
                    : Math.min(here, gang.shapes().get(shape).pods().size());
        }
        return room;
    }

    private static Optional<Refusal> priced(Contender contender) {
        Budget budget = contender.gang.budget();
        if (budget.total() != null) {
            Optional<Window> cheapest = cheapest(contender, Cost.UNLIMITED);
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

    private String noWindow(Contender contender) {
        Gang gang = contender.gang;
        if (backfill == Backfill.NONE
                && cheapest(contender, gang.budget().limit()).isPresent()) {
            return "the cyclic part left it over, and the policy backfills nothing";
        }
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
