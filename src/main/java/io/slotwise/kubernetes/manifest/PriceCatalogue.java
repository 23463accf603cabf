package io.slotwise.kubernetes.manifest;

import java.io.Reader;
import java.nio.file.Path;

/** Prices of instance types, for nodes that state none themselves. */
public final class PriceCatalogue {
    /** Knows no instance type. */
    public static final PriceCatalogue EMPTY = new PriceCatalogue();

    private PriceCatalogue() {}

    /** The catalogue that comes with the program. */
    public static PriceCatalogue bundled() {
        return EMPTY;
    }

    /** A catalogue file. */
    public static PriceCatalogue read(Path file) {
        return EMPTY;
    }

    /** A catalogue's text; {@code name} stands for it in messages. */
    public static PriceCatalogue read(Reader reader, String name) {
        return EMPTY;
    }
}
