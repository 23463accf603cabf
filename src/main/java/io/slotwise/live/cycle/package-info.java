/**
 * The planning loop.
 *
 * <p>{@link io.slotwise.live.cycle.LoopRunner} runs {@link io.slotwise.live.cycle.PlanningLoop} whenever {@link
 * io.slotwise.live.cycle.CycleTrigger} says so. A cycle observes the cluster ({@link
 * io.slotwise.live.cycle.CycleFacts}), settles what became of each gang ({@link io.slotwise.live.cycle.Settlement},
 * with {@link io.slotwise.live.cycle.GangLifecycle} and {@link io.slotwise.live.cycle.AdvanceReservationLifecycle}),
 * accounts for costs ({@link io.slotwise.live.cycle.LedgerUpdate}) and takes the snapshot. Then it matches promises and
 * requests ({@link io.slotwise.live.cycle.Agreement}), plans, applies the plan to each gang ({@link
 * io.slotwise.live.cycle.Judgement}), and publishes the changes ({@link io.slotwise.live.cycle.PlanPublisher}) in a
 * safe order ({@link io.slotwise.live.cycle.WriteOrder}). A {@link io.slotwise.live.cycle.RecordUpdate} collects the
 * changes to one gang.
 *
 * <p>Invariants: a cycle decides from one view of the cluster and one clock reading. Room is promised to a gang only
 * after the write that takes it from another one. An error in the handling of one gang affects only that gang ({@link
 * io.slotwise.live.cycle.PlanningErrors}).
 *
 * <p>To extend a step, write a class with a test and call it from {@code PlanningLoop}.
 */
@NullMarked
package io.slotwise.live.cycle;

import org.jspecify.annotations.NullMarked;
