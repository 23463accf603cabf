package io.slotwise.cli.study;

import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.time.StepFunction;
import io.slotwise.lab.simulation.DrawnDeadlines;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.PricedUsers;
import io.slotwise.lab.simulation.Priorities;
import io.slotwise.lab.simulation.ReplicationShard;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.simulation.ValuedUsers;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.simulation.disturbance.NodeFailures;
import io.slotwise.lab.simulation.metric.Comparison;
import io.slotwise.lab.simulation.metric.Comparison.Result;
import io.slotwise.lab.simulation.metric.QueueFairness;
import io.slotwise.lab.simulation.metric.ReplicationMetrics;
import io.slotwise.lab.simulation.metric.ReplicationOutcome;
import io.slotwise.lab.simulation.metric.SimulationHistory;
import io.slotwise.lab.simulation.planned.NodePrices;
import io.slotwise.lab.simulation.planned.PlannedScheduler;
import io.slotwise.lab.simulation.processors.CostBound;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.random.SeededRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A workload on a machine under several policies, with one shard of the replications. All policies of a replication
 * have the same prices, users and failures.
 *
 * @param workload the jobs, without the random properties that {@code drawn} and {@code ranking} add
 * @param queues of the cluster, or null if there are none
 * @param failures the model by which failures are drawn for each replication; null if there are none
 */
