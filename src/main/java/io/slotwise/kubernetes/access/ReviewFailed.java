package io.slotwise.kubernetes.access;

/** The API server does not say who a caller is or what they may do; then they may do nothing. */
public final class ReviewFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    ReviewFailed(String message) {
        super(message);
    }

    /** Others are asked for first. */
    static ReviewFailed slow() {
        return new ReviewFailed("TokenReview timed out; try again");
    }

    /** More rights of one caller were asked for than the API server should answer. */
    static ReviewFailed tooMany(int most) {
        return new ReviewFailed(("your rights in more than %d namespaces were asked for; name one namespace, or ask "
                        + "for the right to list reservations.slotwise.io in all namespaces")
                .formatted(most));
    }

    static ReviewFailed interrupted() {
        return new ReviewFailed("authentication was interrupted");
    }
}
