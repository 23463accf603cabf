package io.slotwise.kubernetes.access;

/** The API server does not say who somebody is or what they may do; then they may nothing. */
public final class NoAnswer extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoAnswer(String message) {
        super(message);
    }

    /** Others are asked for first. */
    static NoAnswer slow() {
        return new NoAnswer("TokenReview timed out; try again");
    }

    /** Whoever asked is stopped. */
    static NoAnswer interrupted() {
        return new NoAnswer("authentication was interrupted");
    }
}
