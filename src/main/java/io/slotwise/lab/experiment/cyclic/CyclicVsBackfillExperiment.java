package io.slotwise.lab.experiment.cyclic;

import static io.slotwise.lab.experiment.Numbers.brief;
import static io.slotwise.lab.experiment.Numbers.change;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.BACKFILLING;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.COMBINED;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.CYCLIC;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.CYCLIC_SHIFTED;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.FAIR;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.JOBS;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.TwoReadings;
import io.slotwise.lab.experiment.cyclic.CyclicPaper.Situation;
import io.slotwise.lab.experiment.cyclic.CyclicScheme.Extent;
import io.slotwise.lab.experiment.cyclic.CyclicVsBackfillExperiment.EarlyEnds.Actual;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The cyclic schemes compared with backfilling: when jobs end early, and by the number of nodes.
 *
 * @param extent the extent of table 3's fair sharing
 */
public record CyclicVsBackfillExperiment(Extent extent, List<Integer> drawn, List<Integer> run) implements Experiment {
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

    static Experiment firstReading() {
        return new CyclicVsBackfillExperiment(Extent.FIRST, NODES, NODES);
    }

    public static Experiment both() {
        List<Integer> all = Stream.of(NODES, MORE).flatMap(Collection::stream).toList();
        return TwoReadings.partly(firstReading(), new CyclicVsBackfillExperiment(Extent.SECOND, all, MORE));
    }

    @Override
    public ExperimentProfile profile() {
        return ExperimentProfile.named("cyclic-vs-backfill");
    }

    @Override
    public void run(long seed, Tally tally) {
        earlyEnds(Situation.of(CyclicPaper.NODES, seed), seed, tally);
        for (int nodes : run) {
            overNodes(Situation.of(nodes, Seeds.of(seed, nodes)), String.valueOf(nodes), tally);
        }
    }

    private void earlyEnds(Situation situation, long seed, Tally tally) {
        EarlyEnds ends = new EarlyEnds(situation.users(), Seeds.generator(Seeds.of(seed, 2)));
        SequencedMap<String, Plan> plans = new LinkedHashMap<>();
        plans.put(CYCLIC, situation.plan(CyclicScheme.cyclic(Searching.AEP, 1), situation.indifferent()));
        plans.put(FAIR, situation.plan(extent.cyclic(Searching.AEP), situation.users()));
        plans.put(EXACT, situation.plan(extent.cyclic(Searching.EXACT), situation.users()));
        plans.put(BACKFILLING, situation.plan(CyclicScheme.backfilling(), situation.indifferent()));
        if (plans.values().stream().anyMatch(CycleMeans::failed)) {
            return;
        }
        Optional<Actual> actual = ends.replanned(
                CyclicScheme.backfilling(), situation.environment().cluster(), situation.indifferent());
        if (actual.isEmpty()) {
            return;
        }
        plans.forEach((series, plan) ->
                note(tally, series, plan, series.equals(BACKFILLING) ? actual.get() : ends.fixed(plan)));
    }

    private static void note(Tally tally, String series, Plan plan, Actual actual) {
        tally.add(series, "", PLANNED_TIME, CycleMeans.mean(plan, window -> window.processorTime()));
        tally.add(series, "", ACTUAL_TIME, actual.processorTime());
        tally.add(series, "", PLANNED_START, CycleMeans.mean(plan, window -> window.start()));
        tally.add(series, "", ACTUAL_START, actual.start());
    }

