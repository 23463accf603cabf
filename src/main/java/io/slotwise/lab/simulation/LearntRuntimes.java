package io.slotwise.lab.simulation;

import io.slotwise.core.runtime.PastRun;
import io.slotwise.core.runtime.Prediction;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.runtime.RuntimePredictor;
import io.slotwise.lab.workload.Job;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a cluster would predict in which each user is a namespace, and jobs of one application and one size are a
 * workload.
 */
public final class LearntRuntimes implements RuntimeGuess {
    private final RuntimePredictor predictor;
    private final long otherwise;
    private final Map<String, RunHistory> histories = new HashMap<>();

    /**
     * Nothing has run yet.
     *
     * @param otherwise the estimate of a job of which nothing can be told, seconds
     */
    public LearntRuntimes(RuntimePredictor predictor, long otherwise) {
        this.predictor = predictor;
        this.otherwise = otherwise;
    }

    private RunHistory history(String user) {
        return histories.computeIfAbsent(user, RunHistory::empty);
    }

    private static RecurringWorkload workload(Job job) {
        String name = job.terms().application() + "x" + job.size();
        return new RecurringWorkload(name, name);
    }

    @Override
    public long of(Job job) {
        return predictor
                .of(history(job.user()), workload(job))
                .map(Prediction::within)
                .orElse(otherwise);
    }

    @Override
    public void ended(JobRun run) {
        Job job = run.job();
        RunHistory.Told told = new RunHistory.Told(workload(job), new PastRun(run.end(), job.id(), job.runtime()));
        histories.put(job.user(), history(job.user()).with(List.of(told), Math.max(1, predictor.history())));
    }
}
