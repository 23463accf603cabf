package io.slotwise.core.provision;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.combination.AccountBalances;

/** What a purchase has to fit in with: the nodes with all room of others, and what namespaces have left. */
public record PurchaseContext(
        Cluster cluster, AccountBalances balances, long now, long horizonEnd, long turnover, boolean wholeNode) {}
