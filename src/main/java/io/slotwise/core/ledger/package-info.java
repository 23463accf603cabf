/**
 * What namespaces may spend, and what they have spent. A namespace's {@link io.slotwise.core.ledger.Allotment} is an
 * amount for every {@link io.slotwise.core.ledger.Period} of the calendar, UTC. A promise belongs to the period in
 * which its window starts, for good. From the promise to the end its promised cost is held; then it is charged for the
 * seconds that its pods really ran; those beyond the promise are charged as they pass, each in its own period ({@link
 * io.slotwise.core.ledger.Overrun}), and what that cannot pay is left to the next one ({@link
 * io.slotwise.core.ledger.Debt}). All are charged ({@link
 * io.slotwise.core.ledger.Charge}) at the prices of the promise ({@link io.slotwise.core.ledger.PromiseTariff}).
 *
 * <pre>
 *  runs (what the records of started gangs say) -> {@link io.slotwise.core.ledger.Ledger#kept} -> accounts -> Planner
 * </pre>
 *
 * <p>Invariant: a run is added to the sums in the same step in which its entry becomes settled, and an entry is settled
 * once, so whatever is repeated after a crash charges nothing twice; and an entry is there from the start of a run, so
 * nothing that is lost afterwards makes it free.
 */
@NullMarked
package io.slotwise.core.ledger;

import org.jspecify.annotations.NullMarked;
