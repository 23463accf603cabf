/**
 * Windows: the same start for all pods of a gang, each on a named node.
 *
 * <p>This package has the values, {@link io.slotwise.core.window.Window} and its {@link
 * io.slotwise.core.window.Placement}s, the question ({@link io.slotwise.core.window.WindowRequest}), and the interface
 * of all search algorithms, {@link io.slotwise.core.window.SlotSelection}. Rules between pods are {@link
 * io.slotwise.core.window.CompanionRules} and {@link io.slotwise.core.window.NeighbourRules}. The subpackage {@code
 * search} is the entry point. {@code sweep} has the passes over the slots by criterion, {@code knapsack} the exact
 * choice in one second, and {@code shortlist} the nodes that are searched first. {@code units} has their common data
 * structures, and {@code baseline} the papers' own algorithms.
 *
 * <p>Contracts: times are seconds since the epoch, costs 1/3600 millionths, energy milliwatt-seconds. Ties go to the
 * earlier start, then the lower cost, then the names of the nodes.
 */
@NullMarked
package io.slotwise.core.window;

import org.jspecify.annotations.NullMarked;
