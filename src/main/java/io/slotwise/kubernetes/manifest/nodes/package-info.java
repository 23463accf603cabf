/**
 * The capacity and properties of nodes.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.nodes.NodeReader} reads a node with its price, speed, power and calendar.
 * {@link io.slotwise.kubernetes.manifest.nodes.OfferReader} reads nodes that can be bought. {@link
 * io.slotwise.kubernetes.manifest.nodes.NodeRoom} tells whether pods fit at this moment.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.nodes;

import org.jspecify.annotations.NullMarked;
