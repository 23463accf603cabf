package io.slotwise.lab.workload.log;

/** A workload's text cannot be understood. The message names the place, the value and what was expected. */
public final class MalformedWorkload extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** At a place such as {@code kth.swf:17:4}; {@code problem}: the value and what was expected. */
    public MalformedWorkload(String place, String problem) {
        super(place + ": " + problem);
    }
}
