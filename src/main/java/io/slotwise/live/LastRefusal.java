package io.slotwise.live;

/**
 * Why a gang was not started the last time, as the record's condition {@code Started} keeps it until it has started: so that it is told once.
 *
 * @param words what was said; empty: nothing yet
 */
record LastRefusal(String words) {
    static final String NOT_STARTED = "not started";
    private static final String ON_ITS_WAY = "its pods are on their way";
    private static final String AFTER = "; before that: ";

    /** What a gang's record keeps. */
    static LastRefusal of(Standing standing) {
        return in(standing.started().message());
    }

    /** Whether nothing was said. */
    boolean isNone() {
        return words.isEmpty();
    }

    /** What a condition's message keeps. */
    private static LastRefusal in(String message) {
        for (String before : new String[] {NOT_STARTED + ": ", ON_ITS_WAY + AFTER}) {
            if (message.startsWith(before)) {
                return new LastRefusal(message.substring(before.length()));
            }
        }
        return new LastRefusal("");
    }

    /** The message while the gang waits. */
    String waiting() {
        return isNone() ? NOT_STARTED : NOT_STARTED + ": " + words;
    }

    /** The message while its pods are on their way. */
    String onItsWay() {
        return isNone() ? ON_ITS_WAY : ON_ITS_WAY + AFTER + words;
    }

    /** Whether another one is the same but for numbers, such as those of nodes. */
    boolean isLike(LastRefusal other) {
        return withoutNumbers(words).equals(withoutNumbers(other.words));
    }

    /** A digit more or less makes no other reason. */
    private static String withoutNumbers(String words) {
        StringBuilder left = new StringBuilder();
        words.chars()
                .filter(character -> character < '0' || character > '9')
                .forEach(character -> left.append((char) character));
        return left.toString();
    }
}
