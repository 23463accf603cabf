package io.slotwise.kubernetes.extender;

/** The nodes that the plan allows for a pod now. */
sealed interface FilterDecision {
    /** The plan does not concern this pod. */
    record Anywhere() implements FilterDecision {}

    /**
     * Only the promised node is allowed.
     *
     * @param elsewhere why other nodes are not allowed; the same in every call
     */
    record OnlyOn(String node, String elsewhere) implements FilterDecision {}

    /** No node is allowed yet. The reason stays the same while nothing has changed. */
    record Nowhere(String reason) implements FilterDecision {}

    /** No node is allowed for a long time. The reason stays the same while nothing has changed. */
    record NotForLong(String reason) implements FilterDecision {}
}
