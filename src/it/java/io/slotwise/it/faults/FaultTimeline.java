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

/** What was really done in a run and when: the injector writes it, the checker believes it. */
final class FaultTimeline {
    /** No step of a clock. */
    static final Duration NONE = Duration.ZERO;

    private final List<Happening> happenings = new CopyOnWriteArrayList<>();
    private final Map<String, Subject> gangs = new ConcurrentHashMap<>();
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    /** What kind of thing was done, as far as it matters to the judge. */
    enum Sort {
        /** No Slotwise that leads was there, or it did not reach the API server. */
        ABSENCE,
        /** kube-scheduler was not there, or it did not reach the API server. */
        SCHEDULER,
        /** Slotwise did not know the time. */
        CLOCK,
        /** Calls of all kinds went wrong, or watches. */
        TROUBLE,
        /** Bindings were refused, held, late, twice, or not answered. */
        BINDINGS,
        /** Slotwise died: what it had written it may not have told. */
        DEATH,
        /** A node was changed; the subject is its name. */
        NODE,
        /** A gang or one of its pods was changed; the subject is its name. */
        GANG
    }

    /**
     * One thing that was done.
     *
     * @param subject a node or a gang, or the fault
     * @param ahead how far the clock of Slotwise was ahead; negative: behind
     */
    record Happening(Sort sort, String subject, Instant from, Instant to, Duration ahead) {
        /** Whether any of it falls between the two instants. */
        boolean meets(Instant begin, Instant end) {
            return !from.isAfter(end) && !to.isBefore(begin);
        }
    }

    /**
     * A gang of the run.
     *
     * @param deadline that it asked for, or null
     */
    record Subject(GangSpec gang, Fate fate, @Nullable Instant deadline, boolean givenUp) {}

    void happened(Sort sort, String subject, Instant from, Instant to, Duration ahead) {
        happenings.add(new Happening(sort, subject, from, to, ahead));
    }

    void happened(Sort sort, String subject, Instant at) {
        happened(sort, subject, at, at, NONE);
    }

    /** Something was done once more. */
    void count(String what) {
        counted(what, 1);
    }

    /** Something was done so many times more. */
    void counted(String what, int times) {
        if (times > 0) {
            counts.merge(what, times, Integer::sum);
        }
    }

    /** How often each thing was done. */
    Map<String, Integer> counts() {
        return new TreeMap<>(counts);
    }

    void submitted(GangSpec gang, Fate fate) {
        String deadline = gang.annotations().get("deadline");
        gangs.put(gang.name(), new Subject(gang, fate, deadline == null ? null : Instant.parse(deadline), false));
    }

    /** Somebody has deleted the whole gang: nothing is expected of it any more. */
    void gaveUp(String gang) {
        gangs.computeIfPresent(gang, (name, known) -> new Subject(known.gang(), known.fate(), known.deadline(), true));
    }

    Map<String, Subject> gangs() {
        return gangs;
    }

    List<Happening> happenings() {
        return happenings;
    }

    /** Whether something of these sorts happened between the two instants. */
    boolean any(Set<Sort> sorts, Instant begin, Instant end) {
        return happenings.stream().anyMatch(one -> sorts.contains(one.sort()) && one.meets(begin, end));
    }

    /** Whether something of this sort happened to the subject between the two instants. */
    boolean any(Sort sort, String subject, Instant begin, Instant end) {
        return happenings.stream()
                .anyMatch(one -> one.sort() == sort && one.subject().equals(subject) && one.meets(begin, end));
    }

    /** How far the clock of Slotwise was ahead at most between the two instants. */
    Duration ahead(Instant begin, Instant end) {
        return happenings.stream()
                .filter(one -> one.meets(begin, end))
                .map(Happening::ahead)
                .filter(ahead -> !ahead.isNegative())
                .max(Duration::compareTo)
                .orElse(NONE);
    }

    /**
     * How far a step of the clock of Slotwise went at most between the two instants: by so much something that is timed
     * may take longer.
     */
    Duration stepped(Instant begin, Instant end) {
        return happenings.stream()
                .filter(one -> one.meets(begin, end))
                .map(one -> one.ahead().abs())
                .max(Duration::compareTo)
                .orElse(NONE);
    }
}
