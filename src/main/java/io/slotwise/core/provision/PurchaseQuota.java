package io.slotwise.core.provision;

import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import org.jspecify.annotations.Nullable;

/**
 * The most that may be bought of some offers together. Offers whose quotas have the same name share it.
 *
 * @param resources the most of each named resource, over all these nodes; other resources have no limit
 * @param money the most that the nodes may cost together, or null for no limit
 */
public record PurchaseQuota(
        String name,
        int nodes,
        Resources resources,
        @Nullable Money money) {
    /** Returns a quota of {@code nodes} nodes of one offer, without other limits. */
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
