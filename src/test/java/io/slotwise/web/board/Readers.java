package io.slotwise.web.board;

import io.slotwise.web.access.Lens;
import java.util.Set;

/** Everybody who looks at a board. */
public final class Readers {
    private Readers() {}

    /** Writes the document that a reader of all namespaces gets, one of two, and one of none. */
    public static void of(Board board) {
        for (Lens lens :
                new Lens[] {Lens.EVERYTHING, new Lens(false, Set.of("honest", "p0-x")), new Lens(false, Set.of())}) {
            Edition edition = Edition.first("v", 1, Veil.over(board, lens));
            if (edition.bytes(false).length == 0) {
                throw new AssertionError("The board must be written.");
            }
        }
    }
}
