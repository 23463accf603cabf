package io.slotwise.lab.experiment.log;

import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.PaperSource;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.log.LogPart.Half;
import io.slotwise.lab.experiment.log.PolicyGrid.Contender;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.JobRun.Deal;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.simulation.SimulationObservers;
import io.slotwise.lab.simulation.metric.ReplicationMetrics;
import io.slotwise.lab.simulation.metric.ReplicationOutcome;
import io.slotwise.lab.simulation.planned.ProcessorNodes;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogFolder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The chart's default policy, chosen by experiment: policies are tried on the first part of each log, and the best of
 * those that keep every promise is judged on the part that comes after it, against EASY backfilling with the shortest
 * job first.
 *
 * <p>Best is whose geometric mean over the logs is least, of waits and bounded slowdowns by those of that discipline.
 * Waits below ten seconds count as ten, as in the bounded slowdown: else a log on which no job waits would decide.
 */
public final class PoliciesExperiment implements Experiment {
    static final String WAIT = "wait, s";
    static final String SLOWDOWN = "bounded slowdown";
    static final String KEPT = "started by what was promised, %";
    static final String KNOWN = "known before the start, s, median";
    static final String SLACK = "slack, s, median";
    static final String BEYOND = "slack beyond the bound, % of jobs";
    static final String SPARED = "left of the slack at the start, s, median";
    static final String SCORE = "wait and slowdown by easy-sjbf's";
    static final String ALL = "all logs";

    /** What counts as noise, as a part. */
    private static final double NOISE = 0.02;

    private static final double LEAST_WAIT = 10;
    private static final double PERCENT = 100;

    private static final List<String> METRICS = List.of(WAIT, SLOWDOWN);
    private static final List<String> OF_PROMISES = List.of(KEPT, KNOWN, SLACK, BEYOND, SPARED);

    private final LogFolder folder;
    private final List<LogPart> logs;
    private final List<Contender> disciplines;
    private final List<Contender> policies;
    private final List<Cell> cells = new ArrayList<>();

    /** One simulation. */
    private record Cell(LogPart log, Half half, Contender contender) {}

    public PoliciesExperiment(LogFolder folder) {
        this(folder, usual(), PolicyGrid.disciplines(), PolicyGrid.policies());
    }

    /** With other logs and policies. */
    PoliciesExperiment(LogFolder folder, List<LogPart> logs, List<Contender> disciplines, List<Contender> policies) {
        this.folder = folder;
        this.logs = List.copyOf(logs);
        this.disciplines = List.copyOf(disciplines);
        this.policies = List.copyOf(policies);
        for (LogPart log : logs) {
            for (Half half : Half.values()) {
                contenders().forEach(contender -> cells.add(new Cell(log, half, contender)));
            }
        }
    }

    /** The logs, and how they are cut. */
    static List<LogPart> usual() {
        return List.of(
                new LogPart(ReplayedLog.named("SDSC-SP2"), 1500, 3500),
                new LogPart(ReplayedLog.named("KTH-SP2"), 1500, 3500),
                new LogPart(ReplayedLog.named("HPC2N"), 1000, 2500),
                new LogPart(ReplayedLog.named("LLNL-Atlas"), 2000, 4000),
                new LogPart(ReplayedLog.CEA_CURIE, 1000, 2000));
    }

    private Stream<Contender> contenders() {
        return Stream.concat(disciplines.stream(), policies.stream());
    }

    @Override
    public ExperimentProfile profile() {
        return new ExperimentProfile(
                "policies",
                "policies as the chart's default: tried on the first part of each log, judged on the rest",
                new PaperSource(
                        "D. Talby, D. G. Feitelson",
                        "Supporting Priorities and Improving Utilization of the IBM SP Scheduler Using "
                                + "Slack-Based Backfilling",
                        1999,
                        "sections 3 and 4"),
                List.of(
                        "Every processor costs the same, every job wants its earliest start, estimates are the "
                                + "users'. A machine is one node; LLNL-Atlas is given away in nodes of 8 processors, "
                                + "CEA-Curie in nodes of 16.",
                        ("Of each log these jobs are for training, and so many after them are held out, each half "
                                        + "from an idle machine on: %s.")
                                .formatted(logs.stream()
                                        .map(log -> "%s %d and %d"
                                                .formatted(log.log().name(), log.training(), log.heldOut()))
                                        .collect(Collectors.joining(", "))),
                        "All keys that a policy does not name are the chart's. The best of the training has the "
                                + "least geometric mean of waits and bounded slowdowns by those of easy-sjbf, over all "
                                + "logs; waits below"
                                + " ten seconds count as ten, and of equals the one that is named first is best. "
                                + "A policy "
                                + "that breaks a promise cannot win.",
                        "Known before the start is how long before it a job has been promised a start; slack is "
                                + "from the start first expected to the latest that is promised, its bound two "
                                + "fifths of the wait first expected and a fifth of the estimate.",
                        "Nothing is random: one run tells everything. Each log's half under each policy is a "
                                + "part that can be run apart (--shard)."),
                1);
    }

