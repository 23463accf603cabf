/**
 * The budgets and the spending of namespaces. A namespace's {@link io.slotwise.core.ledger.Allotment} is an amount for
 * every {@link io.slotwise.core.ledger.Period} of the calendar, UTC. A promise belongs for good to the period in which
 * its window starts.
 *
 * <p>From the promise to the end the promised cost is held. Then the gang is charged for the seconds that its pods
 * really ran. Seconds beyond the promise are charged as they pass, each in its own period ({@link
 * io.slotwise.core.ledger.Overrun}). What that period cannot pay is left to the next one ({@link
 * io.slotwise.core.ledger.Debt}). All charges ({@link io.slotwise.core.ledger.Charge}) use the prices of the promise
 * ({@link io.slotwise.core.ledger.PromiseTariff}).
 * <pre>
 *  runs (from the records of started gangs) -> {@link io.slotwise.core.ledger.Ledger#kept} -> accounts -> Planner
 * </pre>
 *
 * <p>A run of a gang in a queue is also summed for that queue. {@link io.slotwise.core.ledger.QueueLedgers} adds the
 * parts of all namespaces to a ledger of each queue with a budget. The queue's accounts follow by the same rules.
 *
 * <p>Invariants: a run is added to the sums in the same step in which its entry becomes settled, and an entry is
 * settled once, so repeating a step after a crash charges nothing twice. An entry exists from the start of a run, so
 * nothing that is lost afterwards makes the run free of charge.
 */
@NullMarked
package io.slotwise.core.ledger;

import org.jspecify.annotations.NullMarked;
