/**
 * Windows: the same start for all pods of a gang, each on a named node.
 *
 * <p>Here are the values, {@link io.slotwise.core.window.Window} and its {@link io.slotwise.core.window.Placement}s,
 * the question ({@link io.slotwise.core.window.WindowRequest}), and what searches are seen as: {@link
 * io.slotwise.core.window.SlotSelection}, whichever algorithm is behind it. Rules between pods are {@link
 * io.slotwise.core.window.CompanionRules} and {@link io.slotwise.core.window.NeighbourRules}. The searches are in the
 * rooms below: {@code search} is where to begin, {@code sweep} has the passes over the slots by criterion, {@code
 * knapsack} the exact choice in one second, {@code shortlist} the nodes that are looked at first, {@code units} what
 * all of them count with, {@code baseline} the papers' own algorithms.
 *
 * <p>Contracts: times are seconds since the epoch, costs 1/3600 millionths, energy milliwatt-seconds. Of windows that
 * are equally good the earlier start wins, then the lower cost, then the names of the nodes.
 */
@NullMarked
package io.slotwise.core.window;

import org.jspecify.annotations.NullMarked;
