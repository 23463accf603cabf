package io.slotwise.core.planner;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.Running;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.work.Isolated;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Plans a failed cycle again without the gangs that cause the error. Each attempt starts from the snapshot, so nothing
 * needs to be rolled back.
 *
 * <p>Bisection finds the shortest prefix of the gangs, sorted by name, that cannot be planned. Its last gang is left
 * out, with the error as its refusal, and all others are planned again. Its promise stays: the room is held, the money
 * is spent, and the window is in the plan. If planning succeeds only when no running gang may be moved, the running
 * gang at fault is found in the same way, and is not moved.
 *
 * <p>After {@value #MOST_ONE_BY_ONE} gangs of one namespace its other gangs without a promise are left out together.
 * After as many running gangs no gang is moved. So no user can make a cycle long by the number of such gangs.
 *
 * <p>The same snapshot gives the same plan. Each gang left out costs log2(n) + 1 attempts, half as long as a plan of
 * all n gangs on average. A cycle that succeeds costs nothing extra.
 */
final class CycleIsolation {
    private static final int MOST_ONE_BY_ONE = 3;

    private final Function<Snapshot, Plan> planner;
    private final Snapshot snapshot;
    private final List<Request> requests;
    private final List<Running> running;
    private final Set<GangId> out = new HashSet<>();
    private final TreeMap<GangId, Refusal> refused = new TreeMap<>();
    private final Map<String, Integer> ofNamespace = new HashMap<>();
    private int unmoved;

    CycleIsolation(Function<Snapshot, Plan> planner, Snapshot snapshot) {
        this.planner = planner;
        this.snapshot = snapshot;
        this.requests = new ArrayList<>(snapshot.requests());
        this.requests.sort(Comparator.comparing(request -> request.gang().id()));
        this.running = new ArrayList<>(snapshot.running());
        this.running.sort(Comparator.comparing(running -> running.gang().id()));
    }

    private record Attempt(@Nullable Plan plan, @Nullable Throwable error) {}

    /** Returns the plan without the gangs at fault. Throws if even the cluster without gangs cannot be planned. */
    Plan plan(Throwable first) {
        Throwable error = first;
        while (true) {
            leaveOut(error);
            Attempt attempt = attempt(requests.size(), running.size());
            if (attempt.plan() != null) {
                return withLeftOutGangs(attempt.plan());
            }
            error = Objects.requireNonNull(attempt.error());
        }
    }

    private Attempt attempt(int waiting, int moving) {
        Set<GangId> others = new HashSet<>(out);
        requests.subList(waiting, requests.size())
                .forEach(request -> others.add(request.gang().id()));
        return Isolated.get(
                () -> {
                    Snapshot partSnapshot = snapshot.without(others::contains).withRunning(running.subList(0, moving));
                    return new Attempt(planner.apply(partSnapshot), null);
                },
                error -> new Attempt(null, error));
    }

    private void leaveOut(Throwable error) {
        boolean byMoving = !running.isEmpty() && fails(requests.size(), 0) == null;
        if (byMoving) {
            running.remove(shortest(running.size(), row -> fails(requests.size(), row) != null) - 1);
            unmoved++;
            if (unmoved >= MOST_ONE_BY_ONE) {
                running.clear();
            }
            return;
        }
        Throwable alone = fails(0, 0);
        if (alone != null) {
            throw alone instanceof RuntimeException failure ? failure : new IllegalStateException(alone);
        }
        int last = shortest(requests.size(), row -> fails(row, 0) != null);
        Throwable own = fails(last, 0);
        leaveOut(requests.get(last - 1), own == null ? error : own);
    }

    private @Nullable Throwable fails(int waiting, int moving) {
        return attempt(waiting, moving).error();
    }

    /** Returns the least number from 1 to {@code most} that fails, by bisection. Precondition: {@code most} fails. */
    private static int shortest(int most, IntPredicate fails) {
        int sound = 0;
        int failing = most;
        while (failing - sound > 1) {
            int middle = (sound + failing) >>> 1;
            if (fails.test(middle)) {
                failing = middle;
            } else {
                sound = middle;
            }
        }
        return failing;
    }

    private void leaveOut(Request request, Throwable error) {
        String namespace = request.gang().id().namespace();
        Refusal refusal = Refusal.Failed.by(error);
        leaveOut(request, refusal);
        if (ofNamespace.merge(namespace, 1, Integer::sum) >= MOST_ONE_BY_ONE) {
            List.copyOf(requests).stream()
                    .filter(other -> other.gang().id().namespace().equals(namespace) && other.promise() == null)
                    .forEach(other -> leaveOut(other, refusal));
        }
    }

    private void leaveOut(Request request, Refusal refusal) {
        requests.remove(request);
        out.add(request.gang().id());
        refused.put(request.gang().id(), refusal);
    }

    private Plan withLeftOutGangs(Plan plan) {
        List<Planned> windows = new ArrayList<>(plan.windows());
        List<Pending> pending = new ArrayList<>(plan.pending());
        List<String> notes = new ArrayList<>(plan.notes());
        for (Request request : snapshot.requests()) {
            GangId gang = request.gang().id();
            Refusal refusal = refused.get(gang);
            Promise promise = request.promise();
            if (refusal == null) {
                continue;
            }
            if (promise == null) {
                pending.add(new Pending(gang, refusal));
            } else {
                windows.add(new Planned(request.gang(), promise.window(), promise.origin(), true)
                        .withBound(promise.promiseBound())
                        .withOrders(promise.orders()));
                notes.add("gang %s keeps its promise: %s".formatted(gang, refusal.message()));
            }
        }
        windows.sort(
                Comparator.comparingLong((Planned planned) -> planned.window().start())
                        .thenComparing(planned -> planned.gang().id()));
        pending.sort(Comparator.comparing(Pending::gang));
        return plan.deciding(windows, pending, plan.broken(), notes);
    }
}
