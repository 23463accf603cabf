/**
 * Nodes that Karpenter makes, as far as they follow from objects alone. {@link
 * io.slotwise.kubernetes.manifest.karpenter.NodePools} says what can be bought: each node of a catalogue that a
 * NodePool allows, with the pool's labels and taints. {@link io.slotwise.kubernetes.manifest.karpenter.NodeClaims}
 * writes the NodeClaim of a purchase, and reads how far it has come. Only the fields that are named here are read, of
 * {@code karpenter.sh/v1}; what cannot be read offers nothing.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.karpenter;

import org.jspecify.annotations.NullMarked;
