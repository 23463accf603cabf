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
 * A gang that could start sooner if another one made room.
 *
 * @param eligibility the nodes that it may use, for each of its shapes; asked for where that is needed
 * @param search over these nodes; asked for where it is needed
 * @param window the one that it has now, whose room and money are taken; null: none
 * @param allowed what else a new window must be, such as no worse than a promise
 */
public record MoveBeneficiary(
        Gang gang,
        Supplier<List<Eligibility>> eligibility,
        Supplier<WindowSearch> search,
        SlotTerms terms,
        @Nullable Window window,
        Predicate<Window> allowed) {
    /** Whether it starts later than it might. */
    public boolean waits() {
        return window == null || window.start() > terms.earliest();
    }

    /** Whether it may use any of these nodes. */
    public boolean mayUse(Running running) {
        return running.room().stream()
                .anyMatch(occupation -> eligibility.get().stream()
                        .anyMatch(eligibility -> eligibility.offer(occupation.node()) != null));
    }

    /**
     * Its best window that starts by {@code latest} and sooner than the present one, and is no worse by its criterion;
     * the room of the present one must be free.
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

    /** By how many pod-seconds a window starts sooner than the present one, or than the end of the horizon. */
    public long gain(Window soonerWindow, long horizonEnd) {
        long start = window == null ? horizonEnd : window.start();
        return (start - soonerWindow.start()) * gang.size();
    }
}
