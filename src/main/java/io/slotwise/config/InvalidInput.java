package io.slotwise.config;

/**
 * An unusable configuration file or property; the message names the file, the place, the value and what was expected.
 */
public final class InvalidInput extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidInput(String message) {
        super(message);
    }
}
