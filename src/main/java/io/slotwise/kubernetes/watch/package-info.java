/**
 * The cluster as watches keep it.
 *
 * <p>{@link io.slotwise.kubernetes.watch.ClusterWatch} makes the loop's view of what {@link
 * io.slotwise.kubernetes.watch.Reflector}s keep, one for each kind; {@link
 * io.slotwise.kubernetes.watch.ReservationIndex}, {@link io.slotwise.kubernetes.watch.LedgerIndex} and {@link
 * io.slotwise.kubernetes.watch.RunHistoryIndex} add the answers to our own writes, {@link
 * io.slotwise.kubernetes.watch.PendingWrites} what we have done that no watch has shown. {@link
 * io.slotwise.kubernetes.watch.ChangeFilter} says which changes ask for a cycle.
 *
 * <p>Invariant: a view never goes back behind an answer that this replica has had.
 */
@NullMarked
package io.slotwise.kubernetes.watch;

import org.jspecify.annotations.NullMarked;
