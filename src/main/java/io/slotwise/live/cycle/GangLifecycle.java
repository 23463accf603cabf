package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.ClusterView.Remade;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.StartedMembers;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.AwaitedGangs;
import io.slotwise.live.start.GangStarter;
import io.slotwise.live.start.StartTimes;
import io.slotwise.live.start.ToldStarts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The part of a gang's life that needs no planning: starts and ends are recorded, what is late is rolled back, what is
 * gone is forgotten. A pure function of the facts, the second and the room that nodes have.
 */
public final class GangLifecycle {
    private final LoopSettings settings;
    private final Surroundings surroundings;
    private final NodeRefusals refusals;

    /** What a gang's life goes by besides its record and its pods. */
    interface Surroundings {
        ClusterView view();

        Map<String, RunHistory> histories();

        /** Whether a window's pods would fit on their nodes now. */
        default boolean hasRoom(Window window) {
            return view().hasRoom(window, List.of());
        }

        /** How the pods of a gang that runs come back; empty: some do not. */
        default Optional<Remade> remade(GangRecord record) {
            return view().remade(record);
        }

        /** The UID of a node by its name; empty: it is not known. */
        default String nodeUid(String node) {
            return view().nodeUid(node);
        }

        /** Whether this replica is starting a gang at this moment. */
        boolean isStarting(GangRecord record);

        /** What keeps a gang with these pods from being bound, whatever its window; null: nothing. */
        default @Nullable String refusal(GangId gang, List<String> pods) {
            return null;
        }

        /** What was told of starts. */
        ToldStarts starts();

        /** The second since which this replica looks at the cluster without a break. */
        long leadingSince();

        /** Of the gangs that a gang starts after one that is not over; empty: all are. */
        default Optional<GangId> awaited(GangRecord record) {
            return new AwaitedGangs(view().records(), view()::members).before(record);
        }

        /** Whether disruption budgets have kept a gang that was to be stopped, when they were asked the last time. */
        boolean isKept(GangId gang);

        /**
         * The longest known run of the workload of a gang whose runtime is predicted, seconds on a node of performance
         * 1; 0: there is none, or the runtime is not predicted.
         *
         * @param alone what a single run counts for at most, seconds
         */
        default long longestRun(GangRecord record, long alone) {
            RuntimeSource source = record.terms().source();
            RunHistory history = histories().get(record.gang().namespace());
            return source == null || source.predicted().isEmpty() || history == null
                    ? 0
                    : history.longest(source.workload(), alone);
        }
    }

    GangLifecycle(LoopSettings settings, Surroundings surroundings) {
        this.settings = settings;
        this.surroundings = surroundings;
        this.refusals = new NodeRefusals(surroundings);
    }

    /** Takes one gang on to {@code now}. */
    void settle(RecordUpdate update, List<Member> members, long now) {
        if (update.before().deleted() && mayGo(update, members)) {
            update.remove();
            return;
        }
        refusals.forget(update, members, now);
        evictLeaving(update, members, now);
        recallStray(update, members, now);
        switch (update.before().phase()) {
            case PENDING -> settlePending(update, members, now);
            case BROKEN -> {
                update.become(update.after().with((Promise) null).withPhase(Phase.PENDING));
                update.tellRollback();
                settlePending(update, members, now);
            }
            case PROMISED -> settlePromised(update, members, now);
            case STARTING -> settleStarting(update, members, now);
            case RUNNING -> settleRunning(update, members, now);
            case COMPLETED -> settleCompleted(update, members, now);
        }
    }

    /**
     * Whether a record that was deleted need not wait: neither for the end of a run, nor for pods that have to go, nor
     * until those that disruption budgets kept are charged.
     */
    private boolean mayGo(RecordUpdate update, List<Member> members) {
        GangRecord record = update.before();
        return switch (record.phase()) {
            case STARTING, RUNNING -> false;
            case PENDING, PROMISED, BROKEN, COMPLETED ->
                !surroundings.isStarting(record)
                        && !surroundings.isKept(record.gang())
                        && leaving(record, members).isEmpty()
                        && undone(update, members).isEmpty();
        };
    }

    /**
     * The second at which this gang needs a cycle whatever happens, of one that runs the first after {@code now};
     * empty: none.
     */
    OptionalLong deadline(GangRecord record, long now) {
        OptionalLong start = record.windowStart();
        return switch (record.phase()) {
            case PROMISED -> plus(start, settings.tolerance() + 1);
            case STARTING -> {
                OptionalLong releasedAt = record.history().releasedAt();
                yield plus(releasedAt.isPresent() ? releasedAt : start, settings.startTimeout());
            }
            case RUNNING -> {
                OptionalLong whole = plus(record.history().startedAt(), settings.startTimeout());
                yield isRecorded(record) || whole.orElse(now) <= now ? overdueAfter(record, now) : whole;
            }
            case COMPLETED -> plus(record.history().endedAt(), settings.recordTtl());
            case PENDING, BROKEN -> NodeRefusals.pauseEnd(record);
        };
    }

