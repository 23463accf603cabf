package io.slotwise.lab.experiment.anticipation;

import static io.slotwise.lab.experiment.Numbers.brief;
import static io.slotwise.lab.experiment.Numbers.change;
import static io.slotwise.lab.experiment.cyclic.CycleMeans.COST;
import static io.slotwise.lab.experiment.cyclic.CycleMeans.FINISH;
import static io.slotwise.lab.experiment.cyclic.CycleMeans.PROCESSOR_TIME;
import static io.slotwise.lab.experiment.cyclic.CycleMeans.START;

import io.slotwise.core.anticipation.Anticipation;
import io.slotwise.core.anticipation.Distance;
import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.anticipation.PrintedReplication.Runs;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.ChoiceExplanation;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.window.Window;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Numbers;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.TwoReadings;
import io.slotwise.lab.experiment.anticipation.AnticipationPaper.Situation;
import io.slotwise.lab.experiment.cyclic.CycleMeans;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The distance of replicated windows from their reference, and anticipation against the cyclic scheme and conservative
 * backfilling on few nodes.
 *
 * <p>A replication is of section 4.1 or, with equal probability, of section 4.2 with one of its numbers of nodes.
 *
 * @param printed whether replication follows the paper's listing literally
 */
public record AnticipationExperiment(boolean printed) implements Experiment {
    static final String UTILITY = "U %";
    static final String JOBS = "jobs";

    static final String CSS = "CSS";
    static final String CSS_ALL = "CSS lim U 100 %";
    static final String ANT = "ANT";
    static final String ANT_ALL = "ANT lim U 100 %";
    static final String ANT_TIME = "ANT T";
    static final String ANT_COST = "ANT C";
    static final String BF = "BF";

    /** The series of section 4.1. */
    static final String BEST = limited(0);

    static final String REFERENCE = limited(10);
    static final String LINEAR = "linear";
    static final String GEOMETRIC = "geometric";
    static final String DEAREST = limited(100);

    /** The suffix for replicas by the printed listing, in which nodes of equal duration are ordered by name. */
    private static final String BY_NAME = ", by name";

    private static final String WITHIN_BUDGET = BY_NAME + " within the budget";

    static final List<Integer> NODES = List.of(20, 25, 30, 40);
    private static final List<String> XS = NODES.stream().map(String::valueOf).toList();

    private static final int ACCURACY_NODES = 80;
    private static final long ACCURACY_INTERVAL = 800;
    private static final long NODE_TIME = 48_000;
    private static final int LIMIT = 10;

    private static final List<String> TABLE_METRICS = List.of(COST, PROCESSOR_TIME, FINISH, UTILITY);

    static Experiment firstReading() {
        return new AnticipationExperiment(false);
    }

    /** Returns both readings. The second only covers replicas. */
    public static Experiment both() {
        return TwoReadings.partly(firstReading(), new AnticipationExperiment(true));
    }

    private static String limited(int percent) {
        return "lim U " + percent + " %";
    }

    @Override
    public ExperimentProfile profile() {
        return ExperimentProfile.named("anticipation");
    }

    @Override
    public void run(long seed, Tally tally) {
        int index = (int) Long.remainderUnsigned(Seeds.of(seed, 2), 2L * NODES.size());
        if (index >= NODES.size()) {
            replicate(seed, tally);
        } else if (!printed) {
            compare(NODES.get(index), seed, tally);
        }
    }

    private void replicate(long seed, Tally tally) {
        Situation situation =
                Situation.of(ACCURACY_NODES, ACCURACY_INTERVAL, List.of(Criterion.RUNTIME, Criterion.COST), seed);
        Plan reference = situation.plan(AnticipationPaper.cyclic(LIMIT));
        Utilities utilities = Utilities.of(reference);
        if (!printed) {
            note(tally, BEST, windows(situation.plan(AnticipationPaper.cyclic(0))), utilities);
            note(tally, REFERENCE, windows(reference), utilities);
            note(tally, DEAREST, windows(situation.plan(AnticipationPaper.cyclic(100))), utilities);
        }
        for (Form form : Form.values()) {
            Distance distance = AnticipationPaper.distance(form);
            if (printed) {
                for (Runs runs : Runs.values()) {
                    List<Window> windows = situation.replicate(Anticipation.printed(distance, runs), reference);
                    note(tally, series(form, runs), windows, utilities);
                }
            } else {
                note(tally, form.key(), situation.replicate(new Anticipation(distance), reference), utilities);
            }
        }
    }

