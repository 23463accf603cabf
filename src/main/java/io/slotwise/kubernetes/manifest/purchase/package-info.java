/**
 * Nodes that can be bought, and the objects for purchases, as far as they follow from objects alone. A {@link
 * io.slotwise.kubernetes.manifest.purchase.CatalogueOffer} is a catalogue node that can be bought. {@link
 * io.slotwise.kubernetes.manifest.purchase.NodePools} has the offers that Karpenter's NodePools allow, with their
 * labels and taints, and {@link io.slotwise.kubernetes.manifest.purchase.NodeGroups} those of node groups. {@link
 * io.slotwise.kubernetes.manifest.purchase.NodeClaims} and {@link
 * io.slotwise.kubernetes.manifest.purchase.ProvisioningRequests} write the requests and read their progress. {@link
 * io.slotwise.kubernetes.manifest.purchase.BoughtNodes} has the marks of all such nodes. Only the fields that are named
 * here are read; an object that cannot be read offers nothing.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.purchase;

import org.jspecify.annotations.NullMarked;
