package io.slotwise.it.load;

import java.util.List;

/** Quantiles of measurements by the nearest rank, each one of the values. */
final class Quantiles {
    private final List<Double> sorted;

    Quantiles(List<Double> values) {
        this.sorted = values.stream().sorted().toList();
    }

    /** The smallest value that this many hundredths of all values do not exceed. NaN without values. */
    double at(int hundredths) {
        if (hundredths < 1 || hundredths > 100) {
            throw new IllegalArgumentException("The quantile (%d) must be 1 to 100 hundredths.".formatted(hundredths));
        }
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        return sorted.get(Math.ceilDiv(sorted.size() * hundredths, 100) - 1);
    }
}
