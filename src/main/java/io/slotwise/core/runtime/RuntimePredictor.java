package io.slotwise.core.runtime;

import io.slotwise.core.runtime.Prediction.Basis;
import io.slotwise.core.text.Keyed;
import java.util.List;
import java.util.Optional;

/**
 * Predicts runtimes as the quantile of the workload's last runs, or of the namespace's. The quantile q of n runs is the
 * run of rank {@code ceil(q (n + 1))} by length, or the longest if there are too few. If runs come in random order, the
 * next one ends within it with probability q at least, as soon as {@code n >= q / (1 - q)}. The longest run counts at
 * most for twice the next longest.
 *
 * <p>O(h log h) for a workload with a history of h runs; O(R log R) for one without, R the runs of its namespace.
 *
 * <p>Source: Tsafrir, Etsion and Feitelson (2007), who predict by the mean of the user's last two runs. This predictor
 * would do so with the quantile 0.5, a history of 2, and every run of a namespace in one workload. Every second run
 * exceeds a mean, and each run that exceeds its promised end moves the promises after it. The rank: V. Vovk, A.
 * Gammerman, G. Shafer, "Algorithmic Learning in a Random World" (2005), chapter 2.
 *
 * @param quantile the part of the runs that is to end in time, millionths, from 1 to 1,000,000
 * @param history how many of the last runs count, up to {@link RunHistory#MOST_RUNS}; with 0 nothing is predicted
 * @param fallback for a workload without a run
 */
public record RuntimePredictor(int quantile, int history, Fallback fallback) {
    /** The default of the policy; decision 15 has the measurements. */
    public static final RuntimePredictor DEFAULT = new RuntimePredictor(900_000, 20, Fallback.NAMESPACE);

    /** The number of runs after which a further run hardly changes the prediction. */
    public static final int ENOUGH = 10;

    /** The longest run counts at most for this multiple of the next one: no single run decides for all others. */
    static final int ALONE = 2;

    public static final RuntimePredictor OFF = new RuntimePredictor(900_000, 0, Fallback.DEFAULT);

    /** The runtime of a workload without a run. */
    public enum Fallback implements Keyed {
        DEFAULT,
        /** The prediction from the last runs of its namespace, of any workload. */
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

    /** Returns the prediction from the workload's own runs, if any. */
    public Optional<Prediction> ofItsOwn(RunHistory history, RecurringWorkload workload) {
        RunHistory.Series series = history.workloads().get(workload.key());
        return series == null || !isOn() ? Optional.empty() : Optional.of(of(latest(series.runs()), Basis.WORKLOAD));
    }

    /** Returns the prediction for a workload, if any. */
    public Optional<Prediction> of(RunHistory history, RecurringWorkload workload) {
        return ofItsOwn(history, workload).or(() -> ofItsNamespace(history));
    }

    /** Returns the prediction for a workload without runs of its own, if any. */
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
