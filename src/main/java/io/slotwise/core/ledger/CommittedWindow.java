package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;

/**
 * A window that is promised and has not started.
 *
 * @param start its first second, since the epoch
 * @param cost what it was promised to cost
 */
public record CommittedWindow(long start, Cost cost) {}
