package io.slotwise.lab.workload;

public enum Omission {
    NO_RUNTIME("without a run time"),
    NO_PROCESSORS("without processors"),
    TOO_WIDE("wider than the machine"),
    EARLY("submitted before second 0"),
    /** It is a stretch of a job that was swapped out, whose whole has a line of its own. */
    PART("parts of others");

    private final String words;

    Omission(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
