/**
 * The board: what the pages at {@code /} show.
 *
 * <pre>
 *  Scene -> Drawing -> Board -> BoardFeed -> GET /api/v1/board           the whole document
 *                                         -> GET /api/v1/board/events    what changed since
 * </pre>
 *
 * <p>{@link io.slotwise.web.board.BoardRenderer} is pure: plain planner's types in, a document out. Who has a cluster
 * to show, a real one or a simulated one, is a {@link io.slotwise.web.board.BoardSource}; the {@link
 * io.slotwise.web.board.BoardFeed} tells its listeners. The time is the document's: the pages never look at the clock
 * of the machine that they are shown on.
 */
@NullMarked
package io.slotwise.web.board;

import org.jspecify.annotations.NullMarked;