    @Override
    public boolean isRandom() {
        return false;
    }

    @Override
    public Optional<String> missing() {
        return logs.stream().anyMatch(log -> log.log().file(folder).isPresent())
                ? Optional.empty()
                : Optional.of(("its logs do not exist; expected --data FOLDER with one of %s (Parallel Workloads "
                                + "Archive) in it or in its swf")
                        .formatted(logs.stream().map(log -> log.log().file()).collect(Collectors.joining(", "))));
    }

    @Override
    public int parts() {
        return cells.size();
    }

    @Override
    public void run(long seed, Tally tally) {
        for (int part = 0; part < parts(); part++) {
            run(part, seed, tally);
        }
    }

    @Override
    public void run(int part, long seed, Tally tally) {
        Cell cell = cells.get(part);
        if (cell.log.log().file(folder).isPresent()) {
            replay(cell, tally);
        }
    }

    /** What promises come to. */
    private static final class Promised implements SimulationObserver {
        private final List<Long> known = new ArrayList<>();
        private final List<Long> slack = new ArrayList<>();
        private final List<Long> spared = new ArrayList<>();
        private long beyond;

        @Override
        public void ended(JobRun run) {
            Deal deal = run.deal();
            if (deal != null) {
                long wide = deal.first().by() - deal.first().start();
                long bound = (2 * (deal.first().start() - run.job().submit())
                                + run.job().estimate())
                        / 5;
                known.add(run.start() - deal.told());
                slack.add(wide);
                spared.add(deal.first().by() - run.start());
                beyond += wide > bound ? 1 : 0;
            }
        }

        private static double median(List<Long> values) {
            List<Long> sorted = values.stream().sorted().toList();
            int middle = sorted.size() / 2;
            return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2.0;
        }
    }

    private void replay(Cell cell, Tally tally) {
        ProcessorNodes machine = PolicyGrid.machine(cell.log.log().units());
        Scheduler scheduler = cell.contender.on(machine);
        ReplicationMetrics metrics = new ReplicationMetrics(scheduler::capacityOf);
        Promised promised = new Promised();
        Stream<Job> asked = cell.log.jobs(folder, cell.half).stream().map(cell.contender::asks);
        Simulation.Ending ending = new Simulation(
                        asked.iterator(), List.of(), scheduler, new SimulationObservers(List.of(metrics, promised)))
                .run(() -> false);
        note(tally, cell, metrics.outcome(0, 0, ending), promised);
    }

    private static void note(Tally tally, Cell cell, ReplicationOutcome outcome, Promised promised) {
        String series = cell.contender.name();
        String x = cell.log.of(cell.half);
        tally.add(series, x, WAIT, outcome.waited().mean());
        tally.add(series, x, SLOWDOWN, outcome.boundedSlowdown().mean() / 1e6);
        long made = outcome.promises().made();
        if (made > 0) {
            tally.add(series, x, KEPT, outcome.promises().kept() * PERCENT / made);
            tally.add(series, x, KNOWN, Promised.median(promised.known));
            tally.add(series, x, SLACK, Promised.median(promised.slack));
            tally.add(series, x, BEYOND, promised.beyond * PERCENT / made);
            tally.add(series, x, SPARED, Promised.median(promised.spared));
        }
    }

    @Override
    public Conclusion conclude(Tally all) {
        List<Figure> figures = new ArrayList<>();
        figures.add(scores(all));
        for (LogPart log : logs) {
            Figure.Builder figure =
                    new Figure.Builder("%s, %s".formatted(log.log().title(), Half.HELD_OUT.words()), all);
            disciplines.forEach(contender ->
                    METRICS.forEach(metric -> figure.mean(contender.name(), log.of(Half.HELD_OUT), metric)));
            policies.forEach(contender -> Stream.concat(METRICS.stream(), OF_PROMISES.stream())
                    .forEach(metric -> figure.mean(contender.name(), log.of(Half.HELD_OUT), metric)));
            figures.add(figure.build());
        }
        return new Conclusion(figures, findings(all));
    }

