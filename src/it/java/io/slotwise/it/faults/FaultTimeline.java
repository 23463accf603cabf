package io.slotwise.it.faults;

import io.slotwise.it.GangSpec;
import io.slotwise.it.faults.FaultLoad.Fate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The happenings of a run with their times, written by the injector and read by the checker. */
final class FaultTimeline {
    static final Duration NONE = Duration.ZERO;

    private final List<Happening> happenings = new CopyOnWriteArrayList<>();
    private final Map<String, Subject> gangs = new ConcurrentHashMap<>();
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    /** The sort of a happening, as far as the checker distinguishes it. */
    enum Sort {
        /** No leader of Slotwise existed, or it did not reach the API server. */
        ABSENCE,
        /** No kube-scheduler existed, or it did not reach the API server. */
        SCHEDULER,
        /** Slotwise's clock was wrong. */
        CLOCK,
        /** Calls of all kinds or watches failed. */
        TROUBLE,
        /** Bindings were refused, held, late, repeated or not answered. */
        BINDINGS,
        /** Slotwise died, and may have written something without its event. */
        DEATH,
        /** A node was changed. The subject is its name. */
        NODE,
        /** A gang or one of its pods was changed. The subject is the gang's name. */
        GANG
    }

    /**
     * A happening.
     *
     * @param subject a node or a gang, or the fault
     * @param ahead how far the clock of Slotwise was ahead; negative if behind
     */
    record Happening(Sort sort, String subject, Instant from, Instant to, Duration ahead) {
        /** Returns whether the happening meets the time between the two instants. */
        boolean meets(Instant begin, Instant end) {
            return !from.isAfter(end) && !to.isBefore(begin);
        }
    }

    /**
     * A gang of the run.
     *
     * @param deadline the requested deadline, or null
     */
    record Subject(GangSpec gang, Fate fate, @Nullable Instant deadline, boolean givenUp) {}

    void happened(Sort sort, String subject, Instant from, Instant to, Duration ahead) {
        happenings.add(new Happening(sort, subject, from, to, ahead));
    }

    void happened(Sort sort, String subject, Instant at) {
        happened(sort, subject, at, at, NONE);
    }

    void count(String what) {
        counted(what, 1);
    }

    void counted(String what, int times) {
        if (times > 0) {
            counts.merge(what, times, Integer::sum);
        }
    }

    /** The number of times that each thing was done. */
    Map<String, Integer> counts() {
        return new TreeMap<>(counts);
    }

    void submitted(GangSpec gang, Fate fate) {
        String deadline = gang.annotations().get("deadline");
        gangs.put(gang.name(), new Subject(gang, fate, deadline == null ? null : Instant.parse(deadline), false));
    }

    /** Records that the whole gang was deleted and need not run. */
    void gaveUp(String gang) {
        gangs.computeIfPresent(gang, (name, known) -> new Subject(known.gang(), known.fate(), known.deadline(), true));
    }

    Map<String, Subject> gangs() {
        return gangs;
    }

    List<Happening> happenings() {
        return happenings;
    }

    /** Returns whether something of these sorts happened between the two instants. */
    boolean any(Set<Sort> sorts, Instant begin, Instant end) {
        return happenings.stream().anyMatch(one -> sorts.contains(one.sort()) && one.meets(begin, end));
    }

    /** Returns whether something of this sort happened to the subject between the two instants. */
    boolean any(Sort sort, String subject, Instant begin, Instant end) {
        return happenings.stream()
                .anyMatch(one -> one.sort() == sort && one.subject().equals(subject) && one.meets(begin, end));
    }

    /** The largest lead of Slotwise's clock between the two instants. */
    Duration ahead(Instant begin, Instant end) {
        return happenings.stream()
                .filter(one -> one.meets(begin, end))
                .map(Happening::ahead)
                .filter(ahead -> !ahead.isNegative())
                .max(Duration::compareTo)
                .orElse(NONE);
    }

    /** The largest step of Slotwise's clock between the two instants, by which a timeout may take longer. */
    Duration stepped(Instant begin, Instant end) {
        return happenings.stream()
                .filter(one -> one.meets(begin, end))
                .map(one -> one.ahead().abs())
                .max(Duration::compareTo)
                .orElse(NONE);
    }
}
