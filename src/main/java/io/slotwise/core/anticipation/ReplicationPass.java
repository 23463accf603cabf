package io.slotwise.core.anticipation;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.FreeUnits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The pass of {@link Replication} over one set of nodes, with its working state. */
final class ReplicationPass {
    private static final int REVISITED = 8;

    private static final int STEPS = 256;

    private final Distance distance;
    private final Reference reference;
    private final FreeUnits units;
    private final int size;
    private final long budget;
    private final boolean timed;
    private final Comparator<WindowChoice> order;

    /** The reference's own units, or null if one of its nodes is not in this set. */
    private final int @Nullable [] own;

    private final int[] shortestFirst;
    private final UnitTrial trial;

    /** The nearest window of each second, nearest first, at most {@link #REVISITED}. */
    private final List<WindowChoice> nearest = new ArrayList<>();

    private @Nullable WindowChoice localChoice;

    ReplicationPass(Distance distance, Follower follower, FreeUnits units) {
        this.distance = distance;
        this.reference = follower.reference();
        this.units = units;
        this.size = follower.gang().size();
        this.budget = follower.gang().budget().limit().microSecondsPerHour();
        this.timed = distance.criteria().contains(Criterion.START)
                || distance.criteria().contains(Criterion.FINISH);
        this.order = WindowChoice.order(follower.gang().criterion());
        this.own = own(units, reference.window());
        this.shortestFirst = shortestFirst(units);
        this.trial = new UnitTrial(units, follower.gang());
    }

    static int[] shortestFirst(FreeUnits units) {
        return shortestFirst(units, i -> units.offer(i).rate().min());
    }

    /** Returns the nodes by duration, then by a key, then by name. */
    static int[] shortestFirst(FreeUnits units, IntToLongFunction key) {
        return IntStream.range(0, units.nodes())
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> units.offer(i).duration())
                        .thenComparingLong(key::applyAsLong)
                        .thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static int @Nullable [] own(FreeUnits units, Window window) {
        Map<String, Integer> indices = new HashMap<>();
        for (int i = 0; i < units.nodes(); i++) {
            indices.put(units.offer(i).node(), i);
        }
        int[] own = new int[units.nodes()];
        for (Placement placement : window.placements()) {
            Integer node = indices.get(placement.node());
            if (node == null) {
                return null;
            }
            own[node]++;
        }
        return own;
    }

    /** Seconds on which the free units stay the same. {@code moves}: costs can differ between them. */
    private record Step(long from, long to, boolean moves) {}

    @Nullable
    WindowChoice nearest() {
        List<Step> steps = affordable();
        steps.sort(Comparator.comparingLong(this::away).thenComparingLong(Step::from));
        for (Step step : steps.subList(0, Math.min(steps.size(), STEPS))) {
            seconds(step).filter(this::mayBeNearer).forEach(this::look);
        }
        return nearest.stream().map(this::exchanged).min(order).orElse(null);
    }

    /** Returns the steps with a window within the budget at their first or last second. */
    private List<Step> affordable() {
        List<Step> steps = new ArrayList<>();
        while (units.advance()) {
            boolean moves = units.pricesMove() && units.to() > units.from();
            if (units.enough()
                    && (units.leastCost(units.from()) <= budget || (moves && units.leastCost(units.to()) <= budget))) {
                steps.add(new Step(units.from(), units.to(), moves));
            }
        }
        return steps;
    }

    private long away(Step step) {
        long wanted = reference.figures().start();
        return Math.abs(Math.clamp(wanted, step.from(), step.to()) - wanted);
    }

    Window window(WindowChoice choice) {
        return units.window(choice.start(), choice.taken());
    }

    private LongStream seconds(Step step) {
        long from = step.from();
        long to = step.to();
        long wanted = timed ? Math.clamp(reference.figures().start(), from, to) : from;
        long known = reference.window().start();
        long again = known >= from && known <= to ? known : from;
        return LongStream.of(wanted, from, again, step.moves() ? to : from).distinct();
    }

    private boolean mayBeNearer(long t) {
        return nearest.isEmpty()
                || distance.least(t, reference) <= nearest.getFirst().distance();
    }

    private void look(long t) {
        units.revisit(t);
        localChoice = null;
        int[] wanted = own;
        if (wanted != null && IntStream.range(0, wanted.length).allMatch(i -> wanted[i] <= units.free(i))) {
            trial.load(wanted);
            judge(t);
        }
        runs(units::cheapest, t, true);
        runs(rank -> shortestFirst[rank], t, false);
        if (localChoice != null) {
            nearest.add(localChoice);
            nearest.sort(order);
            if (nearest.size() > REVISITED) {
                nearest.removeLast();
            }
        }
    }