    private static void overNodes(Situation situation, String x, Tally tally) {
        SequencedMap<String, Plan> plans = new LinkedHashMap<>();
        Policy cyclicPolicy = CyclicScheme.cyclic(Searching.AEP, 1);
        List<Gang> indifferent = situation.indifferent();
        plans.put(CYCLIC, situation.plan(cyclicPolicy, indifferent));
        plans.put(CYCLIC_SHIFTED, situation.plan(CyclicScheme.shifted(cyclicPolicy), indifferent));
        plans.put(
                COMBINED,
                situation.plan(
                        CyclicScheme.combined(cyclicPolicy, JOBS / 2, JOBS), situation.indifferentFrom(JOBS / 2)));
        plans.put(BACKFILLING, situation.plan(CyclicScheme.backfilling(), indifferent));
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
    public Conclusion conclude(Tally tally) {
        List<Figure> figures = new ArrayList<>();
        List<String> xs = drawn.stream().map(String::valueOf).toList();
        figures.add(table(tally));
        figures.add(Figure.grid("Figure 5: start of a job", tally, CycleMeans.START, SCHEMES, xs));
        figures.add(Figure.grid("Figure 6: processor time of a job", tally, CycleMeans.PROCESSOR_TIME, SCHEMES, xs));
        figures.add(Figure.grid("Figure 7: start plus processor time of a job", tally, SUM, SCHEMES, xs));
        figures.add(Figure.grid("Figure 8: finish of a job", tally, CycleMeans.FINISH, SCHEMES, xs));
        figures.add(Figure.grid("Cycles without a plan for all jobs", tally, CycleMeans.FAILURES, SCHEMES, xs));
        return new Conclusion(figures, new CyclicVsBackfillFindings(tally, drawn).list());
    }

    private static Figure table(Tally tally) {
        Figure.Builder builder = new Figure.Builder("Table 3: means of the jobs, planned and actual", tally);
        for (String series : List.of(BACKFILLING, CYCLIC, FAIR, EXACT)) {
            builder.means(
                    series,
                    "",
                    TABLE,
                    ExperimentProfile.named("cyclic-vs-backfill").row(series));
        }
        return builder.build();
    }

    private record CyclicVsBackfillFindings(Tally tally, List<Integer> nodes) {
        List<Finding> list() {
            return Stream.of(
                            ofTable(),
                            ofStarts(),
                            ofTimes(),
                            List.of(crossing("figure 7", SUM), crossing("figure 8", CycleMeans.FINISH)))
                    .flatMap(List::stream)
                    .toList();
        }

        private List<Finding> ofTable() {
            double planned = 1 - table(FAIR, PLANNED_TIME) / table(BACKFILLING, PLANNED_TIME);
            double actual = 1 - table(FAIR, ACTUAL_TIME) / table(BACKFILLING, ACTUAL_TIME);
            double cyclic = table(CYCLIC, PLANNED_TIME);
            double plannedStart = table(BACKFILLING, PLANNED_START);
            double actualStart = table(BACKFILLING, ACTUAL_START);
            return List.of(
                    new Finding(
                            "table 3",
                            "fair sharing takes less processor time than the cyclic scheme and that less than"
                                    + " backfilling; its advantage over backfilling (26.2 %) stays and grows when jobs"
                                    + " end early (27.5 %)",
                            Verdict.of(
                                    table(FAIR, PLANNED_TIME) < cyclic,
                                    cyclic < table(BACKFILLING, PLANNED_TIME),
                                    actual > 0,
                                    actual > planned),
                            "%s, %s and %s; the advantage is %s %% planned and %s %% actual"
                                    .formatted(
                                            brief(table(FAIR, PLANNED_TIME)),
                                            brief(cyclic),
                                            brief(table(BACKFILLING, PLANNED_TIME)),
                                            brief(planned * 100),
                                            brief(actual * 100))),
                    new Finding(
                            "table 3",
                            "backfilling starts first, fair sharing before the cyclic scheme; early ends bring"
                                    + " backfilling's start forward by 46 %",
                            Verdict.of(
                                    plannedStart < table(FAIR, PLANNED_START),
                                    table(FAIR, PLANNED_START) < table(CYCLIC, PLANNED_START),
                                    actualStart < 0.75 * plannedStart),
                            "%s, %s and %s; backfilling's start %s"
                                    .formatted(
                                            brief(plannedStart),
                                            brief(table(FAIR, PLANNED_START)),
                                            brief(table(CYCLIC, PLANNED_START)),
                                            change(plannedStart, actualStart))));
        }

        private List<Finding> ofStarts() {
            double few = first(CYCLIC, CycleMeans.START);
            double many = last(CYCLIC, CycleMeans.START);
            double least = Math.min(few, many);
            double most = Math.max(few, many);
            double shifted = last(CYCLIC_SHIFTED, CycleMeans.START);
            return List.of(
                    new Finding(
                            "figure 5",
                            "with more nodes backfilling starts earlier, down to the beginning of the interval",
                            Verdict.of(
                                    last(BACKFILLING, CycleMeans.START) < first(BACKFILLING, CycleMeans.START),
                                    last(BACKFILLING, CycleMeans.START) < 0.05 * CyclicPaper.INTERVAL),
                            words(BACKFILLING, CycleMeans.START)),
                    new Finding(
                            "figure 5",
                            "the cyclic scheme starts about in the middle of the interval whatever the nodes",
                            Verdict.of(
                                    most < 1.25 * least,
                                    least > 0.3 * CyclicPaper.INTERVAL && most < 0.6 * CyclicPaper.INTERVAL),
                            words(CYCLIC, CycleMeans.START)),
                    new Finding(
                            "figure 5",
                            "the combined method starts nearer to backfilling than to the cyclic scheme",
                            Verdict.each(nodes, number -> {
                                double backfilling = at(BACKFILLING, number, CycleMeans.START);
                                double cyclic = at(CYCLIC, number, CycleMeans.START);
                                return at(COMBINED, number, CycleMeans.START) - backfilling
                                        < 0.5 * (cyclic - backfilling);
                            }),
                            words(COMBINED, CycleMeans.START)),
                    new Finding(
                            "figure 5",
                            "shifted, the cyclic scheme starts earlier with more nodes, but never all jobs at once, "
                                    + "as the best nodes are shared",
                            Verdict.of(
                                    shifted < first(CYCLIC_SHIFTED, CycleMeans.START),
                                    shifted > last(BACKFILLING, CycleMeans.START)),
                            words(CYCLIC_SHIFTED, CycleMeans.START)));
        }

        private List<Finding> ofTimes() {
            List<String> schemes = List.of(CYCLIC, CYCLIC_SHIFTED, COMBINED);
            return List.of(
                    new Finding(
                            "figure 6",
                            "the cyclic scheme and the combined method take less processor time than backfilling, "
                                    + "whatever the nodes",
                            Verdict.of(takesLess(CYCLIC), takesLess(COMBINED)),
                            "%s; %s; %s"
                                    .formatted(
                                            words(CYCLIC, CycleMeans.PROCESSOR_TIME),
                                            words(COMBINED, CycleMeans.PROCESSOR_TIME),
                                            words(BACKFILLING, CycleMeans.PROCESSOR_TIME))),
                    new Finding(
                            "figure 6",
                            "their advantage over backfilling grows with the nodes",
                            Verdict.each(
                                    schemes,
                                    scheme -> first(scheme, CycleMeans.PROCESSOR_TIME)
                                                    / first(BACKFILLING, CycleMeans.PROCESSOR_TIME)
                                            > last(scheme, CycleMeans.PROCESSOR_TIME)
                                                    / last(BACKFILLING, CycleMeans.PROCESSOR_TIME)),
                            schemes.stream()
                                    .map(scheme -> "%s %s to %s"
                                            .formatted(
                                                    scheme,
                                                    change(
                                                            first(BACKFILLING, CycleMeans.PROCESSOR_TIME),
                                                            first(scheme, CycleMeans.PROCESSOR_TIME)),
                                                    change(
                                                            last(BACKFILLING, CycleMeans.PROCESSOR_TIME),
                                                            last(scheme, CycleMeans.PROCESSOR_TIME))))
                                    .collect(Collectors.joining(", "))));
        }

        private double table(String series, String metric) {
            return tally.mean(series, "", metric);
        }

        private double at(String series, int number, String metric) {
            return tally.mean(series, String.valueOf(number), metric);
        }

        private double first(String series, String metric) {
            return at(series, nodes.getFirst(), metric);
        }

        private double last(String series, String metric) {
            return at(series, nodes.getLast(), metric);
        }

        private boolean takesLess(String scheme) {
            return nodes.stream()
                    .allMatch(number -> at(scheme, number, CycleMeans.PROCESSOR_TIME)
                            < at(BACKFILLING, number, CycleMeans.PROCESSOR_TIME));
        }

        /** With few nodes backfilling or the combined method is better, with many the shifted cyclic scheme. */
        private Finding crossing(String place, String metric) {
            boolean few = Math.min(first(BACKFILLING, metric), first(COMBINED, metric)) < first(CYCLIC_SHIFTED, metric);
            return new Finding(
                    place,
                    "with few nodes backfilling and the combined method are better, with many the shifted "
                            + "cyclic scheme (by "
                            + metric
                            + ")",
                    Verdict.of(
                            few,
                            last(CYCLIC_SHIFTED, metric) < last(COMBINED, metric),
                            last(CYCLIC_SHIFTED, metric) < last(BACKFILLING, metric)),
                    "%s; %s; %s; the shifted scheme is better than the combined method %s, than backfilling %s"
                            .formatted(
                                    words(CYCLIC_SHIFTED, metric),
                                    words(COMBINED, metric),
                                    words(BACKFILLING, metric),
                                    better(COMBINED, metric),
                                    better(BACKFILLING, metric)));
        }

        private String better(String than, String metric) {
            OptionalInt from = nodes.stream()
                    .filter(number -> at(CYCLIC_SHIFTED, number, metric) < at(than, number, metric))
                    .mapToInt(Integer::intValue)
                    .min();
            return from.isPresent() ? "from %d nodes".formatted(from.getAsInt()) : "at none of these numbers";
        }

        private String words(String series, String metric) {
            return "%s %s at %d nodes, %s at %d"
                    .formatted(
                            series,
                            brief(first(series, metric)),
                            nodes.getFirst(),
                            brief(last(series, metric)),
                            nodes.getLast());
        }
    }

    /**
     * A batch whose jobs end before their reservations, which the planner does not know in advance.
     *
     * <p>A job takes a part of its reserved time, uniform in [0.2; 1], on each of its nodes. A fixed plan keeps its
     * starts. Backfilling plans the waiting jobs again at every early end, on the capacity that is free then.
     */
    static final class EarlyEnds {
        private static final double LEAST_PART = 0.2;

        private final Map<GangId, Double> parts = new HashMap<>();

        /** Draws the ends of these jobs in their order. */
        EarlyEnds(List<Gang> batch, RandomGenerator random) {
            batch.forEach(gang -> parts.put(gang.id(), random.nextDouble(LEAST_PART, 1)));
        }

        /** The means over the jobs of a batch. */
        record Actual(double start, double processorTime) {}

        Actual fixed(Plan plan) {
            return means(plan.windows().stream().map(Planned::window).toList());
        }

        /** Runs backfilling that plans again at every early end. Empty if a job finds no room. O(pods) plans. */
        Optional<Actual> replanned(Policy policy, Cluster cluster, List<Gang> batch) {
            List<Gang> waiting = new ArrayList<>(batch);
            List<Window> started = new ArrayList<>();
            long now = 0;
            while (!waiting.isEmpty() && now < CyclicPaper.INTERVAL) {
                Plan plan = CyclicPaper.plan(policy, with(started, cluster, now), waiting, now);
                long next = CyclicPaper.INTERVAL;
                for (Planned planned : plan.windows()) {
                    if (planned.window().start() == now) {
                        started.add(planned.window());
                        waiting.remove(planned.gang());
                    } else {
                        next = Math.min(next, planned.window().start());
                    }
                }
                now = Math.min(next, nextEnd(started, now));
            }
            return waiting.isEmpty() ? Optional.of(means(started)) : Optional.empty();
        }

        /** Returns the cluster at a moment, in which running jobs are expected to keep their reservations. */
        private Cluster with(Collection<Window> started, Cluster cluster, long now) {
            Resources resources = cluster.inventory().getFirst().allocatable();
            Stream<Occupation> running = started.stream()
                    .flatMap(window -> window.placements().stream()
                            .filter(placement -> end(window, placement) > now)
                            .map(placement -> new Occupation(
                                    placement.pod(),
                                    placement.node(),
                                    resources,
                                    new Interval(placement.start(), placement.end()))));
            return new Cluster(
                    cluster.inventory(),
                    Stream.concat(cluster.occupations().stream(), running).toList());
        }

        private long nextEnd(Collection<Window> started, long now) {
            return started.stream()
                    .flatMap(window -> window.placements().stream().map(placement -> end(window, placement)))
                    .filter(end -> end > now)
                    .min(Comparator.naturalOrder())
                    .orElse(CyclicPaper.INTERVAL);
        }

        /** Returns the end of the pod, exclusive: at least one second after its start. */
        private long end(Window window, Placement placement) {
            double part = parts.getOrDefault(window.gang(), 1.0);
            return placement.start() + (long) Math.ceil(part * (placement.end() - placement.start()));
        }

        private Actual means(List<Window> windows) {
            double jobs = windows.size();
            double starts = windows.stream().mapToLong(Window::start).sum();
            double times = windows.stream()
                    .mapToLong(window -> window.placements().stream()
                            .mapToLong(placement -> end(window, placement) - placement.start())
                            .sum())
                    .sum();
            return new Actual(starts / jobs, times / jobs);
        }
    }
}
