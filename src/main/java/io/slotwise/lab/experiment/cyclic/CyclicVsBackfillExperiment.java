package io.slotwise.lab.experiment.cyclic;

import static io.slotwise.lab.experiment.cyclic.CyclicPaper.BACKFILLING;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.COMBINED;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.CYCLIC;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.CYCLIC_SHIFTED;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.FAIR;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.JOBS;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.TwoReadings;
import io.slotwise.lab.experiment.cyclic.CyclicPaper.Scene;
import io.slotwise.lab.experiment.cyclic.CyclicScheme.Extent;
import io.slotwise.lab.experiment.cyclic.EarlyEnds.Actual;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;

/** The cyclic schemes beside backfilling: when jobs end early, and against the number of nodes. */
public final class CyclicVsBackfillExperiment implements Experiment {
    private static final List<Integer> NODES = List.of(14, 18, 24, 32, 48, 64);
    private static final List<Integer> MORE = List.of(96, 128);
    static final List<String> SCHEMES = List.of(CYCLIC, CYCLIC_SHIFTED, COMBINED, BACKFILLING);
    static final String EXACT = "fair sharing, exact";
    static final String SUM = "F = start + processor time";
    static final String PLANNED_TIME = "processor time, planned";
    static final String ACTUAL_TIME = "processor time, actual";
    static final String PLANNED_START = "start, planned";
    static final String ACTUAL_START = "start, actual";

    private static final List<String> TABLE = List.of(PLANNED_TIME, ACTUAL_TIME, PLANNED_START, ACTUAL_START);

    /** Table 3, in the order of its columns. */
    private static final Map<String, List<Double>> PAPER = Map.of(
            BACKFILLING, List.of(187.7, 115.1, 69.0, 37.3),
            CYCLIC, List.of(150.1, 90.4, 281.2, 281.2),
            FAIR, List.of(138.6, 83.5, 223.8, 223.8));

    private final Extent extent;
    private final List<Integer> drawn;
    private final List<Integer> run;

    /**
     * One reading.
     *
     * @param extent of table 3's fair sharing
     * @param drawn over these numbers of nodes
     * @param run of which these are run here
     */
    private CyclicVsBackfillExperiment(Extent extent, List<Integer> drawn, List<Integer> run) {
        this.extent = extent;
        this.drawn = drawn;
        this.run = run;
    }

    /** The paper's text as it was read first. */
    static Experiment firstReading() {
        return new CyclicVsBackfillExperiment(Extent.FIRST, NODES, NODES);
    }

    /** Both readings beside each other. */
    public static Experiment both() {
        List<Integer> all = Stream.of(NODES, MORE).flatMap(Collection::stream).toList();
        return TwoReadings.partly(
                firstReading(),
                new CyclicVsBackfillExperiment(Extent.SECOND, all, MORE),
                List.of(
                        "Figures 5 to 8 go on to 96 and 128 nodes; what they are at fewer nodes is the same.",
                        "In table 3 fair sharing has %s instead of %s."
                                .formatted(Extent.SECOND.words(), Extent.FIRST.words())));
    }

    @Override
    public ExperimentProfile profile() {
        return new ExperimentProfile(
                "cyclic-vs-backfill",
                "the cyclic schemes and backfilling: early ends, and against the number of nodes",
                CyclicPaper.SOURCE.at("section 3.2, table 3, and section 3.3, figures 5 to 8"),
                CyclicPaper.readings(
                        "Backfilling is conservative. Jobs that are backfilled want no more than an early start; "
                                + "at equal starts the"
                                + " lower cost decides, which at prices proportional to performance prefers no speed.",
                        ("In table 3 fair sharing has %d sub-batches, the cyclic scheme one. A job takes the same "
                                                + "part, uniform in [0.2; 1], of its reserved time on each of its")
                                        .formatted(CyclicScheme.SUB_BATCHES)
                                + " nodes; the cyclic plans keep their starts, backfilling plans all waiting "
                                + "jobs again "
                                + "whenever a node is released early.",
                        ("Figures 5 to 8 are drawn over %s nodes, the paper's text names none. Half of the jobs "
                                                + "of the combined method")
                                        .formatted(String.join(
                                                ", ",
                                                NODES.stream()
                                                        .map(String::valueOf)
                                                        .toList()))
                                + " are planned cyclically with their users' criteria.",
                        "Means are over the cycles in which every scheme of the table or figure has a plan for "
                                + "all jobs."),
                CyclicPaper.RUNS);
    }

