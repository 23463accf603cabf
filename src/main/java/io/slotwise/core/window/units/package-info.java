/**
 * What searches count with: units that are free, and what they cost as time goes on.
 *
 * <p>{@link io.slotwise.core.window.units.SlotEvents} cuts time into segments on which no slot begins or ends, {@link
 * io.slotwise.core.window.units.CostCurve} is the cost of a pod by its start, {@link
 * io.slotwise.core.window.units.LowestUnits} and {@link io.slotwise.core.window.units.UnitRanking} keep the n least
 * while units come and go.
 *
 * <p>Mutable, for one pass and one thread; positions instead of objects, since all gangs of a batch go through here.
 */
@NullMarked
package io.slotwise.core.window.units;

import org.jspecify.annotations.NullMarked;
