package io.slotwise.core.runtime;

import io.slotwise.core.text.Keyed;
import io.slotwise.core.time.Durations;
import java.math.BigDecimal;

/**
 * How long a gang runs on a node of performance 1, told from past runs.
 *
 * @param typical half of them were no longer, seconds
 * @param quantile the part of the runs that is to end in time, millionths, from 1 to 1,000,000
 * @param within the runtime that is planned: this part of the runs ended within it, seconds
 */
public record Prediction(int runs, long typical, int quantile, long within, Basis basis) {
    /** One, in millionths. */
    public static final int ONE = 1_000_000;

    /** From how many runs on a runtime that is stated is compared with them. */
    static final int TELLING = 3;

    private static final int FAR = 2;

    /** Whose runs. */
    public enum Basis implements Keyed {
        /** Those of the same workload. */
        WORKLOAD,
        /** Those of all workloads of the namespace: the workload has none. */
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

    /** In words, such as {@code predicted from 14 runs: 38m, 90 % end within 52m}. */
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

    /** Such as {@code 90 %}. */
    public String percent() {
        return new BigDecimal(quantile).movePointLeft(4).stripTrailingZeros().toPlainString() + " %";
    }

    /** Whether a stated runtime is more than twice what most of the workload's runs took, or less than half of them. */
    public boolean contradicts(long stated) {
        return basis == Basis.WORKLOAD && runs >= TELLING && (stated > FAR * within || stated < typical);
    }
}
