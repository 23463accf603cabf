package io.slotwise.lab.simulation.metric;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * The income of some nodes' owner by their price, with its uncertainty, from the same replications at every price.
 *
 * <p>Means have 95 % confidence intervals by Student's t over the replications, whose users and prices are drawn. Two
 * prices are compared by the differences within replications, which vary less than the incomes, without a correction
 * for the number of comparisons.
 *
 * <p>Source of the question: V. Toporkov, A. Bobchenkov, D. Emelyanov, A. Tselishchev, "Methods and Heuristics of
 * Scheduling in Distributed Computing with Non-dedicated Resources" (2014), section 2.4, table 2: an owner's profit and
 * load by the price of a node, with the largest profit near the mean price of the market. The intervals are an
 * addition.
 *
 * @param offers the offers by ascending price, each with the same replications in the same order
 */
public record PriceCurve(List<Offer> offers) {
    /** A price in percent of the normal price, with the outcomes of each replication in currency units and seconds. */
    public record Offer(int percent, List<BigDecimal> income, List<BigDecimal> paid, List<Double> waited) {
        public Offer {
            income = List.copyOf(income);
            paid = List.copyOf(paid);
            waited = List.copyOf(waited);
        }
    }

    /** A mean with the half-width of its 95 % confidence interval, which is empty for one replication. */
    public record Mean(double mean, OptionalDouble halfWidth) {
        private static Mean of(List<Double> samples) {
            return new Mean(StudentT.mean(samples), StudentT.halfWidth(samples));
        }
    }

    public PriceCurve {
        offers = List.copyOf(offers);
        if (offers.stream().mapToInt(offer -> offer.income.size()).distinct().count() != 1) {
            throw new IllegalArgumentException("The prices (%s) must be some, with the same number of replications."
                    .formatted(offers.stream().map(Offer::percent).toList()));
        }
    }

    public int replications() {
        return offers.getFirst().income.size();
    }

    public Mean income(int offer) {
        return Mean.of(doubles(offers.get(offer).income));
    }

    public Mean paid(int offer) {
        return Mean.of(doubles(offers.get(offer).paid));
    }

    public Mean waited(int offer) {
        return Mean.of(offers.get(offer).waited);
    }

    /** Returns the price with the highest mean income, the lowest one of equals. */
    public int best() {
        int best = 0;
        for (int i = 1; i < offers.size(); i++) {
            best = sum(i).compareTo(sum(best)) > 0 ? i : best;
        }
        return best;
    }

    private BigDecimal sum(int offer) {
        return offers.get(offer).income.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    public Mean less(int offer) {
        List<BigDecimal> best = offers.get(best()).income;
        List<BigDecimal> own = offers.get(offer).income;
        List<Double> differences = new ArrayList<>();
        for (int i = 0; i < best.size(); i++) {
            differences.add(best.get(i).subtract(own.get(i)).doubleValue());
        }
        return Mean.of(differences);
    }

    /** Returns whether this price may earn as much as the best one: the interval of the difference contains 0. */
    public boolean rivals(int offer) {
        Mean lessMean = less(offer);
        return offer != best() && lessMean.halfWidth.isPresent() && lessMean.mean <= lessMean.halfWidth.getAsDouble();
    }

    /** Returns in how many replications this price earns most, the lowest one of equals. */
    public long won(int offer) {
        return IntStream.range(0, replications())
                .filter(replication -> {
                    int best = 0;
                    for (int i = 1; i < offers.size(); i++) {
                        boolean more = offers.get(i)
                                        .income
                                        .get(replication)
                                        .compareTo(offers.get(best).income.get(replication))
                                > 0;
                        best = more ? i : best;
                    }
                    return best == offer;
                })
                .count();
    }

    private static List<Double> doubles(List<BigDecimal> figures) {
        return figures.stream().map(BigDecimal::doubleValue).toList();
    }
}
