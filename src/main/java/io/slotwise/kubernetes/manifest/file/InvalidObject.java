package io.slotwise.kubernetes.manifest.file;

import java.io.Serial;

/** An object that cannot be read. The other objects are not affected. */
final class InvalidObject extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    InvalidObject(String message) {
        super(message);
    }
}
