/**
 * Nodes that can be bought, and what stands for those that are, as far as it follows from objects alone. A {@link
 * io.slotwise.kubernetes.manifest.purchase.CatalogueOffer} is a node of the catalogue that can be had: {@link
 * io.slotwise.kubernetes.manifest.purchase.NodePools} says what Karpenter's NodePools allow, with their labels and
 * taints, {@link io.slotwise.kubernetes.manifest.purchase.NodeGroups} what node groups have. {@link
 * io.slotwise.kubernetes.manifest.purchase.NodeClaims} and {@link
 * io.slotwise.kubernetes.manifest.purchase.ProvisioningRequests} write what is asked for and read how far it has come;
 * {@link io.slotwise.kubernetes.manifest.purchase.BoughtNodes} has what all such nodes say of themselves. Only the
 * fields that are named here are read; what cannot be read offers nothing.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.purchase;

import org.jspecify.annotations.NullMarked;
