package io.slotwise.core.planner.queue;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.planner.queue.BypassCounter.Arrival;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the gangs to serve first so that not too many others pass them. A gang that arrived later passes a waiting gang
 * if it is promised a window first and has no higher priority. Gangs of one second do not pass each other.
 *
 * <p>A gang without a promise that was passed as often as the policy's limit is served before all others, in order of
 * arrival. So is a gang that a plan would leave without a window and let more gangs pass than the limit; then the plan
 * is made again. A gang that is left even so has no window. O(g log g) for g gangs of few priorities, a search for each
 * gang served first, and one more plan if such a gang finds a window.
 */
public final class StarvationGuard {
    private final int limit;
    private final List<Request> requests;

    public StarvationGuard(Policy.Queue queue, List<Request> requests) {
        this.limit = queue.passingLimit();
        this.requests = requests;
    }

    /** Returns the gangs that no further gang may pass. */
    public Set<GangId> due() {
        return limit == 0
                ? Set.of()
                : requests.stream()
                        .filter(request -> request.promise() == null && request.passed() >= limit)
                        .map(request -> request.gang().id())
                        .collect(Collectors.toSet());
    }

    /** Returns the gangs without a window that this plan lets more gangs pass than allowed. */
    public Set<GangId> passedBy(Plan plan) {
        if (limit == 0 || plan.pending().isEmpty()) {
            return Set.of();
        }
        Set<GangId> pending = plan.pending().stream().map(Pending::gang).collect(Collectors.toSet());
        List<Request> left = new ArrayList<>();
        List<Arrival> served = new ArrayList<>();
        for (Request request : requests) {
            if (pending.contains(request.gang().id())) {
                left.add(request);
            } else if (request.promise() == null) {
                served.add(Arrival.of(request.gang()));
            }
        }
        BypassCounter counter = new BypassCounter(served);
        Set<GangId> passed = new HashSet<>();
        for (Request request : left) {
            int now = counter.passed(Arrival.of(request.gang()));
            if (now > 0 && request.passed() + now > limit) {
                passed.add(request.gang().id());
            }
        }
        return passed;
    }
}
