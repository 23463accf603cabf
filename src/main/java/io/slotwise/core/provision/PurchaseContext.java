package io.slotwise.core.provision;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.queue.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * The constraints on a purchase: the nodes with all other gangs' room, and the balances of namespaces.
 *
 * @param queues the queues with the use of all other gangs, or null if there are none
 */
public record PurchaseContext(
        Cluster cluster,
        AccountBalances balances,
        long now,
        long horizonEnd,
        long turnover,
        boolean wholeNode,
        @Nullable QueueState queues) {}
