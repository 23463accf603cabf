package io.slotwise.lab.simulation.metric;

import java.util.List;
import java.util.OptionalDouble;
import org.apache.commons.statistics.distribution.TDistribution;

/** Confidence intervals of means of independent samples, by Student's t distribution. */
public final class StudentT {
    private static final double TWO_SIDED_95 = 0.975;

    private StudentT() {}

    /** Returns the critical value: 95 % of means lie within this number of standard errors of the true mean. */
    public static double critical(long samples) {
        return TDistribution.of(samples - 1.0).inverseCumulativeProbability(TWO_SIDED_95);
    }

    static double mean(List<Double> samples) {
        double sum = 0;
        for (double sample : samples) {
            sum += sample;
        }
        return samples.isEmpty() ? 0 : sum / samples.size();
    }

    /** Returns the half-width of the 95 % confidence interval of the mean. Empty for fewer than two samples. */
    static OptionalDouble halfWidth(List<Double> samples) {
        int n = samples.size();
        if (n < 2) {
            return OptionalDouble.empty();
        }
        double mean = mean(samples);
        double squares = 0;
        for (double sample : samples) {
            squares += (sample - mean) * (sample - mean);
        }
        return OptionalDouble.of(critical(n) * Math.sqrt(squares / (n - 1) / n));
    }
}
