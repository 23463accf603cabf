/**
 * Windows for gangs one by one, beside those that have theirs: the shift of chosen windows into the holes before them,
 * and backfilling of gangs that the cyclic part did not plan.
 *
 * <p>A {@link io.slotwise.core.backfill.BackfillRequest} is a gang that looks for its earliest window within its
 * namespace's means; the {@link io.slotwise.core.backfill.BackfillArbiter} gives windows, which changes what the next
 * bid finds.
 */
@NullMarked
package io.slotwise.core.backfill;

import org.jspecify.annotations.NullMarked;
