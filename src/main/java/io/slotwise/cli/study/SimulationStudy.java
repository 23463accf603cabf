package io.slotwise.cli.study;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.money.Currency;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.random.SeededRandom;
import io.slotwise.simulation.DrawnDeadlines;
import io.slotwise.simulation.PricedUsers;
import io.slotwise.simulation.Priorities;
import io.slotwise.simulation.ReplicationShard;
import io.slotwise.simulation.Scheduler;
import io.slotwise.simulation.Simulation;
import io.slotwise.simulation.SimulationObserver;
import io.slotwise.simulation.SimulationObservers;
import io.slotwise.simulation.ValuedUsers;
import io.slotwise.simulation.disturbance.Disturbance;
import io.slotwise.simulation.disturbance.NodeFailures;
import io.slotwise.simulation.metric.Comparison;
import io.slotwise.simulation.metric.Comparison.Result;
import io.slotwise.simulation.metric.ReplicationMetrics;
import io.slotwise.simulation.metric.ReplicationOutcome;
import io.slotwise.simulation.metric.SimulationHistory;
import io.slotwise.workload.Job;
import io.slotwise.workload.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A workload on a machine under several policies, in one shard's share of the replications. All policies of one
 * replication see the same prices, users and failures.
 *
 * @param workload before anything is drawn for it
 * @param drawsUsers whether users draw budgets and criteria
 * @param drawsValues whether users draw what their time is worth
 * @param deadlinePercent how many of the jobs have a deadline, drawn
 * @param ranking which jobs differ in priority, and may be moved
 * @param disturbances in every replication
 * @param failures drawn for each replication; null: none
 * @param replications which
 */
record SimulationStudy(
        Workload workload,
        SimulatedMachine machine,
        List<SimulatedPolicy> policies,
        boolean drawsUsers,
        boolean drawsValues,
        int deadlinePercent,
        Ranking ranking,
        List<Disturbance> disturbances,
        @Nullable NodeFailures failures,
        Replications replications) {
    /** Draws of a replication that must not follow from each other begin with different numbers. */
    private static final long FAILING = 0x5DEECE66DL;

    /**
     * Which jobs differ in priority, and may be moved.
     *
     * @param byQueue priorities of the log's queues
     * @param drawn shares of the other jobs
     * @param migratablePercent how many of all jobs may be moved
     */
    record Ranking(SortedMap<String, Integer> byQueue, List<Priorities.Share> drawn, int migratablePercent) {
        private Workload of(Workload workload, long seed) {
            return byQueue.isEmpty() && drawn.isEmpty() && migratablePercent == 0
                    ? workload
                    : new Priorities(workload, byQueue, drawn, migratablePercent, seed, SeededRandom.L64X128);
        }
    }

    /**
     * Which replications are run here.
     *
     * @param seed of the first
     * @param runs how many there are in all
     * @param shard which part of them
     */
    record Replications(long seed, int runs, ReplicationShard shard) {
        private List<Integer> here() {
            return IntStream.range(0, runs).filter(shard::has).boxed().toList();
        }
    }

    /** What came out. */
    record Answer(Comparison comparison, List<SimulationHistory> histories) {}

    private record Part(SimulatedPolicy policy, int run) {}

    private record Told(ReplicationOutcome outcome, SimulationHistory history) {}

    /** What the money of the first policy is in that says it. */
    Currency currency() {
        return policies.stream()
                .map(SimulatedPolicy::currency)
                .filter(one -> !one.isNone())
                .findFirst()
                .orElse(Currency.NONE);
    }

    /** How many simulations there are to run. */
    int size() {
        return policies.size() * replications.here().size();
    }

    /** Runs all simulations, several at once; {@code watching} sees all of them. */
    Answer answer(SimulationObserver watching, BooleanSupplier stopped) {
        List<Integer> here = replications.here();
        List<Part> parts = policies.stream()
                .flatMap(policy -> here.stream().map(run -> new Part(policy, run)))
                .toList();
        List<Told> told = CommonPoolWorkers.ALL.each(parts, part -> simulate(part, watching, stopped));
        List<Result> results = new ArrayList<>();
        List<SimulationHistory> histories = new ArrayList<>();
        for (int i = 0; i < policies.size(); i++) {
            List<Told> own = told.subList(i * here.size(), (i + 1) * here.size());
            results.add(new Result(
                    policies.get(i).name(), own.stream().map(Told::outcome).toList()));
            own.stream().findFirst().ifPresent(first -> histories.add(first.history));
        }
        Comparison comparison = new Comparison(
                workload.name(),
                machine.words(),
                replications.seed,
                replications.runs,
                replications.shard.index(),
                replications.shard.of(),
                results);
        return new Answer(comparison, histories);
    }

    private Told simulate(Part part, SimulationObserver watching, BooleanSupplier stopped) {
        long seed = replications.seed + part.run;
        Scheduler scheduler = part.policy.scheduler(machine, seed);
        ReplicationMetrics metrics = new ReplicationMetrics(scheduler::capacityOf);
        SimulationHistory history = new SimulationHistory();
        try (Stream<Job> jobs = asked(seed).jobs()) {
            Simulation.Ending ending = new Simulation(
                            jobs.map(job -> part.policy.asks(job, machine)).iterator(),
                            disturbances(seed),
                            scheduler,
                            new SimulationObservers(List.of(metrics, history, watching)))
                    .run(stopped);
            return new Told(metrics.outcome(part.run, seed, ending), history);
        }
    }

    private Workload asked(long seed) {
        Workload ranked = ranking.of(workload, seed);
        Workload paying =
                drawsUsers ? new PricedUsers(ranked, machine.meanPrice(seed), seed, SeededRandom.L64X128) : ranked;
        Workload valued =
                drawsValues ? new ValuedUsers(paying, machine.meanPrice(seed), seed, SeededRandom.L64X128) : paying;
        return deadlinePercent == 0 ? valued : new DrawnDeadlines(valued, deadlinePercent, seed, SeededRandom.L64X128);
    }

    private List<Disturbance> disturbances(long seed) {
        List<Disturbance> all = new ArrayList<>(disturbances);
        if (failures != null) {
            List<String> names = machine.nodes(seed).stream().map(Node::name).toList();
            all.addAll(failures.of(names, 0, SeededRandom.L64X128.seeded(seed ^ FAILING)));
        }
        all.sort(Comparator.comparingLong(Disturbance::second));
        return all;
    }
}
