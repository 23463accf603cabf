package io.slotwise.kubernetes.manifest.field;

import io.slotwise.core.text.SafeText;

/** A file of objects or prices that cannot be read; the message names the file, the place and what was expected. */
public final class InvalidManifest extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidManifest(String message) {
        super(SafeText.line(message));
    }
}
