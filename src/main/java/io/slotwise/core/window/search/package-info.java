/**
 * The search for windows: where to begin.
 *
 * <p>{@link io.slotwise.core.window.search.WindowSearch} finds the best window of one gang: it chooses domains and
 * lockstep durations; {@link io.slotwise.core.window.search.NearFuture} and {@link
 * io.slotwise.core.window.search.NodeShortlists} look at less first, {@link
 * io.slotwise.core.window.search.FieldSearch} makes the pass by the criterion, {@link
 * io.slotwise.core.window.search.WindowAssembly} a window of what it selects; the result is a {@link
 * io.slotwise.core.window.search.SearchAnswer}. {@link io.slotwise.core.window.search.DisjointAlternatives} finds
 * alternatives of all gangs that do not overlap, {@link io.slotwise.core.window.search.IntersectingAlternatives}
 * those of one gang that may; {@link io.slotwise.core.window.search.FreeUnits} is the pass for searches that look at
 * units one by one.
 *
 * <p>The answer depends on the free capacity and the question alone. Several threads may ask as long as the capacity
 * does not change.
 */
@NullMarked
package io.slotwise.core.window.search;

import org.jspecify.annotations.NullMarked;
