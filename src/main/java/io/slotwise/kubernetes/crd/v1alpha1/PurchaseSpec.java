package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.slotwise.core.provision.PurchaseOrder;
import java.time.Instant;

/**
 * A node that is bought for a gang.
 *
 * @param node the name of its NodeClaim, which is the node's name until it exists
 * @param bought when the node is bought, RFC 3339
 * @param ready when pods can run on it, RFC 3339
 * @param end until when pods can run on it, RFC 3339
 * @param exactPrice millionths of the currency unit per hour
 * @param exactBill the total cost, 1/3600 millionths of the currency unit
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
     * Returns the planner's form.
     *
     * @throws IllegalArgumentException if a field is absent or cannot be read, because another program wrote the object
     */
    PurchaseOrder order() {
        if (node == null || offer == null || bought == null || ready == null || end == null) {
            throw new IllegalArgumentException(
                    "`spec.purchases` lacks a field: expected node, offer and three instants");
        }
        return new PurchaseOrder(
                node,
                offer,
                RecordTime.second(bought),
                RecordTime.second(ready),
                RecordTime.second(end),
                exactPrice,
                exactBill);
    }
}
