package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;

/** A window that is promised and has not started: its first second, since the epoch, and its promised cost. */
public record CommittedWindow(long start, Cost cost) {}
