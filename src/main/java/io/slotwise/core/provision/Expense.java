package io.slotwise.core.provision;

import io.slotwise.core.money.Cost;

/**
 * What a node cost that was bought, whatever has become of it.
 *
 * @param bought the second of the purchase, since the epoch
 * @param bill all that is paid for it
 */
public record Expense(long bought, Cost bill) {}
