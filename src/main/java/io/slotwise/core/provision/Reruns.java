package io.slotwise.core.provision;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import java.math.BigInteger;

/**
 * What is to be expected of a run that may lose a bought node: it is lost as a whole, and another one follows on nodes
 * that are bought anew. A gang that keeps its work has what is left of it to do, and the overhead of a restart; another
 * one begins anew. In each second the run is as likely to be lost as in any other one.
 *
 * <p>With a probability R of a loss, a bill B, the bill M that is to be expected of the run that follows a loss, and
 * its own probability r of a loss, at most {@code B + R M / (1 - r)} is to be expected: what follows the second loss of
 * a run is no more than what follows its first. See docs/provisioning.md.
 *
 * @param risk R, millionths an hour times seconds
 * @param bill B, 1/3600 millionths
 * @param again M, 1/3600 millionths, at most B
 * @param later r, as {@code risk}, at most that
 */
record Reruns(long risk, long bill, long again, long later) {
    /** The probability that is certain. */
    private static final long CERTAIN = NodeOffer.ALL * 3600;

    /** Nothing is bought. */
    static final Reruns NONE = new Reruns(0, 0, 0, 0);

    /** Of a node whose gang begins anew. */
    static Reruns whole(NodeOffer offer, long price, long use) {
        long bill = offer.bill(price, use).microSecondsPerHour();
        long risk = offer.hazard() * use;
        return new Reruns(risk, bill, bill, risk);
    }

    /**
     * Of a node whose gang keeps its work. After a loss in second x of u there are u - x + overhead seconds to be done,
     * and never more than u.
     *
     * @param use u, positive
     * @param overhead seconds on this node, not negative
     */
    static Reruns resumed(NodeOffer offer, long price, long use, long overhead) {
        Reruns whole = whole(offer, price, use);
        long least = Math.min(overhead, use);
        long most = Math.min(use, use + least - 1);
        long capped = Math.max(0, least - 1);
        long billed = offer.billing().billedTogether(least, most)
                + capped * offer.billing().billed(use);
        long left = (least + most) * (most - least + 1) / 2 + capped * use;
        return new Reruns(whole.risk(), whole.bill(), mean(price, billed, use), mean(offer.hazard(), left, use));
    }

    /**
     * Of a node that a gang uses.
     *
     * @param price of it, millionths an hour
     * @param use seconds, positive
     * @param overhead what a restart takes on the reference node, seconds; on this one it takes as much longer as the
     *     gang's runtime does
     */
    static Reruns of(Gang gang, NodeOffer offer, long price, long use, long overhead) {
        return gang.migratable()
                ? resumed(offer, price, use, Math.ceilDiv(Math.multiplyExact(overhead, use), gang.runtime()))
                : whole(offer, price, use);
    }

    /** Of all these nodes. */
    Reruns plus(Reruns other) {
        return new Reruns(risk + other.risk, bill + other.bill, again + other.again, later + other.later);
    }

    /** What is to be expected of the bill. */
    BigInteger expected() {
        return expected(BigInteger.valueOf(bill));
    }

    /**
     * The same for a gang that pays another amount of bills: of those of the run that follows it pays the same part.
     * Rounded up to 1/3600 millionths.
     */
    BigInteger expected(BigInteger paid) {
        if (risk == 0 || bill == 0) {
            return paid;
        }
        BigInteger[] more = paid.multiply(BigInteger.valueOf(risk))
                .multiply(BigInteger.valueOf(again))
                .divideAndRemainder(BigInteger.valueOf(bill).multiply(BigInteger.valueOf(CERTAIN - later)));
        return paid.add(more[0]).add(BigInteger.valueOf(more[1].signum()));
    }

    /** Whether no figure is larger. */
    boolean isWithin(Reruns other) {
        return risk <= other.risk && bill <= other.bill && again <= other.again && later <= other.later;
    }

    /** {@code amount * sum / count}, rounded up. */
    private static long mean(long amount, long sum, long count) {
        BigInteger[] parts = Cost.product(amount, sum).exact().divideAndRemainder(BigInteger.valueOf(count));
        return parts[0].longValueExact() + parts[1].signum();
    }
}
