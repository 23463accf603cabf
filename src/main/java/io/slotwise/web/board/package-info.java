/**
 * The board: the data of the pages at {@code /}.
 * <pre>
 *  BoardInput -> BoardRenderer -> Board -> BoardFeed -> GET /api/v1/board           the whole document
 *                                                    -> GET /api/v1/board/events    the changes
 * </pre>
 *
 * <p>{@link io.slotwise.web.board.BoardRenderer} is pure: the planner's types in, a document out. A {@link
 * io.slotwise.web.board.BoardSource} shows a cluster, real or simulated, and the {@link
 * io.slotwise.web.board.BoardFeed} informs its listeners. The time is part of the document: pages never use the clock
 * of their own machine.
 */
@NullMarked
package io.slotwise.web.board;

import org.jspecify.annotations.NullMarked;
