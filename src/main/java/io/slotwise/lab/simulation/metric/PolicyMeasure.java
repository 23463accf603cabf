package io.slotwise.lab.simulation.metric;

import io.slotwise.core.money.Currency;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * One measure of one policy.
 *
 * @param mean over replications of their means
 * @param halfWidth of the 95 % confidence interval of the mean: across replications, or within the only one; empty if
 *     neither is known
 * @param percentiles of all values of all replications; null for a measure that has one value a replication
 */
public record PolicyMeasure(
        String metric,
        String unit,
        double mean,
        OptionalDouble halfWidth,
        @Nullable Percentiles percentiles) {
    static final String MONEY = "currency";

    /** The unit for people who are told what money is in. */
    public String unit(Currency currency) {
        return unit.equals(MONEY) && !currency.isNone() ? currency.name() : unit;
    }

    /** Within 0.1 % above the true ones. */
    public record Percentiles(double p50, double p90, double p99, double most) {}
}
