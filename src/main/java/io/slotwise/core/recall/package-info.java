/**
 * What one plan leaves to the next one, so that the work of a cycle follows what has changed since and not all that
 * waits.
 *
 * <p>{@link io.slotwise.core.recall.PlanMemory} is the value that a planner hands on; {@link
 * io.slotwise.core.recall.SearchRecollection} is what a cycle makes of it: it says with a proof
 * which searches have the answer that they had. {@code RoomChanges} keeps account of who has room and who gave it up,
 * {@code DepartedRoom} of what was given up, {@code RecalledHindrances} of what is in the way of gangs, and {@code
 * NewWindows} looks for what was not there before. {@link io.slotwise.core.recall.StandingPromises} says which promises
 * have their room still and need no look, and begins the timeline with what was free in the cycle before. {@link
 * io.slotwise.core.recall.RecalledSearch} stands before the exact search of a gang and asks it first. {@link
 * io.slotwise.core.recall.Instants} tells which nodes can matter to a search in few seconds: {@code InstantRooms} keeps
 * for all gangs of a pod size how many pods have room at instants ({@code UnitRow}) and from when until when ({@code
 * FreeStays}), {@code UnitBounds} and {@code LeastFirst} what a gang may use of that, and {@code EarlierInstants} what
 * the cycle before knew. No plan depends on any of it. A developer who adds a search that is asked in every cycle lets
 * it be asked through {@code RecalledSearch}; code that takes or gives back room in another way than windows do tells
 * {@link io.slotwise.core.cluster.RoomHolders}.
 */
@NullMarked
package io.slotwise.core.recall;

import org.jspecify.annotations.NullMarked;
