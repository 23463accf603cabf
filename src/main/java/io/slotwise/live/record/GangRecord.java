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
 * Where a gang stands, as it is remembered between cycles: one Reservation in the planner's words.
 *
 * @param gang which
 * @param uid of its record, which outlives none; empty: it is not written yet
 * @param version of the record that this was read from; empty: it is not written yet. A write names it and fails if
 *     another one came first
 * @param phase where in its life
 * @param terms what it asks for
 * @param promise its window; null: none
 * @param tariff the prices of the promise
 * @param plannedAspect whether it has a window, or why not; it names no gang of another namespace, since a reader of
 *     the gang's record may not be allowed to read theirs
 * @param startedAspect whether it has started, or why not
 * @param history what happened so far
 * @param avoided nodes that refused it, by name
 * @param ownership by what right its window has its room
 * @param deleted whether its record was deleted, and is only kept until Slotwise lets it go
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
    /** The reason of its start while only its first pod says that it has started, and its record does not yet. */
    public static final String FIRST_BOUND = "FirstPodBound";

    /** The reason of its start from then on until all members were seen bound. */
    public static final String BARRIER_OPENED = "BarrierOpened";

    /**
     * A reason stays as it was told while its instants are less than so many seconds off: they move with every cycle,
     * and each change is a write.
     */
    public static final long NEARLY = 60;

    public GangRecord {
        avoided = Collections.unmodifiableSortedMap(new TreeMap<>(avoided));
        plannedAspect = plannedAspect.within(gang.namespace());
    }

    /** A gang that is seen for the first time, at second {@code now}. */
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
     * Whether its record stays when it is deleted until Slotwise lets it go: it holds room, has to be charged, or
     * knows the pods of a start that was rolled back.
     */
    public boolean isKept() {
        return promise != null || history.history() != null || !history.undone().isEmpty();
    }

    /**
     * Why it waits, as its record says it, so that everybody is told the same: with the gangs that only the planner
     * knows. Null: the record gives no reason.
     *
     * @param wholeRefusal the planner's reason, which may be ahead of the record; null: it is not known here
     */
    public @Nullable Refusal reason(@Nullable Refusal wholeRefusal) {
        Refusal toldRefusal = plannedAspect.refusal();
        return toldRefusal == null || wholeRefusal == null || !tells(wholeRefusal)
                ? toldRefusal
                : toldRefusal.naming(wholeRefusal);
    }

    /**
     * The same as it is known once it has started: seats of its window without a pod are those of pods that come late,
     * which have starts and costs of their own.
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

    /** Its promise with the seats of pods that come late; null: none. */
    public @Nullable Promise whole() {
        if (promise == null || history.late().isEmpty()) {
            return promise;
        }
        List<Placement> all = Stream.concat(promise.window().placements().stream(), history.late().stream())
                .sorted(Comparator.comparing(Placement::pod))
                .toList();
        return promise.withWindow(window(all, history.late(), true));
    }

    /** Its window with these seats in place of its own, for which the cost of others is added or taken off. */
    private Window window(List<Placement> placements, List<Placement> others, boolean added) {
        Window window = Objects.requireNonNull(promise).window();
        Cost cost = window.cost();
        for (Placement other : others) {
            cost = added ? cost.plus(other.cost()) : cost.minus(other.cost());
        }
        return new Window(gang, window.start(), placements, cost, window.energy());
    }

    /** The start of its window, seconds since the epoch; empty without one. */
    public OptionalLong windowStart() {
        return promise == null
                ? OptionalLong.empty()
                : OptionalLong.of(promise.window().start());
    }

    /**
     * The latest start that is promised where the window's is only expected, seconds since the epoch; empty: the
     * window's, or there is no promise.
     */
    public OptionalLong promisedBy() {
        return promise == null || promise.promiseBound() == null
                ? OptionalLong.empty()
                : OptionalLong.of(promise.promiseBound().start());
    }

    /** With another promise at the same prices; null: without any. */
    public GangRecord with(@Nullable Promise other) {
        return promised(other, other == null ? PromiseTariff.CONSTANT : tariff);
    }

    /** With another promise and its prices. */
    public GangRecord promised(@Nullable Promise other, PromiseTariff tariff) {
        return with(copy -> copy.promise(other).tariff(tariff));
    }

    /** With another word on its window. */
    public GangRecord planned(boolean holds, String reason, String message, long now) {
        return with(plannedAspect.now(holds, reason, message, null, now), startedAspect);
    }

    /** Without a window for this reason, of which its record keeps what its namespace may know. */
    public GangRecord refused(Refusal refusal, long now) {
        return with(plannedAspect.now(false, refusal.ofKind().word(), refusal.message(), refusal, now), startedAspect);
    }

    /**
     * Whether it gave its window up and was told of no other one: its record still says that it has one. The window of
     * its next one may be written already, and nothing more.
     */
    public boolean lacksItsNextWindow() {
        boolean gaveUp =
                phase == Phase.PENDING || phase == Phase.BROKEN || (phase == Phase.PROMISED && promise == null);
        return gaveUp && plannedAspect.holds();
    }

    /** Whether it stands as {@code other} does, as far as people are told. */
    public boolean standsAs(GangRecord other) {
        return phase == other.phase && hasWindowOf(other) && plannedAspect.equals(other.plannedAspect);
    }

    /** Whether it has the same window, or none as well. */
    public boolean hasWindowOf(GangRecord other) {
        return promise == null
                ? other.promise == null
                : other.promise != null && promise.window().equals(other.promise.window());
    }

    /** Whether its record gives this reason, but for instants that have hardly moved. */
    public boolean tells(Refusal refusal) {
        Refusal givenRefusal = plannedAspect.refusal();
        return givenRefusal != null && givenRefusal.isNear(refusal.asSeen(gang.namespace()::equals), NEARLY);
    }

    /** With another word on its start. */
    public GangRecord started(boolean holds, String reason, String message, long now) {
        return with(plannedAspect, startedAspect.now(holds, reason, message, null, now));
    }

    /** As it is from the binding of its first pod on: with these pods, by name, from this second on. */
    public GangRecord running(long second, SortedMap<String, String> uids) {
        long promised = windowStart().orElse(second);
        History begunHistory = history.promised(new FirstPromise(promised)).started(second, uids);
        GangRecord toldRecord = plannedAspect.holds() ? this : planned(true, "Promised", "it starts at once", second);
        return toldRecord
                .withPhase(Phase.RUNNING)
                .withHistory(begunHistory.with(
                        copy -> copy.endedAt(OptionalLong.empty()).ends(Collections.emptySortedMap())))
                .started(true, FIRST_BOUND, "its first pod is bound", second);
    }

    /** As its record says it once that says that it has started. */
    public GangRecord recorded() {
        return isAhead()
                ? started(true, BARRIER_OPENED, "all its pods are bound at the same time", startedAspect.since())
                : this;
    }

    /** Whether its first pod says that it has started, and its record does not yet. */
    public boolean isAhead() {
        return phase == Phase.RUNNING && startedAspect.reason().equals(FIRST_BOUND);
    }

    private GangRecord with(Aspect windowAspect, Aspect startAspect) {
        return with(copy -> copy.plannedAspect(windowAspect).startedAspect(startAspect));
    }

    /** With other nodes left out. */
    public GangRecord avoiding(Map<String, NodeAvoidance> nodes) {
        return withAvoided(new TreeMap<>(nodes));
    }

    /** By what it passes others, and others pass it. */
    public Arrival arrival() {
        return new Arrival(history.seen, terms.priority());
    }

    /**
     * How its pods ran in a window.
     *
     * @param ends when members ended, by pod, seconds since the epoch
     * @param end when all others had ended
     */
    public Charge.Course course(Window window, Map<String, Long> ends, long end) {
        return new Charge.Course(
                history.startedAt().orElse(window.start()), ends, end, terms.lockstep(), history.sizes());
    }

    /** The pods that it has started with; none before its start. */
    public StartedMembers startedMembers() {
        return phase.started() ? history.startedMembers() : StartedMembers.NONE;
    }

    /** The advance reservation that it has a part of; null: none. */
    public @Nullable GangId host() {
        String reservation = ownership.reservation();
        return reservation == null ? null : new GangId(gang.namespace(), reservation);
    }

    /**
     * One aspect of where a gang stands.
     *
     * @param holds whether it is so
     * @param reason one word in camel case
     * @param message one sentence without a full stop, that of the refusal if there is one
     * @param refusal why not, as a value; null: that is no refusal, or the record was written before there were values
     *     in it
     * @param since the second in which {@code holds} became what it is
     */
    public record Aspect(
            boolean holds,
            String reason,
            String message,
            @Nullable Refusal refusal,
            long since) {
        public Aspect {
            message = SafeText.line(refusal == null ? message : refusal.message());
        }

        /** Why it is so, or how. */
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
     * What happened to a gang so far. Seconds since the epoch.
     *
     * @param seen when its record was made
     * @param first what was promised first, since the gang was there or was edited last; null: nothing
     * @param startedAt when the barrier opened
     * @param endedAt when its last member had ended
     * @param ends when each member ended, by pod, as far as a restart or a ledger needs to know
     * @param attempts how many times it was rolled back after its release
     * @param passed how many gangs have passed it whose records are gone: that arrived later, have no higher priority
     *     and were promised a window
     * @param history what it did before it was moved while it ran; null: it was not
     * @param releasedAt when its pods were sent to kube-scheduler; empty: they were not, or none of them goes that way
     * @param members the UIDs of the pods that it has started with, by name; empty: it has not
     * @param late the seats of its window whose pods come only when those are ready; its promise is without them
     * @param undone where starts that were rolled back were to bind their pods, by UID, until the next one is durable:
     *     one of them that is found there later was bound for the gang, one elsewhere by another scheduler
     * @param lastRefusal why it was not started the last time, until it has started or its promise has fallen for
     *     another reason; null: it was not refused
     * @param sizes what its pods take that were resized while it ran
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

        /** Seen for the first time. */
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

        /** The start that was expected with the first promise; empty: nothing was promised. */
        public OptionalLong promisedStart() {
            return first == null ? OptionalLong.empty() : OptionalLong.of(first.start());
        }

        /** A window was promised; only the first one is remembered. */
        public History promised(FirstPromise promise) {
            return first != null ? this : withFirst(promise);
        }

        /** What was promised was promised to another gang, or to this one before it was edited. */
        public History unpromised() {
            return withFirst(null);
        }

        /** What happened since the release of the present window counts for nothing. */
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

        /** It was rolled back once more, with nothing new to undo. */
        public History takenBack() {
            return before(attempts + 1, history, undone);
        }

        /** It was rolled back after its release in this window. */
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

        /** Whether this pod is where a start that was rolled back was to bind it. */
        public boolean isUndone(Member member) {
            return member.node().equals(undone.get(member.uid()));
        }

        /** It has ended, and its record is used for another window. */
        public History again() {
            return before(attempts, null, Collections.emptySortedMap())
                    .withLastRefusal(null)
                    .unpromised();
        }

        /** It was stopped to be placed again. */
        public History moved(MigrationHistory before) {
            return before(attempts, before, Collections.emptySortedMap()).withLastRefusal(null);
        }

        /** Whether it was moved a short while ago, so that pods that are missing may be on their way. */
        public boolean awaitsPods(long now) {
            return history != null && history.awaits(now);
        }

        /** Its start is durable. */
        public History started(long second) {
            return started(second, members);
        }

        /** Its start is durable, with these pods. */
        public History started(long second, SortedMap<String, String> uids) {
            return with(copy -> copy.startedAt(OptionalLong.of(second))
                    .members(uids)
                    .undone(Collections.emptySortedMap())
                    .lastRefusal(null));
        }

        /** It has started without the pods of these seats, which come late. */
        private History awaiting(List<Placement> placements) {
            TreeMap<String, String> there = new TreeMap<>(members);
            there.values().removeIf(String::isEmpty);
            return with(copy -> copy.members(there).late(placements));
        }

        /** Its pods are sent to kube-scheduler. */
        public History released(long second) {
            return withReleasedAt(OptionalLong.of(second));
        }

        /** The pods that it has started with. */
        public StartedMembers startedMembers() {
            return new StartedMembers(startedAt, members, late);
        }

        /** Its last member has ended. */
        public History ended(long second) {
            return withEndedAt(OptionalLong.of(second));
        }

        /** So many more have passed it whose records go now. */
        public History passedBy(int gangs) {
            return withPassed(passed + gangs);
        }
    }
}
