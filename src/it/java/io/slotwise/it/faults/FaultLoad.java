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
 * The gangs of a run and the nodes for them, from the plan's seed: small, short, of all kinds, spread over the plan's
 * span.
 */
final class FaultLoad {
    /** The namespace whose budget is enough for all its gangs. */
    static final String AMPLE = "ample";
    /** The namespace whose budget is enough for a part of its gangs. */
    static final String TIGHT = "tight";
    /** The label that gangs select their nodes by. */
    static final String POOL = "it.slotwise.io/pool";
    /** The priority class of urgent gangs. */
    static final String URGENT = "it-urgent";

    /** What the tight namespace may spend for each of its gangs, millionths: less than most cost. */
    private static final int TIGHT_MICROS_PER_GANG = 4000;

    /** Of one gang of so many a pod is refused. */
    private static final int REFUSED = 12;

    /** One gang of so many runs so much longer than the others: longer than any repair takes. */
    private static final int LONG = 8;

    private static final int LONGER_SECONDS = 20;

    private static final int CORES = 8;
    private static final int NODES = 60;
    private static final List<String> PRICES = List.of("0.20", "0.40", "0.80", "1.60");

    private final List<Arrival> arrivals;

    /** What becomes of a gang if all goes well. */
    enum Fate {
        /** It runs in the end. */
        RUNS,
        /** It runs, or its deadline has passed. */
        RUNS_BY_A_DEADLINE,
        /** It runs while its namespace has money. */
        RUNS_FOR_MONEY,
        /** It never runs: too large, or too poor. */
        NEVER_RUNS
    }

    /**
     * A gang to come.
     *
     * @param at from the beginning of the run
     * @param earliest it asks to start so long after its arrival at the earliest, null: not
     * @param latest it asks to have ended so long after its arrival, null: not
     */
    record Arrival(
            int number,
            GangSpec gang,
            Duration at,
            @Nullable Duration earliest,
            @Nullable Duration latest,
            Fate fate) {

        /** The gang as it is submitted now. */
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
        // Another stream than that of the faults.
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

    /** The nodes, by name. */
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

    /** What the nodes hold and cost, by name. */
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
     * Most gangs are bound by Slotwise itself; one of five goes through kube-scheduler, and one of ten has members of
     * both kinds.
     */
    private static Arrival byItsWay(Arrival arrival) {
        GangSpec gang = arrival.gang();
        GangSpec sent = switch (arrival.number() % 10) {
            case 2, 7 -> gang.throughKubeScheduler();
            case 4 -> gang.withLastThroughKubeScheduler(gang.size() / 2);
            default -> gang;
        };
        return new Arrival(arrival.number(), sent, arrival.at(), arrival.earliest(), arrival.latest(), arrival.fate());
    }

    /** Whether the kubelet refuses a pod of this gang in its first life. */
    static boolean isRefused(int number) {
        return number % REFUSED == REFUSED - 1;
    }

    /** One more gang, which starts at once if there is room: for a fault that waits for a start. */
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