    private Figure scores(Tally all) {
        Figure.Builder figure = new Figure.Builder("Training: waits and bounded slowdowns by those of easy-sjbf", all);
        for (Contender contender : policies) {
            for (LogPart log : logs) {
                figure.value(contender.name(), log.log().name(), SCORE, score(all, contender, List.of(log)), null);
            }
            figure.value(contender.name(), ALL, SCORE, score(all, contender, logs), null);
        }
        return figure.build();
    }

    /** The geometric mean over the logs that were replayed; not a number if none was. */
    private static double score(Tally all, Contender contender, List<LogPart> logs) {
        double sum = 0;
        int ratios = 0;
        for (LogPart log : logs) {
            String x = log.of(Half.TRAINING);
            double wait = all.mean(contender.name(), x, WAIT);
            if (Double.isFinite(wait)) {
                sum += Math.log(
                        Math.max(LEAST_WAIT, wait) / Math.max(LEAST_WAIT, all.mean(PolicyGrid.YARDSTICK, x, WAIT)));
                sum += Math.log(all.mean(contender.name(), x, SLOWDOWN) / all.mean(PolicyGrid.YARDSTICK, x, SLOWDOWN));
                ratios += 2;
            }
        }
        return ratios == 0 ? Double.NaN : Math.exp(sum / ratios);
    }

    private List<LogPart> replayed(Tally all) {
        return logs.stream()
                .filter(log -> Double.isFinite(all.mean(PolicyGrid.YARDSTICK, log.of(Half.HELD_OUT), WAIT)))
                .toList();
    }

    private List<Finding> findings(Tally all) {
        List<LogPart> replayed = replayed(all);
        Optional<Contender> winner = policies.stream()
                .filter(contender -> replayed.stream()
                        .allMatch(log -> all.mean(contender.name(), log.of(Half.TRAINING), KEPT) == PERCENT))
                .min(Comparator.comparingDouble(contender -> score(all, contender, replayed)));
        if (winner.isEmpty()) {
            return List.of(new Finding("training", "a policy keeps every promise", Verdict.NO, "none of them does"));
        }
        Contender best = winner.get();
        List<Finding> findings = new ArrayList<>();
        findings.add(chosen(all, best, replayed));
        findings.add(least(
                all,
                best,
                replayed,
                WAIT,
                "jobs wait no longer under the best of the training than under easy-sjbf, within 2 %"));
        findings.add(least(all, best, replayed, SLOWDOWN, "and slow down no more, within 2 %"));
        findings.add(bound(all, best, replayed, KEPT, "it keeps every promise", PERCENT, Double.POSITIVE_INFINITY));
        findings.add(bound(
                all,
                best,
                replayed,
                BEYOND,
                "its slack is at most two fifths of the wait and a fifth of the estimate in the median: of "
                        + "no more than half of the jobs beyond it",
                0,
                PERCENT / 2));
        return findings;
    }

    private Finding chosen(Tally all, Contender best, List<LogPart> replayed) {
        return new Finding(
                Half.TRAINING.words(),
                "the best of the policies that keep every promise is the chart's default",
                Verdict.of(best.usual()),
                String.format(Locale.ROOT, "%s with %.3f", best.name(), score(all, best, replayed)));
    }

    private static Finding least(Tally all, Contender best, List<LogPart> replayed, String metric, String statement) {
        boolean[] parts = new boolean[replayed.size()];
        List<String> evidence = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
            String x = replayed.get(i).of(Half.HELD_OUT);
            double own = all.mean(best.name(), x, metric);
            double other = all.mean(PolicyGrid.YARDSTICK, x, metric);
            parts[i] = own <= other * (1 + NOISE);
            evidence.add(String.format(
                    Locale.ROOT, "%s %.2f against %.2f", replayed.get(i).log().name(), own, other));
        }
        return new Finding(Half.HELD_OUT.words(), statement, Verdict.of(parts), String.join(", ", evidence));
    }

    private static Finding bound(
            Tally all,
            Contender best,
            List<LogPart> replayed,
            String metric,
            String statement,
            double least,
            double most) {
        boolean[] parts = new boolean[replayed.size()];
        List<String> evidence = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
            double own = all.mean(best.name(), replayed.get(i).of(Half.HELD_OUT), metric);
            parts[i] = own >= least && own <= most;
            evidence.add(String.format(
                    Locale.ROOT, "%s %.1f %%", replayed.get(i).log().name(), own));
        }
        return new Finding(Half.HELD_OUT.words(), statement, Verdict.of(parts), String.join(", ", evidence));
    }
}
