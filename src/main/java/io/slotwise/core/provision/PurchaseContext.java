package io.slotwise.core.provision;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.combination.AccountBalances;

/**
 * What a purchase has to fit in with.
 *
 * @param cluster the nodes that are there, and all room that others have, on bought nodes too
 * @param purses what namespaces have left beside what others are charged
 * @param now the first second of the plan, since the epoch
 * @param horizonEnd no window ends later, seconds since the epoch
 * @param turnover seconds kept free after every holder
 * @param wholeNode whether a pod is charged for its whole node rather than for its dominant share
 */
public record PurchaseContext(
        Cluster cluster, AccountBalances purses, long now, long horizonEnd, long turnover, boolean wholeNode) {}
