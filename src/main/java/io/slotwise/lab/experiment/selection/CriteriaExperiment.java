package io.slotwise.lab.experiment.selection;

import static io.slotwise.lab.experiment.Numbers.brief;
import static io.slotwise.lab.experiment.Numbers.change;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.ALTERNATIVES;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.CRITERIA;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.CSA;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.ENVIRONMENT;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.NET;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.SLOTS;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.algorithm;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.exact;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.net;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.baseline.Aep;
import io.slotwise.core.window.baseline.Csa;
import io.slotwise.core.window.baseline.MinFinish;
import io.slotwise.core.window.baseline.MinProcessorTime;
import io.slotwise.core.window.baseline.MinProcessorTime.Drawing;
import io.slotwise.core.window.baseline.MinRuntime;
import io.slotwise.core.window.baseline.Substitution;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.TwoReadings;
import io.slotwise.lab.experiment.selection.SlotSelectionPaper.Situation;
import io.slotwise.lab.workload.paper.EnvironmentModel;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import io.slotwise.lab.workload.paper.PaperUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares the windows of the paper's searches with those of the exact ones, by five criteria, on 100 nodes. */
public record CriteriaExperiment(EnvironmentModel model, Drawing drawing) implements Experiment {
    private static final int NODES = 100;

    static Experiment firstReading() {
        return new CriteriaExperiment(PaperEnvironment.MODEL, Drawing.ANY);
    }

    public static Experiment both() {
        return new TwoReadings(firstReading(), new CriteriaExperiment(SlotSelectionPaper.STEEPER, Drawing.AFFORDABLE));
    }

    @Override
    public ExperimentProfile profile() {
        return ExperimentProfile.named("criteria");
    }

    @Override
    public void run(long seed, Tally tally) {
        Situation situation = Situation.of(model, NODES, PaperEnvironment.INTERVAL, seed);
        List<Window> alternatives = situation.alternatives();
        tally.add(CSA, "", ALTERNATIVES, alternatives.size());
        tally.add(ENVIRONMENT, "", SLOTS, situation.slots());
        for (Criterion criterion : CRITERIA) {
            note(tally, algorithm(criterion), situation.papers(papers(criterion, seed)));
            note(tally, exact(criterion), situation.exact(criterion));
            Csa.best(alternatives, criterion).ifPresent(window -> note(tally, CSA, criterion, window));
        }
        note(tally, net(Criterion.RUNTIME), situation.papers(new MinRuntime(Substitution.NET)));
        note(tally, net(Criterion.FINISH), situation.papers(new MinFinish(Substitution.NET)));
    }

    private Aep papers(Criterion criterion, long seed) {
        RandomGenerator random = Seeds.generator(Seeds.of(seed, 0));
        return criterion == Criterion.PROCESSOR_TIME
                ? new MinProcessorTime(random, drawing)
                : Aep.of(criterion, random);
    }

    private static void note(Tally tally, String series, Optional<Window> foundWindow) {
        foundWindow.ifPresent(window -> CRITERIA.forEach(criterion -> note(tally, series, criterion, window)));
    }

    private static void note(Tally tally, String series, Criterion criterion, Window window) {
        double value = window.value(criterion);
        tally.add(series, "", criterion.key(), criterion == Criterion.COST ? value / PaperUnits.COST : value);
    }

    @Override
    public Conclusion conclude(Tally tally) {
        return new Conclusion(
                List.of(
                        figure(
                                "Figure 1: start and runtime, time units",
                                tally,
                                List.of(Criterion.START, Criterion.RUNTIME)),
                        figure(
                                "Figure 2: finish and processor time, time units",
                                tally,
                                List.of(Criterion.FINISH, Criterion.PROCESSOR_TIME)),
                        figure("Figure 3: cost", tally, List.of(Criterion.COST)),
                        new Figure.Builder("Section 3.2: alternatives of CSA; slots", tally)
                                .mean(CSA, "", ALTERNATIVES, 57.0)
                                .mean(ENVIRONMENT, "", SLOTS, 472.6)
                                .build()),
                new Findings(tally).list());
    }

    private static Figure figure(String title, Tally tally, List<Criterion> criteria) {
        Figure.Builder builder = new Figure.Builder(title, tally);
        for (String series : series()) {
            List<@Nullable Double> row = ExperimentProfile.named("criteria").row(series.replace(NET, ""));
            for (Criterion criterion : criteria) {
                Double paper = row == null ? null : row.get(CRITERIA.indexOf(criterion));
                builder.mean(series, "", criterion.key(), paper);
            }
        }
        return builder.build();
    }

    /** Returns all series in the order of the figures, the exact search of a criterion after the paper's. */
    private static List<String> series() {
        List<String> series = new ArrayList<>();
        for (Criterion criterion : CRITERIA) {
            series.add(algorithm(criterion));
            if (criterion == Criterion.RUNTIME || criterion == Criterion.FINISH) {
                series.add(net(criterion));
            }
            series.add(exact(criterion));
        }
        series.add(CSA);
        return series;
    }

    private record Findings(Tally tally) {
        private static final String MIN_RUNTIME = net(Criterion.RUNTIME);
        private static final String MIN_FINISH = net(Criterion.FINISH);

