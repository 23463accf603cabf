package io.slotwise.lab.workload.paper;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.StepFunction;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * How a paper's nodes are drawn.
 *
 * @param slowest the least performance
 * @param fastest the largest; all whole numbers between are equally likely
 * @param price what a node of a performance costs on the market
 * @param deviation of a node's price from the market's: the standard deviation of a normal factor around 1, cut at 0.1
 *     and 1.9
 * @param load the owners' local tasks
 */
public record EnvironmentModel(int slowest, int fastest, MarketPrice price, double deviation, LocalLoad load) {
    private static final double LARGEST_DEVIATION = 0.9;

    /** What a node costs on the market, units of money per time unit. */
    @FunctionalInterface
    public interface MarketPrice {
        /** The price for this performance. */
        double of(int performance);

        /** So much for each unit of performance. */
        static MarketPrice proportional(double perPerformance) {
            return performance -> performance * perPerformance;
        }

        /** So much at performance 1, and more with a power of the performance. */
        static MarketPrice power(double scale, double exponent) {
            return performance -> scale * StrictMath.pow(performance, exponent);
        }

        /** So much at performance 0, and with each unit of performance {@code growth} times as much. */
        static MarketPrice exponential(double scale, double growth) {
            return performance -> scale * StrictMath.pow(growth, performance);
        }
    }

    public EnvironmentModel {
        if (slowest <= 0 || fastest < slowest) {
            throw new IllegalArgumentException(
                    "The performance (%d to %d) must be a range of positive numbers.".formatted(slowest, fastest));
        }
    }

    Node node(String name, RandomGenerator random) {
        int performance = random.nextInt(slowest, fastest + 1);
        double off = Math.clamp(random.nextGaussian() * deviation, -LARGEST_DEVIATION, LARGEST_DEVIATION);
        return node(name, performance, price.of(performance) * (1 + off));
    }

    /**
     * A node of the papers.
     *
     * @param name unique in its cluster
     * @param performance relative to the reference node's
     * @param price units of money per time unit
     */
    public static Node node(String name, int performance, double price) {
        return new Node(
                name,
                Map.of(),
                List.of(),
                true,
                PaperUnits.NODE,
                new Performance(performance * Money.MICROS_PER_UNIT),
                "owner",
                StepFunction.constant(PaperUnits.price(price)),
                List.of());
    }
}
