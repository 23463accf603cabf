package io.slotwise.lab.experiment.log;

import io.slotwise.core.cluster.OverrunGrace;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.runtime.RuntimePredictor;
import io.slotwise.core.runtime.RuntimePredictor.Fallback;
import io.slotwise.core.work.Workers;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.PaperSource;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.simulation.GuessedRuntimePolicy;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.LastTwoRuns;
import io.slotwise.lab.simulation.LearntRuntimes;
import io.slotwise.lab.simulation.RuntimeGuess;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.simulation.SimulationObservers;
import io.slotwise.lab.simulation.metric.ReplicationMetrics;
import io.slotwise.lab.simulation.metric.ReplicationOutcome;
import io.slotwise.lab.simulation.planned.PlannedClusterRules;
import io.slotwise.lab.simulation.planned.PlannedScheduler;
import io.slotwise.lab.simulation.planned.ProcessorNodes;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogFolder;
import io.slotwise.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the runtimes come from that the planner goes by: what users state, what is predicted, and what really is, on
 * whole logs under the planner's usual policy.
 */
public final class PredictionsExperiment implements Experiment {
    static final String ERROR = "absolute error, min";
    static final String UNDER = "underestimates, %";
    static final String WAIT = "wait, min";
    static final String SLOWDOWN = "bounded slowdown";
    static final String BROKEN = "broken promises per 100 jobs";
    static final String KEPT = "started by what was promised, %";

    static final String USERS = "users' estimates";
    static final String PERFECT = "perfect estimates";
    static final String DEFAULT = "default, 1h";
    static final String LAST_TWO = "mean of the user's last two";
    static final String LEARNT = "quantile 0.9 of 20";

    private static final long OTHERWISE = 3600;
    private static final long CYCLE = 10;
    private static final long COLLECT = 1;
    private static final OverrunGrace STATED = new OverrunGrace(60);
    private static final OverrunGrace UNSTATED = OverrunGrace.unstated();
    private static final double PERCENT = 100;
    private static final double MINUTE = 60;

    private static final List<String> METRICS = List.of(ERROR, UNDER, WAIT, SLOWDOWN, BROKEN, KEPT);

    private final LogFolder folder;
    private final List<ReplayedLog> logs;
    private final List<Estimates> estimates;

    /**
     * Where estimates come from.
     *
     * @param name for people
     * @param guess who makes them; empty: they are those of the jobs
     * @param perfect whether those of the jobs are their runtimes
     * @param grace for how long a job that passes its estimate is taken to go on
     */
    record Estimates(String name, Optional<Supplier<RuntimeGuess>> guess, boolean perfect, OverrunGrace grace) {
        static Estimates guessed(String name, OverrunGrace grace, Supplier<RuntimeGuess> guess) {
            return new Estimates(name, Optional.of(guess), false, grace);
        }

        static Estimates learnt(String name, OverrunGrace grace, RuntimePredictor predictor) {
            return guessed(name, grace, () -> new LearntRuntimes(predictor, OTHERWISE));
        }

        private Scheduler over(Scheduler policy) {
            return guess.<Scheduler>map(maker -> new GuessedRuntimePolicy(policy, maker.get()))
                    .orElse(policy);
        }

        private Job of(Job job) {
            return perfect ? job.estimated(job.runtime()) : job;
        }
    }

    public PredictionsExperiment(LogFolder folder) {
        this(folder, ReplayedLog.ALL, usual());
    }

    /** With other logs and estimates. */
    PredictionsExperiment(LogFolder folder, List<ReplayedLog> logs, List<Estimates> estimates) {
        this.folder = folder;
        this.logs = List.copyOf(logs);
        this.estimates = List.copyOf(estimates);
    }

    /** What is compared. */
    static List<Estimates> usual() {
        return List.of(
                new Estimates(USERS, Optional.empty(), false, STATED),
                new Estimates(PERFECT, Optional.empty(), true, STATED),
                Estimates.guessed(DEFAULT, UNSTATED, () -> _ -> OTHERWISE),
                Estimates.guessed(LAST_TWO, UNSTATED, () -> new LastTwoRuns(OTHERWISE)),
                Estimates.learnt("quantile 0.5 of 20", UNSTATED, new RuntimePredictor(500_000, 20, Fallback.NAMESPACE)),
                Estimates.learnt(LEARNT, UNSTATED, RuntimePredictor.DEFAULT));
    }

    @Override
    public ExperimentProfile profile() {
        return new ExperimentProfile(
                "predictions",
                "runtimes that users state, that are learnt from past runs, and that really are, on whole logs",
                new PaperSource(
                        "D. Tsafrir, Y. Etsion, D. G. Feitelson",
                        "Backfilling Using System-Generated Predictions Rather than User Runtime Estimates",
                        2007,
                        "sections 4 and 5"),
                List.of(
                        "The policy is the planner's usual one with promises without slack, not EASY: every job "
                                + "is promised a window when it is submitted. A machine is one node of"
                                + " whole processors; LLNL-Atlas is given away "
                                + "in nodes of 8, LANL-CM5 in partitions of 32.",
                        "Users are namespaces, an application with a number of processors a workload. The paper "
                                + "never predicts more than the user's" + " estimate; here none is stated.",
                        "A job that passes a prediction is taken to go on for as long again, then twice as long "
                                + "each time; one that passes a" + " statement has been killed, as in the paper.",
                        "A promise is kept if the job started by what was promised first; a job's promise may be "
                                + "broken more than once.",
                        "Nothing is random: one run tells everything. Each log under each source of runtimes is a "
                                + "part that can be run apart (--shard)."),
                1);
    }

