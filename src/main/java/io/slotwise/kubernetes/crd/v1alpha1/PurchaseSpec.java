package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.slotwise.core.provision.PurchaseOrder;
import java.time.Instant;

/**
 * A node that is bought for a gang.
 *
 * @param node its name until it is there, which is that of its NodeClaim
 * @param offer what is bought
 * @param bought when, RFC 3339
 * @param ready when pods can be on it, RFC 3339
 * @param end until when they can, RFC 3339
 * @param exactPrice of the node, millionths of the currency unit an hour
 * @param exactBill all that is paid for it, 1/3600 millionths of the currency unit
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PurchaseSpec(
        String node, String offer, String bought, String ready, String end, long exactPrice, long exactBill) {
    static PurchaseSpec of(PurchaseOrder order) {
        return new PurchaseSpec(
                order.node(),
                order.offer(),
                Instant.ofEpochSecond(order.bought()).toString(),
                Instant.ofEpochSecond(order.ready()).toString(),
                Instant.ofEpochSecond(order.end()).toString(),
                order.price(),
                order.bill());
    }

    /**
     * What the planner knows of it.
     *
     * @throws IllegalArgumentException if it says something that Slotwise never writes
     */
    PurchaseOrder order() {
        if (node == null || offer == null || bought == null || ready == null || end == null) {
            throw new IllegalArgumentException(
                    "`spec.purchases` lacks a field: expected node, offer and three instants");
        }
        return new PurchaseOrder(node, offer, second(bought), second(ready), second(end), exactPrice, exactBill);
    }

    private static long second(String instant) {
        return Instant.parse(instant).getEpochSecond();
    }
}
