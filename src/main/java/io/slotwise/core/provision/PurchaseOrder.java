package io.slotwise.core.provision;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import java.util.regex.Pattern;

/**
 * A node that is bought for a gang, as the gang's record keeps it until the gang has ended. The order alone determines
 * what is bought, under which name, when, and how long the node is kept.
 *
 * @param node the name of the node in plans until the node exists, and of the purchase
 * @param bought the second of the purchase, since the epoch
 * @param ready the first second in which pods can be on it
 * @param end the first second after those in which pods can be on it for the same bill
 */
public record PurchaseOrder(String node, String offer, long bought, long ready, long end, long price, long bill) {
    public static final String PREFIX = "slotwise-";

    /** The exact form of a name, as a cluster may have other nodes with this prefix. */
    private static final Pattern NAME = Pattern.compile(PREFIX + "[0-9a-f]{16}");

    public PurchaseOrder {
        if (bought > ready || ready > end || price < 0 || bill < 0) {
            throw new IllegalArgumentException(
                    ("The node (%s) must be bought (%d), ready (%d) and given up (%d) in this order, for a price (%d) "
                                    + "and a bill (%d) that are not negative.")
                            .formatted(node, bought, ready, end, price, bill));
        }
    }

    static PurchaseOrder of(Purchase purchase) {
        return new PurchaseOrder(
                purchase.node(),
                purchase.offer().name(),
                purchase.bought(),
                purchase.ready(),
                purchase.end(),
                purchase.price(),
                purchase.bill().microSecondsPerHour());
    }

    /** Returns the name of a node that is bought for a gang: deterministic, and almost certainly unique. */
    static String name(GangId gang, String planned, long bought) {
        // FNV-1a; the length of each part separates it from the next.
        long hash = 0xcbf29ce484222325L;
        String text = "%d %s %d %s %d".formatted(gang.toString().length(), gang, planned.length(), planned, bought);
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return PREFIX + "%016x".formatted(hash);
    }

    /** Returns whether a name is that of a purchase and not of an existing node. */
    public static boolean names(String node) {
        return NAME.matcher(node).matches();
    }

    public Expense expense(GangId gang) {
        return new Expense(bought, new Cost(bill), gang.namespace());
    }
}
