/**
 * The planning loop.
 *
 * <p>{@link io.slotwise.live.cycle.LoopRunner} runs {@link io.slotwise.live.cycle.PlanningLoop} whenever {@link
 * io.slotwise.live.cycle.CycleTrigger} says so. A cycle has eight steps: it observes the cluster ({@link
 * io.slotwise.live.cycle.CycleFacts}); settles what became of each gang ({@link io.slotwise.live.cycle.Settlement},
 * by {@link io.slotwise.live.cycle.GangLifecycle} and {@link io.slotwise.live.cycle.AdvanceReservationLifecycle});
 * accounts for what they cost ({@link io.slotwise.live.cycle.LedgerUpdate}); takes the snapshot; agrees on the
 * promises that stand ({@link io.slotwise.live.cycle.Agreement}); plans; judges what the plan means for each gang
 * ({@link io.slotwise.live.cycle.Judgement}); and publishes what changed ({@link
 * io.slotwise.live.cycle.PlanPublisher}) in a safe order ({@link io.slotwise.live.cycle.WriteOrder}). What a cycle
 * makes of one gang is a {@link io.slotwise.live.cycle.RecordUpdate}.
 *
 * <p>Invariants: a cycle decides from one picture and one clock reading; room is promised to a gang only after the
 * write that takes it from another one. An error over one gang stays with that gang ({@link
 * io.slotwise.live.cycle.PlanningErrors}).
 *
 * <p>To add to a step, give it a class with a test and call it from {@code PlanningLoop}.
 */
@NullMarked
package io.slotwise.live.cycle;

import org.jspecify.annotations.NullMarked;
