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
 * What would make a gang start that waits, or one that has a promise start earlier: for each thing that it asks for the
 * least change that does, and the window that it would get. As pure as {@link Planner}.
 *
 * <p>All other gangs keep their windows; those that have none are left out of account. Each change is looked for by
 * itself:
 *
 * <ul>
 *   <li>the least budget that pays for a window, or for an earlier one, and the least that pays for the earliest start
 *       of all; the same for the highest price of a slot;
 *   <li>the nearest later deadline;
 *   <li>the most pods that still find room, and the most that find room at once; the longest shorter runtime; the
 *       fewest more pods on a node: by bisection, since what fits a gang fits a part of it and a shorter one, for no
 *       more money;
 *   <li>another criterion, nodes of any topology value, no lockstep, no earliest start;
 *   <li>more money in the namespace's budget.
 * </ul>
 *
 * <p>A change is only told with the window that {@link Planner} gives the changed gang: what the policy denies it all
 * the same, by its limit on the batch for instance, is no advice. For one gang O(log n + log runtime + log prices)
 * window searches, n being its pods, and at most sixteen plans of this one gang beside the others' windows.
 */
public record Advisor(Policy policy, RandomSource random) {
    /**
     * The changes that help, in the order above.
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

    /** What helps beside what a gang is after: it starts no earlier than that lets it. */
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

    /** Its window as one that is not to be touched. */
    private static Stream<Request> kept(Request other) {
        Promise promise = other.promise();
        return promise == null ? Stream.empty() : Stream.of(new Request(other.gang(), promise.withReleased(true)));
    }
}