    /** When the next member is evicted for running too long. */
    private OptionalLong overdueAfter(GangRecord record, long now) {
        Promise promise = record.promise();
        return promise == null || settings.overrun() == LoopSettings.Overrun.EXTEND
                ? OptionalLong.empty()
                : promise.window().placements().stream()
                        .mapToLong(evictedFrom(record))
                        .filter(second -> second > now)
                        .min();
    }

    /**
     * From which second on a member is evicted, by its place. A runtime that is predicted is no promise of the user's:
     * the member runs as long as the longest run of its workload took, on a node as fast as its own.
     */
    private ToLongFunction<Placement> evictedFrom(GangRecord record) {
        if (settings.overrun() == LoopSettings.Overrun.EXTEND) {
            return _ -> Interval.FOREVER;
        }
        long planned = Math.max(1, record.terms().runtime());
        long longest = Math.max(
                planned, surroundings.longestRun(record, settings.policy().horizon()));
        return placement -> {
            long promised = placement.end() - placement.start();
            long more = Math.ceilDiv(promised * longest, planned) - promised;
            return settings.evictedFrom(end(record, placement) + Math.max(0, more));
        };
    }

    /** The promised end of a member that has started. */
    static long end(GangRecord record, Placement placement) {
        return record.history().startedAt().orElse(placement.start()) + placement.end() - placement.start();
    }

    private static OptionalLong plus(OptionalLong second, long seconds) {
        return second.isPresent() ? OptionalLong.of(second.getAsLong() + seconds) : second;
    }

    private boolean isLate(Promise promise, long now) {
        return now > promise.window().start() + settings.tolerance();
    }

    /**
     * A member may have been bound while its gang was rolled back, or the replica that rolled it back could not evict
     * it. That is written down first, as one more time that it was rolled back: a replica that only knows an old record
     * must not stop a gang that runs since. A member that is somewhere else than where its start had it was bound by
     * another scheduler, and is left to that scheduler.
     */
    private void settlePending(RecordUpdate update, List<Member> members, long now) {
        List<Member> ours = undone(update, members);
        if (update.before().lacksItsNextWindow()) {
            update.lackNextWindow(now);
        }
        if (!ours.isEmpty()) {
            update.become(update.after().withHistory(update.after().history().takenBack()));
            update.evict(ours);
        } else {
            forgetIfGone(update, members, now);
        }
    }

    /** The members that stand where a start that was rolled back had them. */
    private static List<Member> undone(RecordUpdate update, List<Member> members) {
        return members.stream()
                .filter(member -> member.state() == Member.State.BOUND
                        && update.before().history().isUndone(member))
                .toList();
    }

    private static void forgetIfGone(RecordUpdate update, List<Member> members, long now) {
        if (isForgotten(update, members, now)) {
            update.remove();
        }
    }

    private static boolean isGone(List<Member> members) {
        return members.stream().allMatch(member -> member.state() == Member.State.ENDED);
    }

    /** The pods of a gang that was moved are gone until they are made again. */
    private static boolean isForgotten(RecordUpdate update, List<Member> members, long now) {
        return isGone(members) && !update.before().history().awaitsPods(now);
    }

    /**
     * The replica that wrote a move down may have died before the pods were evicted, and budgets may have kept them:
     * then they are paid for until they go.
     */
    private void evictLeaving(RecordUpdate update, List<Member> members, long now) {
        GangRecord record = update.before();
        MigrationHistory history = record.history().history();
        if (history == null || record.phase().started()) {
            return;
        }
        List<Member> leaving = leaving(record, members);
        update.letGo(leaving);
        if (surroundings.isKept(record.gang())) {
            long until = leaving.isEmpty() ? Math.min(now, lastEnd(history, members, now)) : now;
            update.become(update.after().withHistory(update.after().history().withHistory(history.stayed(until))));
        }
    }

    /** The pods that the last move evicts and that are still there. */
    private static List<Member> leaving(GangRecord record, List<Member> members) {
        MigrationHistory history = record.history().history();
        return history == null
                ? List.of()
                : members.stream()
                        .filter(member -> member.state() == Member.State.BOUND && history.evicts(member.uid()))
                        .toList();
    }

