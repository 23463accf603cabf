/**
 * The cluster at one moment, and its free capacity over time.
 *
 * <p>{@link io.slotwise.core.cluster.Cluster} is an immutable snapshot: nodes and their occupations. {@link
 * io.slotwise.core.cluster.Timeline} is its free capacity, with a {@link io.slotwise.core.cluster.NodeTimeline} for
 * each node. Windows take room from it and give room up. {@link io.slotwise.core.cluster.TimelineJournal} has the
 * changes since a caller's last query, {@link io.slotwise.core.cluster.RestoredCapacity} the capacity as if some room
 * were given up.
 *
 * <p>Invariant: free room is never negative where it was taken through the timeline, and giving up room restores it
 * exactly.
 */
@NullMarked
package io.slotwise.core.cluster;

import org.jspecify.annotations.NullMarked;
