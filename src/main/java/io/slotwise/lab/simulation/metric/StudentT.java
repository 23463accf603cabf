package io.slotwise.lab.simulation.metric;

import java.util.List;
import java.util.OptionalDouble;
import org.apache.commons.statistics.distribution.TDistribution;

/** Confidence intervals of means of independent samples, by Student's t distribution. */
public final class StudentT {
    private static final double TWO_SIDED_95 = 0.975;

    private StudentT() {}

    /** Of so many samples, two or more: so many standard errors from the true mean lie 95 % of the means at most. */
    public static double critical(long samples) {
        return TDistribution.of(samples - 1.0).inverseCumulativeProbability(TWO_SIDED_95);
    }

    /** The mean; 0 of nothing. */
    static double mean(List<Double> samples) {
        double sum = 0;
        for (double sample : samples) {
            sum += sample;
        }
        return samples.isEmpty() ? 0 : sum / samples.size();
    }

    /** Half the width of the 95 % confidence interval of the mean; empty for fewer than two samples. */
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