    /** When the last of the pods that were to go has ended by itself; {@code now} if that is unknown. */
    private static long lastEnd(MigrationHistory history, List<Member> members, long now) {
        return members.stream()
                .filter(member -> history.evicts(member.uid()))
                .flatMapToLong(member -> member.endedAt().stream())
                .max()
                .orElse(now);
    }

    /**
     * Pods of a gang that is not on its way keep no room from others. The replica that rolled it back may have died
     * before they were called back, or the API server did not answer. A release that comes soon names the new nodes
     * anyway.
     */
    private static void recallStray(RecordUpdate update, List<Member> members, long now) {
        GangRecord record = update.before();
        boolean away = record.phase() == Phase.PENDING
                || record.phase() == Phase.BROKEN
                || (record.phase() == Phase.PROMISED
                        && record.windowStart().orElse(now) > now + GangStarter.HEAD_START.toSeconds());
        if (away) {
            update.recall(waiting(members).stream()
                    .filter(Member::nominated)
                    .map(Member::pod)
                    .toList());
        }
    }

    private void settlePromised(RecordUpdate update, List<Member> members, long now) {
        Promise promise = update.before().promise();
        List<Member> ours = undone(update, members);
        if (promise != null && !ours.isEmpty()) {
            // The planner did not know it when it planned the gang again: the watch was behind.
            update.breakPromise(Cause.OUTAGE, "pods of its last start had been bound after all", now);
            update.evict(ours);
        } else if (isForgotten(update, members, now)) {
            update.remove();
        } else if (update.before().lacksItsNextWindow()) {
            update.lackNextWindow(now);
        } else if (promise == null) {
            update.become(update.after().withPhase(Phase.PENDING));
        } else if (surroundings.isKept(update.before().gang())
                && !leaving(update.before(), members).isEmpty()) {
            // No room is kept for one that does not leave its own: whoever it has to make way for comes first.
            update.breakPromise(Cause.MIGRATION, "disruption budgets keep its pods, which have to go first", now);
        } else if (isLate(promise, now) && !surroundings.isStarting(update.before())) {
            missStart(update, promise, members, now);
        }
    }

    /** The start of a gang has passed and no replica has released it. */
    private void missStart(RecordUpdate update, Promise promise, List<Member> members, long now) {
        Optional<GangId> awaitedId = surroundings.awaited(update.before());
        String refused = surroundings.refusal(
                update.before().gang(), members.stream().map(Member::pod).toList());
        if (misses(update.before(), members, now)) {
            update.breakPromise(Cause.MIGRATION, "not all of its pods were recreated by its start", now);
        } else if (awaitedId.isPresent()) {
            update.breakPromise(Cause.CHAIN, new BrokenPromise.NotOver(awaitedId.get()), now);
        } else if (Member.areComing(members)) {
            update.breakPromise(Cause.EDITED, new Refusal.WaitingForMembers(0, size(update.before())), now);
        } else if (members.size() < size(update.before())) {
            update.breakPromise(
                    Cause.EDITED, new Refusal.WaitingForMembers(members.size(), size(update.before())), now);
        } else if (promise.awaitsNodes()) {
            update.breakPromise(Cause.NOT_PROVISIONED, "a node bought for it was not ready at its start", now);
        } else if (!surroundings.hasRoom(promise.window())) {
            update.breakPromise(Cause.ROOM_TAKEN, "its room was not free at its start", now);
        } else if (refused != null) {
            update.breakPromise(Cause.REFUSED, new Refusal.WriteRefused("start", refused), now);
        } else {
            update.breakPromise(
                    Cause.OUTAGE, "it was not released at its start: Slotwise or the API server was unavailable", now);
        }
    }

    /** Whether pods of a gang that was moved are still on their way. */
    private static boolean misses(GangRecord record, List<Member> members, long now) {
        return record.history().awaitsPods(now) && waiting(members).size() < size(record);
    }

    private void settleStarting(RecordUpdate update, List<Member> members, long now) {
        Promise promise = update.before().promise();
        if (isGone(members)) {
            update.remove();
        } else if (promise == null) {
            update.breakPromise(Cause.EDITED, "its window was deleted from its record", now);
        } else if (now >= StartTimes.lastStart(update.before(), promise.window(), settings)) {
            refusals.takeBack(update, promise, waiting(members), now);
        }
    }

