package io.slotwise.lab.experiment.cyclic;

import static io.slotwise.lab.experiment.Numbers.brief;
import static io.slotwise.lab.experiment.Numbers.two;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.core.window.Placement;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Numbers;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.TwoReadings;
import io.slotwise.lab.experiment.cyclic.CyclicPaper.Situation;
import io.slotwise.lab.workload.paper.EnvironmentModel;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import io.slotwise.lab.workload.paper.PaperUnits;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The effect of an owner's price on the load and profit of its node. */
public record OwnersExperiment(int performance) implements Experiment {
    private static final List<Integer> PRICES = List.of(2, 4, 6, 8, 10);
    private static final List<String> XS = PRICES.stream().map(String::valueOf).toList();
    private static final int MARKET = 6;
    private static final int FASTER = 7;

    private static final String NODE = "node";
    private static final String LOAD = "load";
    private static final String UTILISATION = "utilisation";
    private static final String PROFIT = "profit";
    private static final List<String> METRICS = List.of(LOAD, UTILISATION, PROFIT, CycleMeans.FAILURES);

    static Experiment firstReading() {
        return new OwnersExperiment(MARKET);
    }

    public static Experiment both() {
        return new TwoReadings(firstReading(), new OwnersExperiment(FASTER));
    }

    @Override
    public ExperimentProfile profile() {
        return ExperimentProfile.named("owners");
    }

    @Override
    public void run(long seed, Tally tally) {
        Situation drawnSituation = Situation.of(CyclicPaper.NODES, seed);
        for (int price : PRICES) {
            Node node = EnvironmentModel.node(PaperEnvironment.name(0), performance, price);
            Situation situation = new Situation(drawnSituation.environment().with(node), drawnSituation.users());
            note(tally, String.valueOf(price), situation);
        }
    }

    private static void note(Tally tally, String x, Situation situation) {
        Plan plan = situation.plan(CyclicScheme.cyclic(Searching.AEP, CyclicScheme.SUB_BATCHES), situation.users());
        tally.add(NODE, x, CycleMeans.FAILURES, CycleMeans.failed(plan) ? 1 : 0);
        if (CycleMeans.failed(plan)) {
            return;
        }
        List<Placement> placements = plan.windows().stream()
                .flatMap(planned -> planned.window().placements().stream())
                .filter(placement -> placement.node().equals(PaperEnvironment.name(0)))
                .toList();
        long load = placements.stream()
                .mapToLong(placement -> placement.end() - placement.start())
                .sum();
        long profit = placements.stream()
                .mapToLong(placement -> placement.cost().microSecondsPerHour())
                .sum();
        tally.add(NODE, x, LOAD, (double) load);
        tally.add(NODE, x, UTILISATION, (double) load / CyclicPaper.INTERVAL);
        tally.add(NODE, x, PROFIT, (double) profit / PaperUnits.COST);
    }

    @Override
    public Conclusion conclude(Tally tally) {
        Figure.Builder builder = new Figure.Builder("Table 2: a node by its price per time unit", tally);
        XS.forEach(price -> builder.means(NODE, price, METRICS, profile().row(price)));
        return new Conclusion(List.of(builder.build()), List.of(load(tally), profit(tally), failures(tally)));
    }

    private static Finding load(Tally tally) {
        double[] loads = tally.means(NODE, XS, LOAD);
        return new Finding(
                "table 2",
                "the dearer the node, the less it is loaded",
                Verdict.each(IntStream.range(1, loads.length).boxed().toList(), i -> loads[i - 1] > loads[i]),
                "%s at 2 to %s at 10".formatted(brief(loads[0]), brief(loads[loads.length - 1])));
    }

    private static Finding profit(Tally tally) {
        double[] profits = tally.means(NODE, XS, PROFIT);
        int best = 0;
        for (int i = 1; i < profits.length; i++) {
            best = profits[i] > profits[best] ? i : best;
        }
        return new Finding(
                "table 2",
                "the profit is largest not at the lowest or highest price but near the market's, at 6",
                Verdict.of(best > 0 && best < profits.length - 1, PRICES.get(best) == MARKET),
                "largest at %d: %s"
                        .formatted(
                                PRICES.get(best),
                                Arrays.stream(profits).mapToObj(Numbers::brief).collect(Collectors.joining(", "))));
    }

    private static Finding failures(Tally tally) {
        double[] failures = tally.means(NODE, XS, CycleMeans.FAILURES);
        return new Finding(
                "table 2",
                "with a dearer node more cycles fail (0 to 0.025)",
                Verdict.of(failures[0] < failures[failures.length - 1]),
                "%s to %s".formatted(two(failures[0]), two(failures[failures.length - 1])));
    }
}
