package io.slotwise.lab.simulation.metric;

import io.slotwise.core.money.Currency;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A measure of one policy.
 *
 * @param mean the mean of the replications' means
 * @param halfWidth the half width of the 95 % confidence interval of the mean, across replications or within the only
 *     one; empty if unknown
 * @param percentiles the percentiles of all values of all replications; null if the measure has one value per
 *     replication
 */
public record PolicyMeasure(
        String metric,
        String unit,
        double mean,
        OptionalDouble halfWidth,
        @Nullable Percentiles percentiles) {
    static final String MONEY = "currency";

    /** Returns the unit with the name of the currency. */
    public String unit(Currency currency) {
        return unit.equals(MONEY) && !currency.isNone() ? currency.name() : unit;
    }

    /** Percentiles, at most 0.1 % above the true ones. */
    public record Percentiles(double p50, double p90, double p99, double most) {}
}
