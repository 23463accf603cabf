package io.slotwise.core.provision;

import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import java.math.BigInteger;
import java.util.List;

/**
 * Pods of one gang on one node that is bought.
 *
 * @param delivery of which the node is one
 * @param pods by name
 * @param start the first second, since the epoch
 * @param end the first second after the last one
 * @param amount what the pods ask for together
 * @param weight by which they take part in the node's bill: the sum of their shares of it, millionths, times seconds;
 *     positive
 */
record JointSeat(Delivery delivery, List<String> pods, long start, long end, Resources amount, long weight) {
    JointSeat {
        pods = List.copyOf(pods);
    }

    /** Whether it stands for another one of the same option: nodes that hold it are alike. */
    boolean isLike(JointSeat other) {
        return delivery.is(other.delivery) && weight == other.weight && amount.equals(other.amount);
    }

    /** What no bill of a node is below, summed over all that is on it, 1/3600 millionths. */
    BigInteger least() {
        long all = delivery.offer().node().allocatable().get(Resources.CPU);
        return all == 0
                ? BigInteger.ZERO
                : Cost.product(delivery.price(), end - start)
                        .exact()
                        .multiply(BigInteger.valueOf(amount.get(Resources.CPU)))
                        .divide(BigInteger.valueOf(all));
    }
}
