package io.slotwise.lab.experiment.log;

import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.work.Workers;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.log.PoliciesExperiment.LogPart.Half;
import io.slotwise.lab.experiment.log.PoliciesExperiment.PolicyGrid.PolicyCandidate;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.JobRun.Deal;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.simulation.metric.ReplicationOutcome;
import io.slotwise.lab.simulation.planned.PlannedClusterRules;
import io.slotwise.lab.simulation.planned.PlannedScheduler;
import io.slotwise.lab.simulation.planned.ProcessorNodes;
import io.slotwise.lab.simulation.processors.Conservative;
import io.slotwise.lab.simulation.processors.Easy;
import io.slotwise.lab.simulation.processors.ProcessorMachine;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogFolder;
import io.slotwise.random.SeededRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The choice of the chart's default policy. Policies are tried on the first part of each log. The best one that keeps
 * every promise is tested on the following part, against EASY backfilling with the shortest job first.
 *
 * <p>The best policy has the least geometric mean over the logs of waits and bounded slowdowns, relative to that
 * discipline. Waits below ten seconds count as ten, as in the bounded slowdown: otherwise a log without waits would
 * decide.
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

    /** The relative difference that counts as noise. */
    private static final double NOISE = 0.02;

    private static final double LEAST_WAIT = 10;
    private static final double PERCENT = 100;

    private static final List<String> METRICS = List.of(WAIT, SLOWDOWN);
    private static final List<String> OF_PROMISES = List.of(KEPT, KNOWN, SLACK, BEYOND, SPARED);

    private final LogFolder folder;
    private final List<LogPart> logs;
    private final List<PolicyCandidate> disciplines;
    private final List<PolicyCandidate> policies;
    private final List<Cell> cells = new ArrayList<>();

    private record Cell(LogPart log, Half half, PolicyCandidate candidate) {}

    public PoliciesExperiment(LogFolder folder) {
        this(folder, usual(), PolicyGrid.disciplines(), PolicyGrid.policies());
    }

    PoliciesExperiment(
            LogFolder folder, List<LogPart> logs, List<PolicyCandidate> disciplines, List<PolicyCandidate> policies) {
        this.folder = folder;
        this.logs = List.copyOf(logs);
        this.disciplines = List.copyOf(disciplines);
        this.policies = List.copyOf(policies);
        for (LogPart log : logs) {
            for (Half half : Half.values()) {
                candidates().forEach(candidate -> cells.add(new Cell(log, half, candidate)));
            }
        }
    }

    static List<LogPart> usual() {
        return List.of(
                new LogPart(ReplayedLog.named("SDSC-SP2"), 1500, 3500),
                new LogPart(ReplayedLog.named("KTH-SP2"), 1500, 3500),
                new LogPart(ReplayedLog.named("HPC2N"), 1000, 2500),
                new LogPart(ReplayedLog.named("LLNL-Atlas"), 2000, 4000),
                new LogPart(ReplayedLog.CEA_CURIE, 1000, 2000));
    }

    private Stream<PolicyCandidate> candidates() {
        return Stream.concat(disciplines.stream(), policies.stream());
    }

    @Override
    public ExperimentProfile profile() {
        return ExperimentProfile.named("policies");
    }

    @Override
    public Optional<String> missing() {
        return ReplayedLog.missing(logs.stream().map(LogPart::log), folder);
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
        Promised promised = new Promised();
        Stream<Job> asked = cell.log.jobs(folder, cell.half).stream().map(cell.candidate::asks);
        Scheduler scheduler = cell.candidate.on(cell.log.log().machine());
        note(tally, cell, ReplayedLog.replay(asked, scheduler, promised), promised);
    }

    private static void note(Tally tally, Cell cell, ReplicationOutcome outcome, Promised promised) {
        String series = cell.candidate.name();
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
    public Conclusion conclude(Tally tally) {
        List<Figure> figures = new ArrayList<>();
        figures.add(scores(tally));
        for (LogPart log : logs) {
            Figure.Builder builder =
                    new Figure.Builder("%s, %s".formatted(log.log().title(), Half.HELD_OUT.words()), tally);
            disciplines.forEach(candidate ->
                    METRICS.forEach(metric -> builder.mean(candidate.name(), log.of(Half.HELD_OUT), metric)));
            policies.forEach(candidate -> Stream.concat(METRICS.stream(), OF_PROMISES.stream())
                    .forEach(metric -> builder.mean(candidate.name(), log.of(Half.HELD_OUT), metric)));
            figures.add(builder.build());
        }
        return new Conclusion(figures, findings(tally));
    }

    private Figure scores(Tally tally) {
        Figure.Builder builder =
                new Figure.Builder("Training: waits and bounded slowdowns by those of easy-sjbf", tally);
        for (PolicyCandidate candidate : policies) {
            for (LogPart log : logs) {
                builder.value(candidate.name(), log.log().name(), SCORE, score(tally, candidate, List.of(log)), null);
            }
            builder.value(candidate.name(), ALL, SCORE, score(tally, candidate, logs), null);
        }
        return builder.build();
    }

    /** Returns the geometric mean over the replayed logs; NaN if there are none. */
    private static double score(Tally tally, PolicyCandidate candidate, List<LogPart> logs) {
        double sum = 0;
        int ratios = 0;
        for (LogPart log : logs) {
            String x = log.of(Half.TRAINING);
            double wait = tally.mean(candidate.name(), x, WAIT);
            if (Double.isFinite(wait)) {
                sum += Math.log(
                        Math.max(LEAST_WAIT, wait) / Math.max(LEAST_WAIT, tally.mean(PolicyGrid.YARDSTICK, x, WAIT)));
                sum += Math.log(
                        tally.mean(candidate.name(), x, SLOWDOWN) / tally.mean(PolicyGrid.YARDSTICK, x, SLOWDOWN));
                ratios += 2;
            }
        }
        return ratios == 0 ? Double.NaN : Math.exp(sum / ratios);
    }

    private List<LogPart> replayed(Tally tally) {
        return logs.stream()
                .filter(log -> Double.isFinite(tally.mean(PolicyGrid.YARDSTICK, log.of(Half.HELD_OUT), WAIT)))
                .toList();
    }

    private List<Finding> findings(Tally tally) {
        List<LogPart> replayed = replayed(tally);
        return policies.stream()
                .filter(candidate -> replayed.stream()
                        .allMatch(log -> tally.mean(candidate.name(), log.of(Half.TRAINING), KEPT) == PERCENT))
                .min(Comparator.comparingDouble(candidate -> score(tally, candidate, replayed)))
                .map(bestCandidate -> new Judgement(tally, bestCandidate, replayed).findings())
                .orElseGet(() -> List.of(
                        new Finding("training", "a policy keeps every promise", Verdict.NO, "none of them does")));
    }

    private record Judgement(Tally tally, PolicyCandidate bestCandidate, List<LogPart> replayed) {
        List<Finding> findings() {
            return List.of(
                    new Finding(
                            Half.TRAINING.words(),
                            "the best of the policies that keep every promise is the chart's default",
                            Verdict.of(bestCandidate.usual()),
                            String.format(
                                    Locale.ROOT,
                                    "%s with %.3f",
                                    bestCandidate.name(),
                                    score(tally, bestCandidate, replayed))),
                    least(WAIT, "jobs wait no longer under the best of the training than under easy-sjbf, within 2 %"),
                    least(SLOWDOWN, "and slow down no more, within 2 %"),
                    bound(KEPT, "it keeps every promise", PERCENT, Double.POSITIVE_INFINITY),
                    bound(
                            BEYOND,
                            "its slack is at most two fifths of the wait and a fifth of the estimate in the median: of "
                                    + "no more than half of the jobs beyond it",
                            0,
                            PERCENT / 2));
        }

        private double own(LogPart log, String metric) {
            return tally.mean(bestCandidate.name(), log.of(Half.HELD_OUT), metric);
        }

        private double yardstick(LogPart log, String metric) {
            return tally.mean(PolicyGrid.YARDSTICK, log.of(Half.HELD_OUT), metric);
        }

        private Finding least(String metric, String statement) {
            return held(
                    statement,
                    log -> own(log, metric) <= yardstick(log, metric) * (1 + NOISE),
                    log -> String.format(
                            Locale.ROOT,
                            "%s %.2f against %.2f",
                            log.log().name(),
                            own(log, metric),
                            yardstick(log, metric)));
        }

        private Finding bound(String metric, String statement, double least, double most) {
            return held(
                    statement,
                    log -> own(log, metric) >= least && own(log, metric) <= most,
                    log -> String.format(Locale.ROOT, "%s %.1f %%", log.log().name(), own(log, metric)));
        }

        private Finding held(String statement, Predicate<LogPart> holds, Function<LogPart, String> evidence) {
            return new Finding(
                    Half.HELD_OUT.words(),
                    statement,
                    Verdict.each(replayed, holds),
                    replayed.stream().map(evidence).collect(Collectors.joining(", ")));
        }
    }

    /**
     * The first jobs of a log, split by time: {@code training} jobs for training, and at most {@code heldOut} held out.
     */
    record LogPart(ReplayedLog log, int training, int heldOut) {
        enum Half {
            TRAINING("training"),
            HELD_OUT("held out");

            private final String words;

            Half(String words) {
                this.words = words;
            }

            String words() {
                return words;
            }
        }

        List<Job> jobs(LogFolder folder, Half half) {
            List<Job> all = log.jobs(folder);
            int first = Math.min(training, all.size());
            return switch (half) {
                case TRAINING -> all.subList(0, first);
                case HELD_OUT -> all.subList(first, Math.min(Math.addExact(first, heldOut), all.size()));
            };
        }

        String of(Half half) {
            return "%s, %s".formatted(log.name(), half.words);
        }
    }

    /** The candidates for the chart's default policy, and the disciplines that they have to beat. */
    static final class PolicyGrid {
        static final String YARDSTICK = "easy-sjbf";

        private static final long CYCLE = 10;
        private static final long COLLECT = 1;
        private static final long GRACE = 60;
        private static final long MINUTE = 60;

        static final Policy USUAL = Policy.DEFAULT;

        private PolicyGrid() {}

        /** A way to run a machine; the name has the keys in which it differs from the chart's default. */
        record PolicyCandidate(
                String name, boolean promises, boolean usual, Function<ProcessorNodes, Scheduler> maker) {
            Scheduler on(ProcessorNodes nodes) {
                return maker.apply(nodes);
            }

            Job asks(Job job) {
                return promises ? ProcessorNodes.onProcessors(job) : job;
            }
        }

        static List<PolicyCandidate> disciplines() {
            return List.of(
                    discipline("easy", processors -> new Easy(processors, Easy.Scan.ARRIVAL)),
                    discipline(YARDSTICK, processors -> new Easy(processors, Easy.Scan.SHORTEST_ESTIMATE)),
                    discipline("conservative", Conservative::new));
        }

        private static PolicyCandidate discipline(String name, Function<ProcessorMachine, Scheduler> discipline) {
            return new PolicyCandidate(
                    name,
                    false,
                    false,
                    nodes -> discipline.apply(new ProcessorMachine(nodes.processors(), nodes.price())));
        }

        static List<PolicyCandidate> policies() {
            Policy unrestrictedPolicy = USUAL.withSlack(PromiseSlack.NONE);
            Policy tenthPolicy = USUAL.withSlack(new PromiseSlack(100_000, 50_000, MINUTE));
            Policy fifthPolicy = USUAL.withSlack(new PromiseSlack(200_000, 100_000, MINUTE));
            Policy policy = USUAL.withSlack(new PromiseSlack(200_000, 100_000, 0));
            Policy twicePolicy = USUAL.withSlack(new PromiseSlack(400_000, 200_000, 0));
            String slack = "promises.slack {wait: 0.2, runtime: 0.1, at-least: 1m}";
            List<PolicyCandidate> all = new ArrayList<>();
            all.add(planned("promises.slack 0", unrestrictedPolicy));
            all.add(planned("promises.slack {wait: 0.1, runtime: 0.05, at-least: 1m}", tenthPolicy));
            all.add(planned("promises.slack {wait: 0.2, runtime: 0.1, at-least: 0s}", policy));
            all.add(planned(slack, fifthPolicy));
            all.add(planned("promises.slack {wait: 0.4, runtime: 0.2, at-least: 0s}", twicePolicy));
            all.add(planned(slack + ", promises.improve.gain 0", fifthPolicy.withReplanGain(0)));
            all.add(planned(slack + ", batch.alternatives 1", batch(fifthPolicy, batch -> batch.withAlternatives(1))));
            all.add(planned(
                    slack + ", study.order afcfs",
                    fifthPolicy.withQueue(fifthPolicy.queue().by(Policy.Order.AFCFS))));
            all.add(planned(
                    slack + ", queue.order value",
                    fifthPolicy.withQueue(fifthPolicy.queue().by(Policy.Order.VALUE))));
            all.add(planned(
                    slack + ", batch.objective max-value",
                    batch(fifthPolicy, batch -> batch.serving(Objective.MAX_VALUE, Limit.NONE))));
            all.add(planned(
                    "promises.replan free, study.backfill easy, study.cyclic-fraction 0",
                    batch(unrestrictedPolicy.withReplan(Policy.Replan.FREE), PolicyGrid::uncycled)
                            .withBackfill(Policy.Backfill.EASY)));
            return List.copyOf(all);
        }

        private static Policy batch(Policy policy, UnaryOperator<Policy.Batch> change) {
            return policy.withBatch(change.apply(policy.batch()));
        }

        private static Policy.Batch uncycled(Policy.Batch batch) {
            Policy.Split usualSplit = batch.split();
            return batch.withSplit(new Policy.Split(usualSplit.subBatches(), 0, usualSplit.choice()));
        }

        static PolicyCandidate planned(String name, Policy policy) {
            return new PolicyCandidate(
                    name,
                    true,
                    policy.equals(USUAL),
                    nodes -> new PlannedScheduler(
                            nodes.nodes(Seeds.generator(1)),
                            new PlannedClusterRules(policy, CYCLE, COLLECT, GRACE),
                            Workers.CALLER,
                            SeededRandom.L64X128));
        }
    }
}
