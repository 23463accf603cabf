package io.slotwise.core.migration;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A gang that could start sooner if another gang made room.
 *
 * @param eligibility the nodes that it may use, for each of its shapes, computed on demand
 * @param search the search over these nodes, created on demand
 * @param window its present window, whose room and money are taken, or null
 * @param allowed further conditions on a new window, such as being no worse than a promise
 */
public record MoveBeneficiary(
        Gang gang,
        Supplier<List<Eligibility>> eligibility,
        Supplier<WindowSearch> search,
        SlotTerms terms,
        @Nullable Window window,
        Predicate<Window> allowed) {
    /** Returns whether the gang has no window, or one that starts later than its terms allow. */
    public boolean waits() {
        return terms.opensBy(window == null ? terms.latest() : window.start() - 1);
    }

    /** Returns the gang with other terms for its new window. */
    public MoveBeneficiary on(SlotTerms otherTerms) {
        return new MoveBeneficiary(gang, eligibility, search, otherTerms, window, allowed);
    }

    public boolean mayUse(Running running) {
        return running.room().stream()
                .anyMatch(occupation -> eligibility.get().stream()
                        .anyMatch(eligibility -> eligibility.offer(occupation.node()) != null));
    }

    /**
     * Returns the best window that starts by {@code latest}, sooner than the present one, and is no worse by its
     * criterion. Precondition: the room of the present window is free.
     */
    public Optional<Window> sooner(long latest) {
        SlotTerms soonestTerms =
                terms.within(window == null ? latest : Math.min(latest, window.start() - 1), terms.deadline());
        Cost maxCost = gang.budget().limit();
        return soonestTerms.latest() < soonestTerms.earliest()
                ? Optional.empty()
                : search.get()
                        .best(gang.criterion(), soonestTerms, maxCost)
                        .filter(foundWindow -> window == null || foundWindow.value(gang) <= window.value(gang))
                        .filter(allowed);
    }

    /** Returns the pod-seconds by which a window starts sooner than the present one, or than the end of the horizon. */
    public long gain(Window soonerWindow, long horizonEnd) {
        long start = window == null ? horizonEnd : window.start();
        return (start - soonerWindow.start()) * gang.size();
    }
}
