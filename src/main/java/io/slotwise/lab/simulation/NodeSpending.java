package io.slotwise.lab.simulation;

import io.slotwise.core.money.Cost;

/** Nodes that a policy bought, and the bills for all of them, whoever ran on them. */
public record NodeSpending(long nodes, Cost cost) {}
