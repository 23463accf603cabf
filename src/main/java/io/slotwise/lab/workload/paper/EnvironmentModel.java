package io.slotwise.lab.workload.paper;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.StepFunction;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * The distribution of a paper's nodes.
 *
 * @param fastest the largest performance; all whole numbers between are equally likely
 * @param price the market price by performance, units of money per time unit
 * @param deviation the deviation of a node's price from the market's: the standard deviation of a normal factor around
 *     1, cut at 0.1 and 1.9
 */
public record EnvironmentModel(int slowest, int fastest, IntToDoubleFunction price, double deviation, LocalLoad load) {
    private static final double LARGEST_DEVIATION = 0.9;

    public EnvironmentModel {
        if (slowest <= 0 || fastest < slowest) {
            throw new IllegalArgumentException(
                    "The performance (%d to %d) must be a range of positive numbers.".formatted(slowest, fastest));
        }
    }

    Node node(String name, RandomGenerator random) {
        int performance = random.nextInt(slowest, fastest + 1);
        double off = Math.clamp(random.nextGaussian() * deviation, -LARGEST_DEVIATION, LARGEST_DEVIATION);
        return node(name, performance, price.applyAsDouble(performance) * (1 + off));
    }

    /** Returns a node of the papers; {@code price} in units of money per time unit. */
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
