/**
 * The cluster as watches keep it.
 *
 * <p>{@link io.slotwise.kubernetes.watch.ObservedCluster} makes the loop's view of a cluster's objects. They come from
 * {@link io.slotwise.kubernetes.watch.ClusterWatch}, for which {@link io.slotwise.kubernetes.watch.Reflector}s keep
 * them, one for each kind, or from a {@link io.slotwise.kubernetes.watch.ReadCluster}, for which they were read once;
 * {@link io.slotwise.kubernetes.watch.NodeRooms} tells which nodes have room. {@link
 * io.slotwise.kubernetes.watch.ReservationIndex} and {@link io.slotwise.kubernetes.watch.NamespaceIndex} add the
 * answers to our own writes, {@link io.slotwise.kubernetes.watch.PendingWrites} what we have done that no watch has
 * shown. {@link io.slotwise.kubernetes.watch.ChangeFilter} says which changes ask for a cycle.
 *
 * <p>Invariant: a view never goes back behind an answer that this replica has had.
 */
@NullMarked
package io.slotwise.kubernetes.watch;

import org.jspecify.annotations.NullMarked;
