package io.slotwise.lab.simulation;

import io.slotwise.core.money.Cost;

/**
 * Nodes that a policy bought, and what was paid for them, whoever ran on them.
 *
 * @param nodes how many
 * @param bills of all of them, as long as they were kept
 */
public record NodeSpending(long nodes, Cost bills) {}
