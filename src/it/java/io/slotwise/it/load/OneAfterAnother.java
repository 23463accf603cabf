package io.slotwise.it.load;

import io.slotwise.it.AuditLog.Entry;
import io.slotwise.it.GangSpec;
import io.slotwise.it.load.Processors.Cost;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Gangs one after another in an otherwise idle cluster: how long each waits although there is room. */
final class OneAfterAnother {
    private static final long SEED = 1;
    private static final int SHORTEST_PAUSE = 300;
    private static final int LONGEST_PAUSE = 1300;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Load load;
    private final Contender contender;
    private final Course course;
    private final PrintStream log;

    OneAfterAnother(Load load, Contender contender, Course course, PrintStream log) {
        this.load = load;
        this.contender = contender;
        this.course = course;
        this.log = log;
    }

    /**
     * The waits of the gangs.
     *
     * @param waits seconds from the creation of a gang's last pod to its last binding, of whole gangs
     * @param created gangs
     * @param sameSecond windows that begin in the second of the last pod's creation
     * @param windows gangs with a window
     * @param cost of the whole time
     */
    record Waits(List<Double> waits, int created, int sameSecond, int windows, Cost cost) {
        Waits {
            waits = List.copyOf(waits);
        }
    }

    Waits run(int gangs) {
        SplittableRandom pauses = new SplittableRandom(SEED);
        try (Bench bench = new Bench(load, contender, course, log)) {
            bench.startAndWarmUp();
            Instant began = bench.now();
            Processors processors = new Processors();
            processors.add(bench.reading());
            Map<String, Instant> starts = new HashMap<>();
            try (Tail audit = bench.tail(Load.NAMESPACE)) {
                for (int i = 0; i < gangs; i++) {
                    turn(bench, audit, load.one(i), starts);
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauses.nextInt(SHORTEST_PAUSE, LONGEST_PAUSE)));
                }
                bench.awaitQuiet(audit, bench.now().plus(PATIENCE), () -> {});
            }
            processors.add(bench.reading());
            return judge(
                    bench.entries(began),
                    starts,
                    load.shapes().getFirst().size(),
                    gangs,
                    processors.until(bench.now()));
        }
    }

    /** Creates a gang, waits until it is bound, notes its window's start, and deletes it. */
    private void turn(Bench bench, Tail audit, GangSpec gang, Map<String, Instant> starts) {
        int before = audit.bound();
        bench.createGangs(gang.pods().stream());
        if (!bench.await(
                audit, () -> audit.bound() >= before + gang.size(), bench.now().plus(PATIENCE))) {
            bench.say("%s is not bound after %d s", gang.name(), PATIENCE.toSeconds());
        }
        Instant start = contender.isSlotwise() ? Windows.of(bench.plane(), gang.name()) : null;
        if (start != null) {
            starts.put(gang.name(), start);
        }
        bench.plane()
                .client()
                .pods()
                .inNamespace(Load.NAMESPACE)
                .withLabel("slotwise.io/gang", gang.name())
                .delete();
    }

    /** Computes the waits from the audit log and the windows' starts by gang. */
    static Waits judge(List<Entry> entries, Map<String, Instant> starts, int size, int gangs, Cost cost) {
        Map<String, Instant> created = new HashMap<>();
        entries.stream()
                .filter(OneAfterAnother::isCreation)
                .forEach(entry -> created.merge(Outcome.gang(entry), entry.answered(), (a, b) -> a.isAfter(b) ? a : b));
        List<Double> waits = Outcome.bindings(entries).entrySet().stream()
                .filter(gang -> gang.getValue().size() == size && created.containsKey(gang.getKey()))
                .map(gang -> Duration.between(
                                        created.get(gang.getKey()),
                                        gang.getValue().getLast())
                                .toNanos()
                        / 1e9)
                .sorted()
                .toList();
        int same = (int) created.entrySet().stream()
                .filter(gang -> gang.getValue().truncatedTo(ChronoUnit.SECONDS).equals(starts.get(gang.getKey())))
                .count();
        return new Waits(waits, gangs, same, starts.size(), cost);
    }

    private static boolean isCreation(Entry entry) {
        return entry.verb().equals("create")
                && entry.resource().equals("pods")
                && entry.namespace().equals(Load.NAMESPACE)
                && entry.succeeded();
    }
}
