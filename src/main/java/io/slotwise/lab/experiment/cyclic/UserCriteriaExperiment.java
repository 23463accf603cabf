package io.slotwise.lab.experiment.cyclic;

import static io.slotwise.lab.experiment.Numbers.brief;
import static io.slotwise.lab.experiment.Numbers.change;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.CRITERIA;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.CYCLIC;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.FAIR;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.TwoReadings;
import io.slotwise.lab.experiment.cyclic.CyclicPaper.Scene;
import io.slotwise.lab.experiment.cyclic.CyclicScheme.Extent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What users gain whose criterion the search for alternatives knows. */
public final class UserCriteriaExperiment implements Experiment {
    private static final List<String> METRICS =
            List.of(CycleMeans.ALTERNATIVES, CycleMeans.START, CycleMeans.RUNTIME, CycleMeans.FINISH, CycleMeans.COST);

    /** Table 1, in the order of the metrics. */
    private static final Map<String, List<Double>> PAPER = Map.of(
            series(FAIR, Criterion.START),
            List.of(12.8, 171.7, 56.1, 227.8, 1281.1),
            series(FAIR, Criterion.RUNTIME),
            List.of(10.6, 214.5, 39.3, 253.9, 1278.5),
            series(FAIR, Criterion.FINISH),
            List.of(12.2, 169.6, 45.0, 205.5, 1283.2),
            series(FAIR, Criterion.COST),
            List.of(12.9, 262.6, 55.5, 318.0, 1098.3),
            CYCLIC,
            List.of(12.1, 222.0, 50.3, 272.3, 1248.4));

    private static final String EXACT = "exact";

    private final Extent extent;

    private UserCriteriaExperiment(Extent extent) {
        this.extent = extent;
    }

    /** The paper's text as it was read first. */
    static Experiment firstReading() {
        return new UserCriteriaExperiment(Extent.FIRST);
    }

    /** Both readings beside each other. */
    public static Experiment both() {
        return new TwoReadings(
                firstReading(),
                new UserCriteriaExperiment(Extent.SECOND),
                List.of(("%s, for all schemes, instead of %s: with small sub-batches a job that is early in the "
                                + "queue takes the early room")
                        .formatted(Extent.SECOND.words(), Extent.FIRST.words())));
    }

    private static String series(String search, Criterion criterion) {
        return search + ", " + criterion.key();
    }

    @Override
    public ExperimentProfile profile() {
        return new ExperimentProfile(
                "user-criteria",
                "what jobs get by their users' criteria: AEP and the exact search against first fit",
                CyclicPaper.SOURCE.at("section 2.2, table 1"),
                CyclicPaper.readings(
                        ("Both schemes cut the batch into the same %d sub-batches: disjoint alternatives of 20 "
                                                + "jobs at once could not")
                                        .formatted(CyclicScheme.SUB_BATCHES)
                                + " number the paper's 12 on 24 nodes, whose time holds about three of each.",
                        "The paper's row of the criterion finish does not add up: a start of 169.6 and a runtime "
                                + "of 45 make a finish"
                                + " of 214.6, not 205.5; all its other rows add up. Its numbers stand as printed.",
                        "A job's finish is its start plus its runtime here, in every row."),
                CyclicPaper.RUNS);
    }

    @Override
    public void run(long seed, Tally tally) {
        Scene scene = Scene.of(CyclicPaper.NODES, seed);
        Plan cyclic = scene.plan(extent.cyclic(Searching.AEP), scene.indifferent());
        CycleMeans.note(tally, CYCLIC, "", cyclic);
        note(tally, FAIR, scene.plan(extent.cyclic(Searching.AEP), scene.users()));
        note(tally, EXACT, scene.plan(extent.cyclic(Searching.EXACT), scene.users()));
    }

    private static void note(Tally tally, String search, Plan plan) {
        tally.add(search, "", CycleMeans.FAILURES, CycleMeans.failed(plan) ? 1 : 0);
        if (CycleMeans.failed(plan)) {
            return;
        }
        for (Criterion criterion : CRITERIA) {
            CycleMeans.noteWindows(
                    tally,
                    series(search, criterion),
                    "",
                    plan,
                    job -> job.gang().criterion() == criterion);
        }
    }

