/**
 * The window searches as their papers have them, to compare the exact searches of {@link io.slotwise.core.window} with.
 *
 * <p>A request's {@link io.slotwise.core.window.baseline.FreeSlotList} is scanned once in the order of the slots'
 * starts. At every slot an {@link io.slotwise.core.window.baseline.Aep} chooses n of the slots that can all begin then,
 * in its own way, and the best choice of the scan is the window; {@link io.slotwise.core.window.baseline.Csa} scans
 * again and again and collects windows that share no slot. {@link io.slotwise.core.window.baseline.Aep#of} is the
 * way in, and {@link io.slotwise.core.window.baseline.BaselineSelection} the one of a planner whose policy asks for
 * these searches.
 *
 * <p>Three things differ from the exact searches, whatever the criterion: a node holds one pod at a time, since the
 * papers' slot is a node's and not a share of it; a window begins only where a slot begins, so that a price that falls
 * later is not waited for; and everything is held in plain lists that are looked through at every step, since the time
 * that this takes is part of what is compared. What is heuristic in a paper is heuristic here.
 *
 * <p>Gangs inside one topology domain and gangs in lockstep are the caller's (that is, {@code BaselineSelection}'s):
 * one search for every list of {@link io.slotwise.core.slot.Eligibility#fields}, and the best of their windows.
 *
 * <p>Source: V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for
 * Economic Scheduling in Distributed Computing" (2013).
 */
@NullMarked
package io.slotwise.core.window.baseline;

import org.jspecify.annotations.NullMarked;
