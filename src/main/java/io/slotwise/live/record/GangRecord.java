package io.slotwise.live.record;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.PodSizes;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.planner.queue.BypassCounter.Arrival;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a gang between cycles, which is stored as a Reservation.
 *
 * @param uid of the record, unique over all time; empty if it is not written yet
 * @param version of the record that was read; empty if it is not written yet. A write names it and fails if another
 *     write came first
 * @param promise its window; null if it has none
 * @param tariff the prices of the promise
 * @param plannedAspect whether it has a window, or why not. This names no gang of another namespace, because a reader
 *     of the record may not be allowed to see that gang
 * @param startedAspect whether it has started, or why not
 * @param avoided the nodes that refused the gang, by name
 * @param ownership the right by which its window has its room
 * @param deleted whether the record was deleted and only stays until Slotwise lets it go
 */
@RecordBuilder
public record GangRecord(
        GangId gang,
        String uid,
        String version,
        Phase phase,
        RecordedTerms terms,
        @Nullable Promise promise,
        PromiseTariff tariff,
        Aspect plannedAspect,
        Aspect startedAspect,
        History history,
        SortedMap<String, NodeAvoidance> avoided,
        WindowOwnership ownership,
        boolean deleted)
        implements GangRecordBuilder.With {
    /** The reason of a start from the first binding until all members were seen bound. */
    public static final String BARRIER_OPENED = "BarrierOpened";

    /**
     * A reason in the record is not updated while its instants differ by fewer seconds than this: they move with every
     * cycle, and each change costs a write.
     */
    public static final long NEARLY = 60;

    public GangRecord {
        avoided = Collections.unmodifiableSortedMap(new TreeMap<>(avoided));
        plannedAspect = plannedAspect.within(gang.namespace());
    }

    /** Returns the record of a gang that is first seen at second {@code now}. */
    public static GangRecord first(GangId gang, long now) {
        return new GangRecord(
                gang,
                "",
                "",
                Phase.PENDING,
                RecordedTerms.UNKNOWN,
                null,
                PromiseTariff.CONSTANT,
                new Aspect(false, "Seen", "not planned yet", null, now),
                new Aspect(false, "NotStarted", "not started", null, now),
                History.seen(now),
                Collections.emptySortedMap(),
                WindowOwnership.own(),
                false);
    }

    /**
     * Returns whether a deleted record must stay for now: it holds room, has to be charged, or knows the pods of a
     * start that was rolled back.
     */
    public boolean isKept() {
        return promise != null || history.history() != null || !history.undone().isEmpty();
    }

    /**
     * Returns why the gang waits, as the record says it, completed with the gangs that only the planner knows. Null if
     * the record has no reason.
     *
     * @param wholeRefusal the planner's reason, which may be newer than the record; null if not known here
     */
    public @Nullable Refusal reason(@Nullable Refusal wholeRefusal) {
        Refusal toldRefusal = plannedAspect.refusal();
        return toldRefusal == null || wholeRefusal == null || !tells(wholeRefusal)
                ? toldRefusal
                : toldRefusal.naming(wholeRefusal);
    }

    /**
     * Returns the record after the start. The placements without a pod are those of late pods, which have starts and
     * costs of their own.
     */
    public GangRecord withLatePods() {
        if (promise == null || !phase.started() || history.members().isEmpty()) {
            return this;
        }
        Map<Boolean, List<Placement>> placements = promise.window().placements().stream()
                .collect(Collectors.partitioningBy(placement ->
                        history.members().getOrDefault(placement.pod(), "").isEmpty()));
        List<Placement> late = placements.getOrDefault(true, List.of());
        return late.isEmpty()
                ? this
                : with(promise.withWindow(window(placements.getOrDefault(false, List.of()), late, false)))
                        .withHistory(history.awaiting(late));
    }

    /** Returns the promise including the placements of late pods. Null if there is none. */
    public @Nullable Promise whole() {
        if (promise == null || history.late().isEmpty()) {
            return promise;
        }
        List<Placement> all = Stream.concat(promise.window().placements().stream(), history.late().stream())
                .sorted(Comparator.comparing(Placement::pod))
                .toList();
        return promise.withWindow(window(all, history.late(), true));
    }

    /** Returns the window with these placements. The cost of {@code others} is added or subtracted. */
    private Window window(List<Placement> placements, List<Placement> others, boolean added) {
        Window window = Objects.requireNonNull(promise).window();
        Cost cost = window.cost();
        for (Placement other : others) {
            cost = added ? cost.plus(other.cost()) : cost.minus(other.cost());
        }
        return new Window(gang, window.start(), placements, cost, window.energy());
    }

    /** Returns the start of the window, seconds since the epoch. Empty without a window. */
    public OptionalLong windowStart() {
        return promise == null
                ? OptionalLong.empty()
                : OptionalLong.of(promise.window().start());
    }

    /**
     * Returns the promised latest start, seconds since the epoch. Empty if this is the window's start, or without a
     * promise.
     */
    public OptionalLong promisedBy() {
        return promise == null || promise.promiseBound() == null
                ? OptionalLong.empty()
                : OptionalLong.of(promise.promiseBound().start());
    }

    /** Returns the record with another promise at the same prices, or without a promise if null. */
    public GangRecord with(@Nullable Promise other) {
        return promised(other, other == null ? PromiseTariff.CONSTANT : tariff);
    }

    public GangRecord promised(@Nullable Promise other, PromiseTariff tariff) {
        return with(copy -> copy.promise(other).tariff(tariff));
    }

    public GangRecord planned(boolean holds, String reason, String message, long now) {
        return with(plannedAspect.now(holds, reason, message, null, now), startedAspect);
    }

    /** Returns the record without a window for this reason. It keeps only what its namespace may know. */
    public GangRecord refused(Refusal refusal, long now) {
        return with(plannedAspect.now(false, refusal.ofKind().word(), refusal.message(), refusal, now), startedAspect);
    }

    /**
     * Returns whether the gang gave up its window and was told of no other one: its record still says that it has one.
     * At most the window itself is written of its next promise.
     */
    public boolean lacksItsNextWindow() {
        boolean gaveUp =
                phase == Phase.PENDING || phase == Phase.BROKEN || (phase == Phase.PROMISED && promise == null);
        return gaveUp && plannedAspect.holds();
    }

    /** Returns whether both records tell users the same. */
    public boolean standsAs(GangRecord other) {
        return phase == other.phase && hasWindowOf(other) && plannedAspect.equals(other.plannedAspect);
    }

    /**
     * Returns whether a start goes on, by this record of its gang: no rollback has ended it, and the gang has no other
     * window. A gang that starts at once, or earlier than it was promised, does so before its window is written. So its
     * record may have no window yet, or have any in the version that the start continues.
     */
    public boolean isOpenFor(GangRecord startedRecord) {
        return phase != Phase.BROKEN
                && phase != Phase.COMPLETED
                && history.attempts() == startedRecord.history.attempts()
                && (promise == null || hasWindowOf(startedRecord) || version.equals(startedRecord.version));
    }

    /** Returns whether both have the same window, or none. */
    public boolean hasWindowOf(GangRecord other) {
        return promise == null
                ? other.promise == null
                : other.promise != null && promise.window().equals(other.promise.window());
    }

    /** Returns whether the record gives this reason, apart from instants that have hardly moved. */
    public boolean tells(Refusal refusal) {
        Refusal givenRefusal = plannedAspect.refusal();
        return givenRefusal != null && givenRefusal.isNear(refusal.asSeen(gang.namespace()::equals), NEARLY);
    }

    public GangRecord started(boolean holds, String reason, String message, long now) {
        return with(plannedAspect, startedAspect.now(holds, reason, message, null, now));
    }

    /** Returns this record from the binding of the first pod on, with the UIDs of the pods by name. */
    public GangRecord running(long second, SortedMap<String, String> uids) {
        return withPhase(Phase.RUNNING)
                .withHistory(history.started(second, uids))
                .started(true, BARRIER_OPENED, "all its pods are bound at the same time", second);
    }

    /** Returns whether the gang has started and not all of its pods were seen on their nodes. */
    public boolean isArriving() {
        return phase == Phase.RUNNING && startedAspect.reason().equals(BARRIER_OPENED);
    }

    private GangRecord with(Aspect windowAspect, Aspect startAspect) {
        return with(copy -> copy.plannedAspect(windowAspect).startedAspect(startAspect));
    }

    /** Returns the record with these nodes left out. */
    public GangRecord avoiding(Map<String, NodeAvoidance> nodes) {
        return withAvoided(new TreeMap<>(nodes));
    }

    /** Returns the arrival, by which gangs pass each other. */
    public Arrival arrival() {
        return new Arrival(history.seen, terms.priority());
    }

    /**
     * Returns how the pods ran in a window.
     *
     * @param ends when members ended, by pod, seconds since the epoch
     * @param end when all others had ended
     */
    public Charge.Course course(Window window, Map<String, Long> ends, long end) {
        return new Charge.Course(
                history.startedAt().orElse(window.start()), ends, end, terms.lockstep(), history.sizes());
    }

    /** Returns the pods of the start; none before the start. */
    public StartedMembers startedMembers() {
        return phase.started() ? history.startedMembers() : StartedMembers.NONE;
    }

    /** Returns the advance reservation of which the gang has a part. Null if there is none. */
    public @Nullable GangId host() {
        String reservation = ownership.reservation();
        return reservation == null ? null : new GangId(gang.namespace(), reservation);
    }

    /** A condition of a gang. */
    public record Aspect(
            boolean holds,
            String reason,
            String message,
            @Nullable Refusal refusal,
            long since) {
        public Aspect {
            message = SafeText.line(refusal == null ? message : refusal.message());
        }

        public ReasonStatement statement() {
            return refusal == null ? ReasonStatement.of(message) : refusal;
        }

        private Aspect now(boolean holdsNow, String newReason, String newMessage, @Nullable Refusal refusal, long now) {
            return new Aspect(holdsNow, newReason, newMessage, refusal, holdsNow == holds ? since : now);
        }

        private Aspect within(String namespace) {
            return refusal == null
                            || refusal.gangs().stream()
                                    .allMatch(gang -> gang.namespace().equals(namespace))
                    ? this
                    : new Aspect(holds, reason, message, refusal.asSeen(namespace::equals), since);
        }
    }

    /**
     * The history of a gang. Seconds since the epoch.
     *
     * @param seen when its record was made
     * @param first the first promise since the gang was created or last edited; null if there is none
     * @param startedAt when the barrier opened
     * @param endedAt when its last member had ended
     * @param ends when each member ended, by pod, as far as a restart or a ledger needs that
     * @param attempts how many times it was rolled back after its release
     * @param passed how many gangs whose records are gone have passed it: they arrived later, have no higher priority
     *     and were promised a window
     * @param history its runs before it was moved; null if it was not moved
     * @param releasedAt when its pods were sent to kube-scheduler; empty if none was
     * @param members the UIDs of the pods of its start, by name; empty before the start
     * @param late the placements of late pods, which come only when the first pods are ready; the promise is without
     *     them
     * @param undone the nodes to which rolled back starts were to bind its pods, by UID, until the next start is
     *     durable. A pod that is found there later was bound for the gang, a pod elsewhere by another scheduler
     * @param lastRefusal the reason of the last refused start, until the gang has started or its promise is broken for
     *     another reason; null if it was not refused
     */
    @RecordBuilder
    public record History(
            long seen,
            @Nullable FirstPromise first,
            OptionalLong startedAt,
            OptionalLong endedAt,
            SortedMap<String, Long> ends,
            int attempts,
            int passed,
            @Nullable MigrationHistory history,
            OptionalLong releasedAt,
            SortedMap<String, String> members,
            List<Placement> late,
            SortedMap<String, String> undone,
            @Nullable LastRefusal lastRefusal,
            PodSizes sizes)
            implements GangRecordHistoryBuilder.With {
        public History {
            late = List.copyOf(late);
            undone = Collections.unmodifiableSortedMap(new TreeMap<>(undone));
            ends = Collections.unmodifiableSortedMap(new TreeMap<>(ends));
            members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        }

        public static History seen(long second) {
            return new History(
                    second,
                    null,
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    Collections.emptySortedMap(),
                    0,
                    0,
                    null,
                    OptionalLong.empty(),
                    Collections.emptySortedMap(),
                    List.of(),
                    Collections.emptySortedMap(),
                    null,
                    PodSizes.NONE);
        }

        /** Returns the expected start of the first promise. Empty if nothing was promised. */
        public OptionalLong promisedStart() {
            return first == null ? OptionalLong.empty() : OptionalLong.of(first.start());
        }

        /** Adds a promise; only the first one is remembered. */
        public History promised(FirstPromise promise) {
            return first != null ? this : withFirst(promise);
        }

        /** Forgets a promise that was given to another gang, or to this gang before it was edited. */
        public History unpromised() {
            return withFirst(null);
        }

        /** Returns the history without everything since the release in the current window. */
        private History before(
                int attemptsNow, @Nullable MigrationHistory currentHistory, SortedMap<String, String> undoneNow) {
            return with(copy -> copy.startedAt(OptionalLong.empty())
                    .endedAt(OptionalLong.empty())
                    .ends(Collections.emptySortedMap())
                    .attempts(attemptsNow)
                    .history(currentHistory)
                    .releasedAt(OptionalLong.empty())
                    .members(Collections.emptySortedMap())
                    .late(List.of())
                    .undone(undoneNow)
                    .sizes(PodSizes.NONE));
        }

        /** Adds a rollback without anything new to undo. */
        public History takenBack() {
            return before(attempts + 1, history, undone);
        }

        /** Adds a rollback after the release in this window. */
        public History takenBack(Window window) {
            TreeMap<String, String> places = new TreeMap<>(undone);
            for (Placement placement : window.placements()) {
                String uid = members.getOrDefault(placement.pod(), "");
                if (!uid.isEmpty()) {
                    places.put(uid, placement.node());
                }
            }
            return before(attempts + 1, history, places);
        }

        /** Returns whether this pod is where a rolled back start was to bind it. */
        public boolean isUndone(Member member) {
            return member.node().equals(undone.get(member.uid()));
        }

        /** Returns the history of an ended gang whose record is reused for another window. */
        public History again() {
            return before(attempts, null, Collections.emptySortedMap())
                    .withLastRefusal(null)
                    .unpromised();
        }

        /** Adds a stop of the running gang, which is placed again. */
        public History moved(MigrationHistory before) {
            return before(attempts, before, Collections.emptySortedMap()).withLastRefusal(null);
        }

        /** Returns whether the gang was moved a short while ago, so that missing pods may be on their way. */
        public boolean awaitsPods(long now) {
            return history != null && history.awaits(now);
        }

        /** Adds a durable start with these pods. */
        public History started(long second, SortedMap<String, String> uids) {
            return with(copy -> copy.startedAt(OptionalLong.of(second))
                    .members(uids)
                    .undone(Collections.emptySortedMap())
                    .lastRefusal(null));
        }

        /** Adds a start without the late pods of these placements. */
        private History awaiting(List<Placement> placements) {
            TreeMap<String, String> there = new TreeMap<>(members);
            there.values().removeIf(String::isEmpty);
            return with(copy -> copy.members(there).late(placements));
        }

        /** Adds the release to kube-scheduler. */
        public History released(long second) {
            return withReleasedAt(OptionalLong.of(second));
        }

        public StartedMembers startedMembers() {
            return new StartedMembers(startedAt, members, late);
        }

        /** Adds the end of the last member. */
        public History ended(long second) {
            return withEndedAt(OptionalLong.of(second));
        }

        /** Adds passing gangs whose records are removed now. */
        public History passedBy(int gangs) {
            return withPassed(passed + gangs);
        }
    }
}
