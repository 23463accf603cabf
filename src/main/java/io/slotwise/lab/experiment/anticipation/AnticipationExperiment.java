package io.slotwise.lab.experiment.anticipation;

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
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.TwoReadings;
import io.slotwise.lab.experiment.anticipation.AnticipationPaper.Scene;
import io.slotwise.lab.experiment.cyclic.CycleMeans;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How near replicated windows are to their reference, and anticipation beside the cyclic scheme and conservative
 * backfilling on few nodes.
 *
 * <p>A replication is of section 4.1 or, as likely, of section 4.2 at one of its numbers of nodes, by the seed.
 */
public final class AnticipationExperiment implements Experiment {
    static final String UTILITY = "U %";
    static final String JOBS = "jobs";

    static final String CSS = "CSS";
    static final String CSS_ALL = "CSS lim U 100 %";
    static final String ANT = "ANT";
    static final String ANT_ALL = "ANT lim U 100 %";
    static final String ANT_TIME = "ANT T";
    static final String ANT_COST = "ANT C";
    static final String BF = "BF";

    /** What runs in section 4.1. */
    static final String BEST = limited(0);

    static final String REFERENCE = limited(10);
    static final String LINEAR = "linear";
    static final String GEOMETRIC = "geometric";
    static final String DEAREST = limited(100);

    /** Of replicas by the printed listing, where nodes on which a pod takes as long stand by name. */
    private static final String BY_NAME = ", by name";

    private static final String WITHIN_BUDGET = BY_NAME + " within the budget";

    static final List<Integer> NODES = List.of(20, 25, 30, 40);

    private static final int ACCURACY_NODES = 80;
    private static final long ACCURACY_INTERVAL = 800;
    private static final long NODE_TIME = 48_000;
    private static final int LIMIT = 10;

    /** The paper's table 1. */
    private static final Map<String, List<Double>> TABLE = Map.of(
            BEST, List.of(1283.0, 191.6, 367.1, 0.0),
            REFERENCE, List.of(1349.0, 191.2, 353.8, 9.9),
            LINEAR, List.of(1353.0, 190.6, 356.2, 17.6),
            GEOMETRIC, List.of(1353.0, 190.5, 356.4, 17.8),
            DEAREST, List.of(1475.0, 202.3, 358.5, 65.0));

    private static final List<String> TABLE_METRICS = List.of(COST, PROCESSOR_TIME, FINISH, UTILITY);

    private static final List<String> SECOND_READING = List.of(
            "Replication is the printed listing: at each step of one pass the nearest run of n neighbouring slots in "
                    + "the order of duration, the first of the steps with the least distance, whatever it costs.",
            "In the rows \"by name\" slots on which a pod takes as long stand by the names of their nodes, "
                    + "since the listing does not order them; before, the cheaper one comes first. In the rows "
                    + "\"within the budget\" runs that cost more than the job may pay are passed over, too.");

    /** Whether replication is the paper's listing as it is printed. */
    private final boolean printed;

    private AnticipationExperiment(boolean printed) {
        this.printed = printed;
    }

    /** The paper's text as it was read first. */
    static Experiment firstReading() {
        return new AnticipationExperiment(false);
    }

    /** Both readings beside each other; the second only looks at replicas. */
    public static Experiment both() {
        return TwoReadings.partly(firstReading(), new AnticipationExperiment(true), SECOND_READING);
    }

    private static String limited(int percent) {
        return "lim U " + percent + " %";
    }

    @Override
    public ExperimentProfile profile() {
        return new ExperimentProfile(
                "anticipation",
                "a batch by anticipation, the cyclic scheme and backfilling; how near replicated windows "
                        + "are to their reference",
                AnticipationPaper.SOURCE,
                Stream.concat(
                                AnticipationPaper.READINGS.stream(),
                                Stream.of("A run is a batch of section 4.1 or, as "
                                        + "likely, one of section 4.2 at one of its"
                                        + " numbers of nodes: 2000 runs are 1000 batches "
                                        + "of table 1, the paper's number, and 250"
                                        + " at each number of nodes."))
                        .toList(),
                2000);
    }

    @Override
    public void run(long seed, Tally tally) {
        int lot = (int) Long.remainderUnsigned(Seeds.of(seed, 2), 2L * NODES.size());
        if (lot >= NODES.size()) {
            replicate(seed, tally);
        } else if (!printed) {
            compare(NODES.get(lot), seed, tally);
        }
    }

