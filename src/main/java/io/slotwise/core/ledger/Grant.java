package io.slotwise.core.ledger;

/** What is known of a namespace's budget. */
public sealed interface Grant {
    /** It is this one. */
    record Given(Allotment allotment) implements Grant {}

    /**
     * There is one that cannot be told. Until it can, the namespace may spend nothing more: a wrong key stroke must not
     * open a purse.
     *
     * @param problem what is wrong, one sentence that names the object
     */
    record Unreadable(String problem) implements Grant {}
}
