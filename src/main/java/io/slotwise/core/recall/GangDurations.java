package io.slotwise.core.recall;

import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Gang;

/** How long the pods of a gang take on the fastest and the slowest node; pods of all shapes take equally long. */
final class GangDurations {
    private final Performance[] speeds;

    GangDurations(Inventory nodes) {
        this.speeds = nodes.kinds().stream().map(Node::performance).distinct().toArray(Performance[]::new);
    }

    /** Seconds on the slowest node; 0 if there is none. */
    long longest(Gang gang) {
        long longest = 0;
        for (Performance speed : speeds) {
            longest = Math.max(longest, gang.shapes().getFirst().request().durationOn(speed));
        }
        return longest;
    }

    /** Seconds on the fastest node, positive. */
    long shortest(Gang gang) {
        long shortest = Long.MAX_VALUE;
        for (Performance speed : speeds) {
            shortest = Math.min(shortest, gang.shapes().getFirst().request().durationOn(speed));
        }
        return Math.max(1, shortest);
    }
}
