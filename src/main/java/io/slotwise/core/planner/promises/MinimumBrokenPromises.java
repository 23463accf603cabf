package io.slotwise.core.planner.promises;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The smallest set of promises to break so that the others fit together.
 *
 * <p>Inputs are promises in order of preference and the {@link CapacityConflict}es among them. The problem is a minimum
 * hitting set whose sets need an amount rather than one element (a covering integer program in zeros and ones).
 * Smallest means: the fewest promises whose pods are on their way, then the fewest promises, then the fewest pods. Ties
 * go to the set that keeps the first promise in which two sets differ.
 *
 * <p>Promises that no sequence of conflicts connects are independent. So each connected component is searched
 * separately, the smallest first. A depth-first branch and bound goes through a component in order of preference and
 * tries to keep before it tries to break. Its first leaf keeps whatever still fits, the greedy choice. A later leaf is
 * taken only if it is strictly smaller, which makes the tie-break above. A promise whose conflicts are all settled is
 * kept without a branch.
 *
 * <p>The bound of a node has three summands: what is broken, the open promises that no longer fit next to the kept
 * ones, and the least number of further promises that must go. The last is counted conflict by conflict, with promises
 * counted in earlier conflicts as gone for free. The counted sets are disjoint, so their sum is a lower bound of each
 * of the three figures.
 *
 * <p>The options of the open promises depend only on how many promises are decided, and on what is left where not all
 * of them fit. A node with the same situation as an earlier one is skipped if it has broken no less. As the order is
 * mostly that of time, past conflicts are forgotten, and a long chain of conflicts costs little more than its links.
 *
 * <p>Invariant: the promises outside the returned set fit. The set is the smallest unless {@link #bounded()}. The
 * search ends after {@link #MOST_STEPS} amounts and conflicts over all components, and a component of more than {@link
 * #MOST_TIED} promises is not searched. The best set so far is then the result, at worst the greedy choice.
 *
 * <p>With n promises in conflicts of c amounts together: O(n + c log c) without a search. A node of the search costs
 * O(c log c). There are at most 2^n nodes, within the limit of steps. Space O(n + c), and a situation for each node.
 *
 * <p>Hitting sets are NP-hard: R. M. Karp, "Reducibility among Combinatorial Problems" (1972), section 4, problem 15.
 * Branch and bound after A. H. Land, A. G. Doig, "An Automatic Method of Solving Discrete Programming Problems" (1960),
 * with the bound above in place of the linear relaxation, since it stays within integers.
 */
final class MinimumBrokenPromises {
    /** The largest number of amounts and conflicts that are visited. */
    static final long MOST_STEPS = 5_000_000;

    /** The largest component that is searched, in promises. Bounds the depth of the recursion. */
    static final int MOST_TIED = 1_000;

    private final List<Stake> stakes;
    private final List<CapacityConflict> conflicts;
    private final BitSet broken = new BitSet();
    private long steps = MOST_STEPS;
    private boolean bounded;

    /** The loss if a promise breaks: its number of pods, and whether they are on their way to their nodes. */
    record Stake(boolean released, int pods) {}

    /** The size of a set of broken promises. */
    private record Size(int released, int promises, long pods) implements Comparable<Size> {
        private static final Comparator<Size> ORDER = Comparator.comparingInt(Size::released)
                .thenComparingInt(Size::promises)
                .thenComparingLong(Size::pods);

        @Override
        public int compareTo(Size other) {
            return ORDER.compare(this, other);
        }
    }

    /** Searches the promises to break. Ties go to the set that keeps the earlier stake. */
    MinimumBrokenPromises(List<Stake> stakes, List<CapacityConflict> conflicts) {
        this.stakes = List.copyOf(stakes);
        this.conflicts = List.copyOf(conflicts);
        components().forEach(component -> new Search(component).run());
    }

    BitSet broken() {
        return (BitSet) broken.clone();
    }

    /** Returns whether the search was cut short, so that a smaller set may exist. */
    boolean bounded() {
        return bounded;
    }

    /** Returns the conflicts of each connected component, the components with the fewest amounts first. */
    private List<List<CapacityConflict>> components() {
        int[] parent = new int[stakes.size()];
        Arrays.setAll(parent, i -> i);
        for (CapacityConflict conflict : conflicts) {
            int first = root(parent, conflict.promisedAmounts().getFirst().promise());
            for (CapacityConflict.PromisedAmount promisedAmount : conflict.promisedAmounts()) {
                parent[root(parent, promisedAmount.promise())] = first;
            }
        }
        List<List<CapacityConflict>> byRoot = new ArrayList<>();
        stakes.forEach(_ -> byRoot.add(new ArrayList<>()));
        for (CapacityConflict conflict : conflicts) {
            byRoot.get(root(parent, conflict.promisedAmounts().getFirst().promise()))
                    .add(conflict);
        }
        return byRoot.stream()
                .filter(component -> !component.isEmpty())
                .sorted(Comparator.comparingInt(MinimumBrokenPromises::amountCount))
                .toList();
    }

    private static int amountCount(List<CapacityConflict> component) {
        return component.stream()
                .mapToInt(conflict -> conflict.promisedAmounts().size())
                .sum();
    }

    private static int root(int[] parent, int i) {
        int root = i;
        while (parent[root] != root) {
            parent[root] = parent[parent[root]];
            root = parent[root];
        }
        return root;
    }

    /** A conflict during a search. */
    private static final class Point {
        /** The positions of the promises in the component, the largest amounts first. */
        final int[] members;

        final long[] amounts;
        /** The room that is left next to the promises that are kept; negative if they need too much. */
        long left;
        /** The sum of what the undecided promises need. */
        long open;

        Point(CapacityConflict conflict, int[] members) {
            List<CapacityConflict.PromisedAmount> promisedAmounts = conflict.promisedAmounts().stream()
                    .sorted(Comparator.comparingLong(CapacityConflict.PromisedAmount::amount)
                            .reversed()
                            .thenComparingInt(CapacityConflict.PromisedAmount::promise))
                    .toList();
            this.members = promisedAmounts.stream()
                    .mapToInt(promisedAmount -> Arrays.binarySearch(members, promisedAmount.promise()))
                    .toArray();
            this.amounts = promisedAmounts.stream()
                    .mapToLong(CapacityConflict.PromisedAmount::amount)
                    .toArray();
            this.left = conflict.room();
            this.open = Arrays.stream(amounts).sum();
        }

        boolean settled() {
            return open <= left;
        }

        /** Returns the least number of promises to break, before any is decided. */
        int least() {
            int count = 0;
            for (long excess = open - left; excess > 0; count++) {
                excess -= amounts[count];
            }
            return count;
        }
    }

    /** The number of decided promises, and what is left at each conflict that is not settled. */
    private static final class Situation {
        private final long[] figures;

        Situation(long[] figures) {
            this.figures = figures;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Situation situation && Arrays.equals(figures, situation.figures);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(figures);
        }
    }

    private enum State {
        OPEN,
        KEPT,
        BROKEN
    }

    private final class Search {
        /**
         * The promises of the component, in order of preference. In this class a promise is an index into this array.
         */
        private final int[] members;

        private final List<Point> points;
        /** The conflicts of each promise, with its amount there. */
        private final List<List<Point>> pointsOf = new ArrayList<>();

        private final List<List<Long>> amountsOf = new ArrayList<>();
        private final State[] states;
        private State[] best;
        private Size leastSize;
        /** The number of the node whose bound last counted each promise. */
        private final long[] counted;

        private final int[] pods;
        /** The least that was broken in each situation that was visited. */
        private final Map<Situation, Size> entered = new HashMap<>();

        private long node;

        Search(List<CapacityConflict> component) {
            members = component.stream()
                    .flatMap(conflict -> conflict.promisedAmounts().stream())
                    .mapToInt(CapacityConflict.PromisedAmount::promise)
                    .sorted()
                    .distinct()
                    .toArray();
            points = component.stream()
                    .map(conflict -> new Point(conflict, members))
                    .sorted(Comparator.comparingInt(Point::least)
                            .reversed()
                            .thenComparingInt(point -> point.members.length))
                    .toList();
            states = new State[members.length];
            Arrays.fill(states, State.OPEN);
            counted = new long[members.length];
            pods = new int[members.length];
            for (int i = 0; i < members.length; i++) {
                pointsOf.add(new ArrayList<>());
                amountsOf.add(new ArrayList<>());
            }
            for (Point point : points) {
                for (int k = 0; k < point.members.length; k++) {
                    pointsOf.get(point.members[k]).add(point);
                    amountsOf.get(point.members[k]).add(point.amounts[k]);
                }
            }
            best = greedy();
            leastSize = size(best);
        }

        void run() {
            if (members.length > MOST_TIED) {
                bounded = true;
            } else {
                descend(0, new Size(0, 0, 0));
            }
            for (int i = 0; i < members.length; i++) {
                if (best[i] == State.BROKEN) {
                    broken.set(members[i]);
                }
            }
        }

        private State[] greedy() {
            for (int i = 0; i < members.length; i++) {
                decide(i, fits(i) ? State.KEPT : State.BROKEN);
            }
            State[] choice = states.clone();
            for (int i = 0; i < members.length; i++) {
                reopen(i);
            }
            return choice;
        }

        private Size size(State[] choice) {
            Size size = new Size(0, 0, 0);
            for (int i = 0; i < choice.length; i++) {
                size = choice[i] == State.BROKEN ? with(size, i) : size;
            }
            return size;
        }

        private Size with(Size size, int promise) {
            Stake stake = stake(promise);
            return new Size(
                    size.released() + (stake.released() ? 1 : 0), size.promises() + 1, size.pods() + stake.pods());
        }

        private Stake stake(int promise) {
            return stakes.get(members[promise]);
        }

        private void descend(int promise, Size size) {
            if (promise == members.length) {
                leastSize = size;
                best = states.clone();
                return;
            }
            Situation situation = situation(promise);
            Size before = entered.get(situation);
            if (before != null && before.compareTo(size) <= 0) {
                return;
            }
            entered.put(situation, size);
            boolean clashes = pointsOf.get(promise).stream().anyMatch(point -> !point.settled());
            if (fits(promise)) {
                decide(promise, State.KEPT);
                if (bound(size).compareTo(leastSize) < 0) {
                    descend(promise + 1, size);
                }
                reopen(promise);
            }
            if (clashes) {
                Size moreSize = with(size, promise);
                decide(promise, State.BROKEN);
                if (bound(moreSize).compareTo(leastSize) < 0) {
                    descend(promise + 1, moreSize);
                }
                reopen(promise);
            }
        }

        private Situation situation(int decided) {
            int unsettled = 0;
            for (Point point : points) {
                unsettled += point.settled() ? 0 : 1;
            }
            long[] key = new long[1 + 2 * unsettled];
            key[0] = decided;
            for (int i = 0, k = 1; i < points.size(); i++) {
                if (!points.get(i).settled()) {
                    key[k++] = i;
                    key[k++] = points.get(i).left;
                }
            }
            return new Situation(key);
        }

        private boolean fits(int promise) {
            List<Point> in = pointsOf.get(promise);
            List<Long> asked = amountsOf.get(promise);
            for (int k = 0; k < in.size(); k++) {
                if (asked.get(k) > in.get(k).left) {
                    return false;
                }
            }
            return true;
        }

        private void decide(int promise, State state) {
            states[promise] = state;
            move(promise, state, -1);
        }

        private void reopen(int promise) {
            move(promise, states[promise], 1);
            states[promise] = State.OPEN;
        }

        private void move(int promise, State state, int sign) {
            List<Point> in = pointsOf.get(promise);
            List<Long> asked = amountsOf.get(promise);
            for (int k = 0; k < in.size(); k++) {
                Point point = in.get(k);
                long amount = sign * asked.get(k);
                point.open += amount;
                point.left += state == State.KEPT ? amount : 0;
            }
        }

        /** Returns a lower bound of what is broken, however the open promises are decided. */
        private Size bound(Size size) {
            if (steps <= 0) {
                bounded = true;
                return leastSize;
            }
            node++;
            steps -= points.size();
            Size boundSize = size;
            for (Point point : points) {
                for (int k = 0; k < point.members.length && point.amounts[k] > point.left; k++) {
                    steps--;
                    if (isOpen(point.members[k])) {
                        counted[point.members[k]] = node;
                        boundSize = with(boundSize, point.members[k]);
                    }
                }
            }
            for (Point point : points) {
                boundSize = point.settled() ? boundSize : further(point, boundSize);
            }
            return boundSize;
        }

        private boolean isOpen(int promise) {
            return states[promise] == State.OPEN && counted[promise] != node;
        }

        /** Adds the fewest further promises of a conflict that must go, and marks all its promises as counted. */
        private Size further(Point point, Size size) {
            long excess = -point.left;
            long spare = 0;
            for (int k = 0; k < point.members.length; k++) {
                steps--;
                if (isOpen(point.members[k])) {
                    excess += point.amounts[k];
                    spare += stake(point.members[k]).released() ? 0 : point.amounts[k];
                }
            }
            if (excess <= 0) {
                return size;
            }
            long released = excess - spare;
            int promisesGone = 0;
            int releasedGone = 0;
            int there = 0;
            for (int k = 0; k < point.members.length; k++) {
                int promise = point.members[k];
                if (isOpen(promise)) {
                    counted[promise] = node;
                    pods[there++] = stake(promise).pods();
                    promisesGone += excess > 0 ? 1 : 0;
                    excess -= point.amounts[k];
                    if (released > 0 && stake(promise).released()) {
                        releasedGone++;
                        released -= point.amounts[k];
                    }
                }
            }
            Arrays.sort(pods, 0, there);
            long podsGone = 0;
            for (int k = 0; k < promisesGone; k++) {
                podsGone += pods[k];
            }
            return new Size(size.released() + releasedGone, size.promises() + promisesGone, size.pods() + podsGone);
        }
    }
}
