package io.slotwise.core.ledger;

/** The known state of a namespace's budget. */
public sealed interface Grant {
    record Given(Allotment allotment) implements Grant {}

    /** A budget that cannot be read, with the problem. Until it can, the namespace may spend nothing. */
    record Unreadable(String problem) implements Grant {}
}
