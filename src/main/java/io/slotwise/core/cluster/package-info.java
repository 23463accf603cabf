/**
 * The cluster in one moment and its free capacity over time.
 *
 * <p>{@link io.slotwise.core.cluster.Cluster} is an immutable picture: nodes and what occupies them. {@link
 * io.slotwise.core.cluster.Timeline} is its free capacity, a {@link io.slotwise.core.cluster.NodeTimeline} for each
 * node; windows take from it and give back. {@link io.slotwise.core.cluster.TimelineJournal} tells what has
 * changed since a caller last asked, {@link io.slotwise.core.cluster.RestoredCapacity} what would be free without some
 * of it.
 *
 * <p>Invariant: free room is never negative where it was taken through the timeline, and giving back restores it
 * exactly.
 */
@NullMarked
package io.slotwise.core.cluster;

import org.jspecify.annotations.NullMarked;
