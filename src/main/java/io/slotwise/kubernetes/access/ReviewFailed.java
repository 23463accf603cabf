package io.slotwise.kubernetes.access;

/** Thrown if it is unknown who a caller is or what the caller may do. The caller then may do nothing. */
public final class ReviewFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    ReviewFailed(String message) {
        super(message);
    }

    /** The failure while too many other questions are open. */
    static ReviewFailed slow() {
        return new ReviewFailed("TokenReview timed out; try again");
    }

    /** The failure if more permissions of one caller were asked for than the limit. */
    static ReviewFailed tooMany(int most) {
        return new ReviewFailed(("your rights in more than %d namespaces were asked for; name one namespace, or ask "
                        + "for the right to list reservations.slotwise.io in all namespaces")
                .formatted(most));
    }

    static ReviewFailed interrupted() {
        return new ReviewFailed("authentication was interrupted");
    }
}
