package io.slotwise.kubernetes.extender;

/**
 * Why our extender passes no node. kube-scheduler repeats the extender's sentences in the pod's condition {@code
 * PodScheduled}, where they are told from its own by a key in brackets at the end of each: the key is fixed, the
 * sentence before it is for people and may change.
 */
public enum ExtenderReason {
    /**
     * The pod's gang has no window yet, or its window has not come: kube-scheduler has not tried the pod since its
     * release.
     */
    WAITING("slotwise.io/waiting"),

    /** The pod may go to its promised node alone. */
    PROMISED("slotwise.io/promised");

    private final String mark;

    ExtenderReason(String key) {
        mark = "[" + key + "]";
    }

    /** A sentence with the key of this reason; neither has a comma, by which kube-scheduler separates reasons. */
    String of(String sentence) {
        return sentence + " " + mark;
    }

    public boolean isIn(String message) {
        return message.contains(mark);
    }

    /**
     * Whether kube-scheduler's message gives this reason for all nodes and no other, as in {@code 0/4 nodes are
     * available: 4 REASON [KEY].} and what may follow on preemption.
     */
    public boolean isAloneIn(String message) {
        int at = message.indexOf(mark);
        if (at < 0) {
            return false;
        }
        String rest = message.substring(at + mark.length());
        return message.lastIndexOf(", ", at) < 0 && (rest.isEmpty() || rest.startsWith("."));
    }
}
