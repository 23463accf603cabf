/**
 * Slots: where and when one node could run a pod of a gang, and what it charges.
 *
 * <p>{@link io.slotwise.core.slot.Eligibility} says which nodes gangs of one kind may use and why the others are left
 * out, {@link io.slotwise.core.slot.PodTariffs} what pods of every size pay there, {@link
 * io.slotwise.core.slot.Offers} what nodes mean for one request, and {@link io.slotwise.core.slot.SlotList} the slots
 * by {@link io.slotwise.core.slot.SlotTerms}. Arrays by node position, since every gang of a batch goes through all
 * of them.
 */
@NullMarked
package io.slotwise.core.slot;

import org.jspecify.annotations.NullMarked;
