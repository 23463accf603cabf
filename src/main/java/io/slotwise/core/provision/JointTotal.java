package io.slotwise.core.provision;

import java.math.BigInteger;
import java.util.Comparator;

/**
 * What a joint choice comes to; less is better, one figure after the other.
 *
 * @param without how many gangs have no window
 * @param rank what counts before money, summed over the gangs
 * @param money what all pay together, with what is to be expected of nodes that are taken away, and what their delays
 *     are worth as far as they count, 1/3600 millionths
 */
record JointTotal(int without, BigInteger rank, BigInteger money) implements Comparable<JointTotal> {
    private static final Comparator<JointTotal> ORDER = Comparator.comparingInt(JointTotal::without)
            .thenComparing(JointTotal::rank)
            .thenComparing(JointTotal::money);

    static final JointTotal NOTHING = new JointTotal(0, BigInteger.ZERO, BigInteger.ZERO);

    JointTotal plus(JointTotal other) {
        return new JointTotal(without + other.without, rank.add(other.rank), money.add(other.money));
    }

    @Override
    public int compareTo(JointTotal other) {
        return ORDER.compare(this, other);
    }
}
