package io.slotwise.lab.workload;

/** Why a job of a log does not count. */
public enum Omission {
    /** It never ran, or for less than a second. */
    NO_RUNTIME("without a run time"),
    /** It neither asked for processors nor got any. */
    NO_PROCESSORS("without processors"),
    /** It asks for more processors than the machine has. */
    TOO_WIDE("wider than the machine"),
    /** It was submitted before second 0. */
    EARLY("submitted before second 0"),
    /** It is a stretch of a job that was swapped out, whose whole has a line of its own. */
    PART("parts of others");

    private final String words;

    Omission(String words) {
        this.words = words;
    }

    /** The reason in words that follow a number of jobs. */
    public String words() {
        return words;
    }
}
