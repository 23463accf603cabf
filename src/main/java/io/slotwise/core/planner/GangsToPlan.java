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

/** The gangs of a snapshot as they go through a cycle, each with what it was promised and the nodes that it may use. */
final class GangsToPlan {
    private final Snapshot snapshot;
    private final Policy policy;
    private final PodTariffs tariffs;
    private final Timeline timeline;
    private final PlannerResources means;

    /** The eligible nodes of kinds of gangs that were asked for. */
    private final Map<Kind, Eligibility> kinds = new HashMap<>();

    GangsToPlan(Snapshot snapshot, Policy policy, PodTariffs tariffs, Timeline timeline, PlannerResources means) {
        this.snapshot = snapshot;
        this.policy = policy;
        this.tariffs = tariffs;
        this.timeline = timeline;
        this.means = means;
    }

    /** Gangs of one kind have the same eligible nodes. */
    private Eligibility eligible(Kind kind) {
        synchronized (kinds) {
            Eligibility known = kinds.get(kind);
            if (known != null) {
                return known;
            }
        }
        // Outside, so that those of several kinds are made side by side.
        Eligibility made = new Eligibility(kind, tariffs, timeline);
        synchronized (kinds) {
            Eligibility before = kinds.putIfAbsent(kind, made);
            return before == null ? made : before;
        }
    }

    /** All gangs that wait, by name. */
    List<PlanningGang> inOrderOfNames() {
        return snapshot.requests().stream()
                .map(this::gang)
                .sorted(Comparator.comparing(planned -> planned.gang.id()))
                .toList();
    }

    private PlanningGang gang(Request request) {
        Gang gang = request.gang();
        PlanningGang planned = new PlanningGang(
                gang,
                () -> gang.shapes().stream()
                        .map(shape -> eligible(Kind.of(gang, shape.request())))
                        .toList(),
                SlotTerms.of(gang, snapshot.now(), snapshot.now() + policy.horizon()),
                policy.batch().searching(),
                means);
        planned.goesBehind(request.behind());
        planned.isSuccessorSince(request.successorSince());
        Promise promise = request.promise();
        if (promise != null) {
            planned.wasPromised(
                    promise,
                    policy.slack().isNone() ? promise.by() : promise.bound(),
                    request.fresh(),
                    leastGain(promise, planned.terms(), request.fresh()));
        }
        return planned;
    }

    private long leastGain(Promise promise, SlotTerms terms, boolean fresh) {
        long wait = promise.window().start() - terms.earliest();
        return fresh ? Math.max(0, wait) : Math.ceilDiv(Math.max(0, wait) * policy.replanGain(), Policy.Split.ALL);
    }
}