record SimulationStudy(
        Workload workload,
        SimulatedMachine machine,
        List<SimulatedPolicy> policies,
        Drawn drawn,
        Ranking ranking,
        @Nullable SimulatedQueues queues,
        List<Disturbance> disturbances,
        @Nullable NodeFailures failures,
        Replications replications) {
    /** Mixed into the seed for failures, so that failures are independent of the other draws of a replication. */
    private static final long FAILING = 0x5DEECE66DL;

    /** The users' draws; {@code hour} is the value of an hour for all users if they draw no values. */
    record Drawn(boolean users, boolean values, Money hour, int misstatingPercent, int deadlinePercent) {
        private Workload valuing(Workload workload, long meanPrice, long seed) {
            if (values) {
                return new ValuedUsers(workload, meanPrice, misstatingPercent, seed, SeededRandom.L64X128);
            }
            return hour.equals(Money.ZERO) ? workload : ValuedUsers.alike(workload, hour);
        }

        private Workload ending(Workload workload, long seed) {
            return deadlinePercent == 0
                    ? workload
                    : new DrawnDeadlines(workload, deadlinePercent, seed, SeededRandom.L64X128);
        }
    }

    /**
     * The priorities of jobs, and the percentage of jobs that may be moved. {@code byQueue} has the priorities of the
     * log's queues; {@code drawn} has the shares of priorities that the jobs of other queues draw.
     */
    record Ranking(SortedMap<String, Integer> byQueue, List<Priorities.Share> drawn, int migratablePercent) {
        private Workload of(Workload workload, long seed) {
            return byQueue.isEmpty() && drawn.isEmpty() && migratablePercent == 0
                    ? workload
                    : new Priorities(workload, byQueue, drawn, migratablePercent, seed, SeededRandom.L64X128);
        }
    }

    /** The replications; {@code bounded} tells whether to compute the lower bound of cost and delay. */
    record Replications(long seed, int runs, ReplicationShard shard, boolean bounded) {
        private List<Integer> here() {
            return IntStream.range(0, runs).filter(shard::has).boxed().toList();
        }
    }

    record Answer(Comparison comparison, List<SimulationHistory> histories) {}

    private record Part(SimulatedPolicy policy, int run) {}

    /** The lower bounds of cost and delay of jobs, computed once for several policies. */
    private static final class Bounds {
        private record Ended(long seed, List<String> jobs) {}

        private final Map<Ended, Cost> known = new ConcurrentHashMap<>();

        Cost of(long seed, List<Job> ended, List<StepFunction> prices, Function<Job, ValueOfTime> worth) {
            List<String> names = ended.stream().map(Job::id).sorted().toList();
            return known.computeIfAbsent(new Ended(seed, names), _ -> CostBound.of(ended, prices, worth));
        }
    }

    private record Told(ReplicationOutcome outcome, SimulationHistory history) {}

    Currency currency() {
        return policies.stream()
                .map(SimulatedPolicy::currency)
                .filter(currency -> !currency.isNone())
                .findFirst()
                .orElse(Currency.NONE);
    }

    int size() {
        return policies.size() * replications.here().size();
    }

    /** Runs all simulations, several at once. The observers see all of them, and are called from several threads. */
    Answer answer(List<SimulationObserver> watching, BooleanSupplier stopped) {
        List<Integer> runs = replications.here();
        List<Part> parts = policies.stream()
                .flatMap(policy -> runs.stream().map(run -> new Part(policy, run)))
                .toList();
        Bounds bounds = new Bounds();
        List<Told> told = CommonPoolWorkers.ALL.each(parts, part -> simulate(part, bounds, watching, stopped));
        List<Result> results = new ArrayList<>();
        List<SimulationHistory> histories = new ArrayList<>();
        for (int i = 0; i < policies.size(); i++) {
            List<Told> own = told.subList(i * runs.size(), (i + 1) * runs.size());
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

    SimulationStudy on(SimulatedMachine other) {
        return new SimulationStudy(
                workload, other, policies, drawn, ranking, queues, disturbances, failures, replications);
    }

    /**
     * Returns the planner's input at the first second from {@code from} on at which at least {@code gangs} gangs wait,
     * in the first replication. No gang has a promise in it. Empty if there is no such second, or if the caller stops
     * the search.
     *
     * @param planning the policy under which the jobs are scheduled up to that second
     */
    Optional<Snapshot> moment(SimulatedPolicy.Planning planning, long from, int gangs, BooleanSupplier stopped) {
        long seed = replications.seed;
        PlannedScheduler scheduler = planning.scheduler(machine, seed);
        List<Snapshot> found = new ArrayList<>();
        SimulationObserver observer = new SimulationObserver() {
            @Override
            public void passed(long now, MachineLoad after) {
                Snapshot snapshot = now < from || !found.isEmpty() ? null : scheduler.snapshot(now);
                if (snapshot != null && snapshot.requests().size() >= gangs) {
                    found.add(snapshot.withRequests(snapshot.requests().stream()
                            .map(request -> request.withPromise(null))
                            .toList()));
                }
            }
        };
        try (Stream<Job> jobs = drawn.ending(valuing(seed), seed).jobs()) {
            new Simulation(
                            jobs.map(job -> planning.asks(job, machine)).iterator(),
                            disturbances(seed),
                            scheduler,
                            observer)
                    .run(() -> !found.isEmpty() || stopped.getAsBoolean());
        }
        return found.stream().findFirst();
    }

    private Told simulate(Part part, Bounds bounds, List<SimulationObserver> watching, BooleanSupplier stopped) {
        long seed = replications.seed + part.run;
        Scheduler scheduler = part.policy.scheduler(machine, seed);
        Workload workload = valuing(seed);
        ReplicationMetrics metrics =
                new ReplicationMetrics(scheduler::capacityOf, job -> worth(workload, job), part.policy.weights());
        SimulationHistory history = new SimulationHistory();
        List<Job> ended = new ArrayList<>();
        List<SimulationObserver> observers = new ArrayList<>(List.of(metrics, history));
        if (queues != null) {
            QueueFairness fairness = new QueueFairness(
                    queues.tree(Inventory.of(machine.nodes(seed)).total()));
            metrics.setQueues(fairness);
            observers.add(fairness);
        }
        observers.addAll(watching);
        if (replications.bounded) {
            observers.add(new SimulationObserver() {
                @Override
                public void ended(JobRun run) {
                    ended.add(run.job());
                }
            });
        }
        try (Stream<Job> jobs = drawn.ending(workload, seed).jobs()) {
            Simulation.Ending ending = new Simulation(
                            jobs.map(job -> part.policy.asks(job, machine)).iterator(),
                            disturbances(seed),
                            scheduler,
                            observers.toArray(SimulationObserver[]::new))
                    .run(stopped);
            if (replications.bounded && ending.complete()) {
                List<StepFunction> prices = new NodePrices(machine.nodes(seed)).ofCores();
                metrics.setBound(bounds.of(seed, ended, prices, job -> worth(workload, job)));
            }
            return new Told(metrics.outcome(part.run, seed, ending, scheduler.spending()), history);
        }
    }

    private static ValueOfTime worth(Workload workload, Job job) {
        return workload instanceof ValuedUsers users
                ? users.worth(job)
                : job.terms().valueOfTime();
    }

    /** Returns the jobs with the users' draws except deadlines. */
    private Workload valuing(long seed) {
        Workload rankedWorkload = ranking.of(workload, seed);
        long meanPrice = machine.meanPrice(seed);
        return drawn.valuing(
                drawn.users() ? new PricedUsers(rankedWorkload, meanPrice, seed, SeededRandom.L64X128) : rankedWorkload,
                meanPrice,
                seed);
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