    /** Considers every run of n neighbouring units. With {@code byCost} the first one over the budget ends it. */
    private void runs(IntUnaryOperator nodeAt, long t, boolean byCost) {
        trial.clear();
        int last = 0;
        for (int first = 0; first < units.nodes(); first++) {
            while (trial.pods() < size && last < units.nodes()) {
                int node = nodeAt.applyAsInt(last);
                int left = units.free(node) - trial.taken(node);
                int more = Math.min(left, size - trial.pods());
                if (more > 0) {
                    trial.take(node, more);
                }
                last += more == left ? 1 : 0;
            }
            if (trial.pods() < size || (byCost && trial.cost() > budget)) {
                return;
            }
            int leaving = nodeAt.applyAsInt(first);
            if (trial.taken(leaving) > 0) {
                judge(t);
                trial.take(leaving, -trial.taken(leaving));
            }
            last = Math.max(last, first + 1);
        }
    }

    private void judge(long t) {
        if (trial.cost() > budget || !trial.complete()) {
            return;
        }
        WindowFigures figures = trial.figures(t);
        double found = distance.between(figures, reference);
        if (localChoice != null && found > localChoice.distance()) {
            return;
        }
        WindowChoice choice = new WindowChoice(found, figures, trial.copy());
        if (localChoice == null || order.compare(choice, localChoice) < 0) {
            localChoice = choice;
        }
    }

    /** Returns the window after exchanges of single units that reduce its distance. */
    private WindowChoice exchanged(WindowChoice choice) {
        units.revisit(choice.start());
        int[] byCost = freeNodes(units::cheapest);
        int[] byDuration = freeNodes(rank -> shortestFirst[rank]);
        WindowChoice currentChoice = choice;
        for (int round = 0; round < size; round++) {
            localChoice = currentChoice;
            trial.load(currentChoice.taken());
            long cost = reference.figures().cost() - trial.cost();
            long seconds = reference.figures().processorTime() - trial.processorTime();
            for (int out = 0; out < units.nodes(); out++) {
                if (currentChoice.taken()[out] > 0) {
                    exchange(out, byCost, units::cost, units.cost(out) + cost, currentChoice.start());
                    long wanted = units.offer(out).duration() + seconds;
                    exchange(out, byDuration, i -> units.offer(i).duration(), wanted, currentChoice.start());
                }
            }
            if (localChoice == currentChoice) {
                return currentChoice;
            }
            currentChoice = localChoice;
        }
        return currentChoice;
    }

    private int[] freeNodes(IntUnaryOperator nodeAt) {
        return IntStream.range(0, units.nodes())
                .map(nodeAt)
                .filter(i -> units.free(i) > 0)
                .toArray();
    }

    /** Tries the next node with room on either side of the wanted key instead of one unit of node {@code out}. */
    private void exchange(int out, int[] line, IntToLongFunction key, long wanted, long t) {
        int at = position(line, key, wanted);
        for (int i = at; i < line.length; i++) {
            if (hasRoom(line[i], out)) {
                exchange(out, line[i], t);
                break;
            }
        }
        for (int i = at - 1; i >= 0; i--) {
            if (hasRoom(line[i], out)) {
                exchange(out, line[i], t);
                break;
            }
        }
    }

    private boolean hasRoom(int node, int out) {
        return node != out && trial.taken(node) < units.free(node);
    }

    private void exchange(int out, int in, long t) {
        trial.take(out, -1);
        trial.take(in, 1);
        judge(t);
        trial.take(in, -1);
        trial.take(out, 1);
    }

    /** Returns the first position whose key is not less than {@code wanted}, by bisection. */
    private static int position(int[] line, IntToLongFunction key, long wanted) {
        int low = 0;
        int high = line.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (key.applyAsLong(line[middle]) < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** A window of a pass that is not built yet: the units of each node, and its distance from the reference. */
    static final class WindowChoice {
        private final double distance;
        private final WindowFigures figures;
        private final int[] taken;

        WindowChoice(double distance, WindowFigures figures, int[] taken) {
            this.distance = distance;
            this.figures = figures;
            this.taken = taken;
        }

        double distance() {
            return distance;
        }

        /** Returns the start, seconds since the epoch. */
        long start() {
            return figures.start();
        }

        /** Returns the number of units of each node; read-only. */
        int[] taken() {
            return taken;
        }

        /** Sorts the nearest first, then by criterion, start, cost, and nodes' names, which order their indices. */
        static Comparator<WindowChoice> order(Criterion criterion) {
            return Comparator.comparingDouble(WindowChoice::distance)
                    .thenComparingLong(choice -> choice.figures.value(criterion))
                    .thenComparingLong(WindowChoice::start)
                    .thenComparingLong(choice -> choice.figures.cost())
                    .thenComparing((a, b) -> Arrays.compare(b.taken, a.taken));
        }
    }
}
