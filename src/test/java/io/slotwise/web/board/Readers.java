package io.slotwise.web.board;

import io.slotwise.web.access.NamespaceScope;
import java.util.Set;

/** All kinds of readers of a board. */
public final class Readers {
    private Readers() {}

    /** Writes the documents for a reader of all namespaces, of two, and of none. */
    public static void of(Board board) {
        for (NamespaceScope scope : new NamespaceScope[] {
            NamespaceScope.EVERYTHING,
            new NamespaceScope(false, Set.of("honest", "p0-x")),
            new NamespaceScope(false, Set.of())
        }) {
            BoardVersion version = BoardVersion.first("v", 1, BoardRedactor.over(board, scope));
            if (version.bytes(false).length == 0) {
                throw new AssertionError("The board must be written.");
            }
        }
    }
}