    /** Section 4.1. */
    private void replicate(long seed, Tally tally) {
        Scene scene = Scene.of(ACCURACY_NODES, ACCURACY_INTERVAL, List.of(Criterion.RUNTIME, Criterion.COST), seed);
        Plan reference = scene.plan(AnticipationPaper.cyclic(LIMIT));
        Utilities utilities = Utilities.of(reference);
        if (!printed) {
            note(tally, BEST, windows(scene.plan(AnticipationPaper.cyclic(0))), utilities);
            note(tally, REFERENCE, windows(reference), utilities);
            note(tally, DEAREST, windows(scene.plan(AnticipationPaper.cyclic(100))), utilities);
        }
        for (Form form : Form.values()) {
            Distance distance = AnticipationPaper.distance(form);
            if (printed) {
                for (Runs runs : Runs.values()) {
                    List<Window> windows = scene.replicate(Anticipation.printed(distance, runs), reference);
                    note(tally, series(form, runs), windows, utilities);
                }
            } else {
                note(tally, form.key(), scene.replicate(new Anticipation(distance), reference), utilities);
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

    /** Section 4.2. */
    private static void compare(int nodes, long seed, Tally tally) {
        String x = Integer.toString(nodes);
        Scene scene = Scene.of(nodes, NODE_TIME / nodes, List.of(Criterion.PROCESSOR_TIME, Criterion.COST), seed);
        Plan anticipated = scene.plan(AnticipationPaper.anticipation(LIMIT));
        note(tally, ANT, x, windows(anticipated));
        note(tally, ANT_TIME, x, windows(anticipated, Criterion.PROCESSOR_TIME));
        note(tally, ANT_COST, x, windows(anticipated, Criterion.COST));
        note(tally, CSS, x, windows(scene.plan(AnticipationPaper.cyclic(LIMIT))));
        note(tally, BF, x, windows(scene.plan(AnticipationPaper.backfilling())));
        note(tally, ANT_ALL, x, windows(scene.plan(AnticipationPaper.anticipation(100))));
        note(tally, CSS_ALL, x, windows(scene.plan(AnticipationPaper.cyclic(100))));
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

    /** How much of a job's range between its best and its worst alternative a window loses. */
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

        /** In percent. */
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
    public Conclusion conclude(Tally all) {
        return new Conclusion(
                List.of(
                        table(all),
                        figure("Figure 1: mean start, time units", all, START, CSS, ANT, BF),
                        figure("Figure 2: mean finish, time units", all, FINISH, CSS, ANT, BF),
                        figure("Figure 3: mean processor time", all, PROCESSOR_TIME, ANT, ANT_TIME, ANT_COST, BF),
                        figure("Figure 4: mean cost", all, COST, ANT, ANT_TIME, ANT_COST, BF, ANT_ALL, CSS_ALL),
                        figure("Section 4.2: jobs with a window", all, JOBS, CSS, ANT, BF)),
                new AnticipationFindings(all, printed).list());
    }

    private Figure table(Tally all) {
        Figure.Builder table = new Figure.Builder("Table 1: 80 nodes, 75 jobs, interval 800", all);
        for (String series : List.of(BEST, REFERENCE, LINEAR, GEOMETRIC, DEAREST)) {
            note(table, series, TABLE.getOrDefault(series, List.of()));
        }
        if (printed) {
            for (String form : List.of(LINEAR, GEOMETRIC)) {
                note(table, form + BY_NAME, TABLE.getOrDefault(form, List.of()));
                note(table, form + WITHIN_BUDGET, TABLE.getOrDefault(form, List.of()));
            }
        }
        return table.build();
    }

    private static void note(Figure.Builder table, String series, List<Double> paper) {
        for (int i = 0; i < TABLE_METRICS.size(); i++) {
            table.mean(series, "", TABLE_METRICS.get(i), paper.get(i));
        }
        table.mean(series, "", JOBS);
    }

    private static Figure figure(String title, Tally all, String metric, String... series) {
        Figure.Builder figure = new Figure.Builder(title, all);
        for (String one : series) {
            NODES.forEach(nodes -> figure.mean(one, Integer.toString(nodes), metric));
        }
        return figure.build();
    }
}
