package io.slotwise.core.runtime;

import io.slotwise.core.text.Keyed;
import io.slotwise.core.time.Durations;
import java.math.BigDecimal;

/**
 * A gang's predicted runtime on a node of performance 1, from past runs.
 *
 * @param typical the median of the runs, seconds
 * @param quantile the part of the runs that is to end in time, millionths, from 1 to 1,000,000
 * @param within the planned runtime, within which this part of the runs ended, seconds
 */
public record Prediction(int runs, long typical, int quantile, long within, Basis basis) {
    /** The whole, in millionths. */
    public static final int ONE = 1_000_000;

    /** The number of runs from which on a stated runtime is compared with them. */
    static final int TELLING = 3;

    private static final int FAR = 2;

    /** The origin of the runs. */
    public enum Basis implements Keyed {
        /** Runs of the same workload. */
        WORKLOAD,
        /** Runs of all workloads of the namespace, as the workload has none. */
        NAMESPACE
    }

    public Prediction {
        if (runs < 1
                || typical < 1
                || within < typical
                || within > Durations.LONGEST
                || quantile < 1
                || quantile > ONE) {
            throw new IllegalArgumentException(
                    ("The prediction (%d runs, %d s, %d millionths within %d s) must have a run, and the "
                                    + "second figure must be at least the first.")
                            .formatted(runs, typical, quantile, within));
        }
    }

    /** Returns the prediction in words, such as {@code predicted from 14 runs: 38m, 90 % end within 52m}. */
    public String words() {
        return "predicted from %d %s%s: %s, %s end within %s"
                .formatted(
                        runs,
                        runs == 1 ? "run" : "runs",
                        basis == Basis.NAMESPACE ? " of other workloads of its namespace" : "",
                        Durations.brief(typical),
                        percent(),
                        Durations.brief(within));
    }

    /** Returns the quantile, such as {@code 90 %}. */
    public String percent() {
        return new BigDecimal(quantile).movePointLeft(4).stripTrailingZeros().toPlainString() + " %";
    }

    /** Returns whether a stated runtime is above twice, or below half, of what most of the workload's runs took. */
    public boolean contradicts(long stated) {
        return basis == Basis.WORKLOAD && runs >= TELLING && (stated > FAR * within || stated < typical);
    }
}
