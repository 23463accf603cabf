package io.slotwise.lab.experiment;

import io.slotwise.lab.simulation.metric.StudentT;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/**
 * Observations of one quantity, each rounded to a millionth: their number, their sum and the sum of their squares,
 * exactly. Parts add up to the whole in any order.
 *
 * @param total the total in millionths
 * @param squares in millionths of millionths
 */
public record ExactSum(long count, BigInteger total, BigInteger squares) {
    static final ExactSum ZERO = new ExactSum(0, BigInteger.ZERO, BigInteger.ZERO);

    private static final double UNIT = 1e6;

    ExactSum plus(double value) {
        double scaled = value * UNIT;
        if (!(Math.abs(scaled) < Long.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "The observation (%s) must be a finite number below 9e12.".formatted(value));
        }
        BigInteger millionths = BigInteger.valueOf(Math.round(scaled));
        return new ExactSum(count + 1, total.add(millionths), squares.add(millionths.multiply(millionths)));
    }

    ExactSum plus(ExactSum other) {
        return new ExactSum(count + other.count, total.add(other.total), squares.add(other.squares));
    }

    public double mean() {
        return total.doubleValue() / count / UNIT;
    }

    /**
     * Returns half the width of the 95 % confidence interval of the mean of independent observations: Student's t times
     * the standard error. Null for fewer than two observations.
     */
    @Nullable
    public Double halfWidth() {
        if (count < 2) {
            return null;
        }
        BigInteger n = BigInteger.valueOf(count);
        BigInteger spread = squares.multiply(n).subtract(total.multiply(total));
        double error = new BigDecimal(spread)
                        .divide(
                                new BigDecimal(n.multiply(n).multiply(n.subtract(BigInteger.ONE))),
                                MathContext.DECIMAL64)
                        .sqrt(MathContext.DECIMAL64)
                        .doubleValue()
                / UNIT;
        return StudentT.critical(count) * error;
    }
}
