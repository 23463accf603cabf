package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueEntitlements;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.Workers;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.workload.Job;
import io.slotwise.testing.OracleStarts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * A replay of submissions by five queues on 400 processors, and what each queue gets in each hour.
 *
 * <p>The weights are 5:3:1:1:0, and three queues are guaranteed 200 processors. So the queues are entitled to 100, 60,
 * 100, 60 and 80 processors. In four hours each queue submits 15 % more than that, and then nothing
 * for an hour. A job takes one to four processors for 15 to 60 minutes.
 */
final class QueueReplay implements SimulationObserver {
    static final List<Queue> QUEUES =
            List.of(queue("a", 5, 0), queue("b", 3, 0), queue("c", 1, 80), queue("d", 1, 40), queue("e", 0, 80));

    private static final RandomSource DRAWS =
            seed -> RandomGeneratorFactory.of("L64X128MixRandom").create(seed);

    private static final long HOUR = 3600;
    private static final int PROCESSORS = 400;
    private static final int PERIOD_HOURS = 5;
    private static final int BUSY_HOURS = 4;
    private static final int BUSY_PERCENT = 115;

    private final Map<String, Long> processors = new HashMap<>();
    private final Map<String, Integer> waiting = new HashMap<>();
    private final SortedMap<Long, Hour> hours = new TreeMap<>();
    private final Map<String, Long> settled = new HashMap<>();
    private boolean contended;
    private long reached;

    /**
     * The use of an hour.
     *
     * @param processorSeconds by queue
     * @param contended whether jobs of all queues waited in each second
     */
    record Hour(Map<String, Long> processorSeconds, boolean contended) {
        private static Hour empty() {
            return new Hour(new HashMap<>(), true);
        }

        private Hour uncontended() {
            return new Hour(processorSeconds, false);
        }

        /** Returns the use of a queue by what it is entitled to. */
        double received(String queue) {
            return (double) processorSeconds.getOrDefault(queue, 0L)
                    / (double) (HOUR * Objects.requireNonNull(entitled().get(queue)));
        }
    }

    private static Queue queue(String name, int weight, long guaranteed) {
        return new Queue(
                name,
                null,
                weight,
                guaranteed == 0 ? Map.of() : Map.of(Resources.CPU, Amount.of(guaranteed * 1000)),
                Map.of(),
                Map.of(),
                false);
    }

    private static List<Node> nodes() {
        return new ProcessorNodes(PROCESSORS, PROCESSORS, Money.parse("1"), 0).nodes(DRAWS.seeded(1));
    }

    /** Returns the processors that each queue is entitled to while all compete. */
    static Map<String, Long> entitled() {
        QueueTree tree = QueueTree.of(QUEUES, Inventory.of(nodes()).total());
        QueueEntitlements entitlements = new QueueEntitlements(tree, 0, Set.of("a", "b", "c", "d", "e"));
        Map<String, Long> entitled = new TreeMap<>();
        QUEUES.forEach(queue -> entitled.put(queue.name(), entitlements.of(queue.name(), Resources.CPU) / 1000));
        return entitled;
    }

    /** Returns jobs in the order of their submissions, the same for each seed. */
    static List<Job> jobs(int count, long seed) {
        RandomGenerator random = DRAWS.seeded(seed);
        Map<String, Long> entitled = entitled();
        List<Job> jobs = new ArrayList<>();
        long[] work = new long[QUEUES.size()];
        for (long minute = 0; jobs.size() < count; minute++) {
            if (minute / 60 % PERIOD_HOURS >= BUSY_HOURS) {
                continue;
            }
            for (int i = 0; i < QUEUES.size(); i++) {
                String queue = QUEUES.get(i).name();
                work[i] += 60 * Objects.requireNonNull(entitled.get(queue)) * BUSY_PERCENT / 100;
                while (work[i] > 0) {
                    int size = 1 + random.nextInt(4);
                    long runtime = 60 * (15 + random.nextLong(46));
                    work[i] -= size * runtime;
                    Job job = OracleStarts.job(
                            "j%06d".formatted(jobs.size()),
                            minute * 60 + random.nextInt(60),
                            size,
                            runtime,
                            runtime,
                            queue);
                    jobs.add(job.on(job.terms().in(queue)));
                }
            }
        }
        return jobs.stream()
                .sorted(Comparator.comparingLong(Job::submit).thenComparing(Job::id))
                .toList();
    }

    /** Runs jobs and returns the hours until the last submission. */
    static List<Hour> run(List<Job> jobs, Policy policy) {
        PlannedClusterRules rules = new PlannedClusterRules(policy, 300, 300, 60).in(QUEUES, Map.of());
        QueueReplay replay = new QueueReplay();
        PlannedScheduler scheduler = new PlannedScheduler(nodes(), rules, Workers.CALLER, DRAWS);
        new Simulation(jobs.iterator(), List.of(), scheduler, replay).run(() -> false);
        long last = jobs.getLast().submit() / HOUR;
        return List.copyOf(replay.hours.headMap(last).values());
    }

    @Override
    public void submitted(Job job) {
        waiting.merge(job.user(), 1, Integer::sum);
    }

    @Override
    public void started(JobRun run) {
        waiting.merge(run.job().user(), -1, Integer::sum);
        processors.merge(run.job().user(), (long) run.job().size(), Long::sum);
    }

    @Override
    public void interrupted(JobRun run, Why why) {
        waiting.merge(run.job().user(), 1, Integer::sum);
        processors.merge(run.job().user(), (long) -run.job().size(), Long::sum);
    }

    @Override
    public void ended(JobRun run) {
        processors.merge(run.job().user(), (long) -run.job().size(), Long::sum);
    }

    @Override
    public void passed(long now, MachineLoad load) {
        for (long second = reached; second < now; ) {
            long next = Math.min(now, (second / HOUR + 1) * HOUR);
            Hour hour = hours.computeIfAbsent(second / HOUR, _ -> Hour.empty());
            long seconds = next - second;
            settled.forEach((queue, count) -> hour.processorSeconds.merge(queue, seconds * count, Long::sum));
            if (!contended) {
                hours.put(second / HOUR, hour.uncontended());
            }
            second = next;
        }
        reached = now;
        settled.putAll(processors);
        contended = QUEUES.stream().allMatch(queue -> waiting.getOrDefault(queue.name(), 0) > 0);
    }
}
