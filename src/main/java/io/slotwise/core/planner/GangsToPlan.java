package io.slotwise.core.planner;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.slot.SlotTerms;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The waiting gangs of a snapshot, each with its promise and its eligible nodes. */
final class GangsToPlan {
    private final Snapshot snapshot;
    private final Policy policy;
    private final PodTariffs tariffs;
    private final Timeline timeline;
    private final PlannerResources resources;

    private final Map<Kind, Eligibility> kinds = new HashMap<>();

    GangsToPlan(Snapshot snapshot, Policy policy, PodTariffs tariffs, Timeline timeline, PlannerResources resources) {
        this.snapshot = snapshot;
        this.policy = policy;
        this.tariffs = tariffs;
        this.timeline = timeline;
        this.resources = resources;
    }

    private Eligibility eligible(Kind kind) {
        synchronized (kinds) {
            Eligibility knownEligibility = kinds.get(kind);
            if (knownEligibility != null) {
                return knownEligibility;
            }
        }
        // Outside the lock, so that several kinds are computed in parallel.
        Eligibility knownEligibility = new Eligibility(kind, tariffs, timeline);
        synchronized (kinds) {
            Eligibility before = kinds.putIfAbsent(kind, knownEligibility);
            return before == null ? knownEligibility : before;
        }
    }

    List<PlanningGang> inOrderOfNames() {
        return snapshot.requests().stream()
                .map(this::gang)
                .sorted(Comparator.comparing(plannedGang -> plannedGang.gang.id()))
                .toList();
    }

    private PlanningGang gang(Request request) {
        Gang gang = request.gang();
        PlanningGang plannedGang = new PlanningGang(
                gang,
                () -> gang.shapes().stream()
                        .map(shape -> eligible(Kind.of(gang, shape.request())))
                        .toList(),
                SlotTerms.of(gang, snapshot.now(), snapshot.now() + policy.horizon()),
                policy.batch().searching(),
                resources);
        plannedGang.goesBehind(request.behindId());
        plannedGang.setSuccessorSince(request.successorSince());
        Promise promise = request.promise();
        if (promise != null) {
            plannedGang.wasPromised(
                    promise,
                    policy.slack().isNone() ? promise.promiseBound() : promise.bound(),
                    request.fresh(),
                    leastGain(promise, plannedGang.terms(), request.fresh()));
        }
        return plannedGang;
    }

    private long leastGain(Promise promise, SlotTerms terms, boolean fresh) {
        long wait = promise.window().start() - terms.earliest();
        return fresh ? Math.max(0, wait) : Math.ceilDiv(Math.max(0, wait) * policy.replanGain(), Policy.Split.ALL);
    }
}