    private static String series(Form form, Runs runs) {
        return switch (runs) {
            case CHEAPER_FIRST -> form.key();
            case BY_NAME -> form.key() + BY_NAME;
            case WITHIN_BUDGET -> form.key() + WITHIN_BUDGET;
        };
    }

    private static void note(Tally tally, String series, List<Window> windows, Utilities utilities) {
        note(tally, series, "", windows);
        if (!windows.isEmpty()) {
            tally.add(series, "", UTILITY, CycleMeans.mean(windows, utilities::loss));
        }
    }

    private static void compare(int nodes, long seed, Tally tally) {
        String x = Integer.toString(nodes);
        Situation situation =
                Situation.of(nodes, NODE_TIME / nodes, List.of(Criterion.PROCESSOR_TIME, Criterion.COST), seed);
        Plan anticipatedPlan = situation.plan(AnticipationPaper.anticipation(LIMIT));
        note(tally, ANT, x, windows(anticipatedPlan));
        note(tally, ANT_TIME, x, windows(anticipatedPlan, Criterion.PROCESSOR_TIME));
        note(tally, ANT_COST, x, windows(anticipatedPlan, Criterion.COST));
        note(tally, CSS, x, windows(situation.plan(AnticipationPaper.cyclic(LIMIT))));
        note(tally, BF, x, windows(situation.plan(AnticipationPaper.backfilling())));
        note(tally, ANT_ALL, x, windows(situation.plan(AnticipationPaper.anticipation(100))));
        note(tally, CSS_ALL, x, windows(situation.plan(AnticipationPaper.cyclic(100))));
    }

    private static List<Window> windows(Plan plan) {
        return plan.windows().stream().map(Planned::window).toList();
    }

    private static List<Window> windows(Plan plan, Criterion criterion) {
        return plan.windows().stream()
                .filter(planned -> planned.gang().criterion() == criterion)
                .map(Planned::window)
                .toList();
    }

    private static void note(Tally tally, String series, String x, List<Window> windows) {
        tally.add(series, x, JOBS, windows.size());
        if (!windows.isEmpty()) {
            CycleMeans.noteWindows(tally, series, x, windows);
        }
    }

    /** The loss of windows within each job's range from its best to its worst alternative. */
    private record Utilities(Map<GangId, Criterion> criteria, Map<GangId, LongSummaryStatistics> ranges) {
        static Utilities of(Plan plan) {
            Map<GangId, Criterion> criteria = new HashMap<>();
            plan.windows()
                    .forEach(planned ->
                            criteria.put(planned.gang().id(), planned.gang().criterion()));
            Map<GangId, LongSummaryStatistics> ranges = new HashMap<>();
            for (ChoiceExplanation choice : plan.choices()) {
                Criterion criterion = criteria.get(choice.gang());
                if (criterion != null) {
                    ranges.put(
                            choice.gang(),
                            choice.alternatives().stream()
                                    .mapToLong(window -> window.value(criterion))
                                    .summaryStatistics());
                }
            }
            return new Utilities(criteria, ranges);
        }

        double loss(Window window) {
            Criterion criterion = criteria.get(window.gang());
            LongSummaryStatistics range = ranges.get(window.gang());
            if (criterion == null || range == null) {
                return 0;
            }
            double above = (double) window.value(criterion) - range.getMin();
            double width = (double) range.getMax() - range.getMin();
            return above <= 0 ? 0 : above >= width ? 100 : 100 * above / width;
        }
    }

    @Override
    public Conclusion conclude(Tally tally) {
        return new Conclusion(
                List.of(
                        table(tally),
                        Figure.grid("Figure 1: mean start, time units", tally, START, List.of(CSS, ANT, BF), XS),
                        Figure.grid("Figure 2: mean finish, time units", tally, FINISH, List.of(CSS, ANT, BF), XS),
                        Figure.grid(
                                "Figure 3: mean processor time",
                                tally,
                                PROCESSOR_TIME,
                                List.of(ANT, ANT_TIME, ANT_COST, BF),
                                XS),
                        Figure.grid(
                                "Figure 4: mean cost",
                                tally,
                                COST,
                                List.of(ANT, ANT_TIME, ANT_COST, BF, ANT_ALL, CSS_ALL),
                                XS),
                        Figure.grid("Section 4.2: jobs with a window", tally, JOBS, List.of(CSS, ANT, BF), XS)),
                new AnticipationFindings(tally, printed).list());
    }

