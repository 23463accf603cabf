package io.slotwise.core.anticipation;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.FreeUnits;
import java.util.Arrays;

/** A set of taken units, with the figures of their window kept up to date; mostly O(1) a change. */
final class UnitTrial {
    private final FreeUnits units;
    private final Gang gang;
    private final long[] durations;
    private final int[] rankOf;
    private final int[] taken;

    /** The number of taken units of each duration, with none above {@code longest}. */
    private final int[] lasting;

    private int longest = -1;
    private int pods;
    private int slowest;
    private int powerless;
    private long cost;
    private long processorTime;
    private long energy;

    UnitTrial(FreeUnits units, Gang gang) {
        this.units = units;
        this.gang = gang;
        this.taken = new int[units.nodes()];
        this.rankOf = new int[taken.length];
        long[] all = new long[taken.length];
        Arrays.setAll(all, i -> units.offer(i).duration());
        this.durations = Arrays.stream(all).sorted().distinct().toArray();
        Arrays.setAll(rankOf, i -> Arrays.binarySearch(durations, all[i]));
        this.lasting = new int[durations.length];
    }

    void clear() {
        Arrays.fill(taken, 0);
        Arrays.fill(lasting, 0);
        longest = -1;
        pods = 0;
        slowest = 0;
        powerless = 0;
        cost = 0;
        processorTime = 0;
        energy = 0;
    }

    void load(int[] wanted) {
        clear();
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i] > 0) {
                take(i, wanted[i]);
            }
        }
    }

    /** Takes {@code more} units of a node, or releases them if negative. All costs must be those of one second. */
    void take(int node, int more) {
        taken[node] += more;
        pods += more;
        slowest += units.isSlowest(node) ? more : 0;
        cost += more * units.cost(node);
        processorTime += more * units.offer(node).duration();
        if (units.offer(node).power() == Node.UNKNOWN) {
            powerless += more;
        } else {
            energy += more * units.offer(node).energy();
        }
        int rank = rankOf[node];
        lasting[rank] += more;
        longest = Math.max(longest, rank);
        while (longest >= 0 && lasting[longest] == 0) {
            longest--;
        }
    }

    int pods() {
        return pods;
    }

    int taken(int node) {
        return taken[node];
    }

    int[] copy() {
        return taken.clone();
    }

    /** Returns whether some pod needs all of the charged time, if the gang is in lockstep. */
    boolean complete() {
        return slowest > 0;
    }

    /** Returns the cost, 1/3600 millionths. */
    long cost() {
        return cost;
    }

    /** Returns the processor time, seconds. */
    long processorTime() {
        return processorTime;
    }

    /** Returns the figures of the window that starts with these units at second {@code start}. */
    WindowFigures figures(long start) {
        long runtime = longest < 0 ? 0 : durations[longest];
        return new WindowFigures(
                start,
                runtime,
                cost,
                processorTime,
                powerless > 0 ? Window.UNKNOWN_ENERGY : energy,
                gang.delay(start + runtime),
                gang.preferences().distance(start, start + runtime, cost));
    }
}
