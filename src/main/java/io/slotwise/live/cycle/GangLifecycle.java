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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The part of a gang's life that needs no planning: records starts and ends, rolls back late starts, and removes gangs
 * that are gone. A pure function of the facts, the second and the free capacity of nodes.
 */
public final class GangLifecycle {
    /** The age from which on a start was announced by a previous replica, seconds. */
    private static final long RECENT = 60;

    private final LoopSettings settings;
    private final Surroundings surroundings;
    private final NodeRefusals refusals;

    /** The inputs besides a gang's record and pods. */
    interface Surroundings {
        ClusterView view();

        Map<String, RunHistory> histories();

        default boolean hasRoom(Window window) {
            return view().hasRoom(window, List.of());
        }

        /** Returns how the pods of a running gang are recreated. Empty if some are not. */
        default Optional<Remade> remade(GangRecord record) {
            return view().remade(record);
        }

        /** Returns the UID of the node of this name. Empty if not known. */
        default String nodeUid(String node) {
            return view().nodeUid(node);
        }

        boolean isStarting(GangRecord record);

        /** Returns whether the queue of a gang whose window has begun has room for it. */
        default boolean hasQueueRoom(GangRecord record) {
            return true;
        }

        /** Returns why a gang with these pods cannot be bound in any window. Null if it can. */
        default @Nullable String refusal(GangId gang, List<String> pods) {
            return null;
        }

        /** Returns the second since which this replica observes the cluster without a break. */
        long leadingSince();

        /** Returns a predecessor that is not over. Empty if all are. */
        default Optional<GangId> awaited(GangRecord record) {
            return new AwaitedGangs(view().records(), view()::members).before(record);
        }

        /** Returns whether disruption budgets refused to stop the gang when asked last. */
        boolean isKept(GangId gang);

        /**
         * Returns the longest known run of the workload of a gang with a predicted runtime, in seconds on a node of
         * performance 1. Zero if there is none or the runtime is not predicted.
         *
         * @param alone the most that a single run counts for, seconds
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

    void settle(RecordUpdate update, List<Member> members, long now) {
        if (members.stream().anyMatch(member -> member.tellsOfRun(now - LoopSettings.LEAST_RECORD_TTL))) {
            update.keep();
        }
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
     * Returns whether a deleted record can be removed: no run, no leaving pods, and no uncharged time of pods that
     * disruption budgets kept.
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

    /** Returns the latest second for this gang's next cycle, for a running gang after {@code now}. */
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
            case COMPLETED -> plus(record.history().endedAt(), settings.reservationTtl());
            case PENDING, BROKEN -> NodeRefusals.pauseEnd(record);
        };
    }

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
     * Returns from which second on a member is evicted. A predicted runtime is not the user's promise: the member may
     * run as long as the longest run of its workload, scaled to its node.
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
     * Evicts members that were bound while their gang was rolled back, or that the replica of the rollback could not
     * evict. This is recorded first, as one more attempt, so that a replica with an outdated record does not stop a
     * gang that runs since. A member on another node was bound by another scheduler and is left to it.
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

    /** Returns the members that are bound where a rolled back start had placed them. */
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
        return members.stream().allMatch(member -> member.state().isOver());
    }

    /** A moved gang has no pods until they are recreated. */
    private static boolean isForgotten(RecordUpdate update, List<Member> members, long now) {
        return isGone(members) && !update.before().history().awaitsPods(now);
    }

    /**
     * Evicts the remaining pods of a moved gang: the replica that recorded the move may have died first, or budgets
     * kept the pods. Kept pods are charged until they go.
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
            long until = leaving.isEmpty() ? lastEnd(history, members, now) : now;
            update.become(update.after().withHistory(update.after().history().withHistory(history.stayed(until))));
        }
    }

    private static List<Member> leaving(GangRecord record, List<Member> members) {
        MigrationHistory history = record.history().history();
        return history == null
                ? List.of()
                : members.stream()
                        .filter(member -> member.state() == Member.State.BOUND && history.evicts(member.uid()))
                        .toList();
    }

    /** Returns when the last of the leaving pods ended, or {@code now} if unknown. */
    private static long lastEnd(MigrationHistory history, List<Member> members, long now) {
        return members.stream()
                .filter(member -> history.evicts(member.uid()))
                .mapToLong(member -> member.end(now).orElse(now))
                .max()
                .orElse(now);
    }

    /**
     * Clears nominations of pods whose gang is not being started, so that they keep no room from others. The replica of
     * the rollback may have died before, or the API server did not answer. An upcoming release names the new nodes
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
            // The watch was behind, so the planner did not know this.
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
            // A gang that does not leave its room gets no other: the gang that it makes way for comes first.
            update.breakPromise(Cause.MIGRATION, "disruption budgets keep its pods, which have to go first", now);
        } else if (isLate(promise, now) && !surroundings.isStarting(update.before())) {
            missStart(update, promise, members, now);
        }
    }

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
        } else if (!surroundings.hasQueueRoom(update.before())) {
            update.breakPromise(
                    Cause.ROOM_TAKEN, "gangs of its queue ran longer than planned, and the queue was full", now);
        } else if (refused != null) {
            update.breakPromise(Cause.REFUSED, new Refusal.WriteRefused("start", refused), now);
        } else {
            update.breakPromise(
                    Cause.OUTAGE, "it was not released at its start: Slotwise or the API server was unavailable", now);
        }
    }

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
            if (promise == null || now >= latest || isWhole(update.before(), promise.window(), members)) {
                recordStart(update, startedAt, now);
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
     * Returns whether every pod of the start is or was bound to its node. A pod that went before its binding never was.
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
                                && (member.state().isOver() || inPlace.contains(member))));
    }

    /** Returns the members that a kubelet refused to run, which is final. */
    private static List<Member> rejected(List<Member> members) {
        return members.stream()
                .filter(member -> member.state() == Member.State.ENDED
                        && !member.refusal().isEmpty())
                .toList();
    }

    /** Returns the members that are bound as the window says. Members on other nodes belong to another scheduler. */
    static List<Member> inTheirPlaces(Window window, List<Member> members) {
        Map<String, String> nodes = new HashMap<>();
        window.placements().forEach(placement -> nodes.put(placement.pod(), placement.node()));
        return members.stream()
                .filter(member ->
                        member.state() == Member.State.BOUND && member.node().equals(nodes.get(member.pod())))
                .toList();
    }

    private void settleCompleted(RecordUpdate update, List<Member> members, long now) {
        if (members.isEmpty() || now >= update.before().history().endedAt().orElse(now) + settings.reservationTtl()) {
            update.remove();
        }
    }

    /** Records and announces a start once all members are on their nodes. An old one was announced before. */
    private void recordStart(RecordUpdate update, long startedAt, long now) {
        if (isRecorded(update.before())) {
            return;
        }
        update.become(update.after().started(true, Reason.GANG_STARTED.key(), startWords(update.before()), now));
        if (startedAt >= now - RECENT) {
            update.tell(Reason.GANG_STARTED, startWords(update.before()));
            update.markStarted();
        }
    }

    private static String startWords(GangRecord record) {
        int size = size(record);
        return size == 1 ? "its pod started" : "all %d pods started together".formatted(size);
    }

    /** Returns whether the record says that all members were on their nodes. */
    static boolean isRecorded(GangRecord record) {
        return record.startedAspect().holds() && record.startedAspect().reason().equals(Reason.GANG_STARTED.key());
    }

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
