package io.slotwise.live.cycle;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.GangEnds;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.queue.BypassCounter;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.time.Interval;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.port.ClusterView.Intaken;
import io.slotwise.live.port.SchedulerBackoff;
import io.slotwise.live.port.StartRefusals;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.LastRefusal;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Compares every promise with its gang's current request, and drops the promises that no longer match. A gang without a
 * promise is left out of the plan after an error in its handling, with an unreadable record, or after repeated
 * refusals. Used in one cycle.
 *
 * @param recent the promises that were given less than a cycle ago
 */
record Agreement(
        CycleFacts facts,
        Predicate<GangRecord> starting,
        RecentPromises recent,
        PlanningErrors errors,
        StartRefusals refusals) {
    /**
     * Returns the snapshot with the promises that still match; the updates get the broken ones. A gang whose pods were
     * recreated before its record has the end of the previous run is planned, so that it keeps its room. It is promised
     * nothing yet, because the charge of that run depends on its record.
     */
    Snapshot agree(Intaken intaken, RecordUpdates updates) {
        Snapshot snapshot = intaken.snapshot();
        BypassCounter counter = BypassCounts.everPromised(updates.stream());
        Set<GangId> ending = updates.ending();
        List<Request> requests = new ArrayList<>();
        List<Pending> held = new ArrayList<>(snapshot.held());
        held.removeIf(pending -> ending.contains(pending.gang()));
        Set<GangId> pods = podsOfStarting();
        for (Request request : snapshot.requests()) {
            GangId gang = request.gang().id();
            if (!facts.facts().records().containsKey(gang) && isReplacement(request.gang(), pods)) {
                continue;
            }
            RecordUpdate update = updates.of(gang);
            if (update.ends()) {
                requests.add(afterTerminating(request));
                continue;
            }
            Request agreedRequest = update.isFrozen()
                    ? asItStands(request, update)
                    : Isolated.get(() -> agreed(request, update, counter, intaken), error -> {
                        errors.add(gang, "compared with its promise", error);
                        RecordUpdate untouchedUpdate = RecordUpdate.untouched(update.before());
                        updates.put(untouchedUpdate);
                        return asItStands(request, untouchedUpdate);
                    });
            Refusal refusal = agreedRequest.promise() == null ? refusal(gang, update, snapshot.ends()) : null;
            if (refusal == null) {
                requests.add(agreedRequest);
            } else {
                held.add(new Pending(gang, refusal));
            }
        }
        return snapshot.withRequests(requests).withHeld(held);
    }

    /**
     * Returns whether a released gang lost its promise. For a released gang the snapshot ignores which nodes its claims
     * allow, because that is left to kube-scheduler.
     */
    static boolean isTakenBack(Intaken intaken, Snapshot agreedSnapshot) {
        Set<GangId> onTheirWay = new HashSet<>();
        intaken.snapshot().requests().forEach(request -> {
            if (request.promise() != null && request.promise().released()) {
                onTheirWay.add(request.gang().id());
            }
        });
        return agreedSnapshot.requests().stream()
                .anyMatch(request -> request.promise() == null
                        && onTheirWay.contains(request.gang().id()));
    }

    /** Returns the request of pods that follow terminating ones: they start once the grace of those is over. */
    private Request afterTerminating(Request request) {
        Gang gang = request.gang();
        long gone = facts.facts().membersOf(gang.id()).stream()
                .filter(member -> member.state() == Member.State.TERMINATING)
                .flatMapToLong(member -> member.endedAt().stream())
                .max()
                .orElse(Long.MIN_VALUE);
        return gone > gang.earliestStart() ? request.withGang(gang.startingFrom(gone)) : request;
    }

    private static Request asItStands(Request request, RecordUpdate update) {
        return request.withPassed(update.after().history().passed());
    }

    /** Returns why a gang without a promise is left out of the plan. Null if it is planned. */
    private @Nullable Refusal refusal(GangId gang, RecordUpdate update, GangEnds ends) {
        Refusal refusal = errors.of(gang);
        String unreadable = facts.unreadable().get(gang);
        if (refusal != null) {
            return refusal;
        }
        if (unreadable != null) {
            return new Refusal.InvalidRequest(unreadable);
        }
        GangRecord record = update.after();
        List<Member> members = facts.facts().members().getOrDefault(gang, List.of());
        if (Member.areComing(members) && isAwaitedOnly(record, ends)) {
            return new Refusal.WaitingForMembers(0, members.size());
        }
        LastRefusal last = record.history().lastRefusal();
        OptionalLong paused = NodeRefusals.pauseEnd(record);
        if (last != null && paused.isPresent() && paused.getAsLong() > facts.now()) {
            return new Refusal.BackingOff(record.history().attempts(), paused.getAsLong(), last.message());
        }
        String refused = record.ownership().isHeld()
                ? null
                : refusals.of(gang, members.stream().map(Member::pod).toList(), true);
        return refused == null ? null : new Refusal.WriteRefused("start", refused);
    }

    /** Returns whether all predecessors are over, so that only the gang's pods are missing. */
    private boolean isAwaitedOnly(GangRecord record, GangEnds ends) {
        return record.terms().predecessors().stream()
                .allMatch(before -> ends.known().getOrDefault(before, Interval.FOREVER) <= facts.now());
    }

    private Request agreed(Request request, RecordUpdate update, BypassCounter counter, Intaken intaken) {
        long now = facts.now();
        List<RecordedTerms.Before> after = after(request.gang(), update.after(), intaken.snapshot(), now);
        Gang gang = remembering(request.gang(), after);
        Promise promise = request.promise() == null ? null : request.promise().reassigned(gang.pods());
        String contradiction = promise == null
                ? null
                : PromiseCheck.contradiction(
                        gang, update.after(), promise, intaken.names().named().get(gang.id()));
        if (contradiction != null) {
            update.breakPromise(Cause.EDITED, contradiction, now);
            promise = null;
        }
        if (promise != null) {
            update.become(update.after().with(asKept(update.after(), promise)));
        }
        RuntimeSource source =
                intaken.sources().getOrDefault(gang.id(), update.after().terms().source());
        update.become(update.after()
                .withTerms(RecordedTerms.of(gang)
                        .withSource(source)
                        .withAfter(after)
                        .ofPods(intaken.pods().getOrDefault(gang.id(), ""))));
        GangRecord record = update.after();
        long earliest = earliest(record, promise, facts.facts().membersOf(gang.id()), now);
        return new Request(
                earliest > gang.earliestStart() ? gang.startingFrom(earliest) : gang,
                promise,
                record.history().passed() + counter.passed(record.arrival()),
                promise != null && recent.contains(gang.id()),
                request.behindId(),
                request.successorSince());
    }

    /**
     * Returns the ends of a gang's predecessors. The gang's record remembers them, so that it does not wait for
     * predecessors whose records and pods are gone. A predecessor that is gone before its end was seen has ended by
     * now.
     */
    private static List<RecordedTerms.Before> after(Gang gang, GangRecord record, Snapshot snapshot, long now) {
        if (gang.after().isNone()) {
            return List.of();
        }
        Map<GangId, OptionalLong> known = new HashMap<>();
        record.terms().after().forEach(before -> known.put(before.gang(), before.end()));
        Set<GangId> there = new HashSet<>();
        snapshot.requests().forEach(request -> there.add(request.gang().id()));
        snapshot.held().forEach(pending -> there.add(pending.gang()));
        return gang.after().gangs().stream()
                .map(before -> {
                    OptionalLong remembered = known.getOrDefault(before, OptionalLong.empty());
                    Long end = snapshot.ends().known().get(before);
                    boolean admitted = snapshot.ends().admits(gang.id(), before);
                    if (!admitted || there.contains(before)) {
                        return new RecordedTerms.Before(before, OptionalLong.empty());
                    }
                    if (end != null) {
                        boolean isNews = remembered.isEmpty() || (end <= now && remembered.getAsLong() > now);
                        return new RecordedTerms.Before(before, isNews ? OptionalLong.of(end) : remembered);
                    }
                    return new RecordedTerms.Before(
                            before,
                            remembered.isPresent()
                                    ? OptionalLong.of(Math.min(remembered.getAsLong(), now))
                                    : remembered);
                })
                .toList();
    }

    private static Gang remembering(Gang gang, List<RecordedTerms.Before> after) {
        Map<GangId, Long> over = new HashMap<>();
        after.stream()
                .filter(before -> before.end().isPresent())
                .forEach(before -> over.put(before.gang(), before.end().getAsLong()));
        return over.isEmpty() ? gang : gang.after(gang.after().remembering(over));
    }

    /** Returns the pods of gangs that are being bound, each as a gang of one. */
    private Set<GangId> podsOfStarting() {
        Set<GangId> pods = new HashSet<>();
        facts.facts().records().forEach((gang, record) -> {
            Promise promise = record.promise();
            if (promise != null && record.phase() == Phase.RUNNING && starting.test(record)) {
                promise.window().pods().forEach(pod -> pods.add(new GangId(gang.namespace(), pod)));
            }
        });
        return pods;
    }

    /**
     * Returns whether the gang is a pod that replaces a lost one of a gang that is being started. That start is rolled
     * back, and the pod becomes a member again.
     */
    private static boolean isReplacement(Gang gang, Set<GangId> starting) {
        return !starting.isEmpty()
                && gang.pods().stream()
                        .allMatch(pod -> starting.contains(new GangId(gang.id().namespace(), pod)));
    }

    /**
     * Returns the earliest start of the pods. Pods that are not created yet exist shortly after the predecessors end,
     * and keep a promise that begins sooner.
     */
    private static long earliest(GangRecord record, @Nullable Promise promise, List<Member> members, long now) {
        long awake = now + SchedulerBackoff.AWAKE.toSeconds();
        if (Member.areComing(members)) {
            return promise == null ? awake : Math.min(awake, promise.window().start());
        }
        return isAsleep(record, promise, members, now) ? awake : Long.MIN_VALUE;
    }

    /**
     * Returns whether kube-scheduler may not retry some pods for a while, so that an earlier start could not be kept.
     */
    private static boolean isAsleep(GangRecord record, @Nullable Promise promise, List<Member> members, long now) {
        boolean far = promise == null
                ? record.history().attempts() > 0
                : promise.window().start() > now + SchedulerBackoff.FAR.toSeconds();
        return far
                && members.stream()
                        .anyMatch(member ->
                                member.state() == Member.State.WAITING && !member.gated() && !member.direct());
    }

    /** Prefers the promise of the record: the phase says whether it is released. */
    private static Promise asKept(GangRecord record, Promise promise) {
        Promise keptPromise = record.promise();
        return keptPromise != null && keptPromise.window().equals(promise.window()) ? keptPromise : promise;
    }
}
