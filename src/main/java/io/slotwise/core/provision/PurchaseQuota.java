package io.slotwise.core.provision;

import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import org.jspecify.annotations.Nullable;

/**
 * How much of some offers may be bought altogether; those whose quota has the same name share it.
 *
 * @param resources the most of each resource that is named here, of all these nodes together; of others there is no
 *     limit
 * @param money the most that they may cost together; null: no limit
 */
public record PurchaseQuota(
        String name,
        int nodes,
        Resources resources,
        @Nullable Money money) {
    /** So many nodes of one offer, and no other limit. */
    public static PurchaseQuota of(String name, int nodes) {
        return new PurchaseQuota(name, nodes, Resources.NONE, null);
    }

    public PurchaseQuota {
        if (nodes < 0) {
            throw new IllegalArgumentException(
                    "The most nodes (%d) of quota (%s) must not be negative.".formatted(nodes, name));
        }
    }
}
