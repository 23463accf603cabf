package io.slotwise.lab.experiment.log;

import io.slotwise.core.cluster.OverrunGrace;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.runtime.PastRun;
import io.slotwise.core.runtime.Prediction;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.runtime.RuntimePredictor;
import io.slotwise.core.runtime.RuntimePredictor.Fallback;
import io.slotwise.core.work.Workers;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.NodeSpending;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.simulation.metric.ReplicationOutcome;
import io.slotwise.lab.simulation.planned.PlannedClusterRules;
import io.slotwise.lab.simulation.planned.PlannedScheduler;
import io.slotwise.lab.simulation.planned.ProcessorNodes;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogFolder;
import io.slotwise.random.SeededRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares planning by stated, predicted and real runtimes on whole logs. */
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
     * A source of estimates.
     *
     * @param guess makes the estimates; empty for those of the jobs
     * @param perfect whether those of the jobs are their runtimes
     * @param grace how much longer a job past its estimate is expected to run
     */
    record Estimates(String name, Optional<Supplier<RuntimeGuess>> guess, boolean perfect, OverrunGrace grace) {
        static Estimates guessed(String name, OverrunGrace grace, Supplier<RuntimeGuess> guess) {
            return new Estimates(name, Optional.of(guess), false, grace);
        }

        static Estimates learnt(String name, OverrunGrace grace, RuntimePredictor predictor) {
            return guessed(name, grace, () -> new LearntRuntimes(predictor, OTHERWISE));
        }

        private Scheduler over(Scheduler scheduler) {
            return guess.<Scheduler>map(guess -> new GuessedRuntimePolicy(scheduler, guess.get()))
                    .orElse(scheduler);
        }

        private Job of(Job job) {
            return perfect ? job.estimated(job.runtime()) : job;
        }
    }

    public PredictionsExperiment(LogFolder folder) {
        this(folder, ReplayedLog.ALL, usual());
    }

    PredictionsExperiment(LogFolder folder, List<ReplayedLog> logs, List<Estimates> estimates) {
        this.folder = folder;
        this.logs = List.copyOf(logs);
        this.estimates = List.copyOf(estimates);
    }

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
        return ExperimentProfile.named("predictions");
    }

    @Override
    public Optional<String> missing() {
        return ReplayedLog.missing(logs.stream(), folder);
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
        Scheduler scheduler = estimates.over(new PlannedScheduler(
                log.machine().nodes(Seeds.generator(1)),
                new PlannedClusterRules(Policy.EXACT, CYCLE, COLLECT, estimates.grace),
                Workers.CALLER,
                SeededRandom.L64X128));
        Accuracy accuracy = new Accuracy();
        Stream<Job> asked = jobs.stream().map(estimates::of).map(ProcessorNodes::onProcessors);
        note(tally, log.name(), estimates.name, accuracy, ReplayedLog.replay(asked, scheduler, accuracy));
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
    public Conclusion conclude(Tally tally) {
        List<Figure> figures = new ArrayList<>();
        for (ReplayedLog log : logs) {
            Figure.Builder builder = new Figure.Builder(log.title(), tally);
            for (Estimates estimate : estimates) {
                METRICS.forEach(metric -> builder.mean(estimate.name, log.name(), metric));
            }
            figures.add(builder.build());
        }
        return new Conclusion(figures, new Findings(tally).list());
    }

    private final class Findings {
        private final Tally tally;

        Findings(Tally tally) {
            this.tally = tally;
        }

        List<Finding> list() {
            return List.of(
                    compared(
                            "section 4",
                            "the mean of a user's last two runs is closer to the runtime than the user's estimate",
                            ERROR,
                            LAST_TWO,
                            USERS),
                    compared(
                            "ours",
                            "the quantile breaks fewer promises than the mean of the last two",
                            BROKEN,
                            LEARNT,
                            LAST_TWO),
                    compared("ours", "the quantile breaks fewer promises than the default", BROKEN, LEARNT, DEFAULT),
                    compared(
                            "ours",
                            "jobs slow down no more by the quantile than by their users' estimates",
                            SLOWDOWN,
                            LEARNT,
                            USERS));
        }

        /** Returns on how many of the replayed logs one series has less of a metric than another. */
        private Finding compared(String place, String statement, String metric, String less, String more) {
            List<String> replayed = logs.stream()
                    .map(ReplayedLog::name)
                    .filter(log -> Double.isFinite(tally.mean(less, log, metric)))
                    .toList();
            return new Finding(
                    place,
                    statement,
                    Verdict.each(replayed, log -> tally.mean(less, log, metric) <= tally.mean(more, log, metric)),
                    replayed.stream()
                            .map(log -> String.format(
                                    Locale.ROOT,
                                    "%s %.2f against %.2f",
                                    log,
                                    tally.mean(less, log, metric),
                                    tally.mean(more, log, metric)))
                            .collect(Collectors.joining(", ")));
        }
    }

    /** A policy whose users state no runtimes: each job's estimate is guessed at its submission. */
    private record GuessedRuntimePolicy(Scheduler scheduler, RuntimeGuess guess) implements Scheduler {
        @Override
        public void ended(JobRun run) {
            guess.ended(run);
            scheduler.ended(run);
        }

        @Override
        public List<JobRun> meets(Disturbance disturbance, long now) {
            return scheduler.meets(disturbance, now);
        }

        @Override
        public long capacityOf(Job job) {
            return scheduler.capacityOf(job);
        }

        @Override
        public boolean submitted(Job job, long now) {
            return scheduler.submitted(job.estimated(guess.of(job)), now);
        }

        @Override
        public List<Stopped> stops(long now) {
            return scheduler.stops(now);
        }

        @Override
        public List<JobRun> pass(long now) {
            return scheduler.pass(now);
        }

        @Override
        public long wakesAt() {
            return scheduler.wakesAt();
        }

        @Override
        public Optional<NodeSpending> spending() {
            return scheduler.spending();
        }

        @Override
        public MachineLoad load(long now) {
            return scheduler.load(now);
        }
    }

    /** The predictions of a cluster: users are namespaces, and jobs of one application and size a workload. */
    private static final class LearntRuntimes implements RuntimeGuess {
        private final RuntimePredictor predictor;
        private final long otherwise;
        private final Map<String, RunHistory> histories = new HashMap<>();

        /** Creates predictions without history; {@code otherwise} is the default estimate, seconds. */
        LearntRuntimes(RuntimePredictor predictor, long otherwise) {
            this.predictor = predictor;
            this.otherwise = otherwise;
        }

        private RunHistory history(String user) {
            return histories.computeIfAbsent(user, RunHistory::empty);
        }

        private static RecurringWorkload workload(Job job) {
            String name = job.terms().application() + "x" + job.size();
            return new RecurringWorkload(name, name);
        }

        @Override
        public long of(Job job) {
            return predictor
                    .of(history(job.user()), workload(job))
                    .map(Prediction::within)
                    .orElse(otherwise);
        }

        @Override
        public void ended(JobRun run) {
            Job job = run.job();
            RunHistory.WorkloadRun told =
                    new RunHistory.WorkloadRun(workload(job), new PastRun(run.end(), job.id(), job.runtime()));
            histories.put(job.user(), history(job.user()).with(List.of(told), Math.max(1, predictor.history())));
        }
    }

    /**
     * The mean of the last two runs of the same user, rounded up, or the only run.
     *
     * <p>Source: D. Tsafrir, Y. Etsion, D. G. Feitelson, "Backfilling Using System-Generated Predictions Rather than
     * User Runtime Estimates", IEEE Transactions on Parallel and Distributed Systems 18(6), 2007, section 4. Their
     * limit of a prediction, the user's estimate, is not known here.
     */
    private static final class LastTwoRuns implements RuntimeGuess {
        private final long otherwise;
        private final Map<String, long[]> last = new HashMap<>();

        LastTwoRuns(long otherwise) {
            this.otherwise = otherwise;
        }

        @Override
        public long of(Job job) {
            long[] runs = last.get(job.user());
            return runs == null ? otherwise : Math.ceilDiv(runs[0] + runs[1], 2L);
        }

        @Override
        public void ended(JobRun run) {
            long seconds = run.job().runtime();
            last.merge(run.job().user(), new long[] {seconds, seconds}, (known, now) -> new long[] {now[0], known[0]});
        }
    }

    /** Guesses the runtimes of jobs whose users state none, from ended jobs. */
    interface RuntimeGuess {
        /** Returns the estimate of a job that is submitted now, seconds, positive. */
        long of(Job job);

        default void ended(JobRun run) {}
    }
}
