/**
 * Nodes that do not exist yet: what they cost, how few of them a gang needs, and the best window that it has with them.
 *
 * <p>A {@link io.slotwise.core.provision.NodeOffer} is a kind of node that can be bought, with a {@link
 * io.slotwise.core.provision.Billing} and a {@link io.slotwise.core.provision.PurchaseQuota}; a {@link
 * io.slotwise.core.provision.NodeMarket} is all of them beside what is bought already, under what the policy allows;
 * {@link io.slotwise.core.provision.PurchaseSearch} finds the best window of one gang by its criterion, and the nodes
 * that are bought for it. A bought node costs its whole bill whether one pod or twenty run on it, so costs do not add
 * up pod by pod as they do on nodes that are there. The search therefore goes through the sets of nodes that might be
 * bought, leaving out those that another set makes useless, and asks the exact search on each of them: with the set's
 * nodes for nothing and its bill taken off the budget.
 *
 * <p>A gang buys for itself and pays the whole bill. What it leaves idle of a bought node is room for others, for what
 * such a room costs.
 *
 * <p>The cost model is in docs/how-to/buy-nodes.md, in equations.
 */
@NullMarked
package io.slotwise.core.provision;

import org.jspecify.annotations.NullMarked;
