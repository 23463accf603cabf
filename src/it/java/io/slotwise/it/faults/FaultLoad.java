package io.slotwise.it.faults;

import io.fabric8.kubernetes.api.model.Node;
import io.slotwise.it.GangSpec;
import io.slotwise.it.RunChecker.Room;
import io.slotwise.it.Workload;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The gangs of a run and their nodes, from the plan's seed: small, short, of all kinds, spread over the plan's span.
 */
final class FaultLoad {
    /** The namespace with enough budget for all its gangs. */
    static final String AMPLE = "ample";
    /** The namespace with a budget for some of its gangs. */
    static final String TIGHT = "tight";
    /** The label by which gangs select their nodes. */
    static final String POOL = "it.slotwise.io/pool";
    /** The priority class of urgent gangs. */
    static final String URGENT = "it-urgent";

    /** The queue of some gangs of the namespace with enough budget. */
    static final String QUEUE = "limited";

    private static final String QUEUE_KEY = "queue";
    /** The most that gangs of the queue use together. */
    static final long QUEUE_MILLI_CORES = 40_000;

    /** A gang out of this many submits to the queue. */
    private static final int QUEUED = 6;

    /** The tight namespace's budget per gang, millionths: less than most gangs cost. */
    private static final int TIGHT_MICROS_PER_GANG = 4000;

    /** The kubelet refuses a pod of a gang out of this many. */
    private static final int REFUSED = 12;

    /** A gang out of this many runs longer than the others, and longer than any repair takes. */
    private static final int LONG = 8;

    private static final int LONGER_SECONDS = 20;

    private static final int CORES = 8;
    private static final int NODES = 60;
    private static final List<String> PRICES = List.of("0.20", "0.40", "0.80", "1.60");

    private final List<Arrival> arrivals;

    /** The fate of a gang if all goes well. */
    enum Fate {
        /** Runs in the end. */
        RUNS,
        /** Runs, or passes its deadline. */
        RUNS_BY_A_DEADLINE,
        /** Runs if its namespace has money. */
        RUNS_FOR_MONEY,
        /** Never runs: too large for the nodes or for its budget. */
        NEVER_RUNS
    }

    /**
     * A future gang.
     *
     * @param at from the beginning of the run
     * @param earliest the earliest requested start after its arrival, or null
     * @param latest the latest requested end after its arrival, or null
     */
    record Arrival(
            int number,
            GangSpec gang,
            Duration at,
            @Nullable Duration earliest,
            @Nullable Duration latest,
            Fate fate) {

        GangSpec submitted(Instant now) {
            GangSpec spec = gang;
            if (earliest != null) {
                spec = spec.with("earliest-start", second(now.plus(earliest)));
            }
            return latest == null ? spec : spec.with("deadline", second(now.plus(latest)));
        }

        private static String second(Instant instant) {
            return instant.truncatedTo(ChronoUnit.SECONDS).toString();
        }
    }

    FaultLoad(FaultPlan plan) {
        // A random stream apart from that of the faults.
        RandomGenerator random = FaultPlan.generator(~plan.seed());
        Duration between = plan.span().dividedBy(plan.gangs());
        List<Arrival> all = new ArrayList<>();
        for (int i = 0; i < plan.gangs(); i++) {
            all.add(byItsWay(arrival(random, i, between.multipliedBy(i))));
        }
        arrivals = List.copyOf(all);
    }

    List<Arrival> arrivals() {
        return arrivals;
    }

    /** The budget of the tight namespace, currency units a month. */
    BigDecimal tightBudget() {
        long gangs = arrivals.stream()
                .filter(arrival -> arrival.gang().namespace().equals(TIGHT))
                .count();
        return BigDecimal.valueOf(Math.max(1, gangs) * TIGHT_MICROS_PER_GANG, 6);
    }

    static Map<String, Node> nodes() {
        Map<String, Node> nodes = new TreeMap<>();
        for (int i = 1; i <= NODES; i++) {
            String name = "n%02d".formatted(i);
            nodes.put(
                    name,
                    Workload.node(
                            name,
                            CORES,
                            4 * CORES,
                            Map.of("slotwise.io/price", PRICES.get(i % PRICES.size()), POOL, "faults")));
        }
        return nodes;
    }