    @Override
    public void run(long seed, Tally tally) {
        earlyEnds(Scene.of(CyclicPaper.NODES, seed), seed, tally);
        for (int nodes : run) {
            overNodes(Scene.of(nodes, Seeds.of(seed, nodes)), String.valueOf(nodes), tally);
        }
    }

    private void earlyEnds(Scene scene, long seed, Tally tally) {
        EarlyEnds ends = new EarlyEnds(scene.users(), Seeds.generator(Seeds.of(seed, 2)));
        SequencedMap<String, Plan> plans = new LinkedHashMap<>();
        plans.put(CYCLIC, scene.plan(CyclicScheme.cyclic(Searching.AEP, 1), scene.indifferent()));
        plans.put(FAIR, scene.plan(extent.cyclic(Searching.AEP), scene.users()));
        plans.put(EXACT, scene.plan(extent.cyclic(Searching.EXACT), scene.users()));
        plans.put(BACKFILLING, scene.plan(CyclicScheme.backfilling(), scene.indifferent()));
        if (plans.values().stream().anyMatch(CycleMeans::failed)) {
            return;
        }
        Optional<Actual> replanned =
                ends.replanned(CyclicScheme.backfilling(), scene.environment().cluster(), scene.indifferent());
        if (replanned.isEmpty()) {
            return;
        }
        plans.forEach((series, plan) ->
                note(tally, series, plan, series.equals(BACKFILLING) ? replanned.get() : ends.fixed(plan)));
    }

    private static void note(Tally tally, String series, Plan plan, Actual actual) {
        tally.add(series, "", PLANNED_TIME, CycleMeans.mean(plan, window -> window.processorTime()));
        tally.add(series, "", ACTUAL_TIME, actual.processorTime());
        tally.add(series, "", PLANNED_START, CycleMeans.mean(plan, window -> window.start()));
        tally.add(series, "", ACTUAL_START, actual.start());
    }

    private static void overNodes(Scene scene, String x, Tally tally) {
        SequencedMap<String, Plan> plans = new LinkedHashMap<>();
        Policy cyclic = CyclicScheme.cyclic(Searching.AEP, 1);
        List<Gang> indifferent = scene.indifferent();
        plans.put(CYCLIC, scene.plan(cyclic, indifferent));
        plans.put(CYCLIC_SHIFTED, scene.plan(CyclicScheme.shifted(cyclic), indifferent));
        plans.put(COMBINED, scene.plan(CyclicScheme.combined(cyclic, JOBS / 2, JOBS), scene.indifferentFrom(JOBS / 2)));
        plans.put(BACKFILLING, scene.plan(CyclicScheme.backfilling(), indifferent));
        plans.forEach((series, plan) -> tally.add(series, x, CycleMeans.FAILURES, CycleMeans.failed(plan) ? 1 : 0));
        if (plans.values().stream().anyMatch(CycleMeans::failed)) {
            return;
        }
        plans.forEach((series, plan) -> {
            CycleMeans.noteWindows(tally, series, x, plan, _ -> true);
            tally.add(series, x, SUM, CycleMeans.mean(plan, window -> window.start() + window.processorTime()));
        });
    }

    @Override
    public Conclusion conclude(Tally all) {
        List<Figure> figures = new ArrayList<>();
        figures.add(table(all));
        figures.add(figure("Figure 5: start of a job", CycleMeans.START, all));
        figures.add(figure("Figure 6: processor time of a job", CycleMeans.PROCESSOR_TIME, all));
        figures.add(figure("Figure 7: start plus processor time of a job", SUM, all));
        figures.add(figure("Figure 8: finish of a job", CycleMeans.FINISH, all));
        figures.add(figure("Cycles without a plan for all jobs", CycleMeans.FAILURES, all));
        return new Conclusion(figures, new CyclicVsBackfillFindings(all, drawn).list());
    }

    private static Figure table(Tally all) {
        Figure.Builder table = new Figure.Builder("Table 3: means of the jobs, planned and actual", all);
        for (String series : List.of(BACKFILLING, CYCLIC, FAIR, EXACT)) {
            List<Double> paper = PAPER.get(series);
            for (int i = 0; i < TABLE.size(); i++) {
                table.mean(series, "", TABLE.get(i), paper == null ? null : paper.get(i));
            }
        }
        return table.build();
    }

    private Figure figure(String title, String metric, Tally all) {
        Figure.Builder figure = new Figure.Builder(title, all);
        for (String series : SCHEMES) {
            drawn.forEach(nodes -> figure.mean(series, String.valueOf(nodes), metric));
        }
        return figure.build();
    }
}
