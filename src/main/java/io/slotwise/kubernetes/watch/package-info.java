/**
 * The cluster as kept by watches.
 *
 * <p>{@link io.slotwise.kubernetes.watch.ObservedCluster} makes the loop's view of a cluster's objects. They come
 * either from a {@link io.slotwise.kubernetes.watch.ClusterWatch}, which has a {@link
 * io.slotwise.kubernetes.watch.Reflector} for each kind, or from a {@link io.slotwise.kubernetes.watch.ReadCluster},
 * which was read once. {@link io.slotwise.kubernetes.watch.RoomCheck} tells which nodes have room. {@link
 * io.slotwise.kubernetes.watch.ReservationIndex} and {@link io.slotwise.kubernetes.watch.NamespaceIndex} add the
 * answers to this replica's writes. {@link io.slotwise.kubernetes.watch.PendingWrites} adds writes that no watch has
 * shown yet. {@link io.slotwise.kubernetes.watch.ChangeFilter} selects the changes that need a cycle.
 *
 * <p>Invariant: a view is never older than an answer that this replica has received.
 */
@NullMarked
package io.slotwise.kubernetes.watch;

import org.jspecify.annotations.NullMarked;
