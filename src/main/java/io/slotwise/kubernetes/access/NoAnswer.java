package io.slotwise.kubernetes.access;

/** The API server does not say who somebody is or what they may do; then they may nothing. */
public final class NoAnswer extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoAnswer(String message) {
        super(message);
    }
}
