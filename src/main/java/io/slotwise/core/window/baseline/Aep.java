package io.slotwise.core.window.baseline;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * AEP (algorithm searching for extreme performance): one scan of the ordered slots that keeps the window of the least
 * criterion value. All searches for a single window share this scheme.
 *
 * <p>Each slot is added to the extended window, whose start becomes the slot's. Slots that are too short from there on
 * are removed. While there are at least n slots, the criterion chooses n of them whose total cost is at most S, if it
 * can.
 *
 * <p>Invariant: after every slot, the kept window is the first with the least value among all that were chosen.
 *
 * <p>With m slots and N nodes the scan takes O(m N), plus m choices. Space is O(m + N). The extended window holds at
 * most N slots. The paper calls this linear in m and quadratic in the nodes, since m grows with N.
 *
 * <p>Source: the paper on AEP, section 2.1.
 *
 * <p>Readings. The pseudo-code maximizes ({@code crW > maxCriterion}). All criteria here are minimized, so a window
 * replaces the best so far only if its value is strictly less, and of equal ones the first stays. A slot is removed if
 * its rest is strictly shorter than the pod, so a slot that is just long enough stays. A step counts even if the slot
 * just added is itself too short: the window's start is still the slot's. {@code properHardwareAndSoftware} is the
 * caller's choice of offers.
 *
 * <p>A gang in a topology domain or in lockstep is searched once in every list of {@link
 * io.slotwise.core.slot.Field}.
 */
public abstract sealed class Aep permits MinStart, MinCost, MinRuntime, MinFinish, MinProcessorTime {
    /** The paper's {@code getBestWindow}. Returns n of the slots for at most S, 1/3600 millionths, if possible. */
    abstract Optional<SlotWindow> bestWindow(ExtendedWindow extended, int n, long budget);

    /** The paper's {@code getCriterion}: the value to minimize. */
    abstract long criterion(SlotWindow window);

    /** Returns whether the first window is the best, so that the scan may end with it. */
    boolean endsWithFirst() {
        return false;
    }

    /** Returns the window for at most S that the algorithm selects, perhaps not the best. */
    public final Optional<Window> best(Gang gang, List<Offer> offers, SlotTerms terms, Cost budget) {
        return best(gang, FreeSlotList.of(offers, terms), budget);
    }

    final Optional<Window> best(Gang gang, FreeSlotList slots, Cost budget) {
        SlotWindow bestWindow = scan(slots, gang.size(), budget.microSecondsPerHour());
        return bestWindow == null ? Optional.empty() : Optional.of(bestWindow.of(gang));
    }

    private @Nullable SlotWindow scan(FreeSlotList slots, int n, long budget) {
        ExtendedWindow extended = new ExtendedWindow();
        SlotWindow bestWindow = null;
        for (FreeSlot next : slots.slots()) {
            extended.add(next);
            if (extended.size() < n) {
                continue;
            }
            SlotWindow currentWindow = bestWindow(extended, n, budget).orElse(null);
            if (currentWindow != null && (bestWindow == null || criterion(currentWindow) < criterion(bestWindow))) {
                bestWindow = currentWindow;
                if (endsWithFirst()) {
                    break;
                }
            }
        }
        return bestWindow;
    }

    /**
     * Returns the paper's algorithm for a criterion; throws if there is none. The papers name energy as a possible
     * criterion of the scheme, but give no algorithm for it.
     */
    public static Aep of(Criterion criterion, RandomGenerator random) {
        return switch (criterion) {
            case START -> new MinStart();
            case FINISH -> new MinFinish();
            case RUNTIME -> new MinRuntime();
            case COST -> new MinCost();
            case PROCESSOR_TIME -> new MinProcessorTime(random);
            case ENERGY, VALUE, PREFERENCE ->
                throw new IllegalArgumentException(
                        ("The criterion (%s) has no baseline, since no paper gives an algorithm for it; expected "
                                        + "start, finish, runtime, cost or processor-time.")
                                .formatted(criterion.key()));
        };
    }

    public static boolean serves(Criterion criterion) {
        return switch (criterion) {
            case START, FINISH, RUNTIME, COST, PROCESSOR_TIME -> true;
            case ENERGY, VALUE, PREFERENCE -> false;
        };
    }
}
