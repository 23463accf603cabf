/**
 * Better windows for gangs that have one, and windows for those that find none, at no loss of what others were
 * promised.
 *
 * <p>{@link io.slotwise.core.planner.exchange.WindowExchange} pulls a window forward where others change their nodes
 * for it; {@link io.slotwise.core.planner.exchange.SlackInsertion} makes room for a gang without a window within the
 * slack of promises; {@link io.slotwise.core.planner.exchange.SlackExchange} moves windows either way within it, or
 * gives them to those that may start now ({@code ValueBackfilling}); {@link
 * io.slotwise.core.planner.exchange.NeighbourhoodSearch} looks last at the rules that pods have about each other, and
 * takes back what breaks one.
 *
 * <p>Invariant: either all gangs that are touched keep what they were promised, or everything stays as it was.
 */
@NullMarked
package io.slotwise.core.planner.exchange;

import org.jspecify.annotations.NullMarked;
