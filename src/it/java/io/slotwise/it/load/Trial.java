package io.slotwise.it.load;

import io.slotwise.it.AuditLog.Entry;
import io.slotwise.it.load.Processors.Cost;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A trial of a scheduler with a load on a control plane of its own. */
final class Trial {
    /** The longest time to wait for the writes of a scheduler that goes on writing. */
    private static final Duration AFTERMATH = Duration.ofSeconds(60);

    private final Load load;
    private final Contender contender;
    private final Course course;
    private final PrintStream log;

    /** Creates a trial that reports its progress to {@code log}. */
    Trial(Load load, Contender contender, Course course, PrintStream log) {
        this.load = load;
        this.contender = contender;
        this.course = course;
        this.log = log;
    }

    /**
     * The measurements by the API server, the system and Slotwise itself.
     *
     * @param due how the promised second was kept, or null without one
     * @param inside null for other schedulers
     */
    record Measured(
            Outcome outcome,
            Cost cost,
            Requests requests,
            @Nullable Punctuality due,
            @Nullable Inside inside) {}

    Measured run() {
        try (Bench bench = new Bench(load, contender, course, log)) {
            if (course.runsBefore()) {
                bench.startAndWarmUp();
            }
            return course.creation() == Creation.FIRST ? createdFirst(bench) : live(bench);
        }
    }

    private Measured createdFirst(Bench bench) {
        if (course.runsBefore()) {
            bench.programs().suspend();
        }
        Instant creation = bench.now();
        bench.createGangs(load.pods(creation));
        bench.say("%s are created; it goes to work", load);
        Instant began = bench.now();
        if (course.runsBefore()) {
            bench.programs().resume();
        } else {
            bench.programs().start();
        }
        return measure(bench, began, load.dueSecond(creation));
    }

    private Measured live(Bench bench) {
        bench.say("creating %s", load);
        Instant began = bench.now();
        Processors processors = new Processors();
        processors.add(bench.reading());
        bench.createGangs(load.pods(began));
        return measure(bench, processors, began, load.dueSecond(began));
    }

    private Measured measure(Bench bench, Instant began, Instant dueSecond) {
        Processors processors = new Processors();
        processors.add(bench.reading());
        return measure(bench, processors, began, dueSecond);
    }

    private Measured measure(Bench bench, Processors processors, Instant began, Instant dueSecond) {
        Instant deadline = began.plus(course.patience());
        try (Tail audit = bench.tail(Load.NAMESPACE)) {
            Runnable meanwhile = () -> processors.add(bench.reading());
            bench.await(audit, () -> isOver(audit), deadline, meanwhile);
            if (!bench.awaitQuiet(audit, bench.now().plus(AFTERMATH), meanwhile)) {
                bench.say("it still writes after %d s; what comes now is not counted", AFTERMATH.toSeconds());
            }
        }
        List<Entry> entries = bench.entries(began);
        Outcome outcome = Outcome.of(entries, load, began, course.runsBefore());
        return new Measured(
                outcome,
                processors.until(lastWrite(entries, began)),
                Requests.of(entries),
                load.due() == 0 || !contender.isSlotwise()
                        ? null
                        : Punctuality.of(entries, Windows.of(bench.plane()), dueSecond),
                bench.programs().inside());
    }

    private boolean isOver(Tail audit) {
        return load.isShort() ? audit.ended() >= load.pods() : audit.bound() >= load.pods();
    }

    /** The last write of any user. kwok's writes about the pods are the same work for all schedulers. */
    private static Instant lastWrite(List<Entry> entries, Instant began) {
        return entries.stream()
                .filter(entry -> entry.namespace().equals(Load.NAMESPACE) && Tail.WRITES.contains(entry.verb()))
                .map(Entry::answered)
                .reduce(began, (a, b) -> a.isAfter(b) ? a : b);
    }
}
