package io.slotwise.core.planner.promises;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The smallest set of promises to break so that the others fit beside each other.
 *
 * <p>Accepts promises in order of preference and the {@link CapacityConflict}es among them: a minimum hitting set whose
 * sets ask for an amount rather than for one element (a covering integer programme in zeros and ones). Smallest means:
 * the fewest promises whose pods are on their way, then the fewest promises, then the fewest pods; of sets that are
 * equal in these the one that keeps the first promise in which they differ.
 *
 * <p>Promises that are tied by no chain of clashes are independent, so each connected component is searched for itself,
 * the smallest components first. A depth-first branch and bound goes through a component in order of preference and
 * tries to keep before it tries to break. Its first leaf keeps whatever still fits, the greedy choice; a later leaf is
 * taken only if it is strictly smaller, which makes the tie-break above. A promise all of whose clashes are settled is
 * kept without a branch.
 *
 * <p>The bound of a node: what is broken, every open promise that no longer fits beside those kept, and then clash by
 * clash the least number of further promises that must go, those of the clashes counted before as if they had gone for
 * nothing. The counted sets are disjoint, so their sum is a lower bound of each of the three figures.
 *
 * <p>What the open promises may still do depends only on how many are decided and on what is left where not all of them
 * fit. A node that is in the situation of one before it, and has broken no less, is not entered: as the order is mostly
 * that of time, clashes that are over are forgotten, and a long chain of them costs little more than its links.
 *
 * <p>The invariant: whatever is returned, the promises outside it fit. It is the smallest set unless {@link
 * #bounded()}: the search ends after {@link #MOST_STEPS} claims and points looked at over all components, and a
 * component of more than {@link #MOST_TIED} promises is not searched at all; what was found until then, at worst the
 * greedy choice, stands.
 *
 * <p>With n promises in clashes of c claims together: O(n + c log c) without a search; a node of the search O(c log c),
 * of which there are at most 2^n, and in all no more than the limit of steps. Space O(n + c) and a situation for each
 * node.
 *
 * <p>Hitting sets are NP-hard: R. M. Karp, "Reducibility among Combinatorial Problems" (1972), section 4, problem 15.
 * Branch and bound after A. H. Land, A. G. Doig, "An Automatic Method of Solving Discrete Programming Problems" (1960),
 * with the bound above in place of the linear relaxation, since it stays within integers.
 */
final class MinimumBrokenPromises {
    /** The most claims and points that are looked at. */
    static final long MOST_STEPS = 5_000_000;

    /** The most promises of one component that are searched, which bounds the depth of the recursion. */
    static final int MOST_TIED = 1_000;

    private final List<Stake> stakes;
    private final List<CapacityConflict> conflicts;
    private final BitSet broken = new BitSet();
    private long steps = MOST_STEPS;
    private boolean bounded;

    /** What breaking a promise means: whether its pods are on their way to their nodes, and how many they are. */
    record Stake(boolean released, int pods) {}

    /** How large a set of broken promises is. */
    private record Size(int released, int promises, long pods) implements Comparable<Size> {
        private static final Comparator<Size> ORDER = Comparator.comparingInt(Size::released)
                .thenComparingInt(Size::promises)
                .thenComparingLong(Size::pods);

        @Override
        public int compareTo(Size other) {
            return ORDER.compare(this, other);
        }
    }

    /** Searches for promises to break: of two equal ways the one that keeps the earlier stake is taken. */
    MinimumBrokenPromises(List<Stake> stakes, List<CapacityConflict> conflicts) {
        this.stakes = List.copyOf(stakes);
        this.conflicts = List.copyOf(conflicts);
        components().forEach(component -> new Search(component).run());
    }

    /** The indices of the promises to break. */
    BitSet broken() {
        return (BitSet) broken.clone();
    }

    /** Whether the search ended before its end: a smaller set might do. */
    boolean bounded() {
        return bounded;
    }

    /** The clashes of each connected component, the components with the fewest claims first. */
    private List<List<CapacityConflict>> components() {
        int[] parent = new int[stakes.size()];
        Arrays.setAll(parent, i -> i);
        for (CapacityConflict conflict : conflicts) {
            int first = root(parent, conflict.claims().getFirst().promise());
            for (CapacityConflict.Claim claim : conflict.claims()) {
                parent[root(parent, claim.promise())] = first;
            }
        }
        List<List<CapacityConflict>> byRoot = new ArrayList<>();
        stakes.forEach(_ -> byRoot.add(new ArrayList<>()));
        for (CapacityConflict conflict : conflicts) {
            byRoot.get(root(parent, conflict.claims().getFirst().promise())).add(conflict);
        }
        return byRoot.stream()
                .filter(component -> !component.isEmpty())
                .sorted(Comparator.comparingInt(MinimumBrokenPromises::claims))
                .toList();
    }

    private static int claims(List<CapacityConflict> component) {
        return component.stream().mapToInt(conflict -> conflict.claims().size()).sum();
    }

    private static int root(int[] parent, int i) {
        int root = i;
        while (parent[root] != root) {
            parent[root] = parent[parent[root]];
            root = parent[root];
        }
        return root;
    }

    /** A clash in the course of a search. */
    private static final class Point {
        /** Positions of the promises in the component, those that ask for most first. */
        final int[] members;

        final long[] amounts;
        /** What is left beside the promises that are kept. */
        long left;
        /** What the open promises ask for. */
        long open;

        Point(CapacityConflict conflict, int[] members) {
            List<CapacityConflict.Claim> claims = conflict.claims().stream()
                    .sorted(Comparator.comparingLong(CapacityConflict.Claim::amount)
                            .reversed()
                            .thenComparingInt(CapacityConflict.Claim::promise))
                    .toList();
            this.members = claims.stream()
                    .mapToInt(claim -> Arrays.binarySearch(members, claim.promise()))
                    .toArray();
            this.amounts =
                    claims.stream().mapToLong(CapacityConflict.Claim::amount).toArray();
            this.left = conflict.room();
            this.open = Arrays.stream(amounts).sum();
        }

        boolean settled() {
            return open <= left;
        }

        /** How many must go at least, before anything is decided. */
        int least() {
            int count = 0;
            for (long excess = open - left; excess > 0; count++) {
                excess -= amounts[count];
            }
            return count;
        }
    }

    /** How many promises are decided, and at each point that is not settled, what is left. */
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
        /** The promises of the component, in order of preference; in this class a promise is a position here. */
        private final int[] members;

        private final List<Point> points;
        /** For each promise, the points that it is in and what it asks for there. */
        private final List<List<Point>> pointsOf = new ArrayList<>();

        private final List<List<Long>> amountsOf = new ArrayList<>();
        private final State[] states;
        private State[] best;
        private Size leastSize;
        /** Promises that the bound of one node has counted: those with the node's number. */
        private final long[] counted;

        private final int[] pods;
        /** The least that was broken in each situation that was entered. */
        private final Map<Situation, Size> entered = new HashMap<>();

        private long node;

        Search(List<CapacityConflict> component) {
            members = component.stream()
                    .flatMap(conflict -> conflict.claims().stream())
                    .mapToInt(CapacityConflict.Claim::promise)
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

        /** In order of preference, each promise that fits is kept. */
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

        /** Decides on the promises from {@code promise} on; those before it are decided. */
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

        /** No way to decide on the open promises breaks less than this. */
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

        /** Adds the fewest promises of a point that must go beyond those that are counted, and counts all of it. */
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
