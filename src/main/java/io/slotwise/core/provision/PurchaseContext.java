package io.slotwise.core.provision;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.combination.AccountBalances;

/** The constraints on a purchase: the nodes with all other gangs' room, and the balances of namespaces. */
public record PurchaseContext(
        Cluster cluster, AccountBalances balances, long now, long horizonEnd, long turnover, boolean wholeNode) {}
