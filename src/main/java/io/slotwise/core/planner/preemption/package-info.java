/**
 * Which gangs make room for gangs of higher priority.
 *
 * <p>{@link io.slotwise.core.planner.preemption.Preemption} goes through the gangs that wait, the highest priority
 * first. What may be displaced is a {@link io.slotwise.core.planner.preemption.Victim}, a promise or a gang that
 * runs, with the {@link io.slotwise.core.planner.preemption.DisplacementLoss} of it; {@link
 * io.slotwise.core.planner.preemption.MinimumLossSet} finds the set that loses least. {@link
 * io.slotwise.core.planner.preemption.MoveBeneficiaries} are the gangs that others may make room for.
 *
 * <p>Invariants: a gang is displaced as a whole, and only by one of strictly higher priority; whom the new window
 * does not need stays. To add a kind of victim, add a case to the sealed interface.
 */
@NullMarked
package io.slotwise.core.planner.preemption;

import org.jspecify.annotations.NullMarked;
