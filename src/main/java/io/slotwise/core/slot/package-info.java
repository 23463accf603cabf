/**
 * Slots: the nodes and times at which a pod of a gang could run, with their charges.
 *
 * <p>{@link io.slotwise.core.slot.Eligibility} has the nodes that gangs of one kind may use, and why the others are
 * left out. {@link io.slotwise.core.slot.PodTariffs} has the charges of pods of every size, {@link
 * io.slotwise.core.slot.Offers} the terms of nodes for one request, and {@link io.slotwise.core.slot.SlotList} the
 * slots within {@link io.slotwise.core.slot.SlotTerms}. Data is in arrays by node position, since every gang of a batch
 * reads all of it.
 */
@NullMarked
package io.slotwise.core.slot;

import org.jspecify.annotations.NullMarked;
