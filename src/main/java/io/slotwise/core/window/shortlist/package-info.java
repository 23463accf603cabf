/**
 * Nodes that are searched before all others, with a proof that they are enough.
 *
 * <p>{@link io.slotwise.core.window.shortlist.Shortlist} ranks nodes by the least that a unit adds to the criterion.
 * {@link io.slotwise.core.window.shortlist.ValueBounds} bounds the criterion value. {@link
 * io.slotwise.core.window.shortlist.SoonestNodes} orders by time.
 *
 * <p>Invariant: if the proof fails all nodes are searched, so the result is the same as without a shortlist.
 */
@NullMarked
package io.slotwise.core.window.shortlist;

import org.jspecify.annotations.NullMarked;
