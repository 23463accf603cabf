/**
 * Anticipation: a near-optimal choice of alternatives that may overlap is a reference, and every gang, in queue order,
 * gets the free window that is most like its own in the reference.
 *
 * <p>The reference is one of the {@link io.slotwise.core.window.search.IntersectingAlternatives} for each gang,
 * combined under the policy's objective and limit as if nothing overlapped. {@link
 * io.slotwise.core.anticipation.Anticipation} replicates it. {@link io.slotwise.core.anticipation.Replication} finds
 * the window of the least {@link io.slotwise.core.anticipation.Distance} to a gang's {@link
 * io.slotwise.core.anticipation.Reference}. That reference may have the start that the gang gets by backfilling instead
 * of its own.
 *
 * <p>Source: V. Toporkov, D. Yemelyanov, A. Toporkova, "Anticipation Scheduling in Grid with Stakeholders Preferences",
 * section 3.
 */
@NullMarked
package io.slotwise.core.anticipation;

import org.jspecify.annotations.NullMarked;
