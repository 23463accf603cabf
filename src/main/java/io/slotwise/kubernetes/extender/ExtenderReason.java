package io.slotwise.kubernetes.extender;

/**
 * The reason why the extender passes no node. kube-scheduler copies the extender's sentences into the pod's condition
 * {@code PodScheduled}. A fixed key in brackets at the end of each distinguishes them from kube-scheduler's own. The
 * sentence before the key is for people and may change.
 */
public enum ExtenderReason {
    /**
     * The pod's gang has no window yet, or its window has not come. kube-scheduler has not tried the pod since its
     * release.
     */
    WAITING("slotwise.io/waiting"),

    /** The pod may go only to its promised node. */
    PROMISED("slotwise.io/promised");

    private final String mark;

    ExtenderReason(String key) {
        mark = "[" + key + "]";
    }

    /**
     * Returns a sentence with the key of this reason. Neither may contain a comma, which separates reasons in
     * kube-scheduler.
     */
    String of(String sentence) {
        return sentence + " " + mark;
    }

    public boolean isIn(String message) {
        return message.contains(mark);
    }

    /**
     * Returns whether kube-scheduler's message gives only this reason, for all nodes, as in {@code 0/4 nodes are
     * available: 4 REASON [KEY].} and possibly a part about preemption.
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
