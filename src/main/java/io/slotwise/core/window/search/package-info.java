/**
 * The search for windows. {@link io.slotwise.core.window.search.WindowSearch} is the entry point.
 *
 * <p>It finds the best window of one gang: it chooses domains and lockstep durations. {@link
 * io.slotwise.core.window.search.NearFuture} and {@link io.slotwise.core.window.search.NodeShortlists} reduce the
 * search, {@link io.slotwise.core.window.search.FieldSearch} makes the pass by the criterion, and {@link
 * io.slotwise.core.window.search.WindowAssembly} builds the window. The result is a {@link
 * io.slotwise.core.window.search.SearchAnswer}. {@link io.slotwise.core.window.search.DisjointAlternatives} finds
 * alternatives of all gangs that do not overlap, {@link io.slotwise.core.window.search.IntersectingAlternatives} those
 * of one gang that may. {@link io.slotwise.core.window.search.FreeUnits} is the pass for searches that visit units one
 * by one.
 *
 * <p>The result depends on the free capacity and the question alone. Several threads may search as long as the capacity
 * does not change.
 */
@NullMarked
package io.slotwise.core.window.search;

import org.jspecify.annotations.NullMarked;
