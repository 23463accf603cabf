package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterView.Remade;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.LastRefusal;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.NodeAvoidance;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.PodNames;
import io.slotwise.live.record.StartedMembers;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import io.slotwise.live.start.StartTimes;
import io.slotwise.live.start.ToldStarts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The part of a gang's life that needs no planning: starts and ends are recorded, what is late is rolled back, what is
 * gone is forgotten. A pure function of the facts, the second and the room that nodes have.
 */
public final class GangLifecycle {
    /**
     * How long a node that refused a gang is left out for that gang the first time, seconds; each time that it is
     * rolled back that doubles.
     */
    static final long AVOIDED_SECONDS = 30;

    /** The longest that a node is left out, seconds. */
    static final long MOST_AVOIDED_SECONDS = 3600;

    private final LoopSettings settings;
    private final Surroundings surroundings;

    /**
     * What a gang's life goes by besides its record and its pods.
     *
     * @param room whether a window's pods would fit on their nodes now
     * @param starting whether this replica is starting a gang at this moment
     * @param starts what was told of starts
     * @param remade how the pods of a gang that runs come back; empty: some do not
     * @param leadingSince the second since which this replica looks at the cluster without a break
     * @param nodes the UID of a node by its name; empty: it is not known
     * @param awaited of the gangs that a gang starts after one that is not over; empty: all are
     * @param kept whether disruption budgets have kept a gang that was to be stopped, when it was asked for the last
     *     time
     * @param longest the longest known run of the workload of a gang whose runtime is predicted, seconds on a node of
     *     performance 1; 0: there is none, or the runtime is not predicted
     * @param givenUp what a gang gave up in an exchange of the last cycle that was not written to its end; empty: it is
     *     not known
     */
    record Surroundings(
            Predicate<Window> room,
            Predicate<GangRecord> starting,
            ToldStarts starts,
            Function<GangRecord, Optional<Remade>> remade,
            long leadingSince,
            UnaryOperator<String> nodes,
            Function<GangRecord, Optional<GangId>> awaited,
            Predicate<GangId> kept,
            ToLongFunction<GangRecord> longest,
            Function<GangRecord, Optional<HaltedExchanges.GivenUp>> givenUp) {}

    /** Life under {@code settings}. */
    GangLifecycle(LoopSettings settings, Surroundings surroundings) {
        this.settings = settings;
        this.surroundings = surroundings;
    }

    /** Takes one gang on to {@code now}. */
    void settle(RecordUpdate draft, List<Member> members, long now) {
        if (draft.before().deleted() && mayGo(draft, members)) {
            draft.remove();
            return;
        }
        forgetAvoided(draft, members, now);
        evictLeaving(draft, members, now);
        recallStray(draft, members, now);
        switch (draft.before().phase()) {
            case PENDING -> settlePending(draft, members, now);
            case BROKEN -> {
                draft.become(draft.after().with((Promise) null).withPhase(Phase.PENDING));
                draft.tellRollback();
                settlePending(draft, members, now);
            }
            case PROMISED -> settlePromised(draft, members, now);
            case STARTING -> settleStarting(draft, members, now);
            case RUNNING -> settleRunning(draft, members, now);
            case COMPLETED -> settleCompleted(draft, members, now);
        }
    }

    /**
     * Whether a record that was deleted need not wait: neither for the end of a run, nor for pods that have to go, nor
     * until those that disruption budgets kept are charged.
     */
    private boolean mayGo(RecordUpdate draft, List<Member> members) {
        GangRecord record = draft.before();
        return switch (record.phase()) {
            case STARTING, RUNNING -> false;
            case PENDING, PROMISED, BROKEN, COMPLETED ->
                !surroundings.starting().test(record)
                        && !surroundings.kept().test(record.gang())
                        && leaving(record, members).isEmpty()
                        && undone(draft, members).isEmpty();
        };
    }

    /**
     * The second at which this gang needs a cycle whatever happens, of one that runs the first after {@code now};
     * empty: none.
     */
    OptionalLong deadline(GangRecord standing, long now) {
        OptionalLong start = standing.windowStart();
        return switch (standing.phase()) {
            case PROMISED -> plus(start, settings.tolerance() + 1);
            case STARTING -> {
                OptionalLong releasedAt = standing.history().releasedAt();
                yield plus(releasedAt.isPresent() ? releasedAt : start, settings.startTimeout());
            }
            case RUNNING -> {
                OptionalLong whole = plus(standing.history().startedAt(), settings.startTimeout());
                yield isRecorded(standing) || whole.orElse(now) <= now ? overdueAfter(standing, now) : whole;
            }
            case COMPLETED -> plus(standing.history().endedAt(), settings.reservationTtl());
            case PENDING, BROKEN -> pauseEnd(standing);
        };
    }

