/**
 * The window searches as in their papers, for comparison with the exact searches of {@link io.slotwise.core.window}.
 *
 * <p>A request's {@link io.slotwise.core.window.baseline.FreeSlotList} is scanned once in the order of the slots'
 * starts. At every slot an {@link io.slotwise.core.window.baseline.Aep} chooses n of the slots that can all begin then,
 * in its own way, and the best choice of the scan is the window. {@link io.slotwise.core.window.baseline.Csa} repeats
 * the scan and collects windows that share no slot. {@link io.slotwise.core.window.baseline.Aep#of} is the entry point.
 * {@link io.slotwise.core.window.baseline.BaselineSelection} is that of a planner whose policy asks for these searches,
 * and handles topology domains and lockstep.
 *
 * <p>Three things differ from the exact searches for every criterion. A node holds one pod at a time, since the papers'
 * slot is a node's and not a share of it. A window begins only where a slot begins, so a search does not wait for a
 * price that falls later. Everything is in plain lists that are scanned at every step, since the time of that is part
 * of the comparison. What is heuristic in a paper is heuristic here. Times are whole seconds, costs 1/3600 millionths
 * of the currency unit.
 *
 * <p>Source: V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for
 * Economic Scheduling in Distributed Computing" (2013).
 */
@NullMarked
package io.slotwise.core.window.baseline;

import org.jspecify.annotations.NullMarked;
