package io.slotwise.demo;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.time.Interval;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Who submits what to a demo: gangs of one to sixteen pods of several kinds, each with a criterion, and mostly a
 * budget, some with a deadline. Two kinds do about the same each time and state no runtime, the others state one: half
 * of them end early, some overrun. Drawn from a generator: the same seed gives the same gangs.
 */
final class DemoSubmissions {
    /** The part of the cluster's processors that they ask for in the long run, percent. */
    private static final long LOAD_PERCENT = 65;

    /** Core-seconds of a gang on average, about, on the speeds of the fleet. */
    private static final long MEAN_WORK = 35_000;

    /** Most want to start or end soon. */
    private static final List<Criterion> CRITERIA = List.of(
            Criterion.START, Criterion.START, Criterion.FINISH, Criterion.COST, Criterion.COST, Criterion.RUNTIME);

    private static final List<Kind> KINDS = List.of(
            new Kind("vision", "train", 4, 8, 0, 16_384, true, 0),
            new Kind("speech", "finetune", 1, 4, 1, 16_384, true, 0),
            new Kind("weather", "ensemble", 8, 4, 0, 8_192, false, 70),
            new Kind("genomics", "align", 2, 4, 0, 32_768, false, 0),
            new Kind("finance", "risk", 6, 2, 0, 4_096, false, 0),
            new Kind("media", "render", 4, 4, 0, 8_192, false, 45),
            new Kind("physics", "mpi", 16, 2, 0, 4_096, true, 0));

    private final RandomGenerator random;
    private final long meanGap;
    private final long meanPrice;
    private int number;

    /**
     * What one team runs.
     *
     * @param size pods at most
     * @param cores of a pod
     * @param memory of a pod, MiB
     * @param minutes that it takes about, on a node of performance 1, where no user states that; 0: its users state a
     *     runtime
     */
    private record Kind(
            String namespace, String name, int size, int cores, int gpus, long memory, boolean lockstep, long minutes) {
        boolean stated() {
            return minutes == 0;
        }
    }

    /** Submissions for these nodes. */
    DemoSubmissions(RandomGenerator random, Collection<Node> nodes) {
        this.random = random;
        long milliCores = nodes.stream()
                .mapToLong(node -> node.allocatable().get(Resources.CPU))
                .sum();
        this.meanGap = Math.max(1, 100 * MEAN_WORK * 1000 / LOAD_PERCENT / Math.max(1, milliCores));
        this.meanPrice = nodes.stream().mapToLong(node -> node.price().min()).sum() * 1000 / Math.max(1, milliCores);
    }

    /** Seconds until the next one comes. */
    long gap() {
        return 1 + Math.round(-Math.log(1 - random.nextDouble()) * meanGap);
    }

    /** Who comes in this second. */
    DemoSubmission next(long second) {
        Kind kind = KINDS.get(random.nextInt(KINDS.size()));
        number++;
        GangId id = new GangId(kind.namespace, "%s-%d".formatted(kind.name, number));
        int size = 1 + random.nextInt(kind.size);
        double drawn = random.nextDouble();
        long runtime = kind.stated() ? 60L * Math.round(10 * Math.pow(24, drawn)) : usual(kind, drawn);
        PodRequest request = new PodRequest(resources(kind), NodeConstraint.NONE, runtime, false);
        Gang gang = new Gang(
                id,
                IntStream.range(0, size).mapToObj(i -> id.name() + "-" + i).toList(),
                request,
                Demand.NONE
                        .withBudget(budget(kind, size, runtime))
                        .withCriterion(CRITERIA.get(random.nextInt(CRITERIA.size())))
                        .withDeadline(
                                random.nextInt(4) == 0 ? second + runtime * (3 + random.nextInt(6)) : Interval.FOREVER)
                        .withLockstep(kind.lockstep && size > 1),
                0,
                second);
        long percent = percent();
        return new DemoSubmission(
                gang,
                kind.stated() ? Math.max(1, runtime * percent / 100) : runtime,
                new RecurringWorkload(kind.name, kind.name),
                kind.stated());
    }

    /** What a kind takes that does about the same each time, give or take a tenth; seconds. */
    private static long usual(Kind kind, double drawn) {
        return Math.round(60 * kind.minutes * (0.9 + 0.2 * drawn));
    }

    private static Resources resources(Kind kind) {
        return Resources.of(Map.of(
                Resources.CPU,
                kind.cores * 1000L,
                Resources.MEMORY,
                kind.memory << 20,
                DemoFleet.GPU,
                (long) kind.gpus,
                Resources.PODS,
                1L));
    }

    /** What the cores cost on average, times 0.3 to 3; GPUs cost more. A fifth has no limit. */
    private Budget budget(Kind kind, int size, long runtime) {
        if (random.nextInt(5) == 0) {
            return Budget.UNLIMITED;
        }
        long usual = size * (kind.cores + 4L * kind.gpus) * meanPrice * runtime / 3600;
        long cents = Math.max(1, usual * (30 + random.nextLong(270)) / 100 / 10_000);
        return new Budget(new Money(cents * 10_000), null);
    }

    /** How much of the runtime is really used: half of the gangs end early, one in twenty runs over. */
    private long percent() {
        int which = random.nextInt(20);
        return which < 10 ? 30 + random.nextInt(65) : which < 19 ? 100 : 105 + random.nextInt(15);
    }
}
