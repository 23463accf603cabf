package io.slotwise.kubernetes.bind;

/** The answer to a bind call. */
public sealed interface BindOutcome {
    /** The pod is bound on that node, by this call or an earlier one. */
    record Bound() implements BindOutcome {}

    /**
     * The pod is not bound.
     *
     * @param reason one sentence, the same for the same cause
     */
    record NotBound(String reason) implements BindOutcome {}
}