    private Figure table(Tally tally) {
        Figure.Builder builder = new Figure.Builder("Table 1: 80 nodes, 75 jobs, interval 800", tally);
        for (String series : List.of(BEST, REFERENCE, LINEAR, GEOMETRIC, DEAREST)) {
            note(builder, series, profile().row(series));
        }
        if (printed) {
            for (String form : List.of(LINEAR, GEOMETRIC)) {
                note(builder, form + BY_NAME, profile().row(form));
                note(builder, form + WITHIN_BUDGET, profile().row(form));
            }
        }
        return builder.build();
    }

    private static void note(Figure.Builder builder, String series, @Nullable List<@Nullable Double> paper) {
        builder.means(series, "", TABLE_METRICS, paper).mean(series, "", JOBS);
    }

    /** The findings of section 4; {@code printed} tells whether replication follows the paper's listing literally. */
    private record AnticipationFindings(Tally tally, boolean printed) {
        List<Finding> list() {
            return Stream.of(ofReplicas(), ofEnds(), ofJobs(), ofOwners())
                    .flatMap(List::stream)
                    .toList();
        }

        private List<Finding> ofReplicas() {
            return List.of(
                    new Finding(
                            "table 1",
                            "the looser the limit on U, the more the batch earns the owners",
                            Verdict.of(
                                    table(BEST, COST) < table(REFERENCE, COST),
                                    table(REFERENCE, COST) < table(DEAREST, COST)),
                            tableNumbers(COST, BEST, REFERENCE, DEAREST)),
                    new Finding(
                            "table 1",
                            "replicas miss the reference's cost by about 2 % of the range of outcomes, and its "
                                    + "processor time by less than 1 %",
                            Verdict.of(
                                    error(LINEAR) <= 2.5,
                                    error(GEOMETRIC) <= 2.5,
                                    Math.abs(table(LINEAR, PROCESSOR_TIME) / table(REFERENCE, PROCESSOR_TIME) - 1)
                                            < 0.01,
                                    Math.abs(table(GEOMETRIC, PROCESSOR_TIME) / table(REFERENCE, PROCESSOR_TIME) - 1)
                                            < 0.01),
                            "cost off by %s %% (linear) and %s %% (geometric) of the range; processor time: %s"
                                    .formatted(
                                            Numbers.two(error(LINEAR)),
                                            Numbers.two(error(GEOMETRIC)),
                                            tableNumbers(PROCESSOR_TIME, REFERENCE, LINEAR, GEOMETRIC))),
                    new Finding(
                            "table 1",
                            "replicas lose almost twice as much utility as the reference (17.6 and 17.8 against 9.9)",
                            Verdict.of(
                                    table(LINEAR, UTILITY) > 1.5 * table(REFERENCE, UTILITY),
                                    table(GEOMETRIC, UTILITY) > 1.5 * table(REFERENCE, UTILITY)),
                            tableNumbers(UTILITY, REFERENCE, LINEAR, GEOMETRIC)
                                    + (printed
                                            ? ""
                                            : "; our replication looks at more windows than the paper's and comes"
                                                    + " nearer in the jobs' own criteria too")),
                    new Finding(
                            "table 1",
                            "linear and geometric distance do equally well",
                            Verdict.of(
                                    Math.abs(table(LINEAR, COST) / table(GEOMETRIC, COST) - 1) < 0.005,
                                    Math.abs(table(LINEAR, UTILITY) - table(GEOMETRIC, UTILITY)) < 1),
                            tableNumbers(COST, LINEAR, GEOMETRIC)));
        }

        private List<Finding> ofEnds() {
            List<Double> finishes = ratios(CSS, BF, FINISH);
            List<Double> anticipated = ratios(ANT, BF, FINISH);
            return List.of(
                    new Finding(
                            "figures 1 and 2",
                            "backfilling starts and ends jobs before the cyclic scheme, its end almost twice as early",
                            Verdict.of(
                                    finishes.stream().allMatch(ratio -> ratio > 1),
                                    ratios(CSS, BF, START).stream().allMatch(ratio -> ratio > 1),
                                    finishes.stream().allMatch(ratio -> ratio > 1.6)),
                            "CSS ends later by " + changes(finishes) + " nodes"),
                    new Finding(
                            "figures 1 and 2",
                            "anticipation ends at most 10 % behind backfilling",
                            Verdict.each(anticipated, ratio -> ratio <= 1.1),
                            "finish %s nodes; start %s nodes"
                                    .formatted(changes(anticipated), changes(ratios(ANT, BF, START)))));
        }

