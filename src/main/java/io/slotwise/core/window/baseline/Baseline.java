package io.slotwise.core.window.baseline;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A search for one gang's window as its paper has it.
 *
 * <p>A gang in a topology domain or in lockstep is searched once in every list of {@link
 * io.slotwise.core.slot.Eligibility#fields}.
 */
public sealed interface Baseline permits Aep, Csa {
    /**
     * The window that the algorithm settles on, which need not be the best there is.
     *
     * @param gang whose pods are placed, at most one on a node
     * @param offers the nodes that may be used together, each once
     * @param terms where slots may lie
     * @param budget the most that the window may cost, S
     * @return empty if the algorithm finds none
     */
    Optional<Window> best(Gang gang, List<Offer> offers, SlotTerms terms, Cost budget);

    /**
     * The algorithm that the paper gives for this criterion.
     *
     * @param criterion what is to be least
     * @param random where random windows come from; only the search for the least processor time draws from it
     * @throws IllegalArgumentException for a criterion for which the paper has no algorithm
     */
    static Aep of(Criterion criterion, RandomGenerator random) {
        Function<RandomGenerator, Aep> algorithm = PaperAlgorithms.BY_CRITERION.get(criterion);
        if (algorithm == null) {
            throw withoutPaper(criterion);
        }
        return algorithm.apply(random);
    }

    /** Whether the papers have an algorithm for a criterion. */
    static boolean serves(Criterion criterion) {
        return PaperAlgorithms.BY_CRITERION.containsKey(criterion);
    }

    /** The papers name energy as a possible criterion of the scheme, but give no algorithm for it. */
    static IllegalArgumentException withoutPaper(Criterion criterion) {
        return new IllegalArgumentException(
                ("The criterion (%s) has no baseline, since no paper gives an algorithm for it; expected "
                                + "start, finish, runtime, cost or processor-time.")
                        .formatted(criterion.key()));
    }
}
