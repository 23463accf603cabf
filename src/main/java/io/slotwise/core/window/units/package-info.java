/**
 * The data structures of searches: free units, and their cost over time.
 *
 * <p>{@link io.slotwise.core.window.units.SlotEvents} cuts time into segments on which no slot begins or ends. {@link
 * io.slotwise.core.window.units.CostCurve} is the cost of a pod by its start. {@link
 * io.slotwise.core.window.units.LowestUnits} and {@link io.slotwise.core.window.units.UnitRanking} maintain the n least
 * units while units come and go.
 *
 * <p>Mutable, for one pass and one thread. Indices replace objects, since all gangs of a batch pass through here.
 */
@NullMarked
package io.slotwise.core.window.units;

import org.jspecify.annotations.NullMarked;
