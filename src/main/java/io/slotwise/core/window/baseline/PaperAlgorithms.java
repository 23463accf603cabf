package io.slotwise.core.window.baseline;

import io.slotwise.core.gang.Criterion;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** The papers' algorithm for each criterion that they have one for. */
final class PaperAlgorithms {
    static final Map<Criterion, Function<RandomGenerator, Aep>> BY_CRITERION = Map.of(
            Criterion.START, _ -> new MinStart(),
            Criterion.FINISH, _ -> new MinFinish(),
            Criterion.RUNTIME, _ -> new MinRuntime(),
            Criterion.COST, _ -> new MinCost(),
            Criterion.PROCESSOR_TIME, MinProcessorTime::new);

    private PaperAlgorithms() {}
}
