package io.slotwise.core.planner.advice;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Advice;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.RequestChange;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Cycle;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.work.RandomSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds changes that make a waiting gang start, or a promised gang start earlier. For each requirement of the gang the
 * advice has the least sufficient change and the resulting window. A pure function like {@link Planner}.
 *
 * <p>All other gangs keep their windows, and other gangs without a window are ignored. Each change is searched
 * separately:
 * <ul>
 * <li>The least budget that pays for a window, or for an earlier one, and the least that pays for the earliest start of
 * all. The same for the highest price of a slot.
 * <li>The nearest later deadline.
 * <li>The most pods that still find room, and the most that find room at once.
 * <li>The longest shorter runtime, and the fewest more pods on a node. These and the pods are found by bisection, since
 * a part of a fitting gang, or a shorter gang, fits for no more money.
 * <li>Another criterion, nodes of any topology value, no lockstep, no earliest start.
 * <li>More money in the namespace's budget.
 * </ul>
 *
 * <p>Each advice has the window that {@link Planner} gives the changed gang. A change that the policy would still deny,
 * for example by its limit on the batch, is no advice. For a gang of n pods: O(log n + log runtime + log prices) window
 * searches, and at most sixteen plans of this gang next to the others' windows.
 */
public record Advisor(Policy policy, RandomSource random) {
    /**
     * Returns the changes that help, in the order above.
     *
     * @param snapshot with the windows of the last plan as promises: {@link Snapshot#published}
     */
    public List<Advice> advise(Snapshot snapshot, GangId gang, @Nullable RuntimeSource source) {
        Request request = snapshot.requests().stream()
                .filter(other -> other.gang().id().equals(gang))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The gang (%s) does not wait.".formatted(gang)));
        List<Request> others = snapshot.requests().stream()
                .filter(other -> !other.gang().id().equals(gang))
                .flatMap(Advisor::kept)
                .toList();
        return request.gang().after().isNone()
                ? new AdviceSearch(policy, random, snapshot.withRequests(others), request, source).advices()
                : inChain(snapshot, request, others, source);
    }

    /** Returns advice for a gang with predecessors. The gang starts no earlier than they allow. */
    private List<Advice> inChain(
            Snapshot snapshot, Request request, List<Request> others, @Nullable RuntimeSource source) {
        Cycle cycle =
                new Cycle(snapshot, policy, policy.tariffs(snapshot.cluster().inventory()), PlannerResources.NONE);
        cycle.keepPromises();
        return cycle.questions()
                .independent(request.gang().id())
                .map(singleGang -> new AdviceSearch(
                                policy, random, snapshot.withRequests(others), request.withGang(singleGang), source)
                        .advices().stream()
                                .filter(advice -> !(advice.change() instanceof RequestChange.AnyStart))
                                .toList())
                .orElse(List.of());
    }

    private static Stream<Request> kept(Request other) {
        Promise promise = other.promise();
        return promise == null ? Stream.empty() : Stream.of(new Request(other.gang(), promise.withReleased(true)));
    }
}