    static Map<String, Room> rooms() {
        Map<String, Room> rooms = new TreeMap<>();
        for (int i = 1; i <= NODES; i++) {
            rooms.put(
                    "n%02d".formatted(i),
                    new Room(CORES * 1000L, (4L * CORES) << 30, new BigDecimal(PRICES.get(i % PRICES.size()))));
        }
        return rooms;
    }

    private static Arrival arrival(RandomGenerator random, int number, Duration at) {
        String namespace = random.nextInt(7) == 0 ? TIGHT : AMPLE;
        int runtime = random.nextInt(3, 11) + (number % LONG == LONG - 3 ? LONGER_SECONDS : 0);
        GangSpec gang = GangSpec.of(
                        namespace,
                        "g%04d".formatted(number),
                        random.nextInt(1, 9),
                        1000 * random.nextInt(1, 4),
                        runtime)
                .on(POOL, "faults")
                .runningFor(Math.max(2, runtime - random.nextInt(4)))
                .stoppingIn(1);
        Duration earliest = random.nextInt(3) == 0 ? Duration.ofSeconds(random.nextInt(8, 25)) : null;
        Fate fate = namespace.equals(TIGHT) ? Fate.RUNS_FOR_MONEY : Fate.RUNS;
        return switch (random.nextInt(14)) {
            case 0, 1 -> new Arrival(number, gang.with("criterion", "cost"), at, earliest, null, fate);
            case 2 -> new Arrival(number, gang.with("criterion", "finish"), at, earliest, null, fate);
            case 3, 4 -> new Arrival(number, gang.with("budget", "100"), at, earliest, null, fate);
            case 5 -> new Arrival(number, gang.with("max-price", "0.60"), at, earliest, null, fate);
            case 6 -> new Arrival(number, gang.with("lockstep", "true"), at, earliest, null, fate);
            case 7 -> new Arrival(number, gang.ofClass(URGENT), at, earliest, null, fate);
            case 8 ->
                new Arrival(
                        number,
                        gang,
                        at,
                        earliest,
                        Duration.ofSeconds(random.nextInt(60, 180)),
                        fate == Fate.RUNS ? Fate.RUNS_BY_A_DEADLINE : fate);
            case 9 -> new Arrival(number, impossible(random, gang), at, null, null, Fate.NEVER_RUNS);
            default -> new Arrival(number, gang, at, earliest, null, fate);
        };
    }

    /**
     * Slotwise itself binds most gangs. One in five goes through kube-scheduler, and one in ten has members of both
     * kinds.
     */
    private static Arrival byItsWay(Arrival arrival) {
        GangSpec gang = arrival.gang();
        GangSpec sent = switch (arrival.number() % 10) {
            case 2, 7 -> gang.throughKubeScheduler();
            case 4 -> gang.withLastThroughKubeScheduler(gang.size() / 2);
            default -> gang;
        };
        if (gang.namespace().equals(AMPLE) && arrival.number() % QUEUED == 0) {
            sent = sent.with(QUEUE_KEY, QUEUE);
        }
        return new Arrival(arrival.number(), sent, arrival.at(), arrival.earliest(), arrival.latest(), arrival.fate());
    }

    static boolean isQueued(GangSpec gang) {
        return gang.annotations().containsKey(QUEUE_KEY);
    }

    /** The queues of the two namespaces, which lend to each other, and below one of them the queue with the limit. */
    static Map<String, String> queues() {
        return Map.of(
                AMPLE, "{namespaces: [%s], guarantee: {cpu: 320}}".formatted(AMPLE),
                TIGHT, "{namespaces: [%s], guarantee: {cpu: 60}}".formatted(TIGHT),
                QUEUE, "{parent: %s, limit: {cpu: %dm}}".formatted(AMPLE, QUEUE_MILLI_CORES));
    }

    /** Returns whether the kubelet refuses a pod of this gang in its first life. */
    static boolean isRefused(int number) {
        return number % REFUSED == REFUSED - 1;
    }

    /** A further gang that starts at once if there is room, for a fault that needs a start. */
    static GangSpec extra(int number) {
        return GangSpec.of(AMPLE, "x%04d".formatted(number), 3, 1000, 5)
                .on(POOL, "faults")
                .stoppingIn(1);
    }

    private static GangSpec impossible(RandomGenerator random, GangSpec gang) {
        return random.nextBoolean()
                ? GangSpec.of(gang.namespace(), gang.name(), gang.size(), (CORES + 1) * 1000, gang.runtimeSeconds())
                        .on(POOL, "faults")
                : gang.with("budget", "0.000001");
    }
}
