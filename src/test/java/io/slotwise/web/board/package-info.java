/** Tests of the board's document and its feed. */
@NullMarked
package io.slotwise.web.board;

import org.jspecify.annotations.NullMarked;
