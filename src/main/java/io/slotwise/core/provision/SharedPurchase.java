package io.slotwise.core.provision;

import io.slotwise.core.gang.GangId;
import org.jspecify.annotations.Nullable;

/**
 * A node of a gang's window that is bought for another gang, as the gang's record keeps it.
 *
 * @param node the name of the purchase
 * @param offer the name of what is bought
 * @param end the first second after those in which pods can be on it for the same bill, since the epoch
 * @param buyer that gang; null: one of another namespace, of which a reader of the record may not know
 */
public record SharedPurchase(
        String node, String offer, long end, @Nullable GangId buyer) {
    /** A node that {@code buyer} buys, as {@code gang} may know it. */
    public static SharedPurchase of(PurchaseOrder order, GangId buyer, GangId gang) {
        return new SharedPurchase(
                order.node(), order.offer(), order.end(), buyer.namespace().equals(gang.namespace()) ? buyer : null);
    }
}
