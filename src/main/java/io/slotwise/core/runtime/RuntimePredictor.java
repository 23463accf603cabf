package io.slotwise.core.runtime;

import io.slotwise.core.runtime.Prediction.Basis;
import io.slotwise.core.text.Keyed;
import java.util.List;
import java.util.Optional;

/**
 * Predicts runtimes: the quantile of the workload's last runs, else of the namespace's. Of n runs the quantile q is the
 * one of rank {@code ceil(q (n + 1))} by length, the longest if there are too few for that: if runs come in any order,
 * the next one ends within it with probability q at least, as soon as {@code n >= q / (1 - q)}. The longest run counts
 * for twice the next longest at most.
 *
 * <p>O(h log h) for a workload with a history of h runs; O(R log R) for one without, R the runs of its namespace.
 *
 * <p>Source: Tsafrir, Etsion and Feitelson (2007), predict by the mean of the user's last two runs; so would this with
 * the quantile 0.5, a history of 2 and every run of a namespace one workload. A mean is passed by every second run, and
 * each run that passes its promised end moves what was promised after it. The rank: V. Vovk, A. Gammerman, G. Shafer,
 * "Algorithmic Learning in a Random World" (2005), chapter 2.
 *
 * @param quantile the part of the runs that is to end in time, millionths, from 1 to 1,000,000
 * @param history how many of the last runs count, up to {@link RunHistory#MOST_RUNS}; 0: nothing is predicted
 * @param fallback what is taken for a workload without a run
 */
public record RuntimePredictor(int quantile, int history, Fallback fallback) {
    /** What the policy says if it says nothing; decision 15 has the measurements. */
    public static final RuntimePredictor DEFAULT = new RuntimePredictor(900_000, 20, Fallback.NAMESPACE);

    /** With as many runs one more hardly tells anything. */
    public static final int ENOUGH = 10;

    /** The longest run counts for so many times the next one at most: no single run decides what all others get. */
    static final int ALONE = 2;

    /** Nothing is predicted. */
    public static final RuntimePredictor OFF = new RuntimePredictor(900_000, 0, Fallback.DEFAULT);

    /** What is taken for a workload without a run. */
    public enum Fallback implements Keyed {
        /** The default runtime. */
        DEFAULT,
        /** The last runs of its namespace, whatever they ran. */
        NAMESPACE
    }

    public RuntimePredictor {
        if (quantile < 1 || quantile > Prediction.ONE || history < 0 || history > RunHistory.MOST_RUNS) {
            throw new IllegalArgumentException(
                    ("The quantile (%d millionths) must be between 1 and 1,000,000, the history (%d runs) "
                                    + "between 0 and %d.")
                            .formatted(quantile, history, RunHistory.MOST_RUNS));
        }
    }

    public boolean isOn() {
        return history > 0;
    }

    /** What the workload's own runs say; empty: it has none. */
    public Optional<Prediction> ofItsOwn(RunHistory history, RecurringWorkload workload) {
        RunHistory.Series series = history.workloads().get(workload.key());
        return series == null || !isOn() ? Optional.empty() : Optional.of(of(latest(series.runs()), Basis.WORKLOAD));
    }

    /** The prediction for a workload; empty: nothing is known that says it. */
    public Optional<Prediction> of(RunHistory history, RecurringWorkload workload) {
        return ofItsOwn(history, workload).or(() -> ofItsNamespace(history));
    }

    /** What is taken for a workload without a run of its own; empty: nothing. */
    public Optional<Prediction> ofItsNamespace(RunHistory runHistory) {
        return !isOn() || fallback == Fallback.DEFAULT || runHistory.workloads().isEmpty()
                ? Optional.empty()
                : Optional.of(of(runHistory.last(history), Basis.NAMESPACE));
    }

    private List<PastRun> latest(List<PastRun> runs) {
        return runs.subList(Math.max(0, runs.size() - history), runs.size());
    }

    private Prediction of(List<PastRun> runs, Basis basis) {
        long[] seconds = runs.stream().mapToLong(PastRun::seconds).sorted().toArray();
        int n = seconds.length;
        if (n > 1) {
            seconds[n - 1] = Math.min(seconds[n - 1], ALONE * seconds[n - 2]);
        }
        long rank = Math.ceilDiv((long) quantile * (n + 1), (long) Prediction.ONE);
        long within = seconds[(int) Math.min(rank, n) - 1];
        return new Prediction(n, Math.min(within, seconds[(n - 1) / 2]), quantile, within, basis);
    }
}
