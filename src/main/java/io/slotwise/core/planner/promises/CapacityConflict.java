package io.slotwise.core.planner.promises;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * Seconds of a node in which promises together need more of a resource than is left for them.
 *
 * @param room what is free next to everything that stays
 */
record CapacityConflict(List<PromisedAmount> promisedAmounts, long room) {
    /** A promise, by its index in the search, and the positive amount that it needs. */
    record PromisedAmount(int promise, long amount) {}

    /** The bits of a sum of amounts without loss of precision. */
    private static final int MOST_BITS = 61;

    CapacityConflict {
        promisedAmounts = List.copyOf(promisedAmounts);
    }

    /** Returns the conflicts from {@code now} on. Conflicts of equal amounts are merged, with the least room. */
    static List<CapacityConflict> among(List<PlanningGang> promised, Timeline timeline, long now) {
        SortedMap<String, List<Share>> byNode = new TreeMap<>();
        for (int i = 0; i < promised.size(); i++) {
            PlanningGang gang = promised.get(i);
            for (Placement placement : gang.promisedWindow().placements()) {
                Share share = new Share(
                        i,
                        gang.gang.requestOf(placement.pod()).resources(),
                        Math.max(placement.start(), now),
                        placement.end());
                byNode.computeIfAbsent(placement.node(), _ -> new ArrayList<>()).add(share);
            }
        }
        Map<List<PromisedAmount>, Long> leastRoom = new LinkedHashMap<>();
        byNode.forEach((name, shares) -> {
            NodeTimeline node = Objects.requireNonNull(timeline.node(name));
            TreeSet<Long> instants = new TreeSet<>();
            shares.forEach(share -> LongStream.of(share.from, share.to).forEach(instants::add));
            for (Long from = instants.first(), to = instants.higher(from); to != null; ) {
                among(shares, node, from, to, leastRoom);
                from = to;
                to = instants.higher(from);
            }
        });
        return leastRoom.entrySet().stream()
                .map(entry -> new CapacityConflict(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** The resources that a pod of a promise takes, from now or its start on. */
    private record Share(int promise, Resources resources, long from, long to) {}

    /** Adds the conflicts on a node between two neighbouring instants at which placements begin or end. */
    private static void among(
            List<Share> shares, NodeTimeline node, long from, long to, Map<List<PromisedAmount>, Long> leastRoom) {
        Resources resources = node.node().allocatable();
        long[] free = node.leastFree(from, to);
        for (int kind = 0; kind < free.length; kind++) {
            SortedMap<Integer, Long> asked = new TreeMap<>();
            for (Share share : shares) {
                long amount = share.resources.get(resources.name(kind));
                if (share.from <= from && to <= share.to && amount > 0) {
                    asked.merge(share.promise, amount, Long::sum);
                }
            }
            if (!asked.isEmpty() && passes(asked.values(), free[kind])) {
                int shift = shift(asked.values());
                List<PromisedAmount> promisedAmounts = asked.entrySet().stream()
                        .map(entry -> new PromisedAmount(entry.getKey(), Math.ceilDiv(entry.getValue(), 1L << shift)))
                        .toList();
                leastRoom.merge(promisedAmounts, free[kind] >> shift, Math::min);
            }
        }
    }

    /** Returns the bits to drop so that the sum fits a long. Needs are rounded up, and room down. */
    private static int shift(Collection<Long> amounts) {
        BigInteger sum = amounts.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
        return Math.max(0, sum.bitLength() - MOST_BITS);
    }

    /** Returns whether amounts together exceed the free amount, without a sum that need not fit a long. */
    private static boolean passes(Collection<Long> amounts, long free) {
        long left = free;
        for (long amount : amounts) {
            if (left < amount) {
                return true;
            }
            left -= amount;
        }
        return false;
    }
}
