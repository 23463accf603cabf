/**
 * Gangs that make room for gangs of higher priority, or of queues that reclaim what they lend.
 *
 * <p>{@link io.slotwise.core.planner.preemption.Preemption} goes through the waiting gangs, the highest priority first.
 * A {@link io.slotwise.core.planner.preemption.Victim} is a promise or a running gang that may be displaced, with its
 * {@link io.slotwise.core.planner.preemption.DisplacementLoss}. {@link
 * io.slotwise.core.planner.preemption.MinimumLossSet} finds the set that loses least. {@link
 * io.slotwise.core.planner.preemption.MoveBeneficiaries} are the gangs for which others may make room.
 *
 * <p>Invariants: a gang is displaced as a whole, and only as {@link
 * io.slotwise.core.planner.preemption.DisplacementRules} allow. A gang that the new window does not need stays. To add
 * a kind of victim, add a case to the sealed interface.
 */
@NullMarked
package io.slotwise.core.planner.preemption;

import org.jspecify.annotations.NullMarked;
