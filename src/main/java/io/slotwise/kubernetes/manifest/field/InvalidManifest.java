package io.slotwise.kubernetes.manifest.field;

import io.slotwise.core.text.SafeText;

/**
 * Thrown if a file of objects or prices cannot be read. The message names the file, the place and what was expected.
 */
public final class InvalidManifest extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidManifest(String message) {
        super(SafeText.line(message));
    }
}
