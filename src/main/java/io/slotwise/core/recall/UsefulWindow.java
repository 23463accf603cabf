package io.slotwise.core.recall;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Criterion.Figure;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.NodeKeys;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a window with a pod on some node costs at least, and the most that one may cost, and the latest that one may
 * start, to be of use beside the one that is known. Safe for threads.
 */
final class UsefulWindow {
    /** Up to it a sum of a cost and a delay is exact, and so are the seconds that it is worth. */
    private static final long MOST = Long.MAX_VALUE / 4;

    private final Gang gang;
    private final @Nullable Window before;
    private final WindowRequest sought;
    private final long shortest;
    private final long all;
    private final long most;
    private final boolean exact;
    private final List<PodTariffs.PodFigures> costs;

    /** What all pods of a gang whose pods ask for the same may cost together, and by the criterion; else none. */
    private final List<Instants.Sum> sums;

    /** Of each of the sums the most that the key of a node may be on which a pod is. */
    private final long[] mostOfKey;

    /** No pod takes longer if the window is to be as good as the one that is known. */
    private final long longestPod;

    /** All pods end before it then. */
    private final long lastEnd;

    UsefulWindow(Gang gang, @Nullable Window before, WindowRequest sought, PodTariffs tariffs, long shortest) {
        this.gang = gang;
        this.shortest = shortest;
        this.before = before;
        this.sought = sought;
        this.costs = gang.shapes().stream()
                .map(shape -> tariffs.figures(shape.request()))
                .toList();
        this.exact = costs.stream().allMatch(cost -> cost.leastCost() <= MOST / gang.size());
        long sum = 0;
        for (int shape = 0; shape < costs.size() && exact; shape++) {
            sum += costs.get(shape).leastCost()
                    * gang.shapes().get(shape).pods().size();
        }
        this.all = sum;
        this.most = Math.min(sought.budget().microSecondsPerHour(), useful());
        this.longestPod = before == null ? Long.MAX_VALUE : longestPod(before);
        this.lastEnd = before == null || sought.criterion() != Criterion.FINISH ? Long.MAX_VALUE : before.end();
        this.sums = gang.isUniform() ? sums(costs.getFirst()) : List.of();
        this.mostOfKey = sums.stream().mapToLong(this::mostOfKey).toArray();
    }

    /** The others add the least that any do. */
    private long mostOfKey(Instants.Sum sum) {
        long least = sum.keys().least();
        int others = gang.size() - 1;
        return others > 0 && least > sum.mostOfKeys() / others ? -1 : sum.mostOfKeys() - others * least;
    }

    /** No window that starts later is as good as the one that is known. */
    static long latestStart(Gang gang, Window before, WindowRequest sought, long shortest) {
        return switch (sought.criterion().kind()) {
            case TIME -> sought.criterion() == Criterion.START ? before.start() : before.end() - shortest;
            case WORTH -> {
                long value = before.value(Criterion.VALUE, gang);
                // The delay alone must not be worth more.
                long end = value > MOST ? Long.MAX_VALUE : gang.valueOfTime().lastEnd(gang.arrival(), value);
                yield end == Long.MAX_VALUE ? end : end - shortest;
            }
            case DISTANCE ->
                gang.preferences()
                        .starts(before.distance(gang))
                        .map(starts -> starts.end() - 1)
                        .orElse(Long.MAX_VALUE);
            case LARGEST, SUM -> Long.MAX_VALUE;
        };
    }

    private long longestPod(Window known) {
        if (sought.criterion().figure() != Figure.DURATION) {
            return Long.MAX_VALUE;
        }
        return switch (sought.criterion().kind()) {
            case LARGEST -> known.runtime();
            case SUM -> known.processorTime() - (gang.size() - 1) * shortest;
            case TIME, WORTH, DISTANCE -> Long.MAX_VALUE;
        };
    }

    /** Whose window. */
    Gang gang() {
        return gang;
    }

    /** What is sought. */
    WindowRequest sought() {
        return sought;
    }

    /** Seconds that a pod of the first shape takes on a node. */
    long duration(int node) {
        return costs.getFirst().duration(node);
    }

    /**
     * No window with a pod of so many seconds that starts later is as good as the one that is known; before all
     * seconds: none is.
     */
    long latestStart(long duration) {
        if (duration > longestPod) {
            return Long.MIN_VALUE;
        }
        return lastEnd == Long.MAX_VALUE ? lastEnd : lastEnd - duration;
    }

    /** The nodes by how long a pod takes. */
    NodeKeys durations() {
        return costs.getFirst().keys(Figure.DURATION);
    }

    /** No window that starts at this second or later, and is as good, has a pod where these keys are larger. */
    long mostOfDurations(long first) {
        long longest = lastEnd == Long.MAX_VALUE ? longestPod : Math.min(longestPod, lastEnd - first);
        return longest < 0 ? -1 : costs.getFirst().mostOfKeys(Figure.DURATION, longest);
    }

    private long useful() {
        if (before != null && sought.criterion() == Criterion.COST) {
            return before.cost().microSecondsPerHour();
        }
        if (before != null && sought.criterion() == Criterion.VALUE) {
            long value = before.value(Criterion.VALUE, gang);
            long delay = gang.delay(sought.terms().earliest() + shortest);
            return value > MOST ? Long.MAX_VALUE : value - delay;
        }
        return Long.MAX_VALUE;
    }

    /** No window with all sums within their bounds has a pod on a node with a larger one of the keys of this sum. */
    long mostOfKey(int sum) {
        return mostOfKey[sum];
    }

    /** Whether every window with a pod on this node costs too much, or adds up to too much by the criterion. */
    boolean isPassedOn(int node) {
        for (int i = 0; i < mostOfKey.length; i++) {
            if (sums.get(i).keys().of(node) > mostOfKey[i]) {
                return true;
            }
        }
        long more = Long.MAX_VALUE;
        for (int shape = 0; shape < costs.size(); shape++) {
            PodTariffs.PodFigures cost = costs.get(shape);
            more = Math.min(more, Math.min(cost.leastCost(node), MOST) - cost.leastCost());
        }
        return exact && all + Math.max(0, more) > most;
    }

    /** What all pods of a gang whose pods ask for the same may cost together, and by the criterion; else none. */
    List<Instants.Sum> sums() {
        return sums;
    }

    private List<Instants.Sum> sums(PodTariffs.PodFigures figures) {
        long largest = MOST / gang.size();
        List<Instants.Sum> all = new ArrayList<>();
        all.add(sum(Figure.COST, node -> Math.min(largest, figures.leastCost(node)), most));
        if (before != null && sought.criterion() == Criterion.ENERGY) {
            all.add(sum(Figure.ENERGY, node -> Math.min(largest, figures.energy(node)), before.energy()));
        } else if (before != null && sought.criterion() == Criterion.PROCESSOR_TIME) {
            all.add(sum(Figure.DURATION, figures::duration, before.processorTime()));
        }
        return all;
    }

    private Instants.Sum sum(Figure figure, IntToLongFunction least, long bound) {
        PodTariffs.PodFigures figures = costs.getFirst();
        return new Instants.Sum(least, bound, figures.keys(figure), figures.mostOfKeys(figure, bound));
    }
}
