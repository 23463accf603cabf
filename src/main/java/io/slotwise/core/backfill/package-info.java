/**
 * Windows for single gangs next to existing windows: the shift of chosen windows into earlier gaps, and backfilling of
 * gangs that the cyclic part did not plan.
 *
 * <p>A {@link io.slotwise.core.backfill.BackfillRequest} is a gang that searches for its earliest window within its
 * namespace's balances. The {@link io.slotwise.core.backfill.BackfillArbiter} grants windows, which changes the results
 * of later requests.
 */
@NullMarked
package io.slotwise.core.backfill;

import org.jspecify.annotations.NullMarked;
