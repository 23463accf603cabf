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

/**
 * A search for one gang's window as its paper has it.
 *
 * <p>A gang in a topology domain or in lockstep is searched once in every list of {@link
 * io.slotwise.core.slot.Eligibility#fields}.
 */
public sealed interface Baseline permits Aep, Csa {
    /** The window for at most S that the algorithm settles on, perhaps not the best; empty: none found. */
    Optional<Window> best(Gang gang, List<Offer> offers, SlotTerms terms, Cost budget);

    /** The algorithm that the paper gives for this criterion; throws where it has none. */
    static Aep of(Criterion criterion, RandomGenerator random) {
        return switch (criterion) {
            case START -> new MinStart();
            case FINISH -> new MinFinish();
            case RUNTIME -> new MinRuntime();
            case COST -> new MinCost();
            case PROCESSOR_TIME -> new MinProcessorTime(random);
            case ENERGY, VALUE, PREFERENCE -> throw withoutPaper(criterion);
        };
    }

    /** Whether the papers have an algorithm for a criterion. */
    static boolean serves(Criterion criterion) {
        return switch (criterion) {
            case START, FINISH, RUNTIME, COST, PROCESSOR_TIME -> true;
            case ENERGY, VALUE, PREFERENCE -> false;
        };
    }

    /** The papers name energy as a possible criterion of the scheme, but give no algorithm for it. */
    static IllegalArgumentException withoutPaper(Criterion criterion) {
        return new IllegalArgumentException(
                ("The criterion (%s) has no baseline, since no paper gives an algorithm for it; expected "
                                + "start, finish, runtime, cost or processor-time.")
                        .formatted(criterion.key()));
    }
}
