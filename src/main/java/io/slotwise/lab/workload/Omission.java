package io.slotwise.lab.workload;

public enum Omission {
    NO_RUNTIME("without a run time"),
    NO_PROCESSORS("without processors"),
    TOO_WIDE("wider than the machine"),
    EARLY("submitted before second 0"),
    /** The line is a part of a swapped-out job, which has a line for the whole. */
    PART("parts of others");

    private final String words;

    Omission(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
