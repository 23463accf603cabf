package io.slotwise.core.planner.queue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Selects the promised gangs that search for a better window in a cycle, if there are more than the policy's {@code
 * promises.improve.limit}. Half of them are those with the earliest windows, since they have few cycles left. The
 * others are consecutive in the queue, from a place that follows from the second of the plan. So each gang has a turn
 * again and again, and the turns follow from the snapshot alone. A gang without a promise always has a turn.
 *
 * <p>O(n log n) for n gangs, O(n) up to the limit.
 */
public final class ImprovementTurns {
    private static final Comparator<PlanningGang> BY_START = Comparator.comparingLong(
                    (PlanningGang gang) -> gang.promisedWindow().start())
            .thenComparing(gang -> gang.gang.id());

    private ImprovementTurns() {}

    /** Lets all promised gangs but {@code limit} pass their turn in the plan of second {@code now}. */
    public static void deal(List<PlanningGang> queue, int limit, long now) {
        List<PlanningGang> promised =
                queue.stream().filter(PlanningGang::promised).toList();
        if (promised.size() <= limit) {
            return;
        }
        Set<PlanningGang> turns = new HashSet<>(
                promised.stream().sorted(BY_START).limit(limit / 2).toList());
        List<PlanningGang> rest = new ArrayList<>(
                promised.stream().filter(gang -> !turns.contains(gang)).toList());
        int from = (int) Long.remainderUnsigned(mixed(now), rest.size());
        for (int i = 0; i < limit - limit / 2; i++) {
            turns.add(rest.get((from + i) % rest.size()));
        }
        rest.stream().filter(gang -> !turns.contains(gang)).forEach(PlanningGang::passesTurn);
    }

    /** Returns a number that differs widely for neighbouring seconds: the finalizer of SplitMix64. */
    private static long mixed(long second) {
        long z = second * 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