    /** When the next member is evicted for running too long. */
    private OptionalLong overdueAfter(GangRecord standing, long now) {
        Promise promise = standing.promise();
        return promise == null || settings.overrun() == LoopSettings.Overrun.EXTEND
                ? OptionalLong.empty()
                : promise.window().placements().stream()
                        .mapToLong(evictedFrom(standing))
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
        long longest = Math.max(planned, surroundings.longest().applyAsLong(record));
        return place -> {
            long promised = place.end() - place.start();
            long more = Math.ceilDiv(promised * longest, planned) - promised;
            return settings.evictedFrom(end(record, place) + Math.max(0, more));
        };
    }

    /** The promised end of a member that has started. */
    static long end(GangRecord standing, Placement place) {
        return standing.history().startedAt().orElse(place.start()) + place.end() - place.start();
    }

    private static OptionalLong plus(OptionalLong second, long seconds) {
        return second.isPresent() ? OptionalLong.of(second.getAsLong() + seconds) : second;
    }

    /**
     * A gang gave its room up, as others take it or its start was rolled back, and what it was to have instead was not
     * written, or not that it is promised. It gets its window back if nobody else was promised what it gave up.
     */
    private void regain(RecordUpdate draft, long now) {
        Optional<HaltedExchanges.GivenUp> given = surroundings.givenUp().apply(draft.before());
        boolean taken = given.isPresent() && given.get().taken();
        if (given.isPresent() && !taken && !isLate(given.get().promise(), now)) {
            draft.become(draft.after()
                    .promised(given.get().promise(), given.get().tariff())
                    .withPhase(Phase.PROMISED));
        } else if (taken && !given.get().unanswered()) {
            draft.breakPromise(
                    Cause.ROOM_TAKEN,
                    "other gangs took its room in an exchange, and its next window could not be written",
                    now);
        } else {
            draft.breakPromise(Cause.OUTAGE, "its next window could not be written", now);
        }
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
    private void settlePending(RecordUpdate draft, List<Member> members, long now) {
        List<Member> ours = undone(draft, members);
        if (draft.before().lacksItsNextWindow()) {
            regain(draft, now);
        }
        if (!ours.isEmpty()) {
            draft.become(draft.after().withHistory(draft.after().history().takenBack()));
            draft.evict(ours);
        } else {
            forgetIfGone(draft, members, now);
        }
    }

    /** The members that stand where a start that was rolled back had them. */
    private static List<Member> undone(RecordUpdate draft, List<Member> members) {
        return members.stream()
                .filter(member -> member.state() == Member.State.BOUND
                        && draft.before().history().isUndone(member))
                .toList();
    }

    private static void forgetIfGone(RecordUpdate draft, List<Member> members, long now) {
        if (isForgotten(draft, members, now)) {
            draft.remove();
        }
    }

    private static boolean isGone(List<Member> members) {
        return members.stream().allMatch(member -> member.state() == Member.State.ENDED);
    }

    /** The pods of a gang that was moved are gone until they are made again. */
    private static boolean isForgotten(RecordUpdate draft, List<Member> members, long now) {
        return isGone(members) && !draft.before().history().awaitsPods(now);
    }

    /**
     * The replica that wrote a move down may have died before the pods were evicted, and budgets may have kept them:
     * then they are paid for until they go.
     */
    private void evictLeaving(RecordUpdate draft, List<Member> members, long now) {
        GangRecord standing = draft.before();
        MigrationHistory past = standing.history().past();
        if (past == null || standing.phase().started()) {
            return;
        }
        List<Member> leaving = leaving(standing, members);
        draft.letGo(leaving);
        if (surroundings.kept().test(standing.gang())) {
            long until = leaving.isEmpty() ? Math.min(now, lastEnd(past, members, now)) : now;
            draft.become(draft.after().withHistory(draft.after().history().withPast(past.stayed(until))));
        }
    }

    /** The pods that the last move evicts and that are still there. */
    private static List<Member> leaving(GangRecord standing, List<Member> members) {
        MigrationHistory past = standing.history().past();
        return past == null
                ? List.of()
                : members.stream()
                        .filter(member -> member.state() == Member.State.BOUND && past.evicts(member.uid()))
                        .toList();
    }

    /** When the last of the pods that were to go has ended by itself; {@code now} if that is unknown. */
    private static long lastEnd(MigrationHistory past, List<Member> members, long now) {
        return members.stream()
                .filter(member -> past.evicts(member.uid()))
                .flatMapToLong(member -> member.endedAt().stream())
                .max()
                .orElse(now);
    }

    /**
     * Pods of a gang that is not on its way keep no room from others. The replica that rolled it back may have died
     * before they were called back, or the API server did not answer. A release that comes soon names the new nodes
     * anyway.
     */
    private static void recallStray(RecordUpdate draft, List<Member> members, long now) {
        GangRecord standing = draft.before();
        boolean away = standing.phase() == Phase.PENDING
                || standing.phase() == Phase.BROKEN
                || (standing.phase() == Phase.PROMISED
                        && standing.windowStart().orElse(now) > now + GangStarter.HEAD_START.toSeconds());
        if (away) {
            draft.recall(waiting(members).stream()
                    .filter(Member::nominated)
                    .map(Member::pod)
                    .toList());
        }
    }

    private void settlePromised(RecordUpdate draft, List<Member> members, long now) {
        Promise promise = draft.before().promise();
        List<Member> ours = undone(draft, members);
        if (promise != null && !ours.isEmpty()) {
            // The planner did not know it when it planned the gang again: the watch was behind.
            draft.breakPromise(Cause.OUTAGE, "pods of its last start had been bound after all", now);
            draft.evict(ours);
        } else if (isForgotten(draft, members, now)) {
            draft.remove();
        } else if (draft.before().lacksItsNextWindow()) {
            regain(draft, now);
        } else if (promise == null) {
            draft.become(draft.after().withPhase(Phase.PENDING));
        } else if (surroundings.kept().test(draft.before().gang())
                && !leaving(draft.before(), members).isEmpty()) {
            // No room is kept for one that does not leave its own: whoever it has to make way for comes first.
            draft.breakPromise(Cause.MIGRATION, "disruption budgets keep its pods, which have to go first", now);
        } else if (isLate(promise, now) && !surroundings.starting().test(draft.before())) {
            missStart(draft, promise, members, now);
        }
    }

    /** The start of a gang has passed and no replica has released it. */
    private void missStart(RecordUpdate draft, Promise promise, List<Member> members, long now) {
        Optional<GangId> awaited = surroundings.awaited().apply(draft.before());
        if (misses(draft.before(), members, now)) {
            draft.breakPromise(Cause.MIGRATION, "not all of its pods were recreated by its start", now);
        } else if (awaited.isPresent()) {
            draft.breakPromise(Cause.CHAIN, new BrokenPromise.NotOver(awaited.get()), now);
        } else if (Member.areComing(members)) {
            draft.breakPromise(Cause.EDITED, new Refusal.WaitingForMembers(0, size(draft.before())), now);
        } else if (promise.awaitsNodes()) {
            draft.breakPromise(Cause.NOT_PROVISIONED, "a node bought for it was not ready at its start", now);
        } else if (!surroundings.room().test(promise.window())) {
            draft.breakPromise(Cause.ROOM_TAKEN, "its room was not free at its start", now);
        } else {
            draft.breakPromise(
                    Cause.OUTAGE, "it was not released at its start: Slotwise or the API server was unavailable", now);
        }
    }

    /** Whether pods of a gang that was moved are still on their way. */
    private static boolean misses(GangRecord standing, List<Member> members, long now) {
        return standing.history().awaitsPods(now) && waiting(members).size() < size(standing);
    }

    private void settleStarting(RecordUpdate draft, List<Member> members, long now) {
        Promise promise = draft.before().promise();
        if (isGone(members)) {
            draft.remove();
        } else if (promise == null) {
            draft.breakPromise(Cause.EDITED, "its window was deleted from its record", now);
        } else if (now >= StartTimes.lastStart(draft.before(), promise.window(), settings)) {
            takeBack(draft, promise, waiting(members), now);
        }
    }

    private void settleRunning(RecordUpdate draft, List<Member> all, long now) {
        List<Member> members = all.stream().filter(member -> !member.isComing()).toList();
        Promise promise = draft.before().promise();
        List<Member> waiting = waiting(members);
        long startedAt = draft.before().history().startedAt().orElse(now);
        long latest = Math.max(startedAt, surroundings.leadingSince()) + settings.startTimeout();
        List<Member> rejected = now < latest ? rejected(members) : List.of();
        if (promise != null && !rejected.isEmpty()) {
            draft.evict(inTheirPlaces(promise.window(), members));
            reject(draft, promise, rejected, now);
        } else if (isGone(members)) {
            recordStart(draft, startedAt, now);
            draft.become(draft.after()
                    .withPhase(Phase.COMPLETED)
                    .withHistory(draft.after().history().ended(now)));
        } else if (waiting.isEmpty()) {
            if (promise == null || isWhole(draft.before(), promise.window(), members)) {
                tellStart(draft, now);
            }
            if (promise != null && !surroundings.starting().test(draft.before())) {
                new RunningGangCheck(
                                settings,
                                surroundings.remade(),
                                evictedFrom(draft.before()),
                                draft.before(),
                                promise.window(),
                                members)
                        .settle(draft, now);
            }
        } else if (promise != null
                && !isRecorded(draft.before())
                && now >= latest
                && !surroundings.starting().test(draft.before())) {
            draft.evict(inTheirPlaces(promise.window(), members));
            takeBack(draft, promise, waiting, now);
        }
    }

    /**
     * Whether every pod that a gang has started with is on its node, or was: one that went before its binding never
     * was.
     */
    private static boolean isWhole(GangRecord standing, Window window, List<Member> members) {
        StartedMembers started = standing.startedMembers();
        if (!started.areKnown()) {
            return true;
        }
        List<Member> inPlace = inTheirPlaces(window, members);
        return started.uids().entrySet().stream()
                .allMatch(known -> members.stream()
                        .anyMatch(member -> member.pod().equals(known.getKey())
                                && member.uid().equals(known.getValue())
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
        window.placements().forEach(place -> nodes.put(place.pod(), place.node()));
        return members.stream()
                .filter(member ->
                        member.state() == Member.State.BOUND && member.node().equals(nodes.get(member.pod())))
                .toList();
    }

    private void settleCompleted(RecordUpdate draft, List<Member> members, long now) {
        long endedAt = draft.before().history().endedAt().orElse(now);
        if (members.isEmpty() || now >= endedAt + settings.reservationTtl()) {
            draft.remove();
        }
    }

    private void recordStart(RecordUpdate draft, long startedAt, long now) {
        tellStart(draft, now);
        if (!isRecorded(draft.before())) {
            draft.become(draft.after()
                    .withHistory(draft.after().history().started(startedAt))
                    .started(true, Reason.GANG_STARTED.key(), startWords(draft.before()), now));
        }
    }

    /**
     * A start is told and counted once all members are on their nodes. Its record says so from its end on: that spares
     * a write.
     */
    private void tellStart(RecordUpdate draft, long now) {
        if (!isRecorded(draft.before()) && surroundings.starts().isNew(draft.before(), now)) {
            draft.tell(Reason.GANG_STARTED, startWords(draft.before()));
            draft.markStarted();
        }
    }

    private static String startWords(GangRecord standing) {
        int size = size(standing);
        return size == 1 ? "its pod started" : "all %d pods started together".formatted(size);
    }

    /** Whether the record says that the gang was whole: the durable write before its bindings does not. */
    static boolean isRecorded(GangRecord standing) {
        return standing.started().holds() && standing.started().reason().equals(Reason.GANG_STARTED.key());
    }

    /** Whether all members of a gang that has started were seen on their nodes. */
    static boolean isWhole(GangRecord standing, List<Member> members) {
        return isRecorded(standing)
                || members.stream().noneMatch(member -> member.state() == Member.State.WAITING && !member.isComing());
    }

    private static int size(GangRecord standing) {
        Promise promise = standing.promise();
        return promise == null ? 0 : promise.window().placements().size();
    }

    /**
     * Takes a released gang back. Members on which kube-scheduler has a word are at fault; without any it was away
     * itself.
     */
    private void takeBack(RecordUpdate draft, Promise promise, List<Member> waiting, long now) {
        List<Member> refused = waiting.stream()
                .filter(member -> !member.direct() && !member.refusal().isEmpty())
                .toList();
        List<Member> late = waiting.stream().filter(member -> !member.direct()).toList();
        if (late.isEmpty()) {
            draft.breakPromise(
                    Cause.OUTAGE,
                    "%s could not be bound in time: Slotwise or the API server was unavailable"
                            .formatted(names(waiting)),
                    now);
        } else if (refused.isEmpty()) {
            draft.breakPromise(
                    Cause.OUTAGE, "kube-scheduler did not place %s in time for the start".formatted(names(late)), now);
        } else {
            avoid(draft, promise, refused, now, Member::uid);
            draft.refuse(LastRefusal.of(LastRefusal.By.KUBE_SCHEDULER, refused), now);
        }
    }

    /** A pod that a kubelet has refused is Failed for good: only a controller makes it again. */
    private void reject(RecordUpdate draft, Promise promise, List<Member> rejected, long now) {
        // Another pod comes instead of one that a kubelet has refused, and asks for the same.
        avoid(draft, promise, rejected, now, _ -> "");
        draft.refuse(LastRefusal.of(LastRefusal.By.KUBELET, rejected), now);
    }

    /**
     * Leaves the nodes out for a while that have refused these members.
     *
     * @param pod the UID of the pod that has to be the same for that; empty: whichever
     */
    private void avoid(
            RecordUpdate draft, Promise promise, List<Member> refused, long now, Function<Member, String> pod) {
        TreeMap<String, NodeAvoidance> avoided = new TreeMap<>(draft.after().avoided());
        long until = now + avoidedFor(draft.before().history().attempts());
        // Where it was refused before it is not to go while it is tried elsewhere.
        avoided.replaceAll((_, known) -> known.until() < until ? known.lasting(until) : known);
        for (Member member : refused) {
            promise.window().placements().stream()
                    .filter(place -> place.pod().equals(member.pod()))
                    .forEach(place -> avoided.put(
                            place.node(),
                            new NodeAvoidance(
                                    until,
                                    pod.apply(member),
                                    surroundings.nodes().apply(place.node()))));
        }
        draft.become(draft.after().avoiding(avoided));
    }

    /** How long a node that refused a gang is left out after it was rolled back so many times before, seconds. */
    static long avoidedFor(int attempts) {
        return Math.min(MOST_AVOIDED_SECONDS, AVOIDED_SECONDS << Math.min(attempts, 10));
    }

    /**
     * Until when a gang is left out of plans that kube-scheduler or kubelets have refused twice and more, so that its
     * tries take no room from others; half of the time for which the nodes are left out, so that it is tried elsewhere
     * first. A pod or a node that is another one since has refused nothing.
     *
     * @return seconds since the epoch; empty: it is not left out
     */
    static OptionalLong pauseEnd(GangRecord standing) {
        int attempts = standing.history().attempts();
        boolean refused = standing.phase() == Phase.PENDING
                && standing.promise() == null
                && attempts > 1
                && !standing.avoided().isEmpty()
                && standing.history().lastRefusal() != null;
        return refused
                ? OptionalLong.of(standing.planned().since() + avoidedFor(attempts - 1) / 2)
                : OptionalLong.empty();
    }

    private static String names(List<Member> members) {
        return PodNames.shortly(members.stream().map(Member::pod).toList());
    }

    private static List<Member> waiting(List<Member> members) {
        return members.stream()
                .filter(member -> member.state() == Member.State.WAITING)
                .toList();
    }

    /**
     * A node is looked at again after its time, or when it or the pod that it refused is another one under the same
     * name.
     */
    private void forgetAvoided(RecordUpdate draft, List<Member> members, long now) {
        if (draft.after().avoided().isEmpty()) {
            return;
        }
        Set<String> pods = members.stream().map(Member::uid).collect(Collectors.toSet());
        TreeMap<String, NodeAvoidance> left = new TreeMap<>(draft.after().avoided());
        if (left.entrySet().removeIf(node -> isOver(node.getKey(), node.getValue(), pods, now))) {
            draft.become(draft.after().avoiding(left));
        }
    }

    private boolean isOver(String name, NodeAvoidance refusal, Set<String> pods, long now) {
        String node = surroundings.nodes().apply(name);
        // While no pod is seen at all nothing is known of them.
        boolean otherPod = !refusal.pod().isEmpty() && !pods.isEmpty() && !pods.contains(refusal.pod());
        boolean otherNode = !refusal.node().isEmpty() && !node.isEmpty() && !node.equals(refusal.node());
        return refusal.until() <= now || otherPod || otherNode;
    }
}