        List<Finding> list() {
            return Stream.of(ofTimes(), ofCosts(), ofReadings())
                    .flatMap(List::stream)
                    .toList();
        }

        private List<Finding> ofTimes() {
            String[] late = {MIN_RUNTIME, "minCost", "minProcTime"};
            String[] order = {MIN_RUNTIME, MIN_FINISH, "minProcTime", CSA};
            String[] ends = {MIN_FINISH, CSA, MIN_RUNTIME, "minCost", "minProcTime"};
            return List.of(
                    new Finding(
                            "figure 1 a",
                            "AMP, minFinish and CSA start at the beginning of the interval",
                            Verdict.of(
                                    of("AMP", Criterion.START) < 1,
                                    of(MIN_FINISH, Criterion.START) < 1,
                                    of(CSA, Criterion.START) < 1),
                            numbers(Criterion.START, "AMP", MIN_FINISH, CSA)),
                    new Finding(
                            "figure 1 a",
                            "minRuntime starts before minCost, minCost before minProcTime (53, 193, 514.9)",
                            ascending(Criterion.START, late),
                            numbers(Criterion.START, late)),
                    new Finding(
                            "figure 1 b",
                            "the shortest windows are minRuntime's, then minFinish's, minProcTime's and CSA's; AMP's"
                                    + " and minCost's are long",
                            ascending(Criterion.RUNTIME, order, chain(CSA, "AMP"), chain(CSA, "minCost")),
                            numbers(Criterion.RUNTIME, MIN_RUNTIME, MIN_FINISH, "minProcTime", CSA, "AMP", "minCost")),
                    new Finding(
                            "figure 2 a",
                            "minFinish ends first and CSA next; minCost ends late, minProcTime later still",
                            ascending(Criterion.FINISH, ends),
                            numbers(Criterion.FINISH, ends)));
        }

        private List<Finding> ofCosts() {
            String[] order = {MIN_RUNTIME, MIN_FINISH, CSA, "minProcTime"};
            double least = of("minCost", Criterion.COST);
            return List.of(
                    new Finding(
                            "figure 2 b",
                            "minRuntime takes the least processor time, then minFinish, CSA and minProcTime; AMP and "
                                    + "minCost the most",
                            ascending(
                                    Criterion.PROCESSOR_TIME,
                                    order,
                                    chain("minProcTime", "AMP"),
                                    chain("minProcTime", "minCost")),
                            numbers(
                                    Criterion.PROCESSOR_TIME,
                                    MIN_RUNTIME,
                                    MIN_FINISH,
                                    CSA,
                                    "minProcTime",
                                    "AMP",
                                    "minCost")),
                    new Finding(
                            "figure 3",
                            "minCost's window is cheaper than all others, than CSA's by 24 % and than minRuntime's,"
                                    + " the dearest, by 29.9 % of the dearer one",
                            ascending(
                                    Criterion.COST,
                                    chain("minCost", CSA, MIN_RUNTIME),
                                    chain("AMP", MIN_RUNTIME),
                                    chain("minProcTime", MIN_RUNTIME)),
                            "%s; minCost against CSA %s, against minRuntime %s"
                                    .formatted(
                                            numbers(
                                                    Criterion.COST,
                                                    "minCost",
                                                    CSA,
                                                    "AMP",
                                                    MIN_FINISH,
                                                    "minProcTime",
                                                    MIN_RUNTIME),
                                            change(of(CSA, Criterion.COST), least),
                                            change(of(MIN_RUNTIME, Criterion.COST), least))));
        }

        private List<Finding> ofReadings() {
            String[] order = {algorithm(Criterion.RUNTIME), "minCost", "minProcTime"};
            return List.of(
                    new Finding(
                            "section 2.2",
                            "the order of the starts comes from the substitution as it is printed, both slots within "
                                    + "the budget",
                            ascending(Criterion.START, order),
                            numbers(Criterion.START, order)
                                    + "; so the authors' program took off the slot that leaves, as \"net\" does"),
                    new Finding(
                            "ours",
                            "an exact search is at least as good by its criterion as the paper's algorithm",
                            Verdict.each(
                                    CRITERIA,
                                    criterion ->
                                            of(exact(criterion), criterion) <= of(algorithm(criterion), criterion)),
                            CRITERIA.stream()
                                    .map(criterion -> "%s %s (%s)"
                                            .formatted(
                                                    criterion.key(),
                                                    brief(of(exact(criterion), criterion)),
                                                    brief(of(algorithm(criterion), criterion))))
                                    .collect(Collectors.joining(", ", "exact (the paper's): ", ""))));
        }

        private double of(String series, Criterion criterion) {
            return tally.mean(series, "", criterion.key());
        }

        private String numbers(Criterion criterion, String... series) {
            return Stream.of(series)
                    .map(one -> one + " " + brief(of(one, criterion)))
                    .collect(Collectors.joining(", "));
        }

        /** Returns whether each of these series is at most the next one of its chain. */
        private Verdict ascending(Criterion criterion, String[]... chains) {
            return Verdict.each(
                    Stream.of(chains)
                            .flatMap(chain -> IntStream.range(1, chain.length)
                                    .mapToObj(i -> of(chain[i - 1], criterion) <= of(chain[i], criterion)))
                            .toList(),
                    holds -> holds);
        }

        private static String[] chain(String... series) {
            return series;
        }
    }
}
