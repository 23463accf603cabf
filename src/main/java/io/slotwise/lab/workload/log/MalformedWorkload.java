package io.slotwise.lab.workload.log;

/** A workload's text is invalid. The message names the place, the value and what was expected. */
public final class MalformedWorkload extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates an error at a place such as {@code kth.swf:17:4}; {@code problem} is the value and what was expected. */
    public MalformedWorkload(String place, String problem) {
        super(place + ": " + problem);
    }
}
