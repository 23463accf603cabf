package io.slotwise.kubernetes.bind;

/** What a bind call answers. */
public sealed interface BindOutcome {
    /** The pod is bound on that node, by this call or an earlier one. */
    record Bound() implements BindOutcome {}

    /**
     * The pod is not bound.
     *
     * @param reason one sentence, the same whenever the same thing happens
     */
    record NotBound(String reason) implements BindOutcome {}
}