        private List<Finding> ofJobs() {
            List<Double> jobs = ratios(ANT_TIME, ANT_COST, PROCESSOR_TIME);
            List<Double> backfilled = ratios(ANT_TIME, BF, PROCESSOR_TIME);
            List<Double> thrifty = ratios(ANT_COST, ANT_TIME, COST);
            List<Double> paid = ratios(ANT_COST, BF, COST);
            return List.of(
                    new Finding(
                            "figure 3",
                            "jobs that want little processor time take 25 to 33 % less than those that want little"
                                    + " cost, and 15 % less than backfilled ones",
                            Verdict.of(
                                    jobs.stream().allMatch(ratio -> ratio < 1),
                                    jobs.stream().allMatch(ratio -> 0.62 <= ratio && ratio <= 0.80),
                                    backfilled.stream().allMatch(ratio -> ratio <= 0.9)),
                            "against ANT C %s; against BF %s nodes".formatted(changes(jobs), changes(backfilled))),
                    new Finding(
                            "figure 4",
                            "jobs that want little cost pay 10 to 15 % less than those that want little time, and 6 to"
                                    + " 9 % less than backfilled ones",
                            Verdict.of(
                                    thrifty.stream().allMatch(ratio -> ratio < 1),
                                    thrifty.stream().allMatch(ratio -> 0.82 <= ratio && ratio <= 0.93),
                                    paid.stream().allMatch(ratio -> 0.88 <= ratio && ratio <= 0.97)),
                            "against ANT T %s; against BF %s nodes".formatted(changes(thrifty), changes(paid))));
        }

        private List<Finding> ofOwners() {
            List<Double> times = ratios(ANT, BF, PROCESSOR_TIME);
            List<Double> costs = ratios(ANT, BF, COST);
            List<Double> dearest = ratios(ANT_ALL, BF, COST);
            List<Double> cyclic = ratios(ANT_ALL, CSS_ALL, COST);
            return List.of(
                    new Finding(
                            "figure 3",
                            "anticipation and backfilling take about the same processor time",
                            Verdict.each(times, ratio -> Math.abs(ratio - 1) <= 0.1),
                            "ANT " + changes(times) + " nodes"),
                    new Finding(
                            "figure 4",
                            "anticipation costs about as much as backfilling, a little less",
                            Verdict.of(
                                    costs.stream().allMatch(ratio -> Math.abs(ratio - 1) <= 0.05),
                                    costs.stream().allMatch(ratio -> ratio < 1)),
                            "ANT " + changes(costs) + " nodes"),
                    new Finding(
                            "section 4.2",
                            "without a limit on U anticipation earns 1 to 2 % more than backfilling, and 10 % less "
                                    + "than the cyclic scheme",
                            Verdict.of(
                                    dearest.stream().allMatch(ratio -> ratio > 1),
                                    dearest.stream().allMatch(ratio -> ratio < 1.035),
                                    cyclic.stream().allMatch(ratio -> ratio < 1),
                                    cyclic.stream().allMatch(ratio -> ratio < 0.95)),
                            "against BF %s; against CSS %s nodes".formatted(changes(dearest), changes(cyclic))));
        }

        private double table(String series, String metric) {
            return tally.mean(series, "", metric);
        }

        private String tableNumbers(String metric, String... series) {
            return Stream.of(series)
                    .map(one -> one + " " + brief(table(one, metric)))
                    .collect(Collectors.joining(", "));
        }

        /** Returns a series' metric relative to another's, at every number of nodes. */
        private List<Double> ratios(String series, String other, String metric) {
            return NODES.stream()
                    .map(nodes -> tally.mean(series, Integer.toString(nodes), metric)
                            / tally.mean(other, Integer.toString(nodes), metric))
                    .toList();
        }

        private static String changes(List<Double> ratios) {
            return IntStream.range(0, ratios.size())
                    .mapToObj(i -> change(1, ratios.get(i)) + " at " + NODES.get(i))
                    .collect(Collectors.joining(", "));
        }

        /** Returns a replica's distance from the reference's cost, in percent of the outer problems' range. */
        private double error(String form) {
            return 100
                    * Math.abs(table(form, COST) - table(REFERENCE, COST))
                    / (table(DEAREST, COST) - table(BEST, COST));
        }
    }
}
