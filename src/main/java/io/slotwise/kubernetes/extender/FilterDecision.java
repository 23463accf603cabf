package io.slotwise.kubernetes.extender;

/** Where the plan lets a pod go now. */
sealed interface FilterDecision {
    /** The plan has nothing to say about this pod. */
    record Anywhere() implements FilterDecision {}

    /**
     * To its promised node.
     *
     * @param elsewhere why it may go nowhere else; the same in every call
     */
    record OnlyOn(String node, String elsewhere) implements FilterDecision {}

    /** Nowhere yet; the reason is the same in every call while nothing has changed. */
    record Nowhere(String reason) implements FilterDecision {}

    /** Nowhere for a good while; the reason is the same in every call while nothing has changed. */
    record NotForLong(String reason) implements FilterDecision {}
}
