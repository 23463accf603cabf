/**
 * Nodes that do not exist yet: their cost, how few of them a gang needs, and the gang's best window with them.
 *
 * <p>A {@link io.slotwise.core.provision.NodeOffer} is a kind of node that can be bought, with a {@link
 * io.slotwise.core.provision.Billing} and a {@link io.slotwise.core.provision.PurchaseQuota}. A {@link
 * io.slotwise.core.provision.NodeMarket} has all offers and earlier purchases, within the policy. {@link
 * io.slotwise.core.provision.PurchaseSearch} finds the best window of one gang by its criterion, and the nodes to buy
 * for it.
 *
 * <p>A bought node costs its whole bill whether one pod or twenty run on it, so costs do not add up pod by pod as on
 * existing nodes. The search therefore goes through the sets of nodes that might be bought, without those that another
 * set makes useless. It runs the exact search on each set, with the set's nodes free of charge and its bill subtracted
 * from the budget.
 *
 * <p>A gang buys for itself and pays the whole bill. Idle room of a bought node is available to others at the usual
 * cost.
 *
 * <p>docs/how-to/buy-nodes.md has the cost model in equations.
 */
@NullMarked
package io.slotwise.core.provision;

import org.jspecify.annotations.NullMarked;
