package io.slotwise.core.migration;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.combination.Purses;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Tariffs;
import io.slotwise.core.window.SearchObserver;
import java.util.List;

/**
 * What moves are made on: scratch of one cycle, with the room and the money of all windows and promises taken.
 *
 * @param now the first second in which a window may start, since the epoch
 * @param horizonEnd no window ends later, since the epoch
 * @param turnover kept free between two uses of one room, seconds
 * @param timeline free capacity
 * @param purses money
 * @param tariffs what the nodes of the timeline charge
 * @param domainKey the node label whose values are the resource domains
 * @param searches who is told of searches
 */
public record Ground(
        long now,
        long horizonEnd,
        long turnover,
        Timeline timeline,
        Purses purses,
        Tariffs tariffs,
        String domainKey,
        SearchObserver searches) {
    /** The nodes that a gang may use, for each of its shapes. O(nodes). */
    public List<Eligibility> eligibility(Gang gang) {
        return Eligibility.of(gang, tariffs, timeline);
    }
}