    @Override
    public boolean isRandom() {
        return false;
    }

    @Override
    public Optional<String> missing() {
        return logs.stream().anyMatch(log -> log.file(folder).isPresent())
                ? Optional.empty()
                : Optional.of(("its logs do not exist; expected --data FOLDER with one of %s (Parallel Workloads "
                                + "Archive) in it or in its swf")
                        .formatted(logs.stream().map(ReplayedLog::file).collect(Collectors.joining(", "))));
    }

    @Override
    public int parts() {
        return logs.size() * estimates.size();
    }

    @Override
    public void run(long seed, Tally tally) {
        for (int part = 0; part < parts(); part++) {
            run(part, seed, tally);
        }
    }

    @Override
    public void run(int part, long seed, Tally tally) {
        ReplayedLog log = logs.get(part / estimates.size());
        if (log.file(folder).isPresent()) {
            replay(log, log.jobs(folder), estimates.get(part % estimates.size()), tally);
        }
    }

    /** How far estimates are off. */
    private static final class Accuracy implements SimulationObserver {
        private long jobs;
        private long off;
        private long under;

        @Override
        public void ended(JobRun run) {
            long error = run.job().estimate() - run.job().runtime();
            jobs++;
            off = Math.addExact(off, Math.abs(error));
            under += error < 0 ? 1 : 0;
        }
    }

    private static void replay(ReplayedLog log, List<Job> jobs, Estimates estimates, Tally tally) {
        ProcessorNodes machine = new ProcessorNodes(log.units(), log.units(), new Money(Money.MICROS_PER_UNIT), 0);
        Scheduler policy = estimates.over(new PlannedScheduler(
                machine.nodes(Seeds.generator(1)),
                new PlannedClusterRules(Policy.EXACT, CYCLE, COLLECT, estimates.grace),
                Workers.CALLER,
                SeededRandom.L64X128));
        ReplicationMetrics metrics = new ReplicationMetrics(policy::capacityOf);
        Accuracy accuracy = new Accuracy();
        Stream<Job> asked = jobs.stream().map(estimates::of).map(ProcessorNodes::onProcessors);
        Simulation.Ending ending = new Simulation(
                        asked.iterator(), List.of(), policy, new SimulationObservers(List.of(metrics, accuracy)))
                .run(() -> false);
        ReplicationOutcome outcome = metrics.outcome(0, 0, ending);
        note(tally, log.name(), estimates.name, accuracy, outcome);
    }

    private static void note(Tally tally, String log, String series, Accuracy accuracy, ReplicationOutcome outcome) {
        long broken = outcome.promises().broken().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        tally.add(series, log, ERROR, accuracy.off / MINUTE / accuracy.jobs);
        tally.add(series, log, UNDER, accuracy.under * PERCENT / accuracy.jobs);
        tally.add(series, log, WAIT, outcome.waited().mean() / MINUTE);
        tally.add(series, log, SLOWDOWN, outcome.boundedSlowdown().mean() / 1e6);
        tally.add(series, log, BROKEN, broken * PERCENT / accuracy.jobs);
        tally.add(
                series,
                log,
                KEPT,
                outcome.promises().kept() * PERCENT / outcome.promises().made());
    }

    @Override
    public Conclusion conclude(Tally all) {
        List<Figure> figures = new ArrayList<>();
        for (ReplayedLog log : logs) {
            Figure.Builder figure = new Figure.Builder(log.title(), all);
            for (Estimates estimate : estimates) {
                METRICS.forEach(metric -> figure.mean(estimate.name, log.name(), metric));
            }
            figures.add(figure.build());
        }
        return new Conclusion(figures, findings(all));
    }

    private List<Finding> findings(Tally all) {
        return List.of(
                compared(
                        "section 4",
                        "the mean of a user's last two runs is closer to the runtime than the user's estimate",
                        all,
                        ERROR,
                        LAST_TWO,
                        USERS),
                compared(
                        "ours",
                        "the quantile breaks fewer promises than the mean of the last two",
                        all,
                        BROKEN,
                        LEARNT,
                        LAST_TWO),
                compared("ours", "the quantile breaks fewer promises than the default", all, BROKEN, LEARNT, DEFAULT),
                compared(
                        "ours",
                        "jobs slow down no more by the quantile than by their users' estimates",
                        all,
                        SLOWDOWN,
                        LEARNT,
                        USERS));
    }

    /** Whether a series has less of a metric than another one, on how many of the logs that were replayed. */
    private Finding compared(String place, String statement, Tally all, String metric, String less, String more) {
        List<ReplayedLog> replayed = logs.stream()
                .filter(log -> Double.isFinite(all.mean(less, log.name(), metric)))
                .toList();
        boolean[] parts = new boolean[replayed.size()];
        List<String> evidence = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
            String log = replayed.get(i).name();
            double one = all.mean(less, log, metric);
            double other = all.mean(more, log, metric);
            parts[i] = one <= other;
            evidence.add(String.format(Locale.ROOT, "%s %.2f against %.2f", log, one, other));
        }
        return new Finding(place, statement, Verdict.of(parts), String.join(", ", evidence));
    }
}