    private void settleRunning(RecordUpdate update, List<Member> all, long now) {
        List<Member> members = all.stream().filter(member -> !member.isComing()).toList();
        Promise promise = update.before().promise();
        List<Member> waiting = waiting(members);
        long startedAt = update.before().history().startedAt().orElse(now);
        update.become(update.after().recorded());
        long latest = Math.max(startedAt, surroundings.leadingSince()) + settings.startTimeout();
        List<Member> rejected = now < latest ? rejected(members) : List.of();
        if (promise != null && !rejected.isEmpty()) {
            update.evict(inTheirPlaces(promise.window(), members));
            refusals.reject(update, promise, rejected, now);
        } else if (isGone(members)) {
            recordStart(update, startedAt, now);
            update.become(update.after()
                    .withPhase(Phase.COMPLETED)
                    .withHistory(update.after().history().ended(now)));
        } else if (waiting.isEmpty()) {
            if (promise == null || isWhole(update.before(), promise.window(), members)) {
                tellStart(update, now);
            }
            if (promise != null && !surroundings.isStarting(update.before())) {
                new RunningGangCheck(
                                settings,
                                surroundings::remade,
                                evictedFrom(update.before()),
                                update.before(),
                                promise.window(),
                                all)
                        .settle(update, now);
            }
        } else if (promise != null
                && !isRecorded(update.before())
                && now >= latest
                && !surroundings.isStarting(update.before())) {
            update.evict(inTheirPlaces(promise.window(), members));
            refusals.takeBack(update, promise, waiting, now);
        }
    }

    /**
     * Whether every pod that a gang has started with is on its node, or was: one that went before its binding never
     * was.
     */
    private static boolean isWhole(GangRecord record, Window window, List<Member> members) {
        StartedMembers started = record.startedMembers();
        if (!started.areKnown()) {
            return true;
        }
        List<Member> inPlace = inTheirPlaces(window, members);
        return started.uids().entrySet().stream()
                .allMatch(knownEntry -> members.stream()
                        .anyMatch(member -> member.pod().equals(knownEntry.getKey())
                                && member.uid().equals(knownEntry.getValue())
                                && (member.state() == Member.State.ENDED || inPlace.contains(member))));
    }

    /** The members that a kubelet has refused to run. They are over for good. */
    private static List<Member> rejected(List<Member> members) {
        return members.stream()
                .filter(member -> member.state() == Member.State.ENDED
                        && !member.refusal().isEmpty())
                .toList();
    }

    /**
     * The members that are bound where the window says; one that another scheduler has bound elsewhere is that
     * scheduler's.
     */
    static List<Member> inTheirPlaces(Window window, List<Member> members) {
        Map<String, String> nodes = new HashMap<>();
        window.placements().forEach(placement -> nodes.put(placement.pod(), placement.node()));
        return members.stream()
                .filter(member ->
                        member.state() == Member.State.BOUND && member.node().equals(nodes.get(member.pod())))
                .toList();
    }

    private void settleCompleted(RecordUpdate update, List<Member> members, long now) {
        if (members.isEmpty() || now >= update.before().history().endedAt().orElse(now) + settings.recordTtl()) {
            update.remove();
        }
    }

    private void recordStart(RecordUpdate update, long startedAt, long now) {
        tellStart(update, now);
        if (!isRecorded(update.before())) {
            update.become(update.after()
                    .withHistory(update.after().history().started(startedAt))
                    .started(true, Reason.GANG_STARTED.key(), startWords(update.before()), now));
        }
    }

    /**
     * A start is told and counted once all members are on their nodes. Its record says so from its end on: that spares
     * a write.
     */
    private void tellStart(RecordUpdate update, long now) {
        if (!isRecorded(update.before()) && surroundings.starts().isNew(update.before(), now)) {
            update.tell(Reason.GANG_STARTED, startWords(update.before()));
            update.markStarted();
        }
    }

    private static String startWords(GangRecord record) {
        int size = size(record);
        return size == 1 ? "its pod started" : "all %d pods started together".formatted(size);
    }

    /** Whether the record says that the gang was whole: the durable write before its bindings does not. */
    static boolean isRecorded(GangRecord record) {
        return record.startedAspect().holds() && record.startedAspect().reason().equals(Reason.GANG_STARTED.key());
    }

    /** Whether all members of a gang that has started were seen on their nodes. */
    static boolean isWhole(GangRecord record, List<Member> members) {
        return isRecorded(record)
                || members.stream().noneMatch(member -> member.state() == Member.State.WAITING && !member.isComing());
    }

    private static int size(GangRecord record) {
        Promise promise = record.promise();
        return promise == null ? 0 : promise.window().placements().size();
    }

    private static List<Member> waiting(List<Member> members) {
        return members.stream()
                .filter(member -> member.state() == Member.State.WAITING)
                .toList();
    }
}