    @Override
    public Conclusion conclude(Tally all) {
        Figure.Builder table = new Figure.Builder("Table 1: means of the jobs with each criterion", all);
        for (String series : Stream.concat(
                        Stream.of(FAIR, EXACT)
                                .flatMap(search -> CRITERIA.stream().map(criterion -> series(search, criterion))),
                        Stream.of(CYCLIC))
                .toList()) {
            List<Double> paper = PAPER.get(series);
            for (int i = 0; i < METRICS.size(); i++) {
                table.mean(series, "", METRICS.get(i), paper == null ? null : paper.get(i));
            }
        }
        Figure.Builder failures = new Figure.Builder("Cycles without a plan for all jobs", all);
        Stream.of(CYCLIC, FAIR, EXACT).forEach(series -> failures.mean(series, "", CycleMeans.FAILURES));
        return new Conclusion(List.of(table.build(), failures.build()), new Findings(all).list());
    }

    private record Findings(Tally all) {
        List<Finding> list() {
            return List.of(own(FAIR), finishWinsBoth(), gains(FAIR), gains(EXACT), alternatives());
        }

        private double of(String series, String metric) {
            return all.mean(series, "", metric);
        }

        private Finding own(String search) {
            List<String> words = new ArrayList<>();
            boolean[] parts = new boolean[CRITERIA.size()];
            for (int i = 0; i < parts.length; i++) {
                Criterion criterion = CRITERIA.get(i);
                String metric = criterion.key();
                double best = CRITERIA.stream()
                        .filter(other -> criterion != Criterion.START || other != Criterion.FINISH)
                        .mapToDouble(other -> of(series(search, other), metric))
                        .min()
                        .orElseThrow();
                double its = of(series(search, criterion), metric);
                parts[i] = its <= best;
                words.add("%s %s, best %s".formatted(metric, brief(its), brief(best)));
            }
            return new Finding(
                    "table 1",
                    "the jobs of each criterion are the best ones by it, except that those of finish start "
                            + "earlier still",
                    Verdict.of(parts),
                    String.join("; ", words));
        }

        private Finding finishWinsBoth() {
            double start = of(series(FAIR, Criterion.START), CycleMeans.START);
            double finish = of(series(FAIR, Criterion.FINISH), CycleMeans.START);
            return new Finding(
                    "table 1",
                    "the jobs of the criterion finish have the least start too",
                    Verdict.of(finish <= start),
                    "a start of %s, those of the criterion start %s".formatted(brief(finish), brief(start)));
        }

        private Finding gains(String search) {
            List<String> words = new ArrayList<>();
            boolean[] parts = new boolean[CRITERIA.size()];
            for (int i = 0; i < parts.length; i++) {
                String metric = CRITERIA.get(i).key();
                double its = of(series(search, CRITERIA.get(i)), metric);
                parts[i] = its < of(CYCLIC, metric);
                words.add(metric + " " + change(of(CYCLIC, metric), its));
            }
            return new Finding(
                    search.equals(FAIR) ? "table 1" : "ours",
                    "a job gains by its criterion against first fit (the paper: start and finish 23 % or "
                            + "more, runtime 21 %, cost"
                            + " 12 %)"
                            + (search.equals(FAIR) ? "" : ", with the exact search"),
                    Verdict.of(parts),
                    String.join(", ", words));
        }

        private Finding alternatives() {
            double[] numbers = CRITERIA.stream()
                    .mapToDouble(criterion -> of(series(FAIR, criterion), CycleMeans.ALTERNATIVES))
                    .sorted()
                    .toArray();
            return new Finding(
                    "table 1",
                    "the number of alternatives hardly depends on the criterion (10.6 to 12.9)",
                    Verdict.of(numbers[numbers.length - 1] < 1.3 * numbers[0]),
                    "%s to %s".formatted(brief(numbers[0]), brief(numbers[numbers.length - 1])));
        }
    }
}
