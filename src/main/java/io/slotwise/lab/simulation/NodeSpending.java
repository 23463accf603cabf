package io.slotwise.lab.simulation;

import io.slotwise.core.money.Cost;

/** The nodes that a policy bought, and all bills for them, including those for idle times and other users. */
public record NodeSpending(long nodes, Cost cost) {}
