package io.slotwise.core.plan;

import io.slotwise.core.backfill.Shift;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Policy.Charge;
import io.slotwise.core.plan.Policy.Order;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.Terms;
import io.slotwise.core.window.DisjointAlternatives;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The scratch and the steps of one planning cycle; {@link Planner} tells their order. */
final class Cycle {
    private final Snapshot snapshot;
    private final Policy policy;
    private final long horizonEnd;
    private final Timeline timeline;
    private final Map<Kind, Eligibility> kinds = new HashMap<>();
    private final List<Contender> queue;
    private final List<BrokenPromise> broken = new ArrayList<>();
    private final Combiner combiner;

    Cycle(Snapshot snapshot, Policy policy) {
        this.snapshot = snapshot;
        this.policy = policy;
        this.horizonEnd = snapshot.now() + policy.horizon();
        this.timeline = new Timeline(snapshot.cluster(), snapshot.now(), policy.turnover());
        this.queue = snapshot.requests().stream()
                .map(this::contender)
                .sorted(order(policy.queue().order()))
                .toList();
        this.combiner = new Combiner(policy);
    }

    private Contender contender(Request request) {
        Gang gang = request.gang();
        Eligibility eligibility = kinds.computeIfAbsent(
                Kind.of(gang), kind -> new Eligibility(kind, timeline, policy.charge() == Charge.WHOLE_NODE));
        Contender contender = new Contender(gang, eligibility, Terms.of(gang, snapshot.now(), horizonEnd));
        contender.promise = request.promise();
        contender.published =
                request.promise() == null ? null : request.promise().window();
        return contender;
    }

    private static Comparator<Contender> order(Order order) {
        Comparator<Contender> fifo =
                Comparator.comparingLong((Contender c) -> c.gang.arrival()).thenComparing(c -> c.gang.id());
        return switch (order) {
            case FIFO -> fifo;
            case PRIORITY ->
                Comparator.comparingInt((Contender c) -> -c.gang.priority()).thenComparing(fifo);
        };
    }

    /** Reserves every promise that still holds; under {@code replan: free} only those whose pods are on their way. */
    void keepPromises() {
        broken.addAll(new Promises(snapshot).keep(queue));
        for (Contender contender : queue) {
            if (contender.promise != null) {
                contender
                        .promise
                        .window()
                        .occupy(timeline, contender.gang.request().resources());
            }
        }
        if (policy.replan() == Replan.FREE) {
            for (Contender contender : queue) {
                if (contender.promised() && !contender.released()) {
                    Window window = Objects.requireNonNull(contender.promise).window();
                    window.vacate(timeline, contender.gang.request().resources());
                    contender.promise = null;
                }
            }
        }
    }

    /**
     * Alternatives of every gang that may get one. Without a limit the objective {@code user} takes every gang's best window,
     * which is its first: one round is enough.
     */
    void searchAlternatives() {
        List<Contender> seeking = queue.stream().filter(this::seeks).toList();
        boolean firstIsEnough = policy.batch().objective() == Objective.USER
                && policy.batch().limit().measure() == Measure.NOTHING;
        List<List<Window>> found = DisjointAlternatives.find(
                seeking.stream().map(Contender::seeker).toList(),
                timeline,
                firstIsEnough ? 1 : policy.batch().alternatives());
        for (int i = 0; i < seeking.size(); i++) {
            seeking.get(i).alternatives = found.get(i);
        }
        for (Contender contender : queue) {
            if (contender.promised() && !seeks(contender)) {
                contender.alternatives =
                        List.of(Objects.requireNonNull(contender.promise).window());
            }
        }
    }

    private boolean seeks(Contender contender) {
        return !contender.promised() || (policy.replan() == Replan.IMPROVE && !contender.released());
    }

    /** One alternative per gang; the rooms of the others are free again. */
    void combine() {
        for (Contender contender : queue) {
            if (contender.promise != null) {
                contender
                        .promise
                        .window()
                        .vacate(timeline, contender.gang.request().resources());
            }
        }
        combiner.combine(queue);
        for (Contender contender : queue) {
            if (contender.window != null) {
                contender.window.occupy(timeline, contender.gang.request().resources());
            }
        }
    }

    /** Moves chosen windows, in start order, into the holes before them. */
    void shift() {
        if (!policy.batch().shift()) {
            return;
        }
        queue.stream()
                .filter(contender -> contender.window != null && seeks(contender))
                .sorted(Comparator.comparingLong((Contender c) ->
                                Objects.requireNonNull(c.window).start())
                        .thenComparing(c -> c.gang.id()))
                .forEach(contender -> contender.accept(
                        Shift.earlier(
                                contender.gang,
                                Objects.requireNonNull(contender.window),
                                contender.eligibility,
                                contender.terms,
                                timeline),
                        contender.via));
    }

    /**
     * Conservative backfilling: each gang that is left over, in queue order, gets the earliest window beside all windows given
     * so far. A figure that limits the batch holds for these too.
     */
    void backfill() {
        if (policy.backfill() == Backfill.NONE) {
            return;
        }
        for (Contender contender : queue) {
            if (contender.window == null && contender.leftOut == null) {
                contender
                        .search
                        .best(
                                Criterion.START,
                                contender.terms,
                                contender.gang.budget().limit())
                        .filter(window -> withinLimit(contender, window))
                        .ifPresent(window -> {
                            contender.accept(window, Via.BACKFILL);
                            window.occupy(timeline, contender.gang.request().resources());
                        });
            }
        }
    }

    private boolean withinLimit(Contender contender, Window window) {
        if (policy.batch().limit().figure().isEmpty()) {
            return true;
        }
        long used = queue.stream()
                .flatMap(other -> Optional.ofNullable(other.window).stream())
                .mapToLong(combiner::weight)
                .sum();
        long allowed = policy.batch().limit().figure().getAsLong();
        if (allowed - used >= combiner.weight(window)) {
            return true;
        }
        contender.leftOut = combiner.refusal(used, window, allowed);
        return false;
    }

    /** What has been decided, every gang with a window or a reason. */
    Plan plan() {
        List<Planned> windows = new ArrayList<>();
        List<Pending> pending = new ArrayList<>(snapshot.held());
        Diagnosis diagnosis = new Diagnosis(snapshot, horizonEnd);
        for (Contender contender : queue) {
            Window before = contender.published;
            if (before != null && !isSameOrBetter(contender, before)) {
                broken.add(new BrokenPromise(
                        contender.gang.id(),
                        before,
                        Cause.POLICY,
                        "the policy plans promised windows anew (replan: free)"));
            }
            if (contender.window != null) {
                windows.add(contender.planned(contender.window));
            } else {
                pending.add(new Pending(contender.gang.id(), diagnosis.why(contender)));
            }
        }
        windows.sort(Comparator.comparingLong((Planned p) -> p.window().start())
                .thenComparing(p -> p.gang().id()));
        pending.sort(Comparator.comparing(Pending::gang));
        broken.sort(Comparator.comparing(BrokenPromise::gang));
        return new Plan(snapshot.now(), horizonEnd, windows, pending, broken, notes());
    }

    private static boolean isSameOrBetter(Contender contender, Window before) {
        Window after = contender.window;
        return after != null && (after.equals(before) || after.improves(before, contender.gang.criterion()));
    }

    private List<String> notes() {
        if (combiner.error() == 0) {
            return List.of();
        }
        return List.of(
                "the combination of the batch was bounded: its objective lies at most %d units above the best one"
                        .formatted(combiner.error()));
    }
}
