package io.slotwise.core.ledger;

/** What is known of a namespace's budget. */
public sealed interface Grant {
    record Given(Allotment allotment) implements Grant {}

    /** A budget that cannot be told, with what is wrong. Until it can the namespace may spend nothing. */
    record Unreadable(String problem) implements Grant {}
}
