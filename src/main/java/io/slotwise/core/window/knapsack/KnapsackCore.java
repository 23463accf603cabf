package io.slotwise.core.window.knapsack;

import io.slotwise.core.window.knapsack.UnitKnapsack.Choice;
import io.slotwise.core.window.knapsack.UnitKnapsack.Taken;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The dynamic program of {@link UnitKnapsack} over the few units that its bound leaves open.
 *
 * <p>Units of equal value and cost form one class. The units are visited by ascending key. For every number of units
 * taken so far there is a list of pairs (value, cost), none beaten in both by another. A pair that cannot be completed
 * within the bound, even with the least keys of the remaining units, is dropped. Invariant: of the choices within the
 * bound one with the least value, and of those the least cost, can still be reached from some pair. O(units x sum of
 * the lists).
 */
final class KnapsackCore {
    private final int n;
    private final long limit;
    private final Bound bound;
    private final Map<Kind, List<Taken>> classes = new TreeMap<>(
            Comparator.comparingLong(Kind::key).thenComparingLong(Kind::value).thenComparingLong(Kind::cost));
    private boolean thinned;

    /** The bound on useful choices. */
    record Bound(long a, long b, long below) {}

    private record Kind(long key, long value, long cost) {}

    /** A partial choice: its totals, the choice that it extends and the unit that it adds. */
    private record State(long value, long cost, @Nullable State before, int unit) {}

    KnapsackCore(int n, long limit, Bound bound) {
        this.n = n;
        this.limit = limit;
        this.bound = bound;
    }

    void offer(int node, int units, long value, long cost) {
        Kind kind = new Kind(bound.a() * value + bound.b() * cost, value, cost);
        classes.computeIfAbsent(kind, _ -> new ArrayList<>()).add(new Taken(node, units));
    }

    boolean thinned() {
        return thinned;
    }

    /** Returns the best choice, with all units of keys below {@code fixed}, or null if none is of use. */
    @Nullable
    Choice solve(long fixed) {
        List<Kind> units = new ArrayList<>();
        Map<Long, Integer> ofValue = new HashMap<>();
        long value = 0;
        long cost = 0;
        int needed = n;
        for (Map.Entry<Kind, List<Taken>> entry : classes.entrySet()) {
            Kind kind = entry.getKey();
            int count = entry.getValue().stream().mapToInt(Taken::units).sum();
            if (kind.key() < fixed) {
                needed -= count;
                value += count * kind.value();
                cost += count * kind.cost();
            } else {
                int before = ofValue.getOrDefault(kind.value(), 0);
                int added = Math.min(count, n - before);
                ofValue.put(kind.value(), before + added);
                units.addAll(Collections.nCopies(added, kind));
            }
        }
        if (needed < 0 || cost > limit) {
            return null;
        }
        State bestState = new Programme(units, needed).best(new State(value, cost, null, -1));
        return bestState == null ? null : choice(bestState, units, fixed);
    }

    /** Builds a choice. Units of a class are taken from its nodes in the order in which they were offered. */
    private Choice choice(State bestState, List<Kind> units, long fixed) {
        Map<Kind, Integer> wanted = new TreeMap<>(Comparator.comparingLong(Kind::key)
                .thenComparingLong(Kind::value)
                .thenComparingLong(Kind::cost));
        for (State state = bestState; state != null; state = state.before()) {
            if (state.unit() >= 0) {
                wanted.merge(units.get(state.unit()), 1, Integer::sum);
            }
        }
        List<Taken> taken = new ArrayList<>();
        classes.forEach((kind, nodes) -> {
            int left = kind.key() < fixed ? Integer.MAX_VALUE : wanted.getOrDefault(kind, 0);
            for (Taken takenNode : nodes) {
                int used = Math.min(left, takenNode.units());
                if (used > 0) {
                    taken.add(new Taken(takenNode.node(), used));
                    left -= used;
                }
            }
        });
        return new Choice(bestState.value(), bestState.cost(), taken);
    }

    private final class Programme {
        private final List<Kind> units;
        private final int needed;

        /** For each position, the sum of the keys of the units before it. */
        private final long[] keySums;

        private long below = bound.below();

        Programme(List<Kind> units, int needed) {
            this.units = units;
            this.needed = needed;
            this.keySums = new long[units.size() + 1];
            for (int i = 0; i < units.size(); i++) {
                keySums[i + 1] = keySums[i] + units.get(i).key();
            }
        }

        @Nullable
        State best(State state) {
            List<List<State>> lists = new ArrayList<>();
            for (int taken = 0; taken <= needed; taken++) {
                lists.add(List.of());
            }
            lists.set(0, List.of(state));
            for (int i = 0; i < units.size(); i++) {
                for (int taken = Math.min(i + 1, needed); taken >= 0; taken--) {
                    List<State> added = taken == 0 ? List.of() : lists.get(taken - 1);
                    lists.set(taken, merged(lists.get(taken), added, i, taken));
                }
            }
            List<State> last = lists.get(needed);
            return last.isEmpty() ? null : last.getFirst();
        }

        /** Returns the pairs without unit {@code i} and those with it, by ascending value and descending cost. */
        private List<State> merged(List<State> without, List<State> with, int i, int taken) {
            Kind kind = units.get(i);
            List<State> all = new ArrayList<>();
            int x = 0;
            int y = 0;
            while (x < without.size() || y < with.size()) {
                State state = x < without.size() ? without.get(x) : null;
                State other = y < with.size() ? with.get(y) : null;
                State next;
                if (other == null || (state != null && !before(other, kind, state))) {
                    next = Objects.requireNonNull(state);
                    x++;
                } else {
                    next = new State(other.value() + kind.value(), other.cost() + kind.cost(), other, i);
                    y++;
                }
                if ((all.isEmpty() || next.cost() < all.getLast().cost()) && completes(next, i + 1, taken)) {
                    all.add(next);
                }
            }
            return thin(all);
        }

        private boolean before(State extendedState, Kind kind, State state) {
            long value = extendedState.value() + kind.value();
            return value != state.value() ? value < state.value() : extendedState.cost() + kind.cost() < state.cost();
        }

        /** Returns whether the bound allows completing a pair with units from position {@code i} on. */
        private boolean completes(State state, int i, int taken) {
            int open = needed - taken;
            if (state.cost() > limit || state.value() >= below || i + open > units.size()) {
                return false;
            }
            if (open == 0) {
                below = Math.min(below, state.value() + 1);
                return true;
            }
            long rest = keySums[i + open] - keySums[i];
            return bound.a() * state.value() + bound.b() * state.cost() + rest - bound.b() * limit
                    <= bound.a() * (below - 1);
        }

        private List<State> thin(List<State> states) {
            if (states.size() <= UnitKnapsack.MOST_STATES) {
                return states;
            }
            thinned = true;
            int run = Math.ceilDiv(states.size(), UnitKnapsack.MOST_STATES / 2);
            List<State> thin = new ArrayList<>();
            for (int i = run - 1; i < states.size(); i += run) {
                thin.add(states.get(i));
            }
            return thin;
        }
    }
}
