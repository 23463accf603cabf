package io.slotwise.lab.simulation.planned;

import io.slotwise.core.runtime.PastRun;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.time.Durations;
import io.slotwise.lab.simulation.JobRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The used parts of jobs' estimates, as a cluster learns them in which each user is a namespace. */
final class UsedRuntimes {
    private static final RecurringWorkload ANY = new RecurringWorkload("jobs", "jobs");

    private final Map<String, RunHistory> histories = new HashMap<>();

    private long runs;

    /** Adds a successful run. O(runs that are kept). */
    void ended(JobRun run) {
        String user = run.job().user();
        PastRun past = new PastRun(
                run.end(),
                Long.toString(++runs),
                Math.clamp(run.job().runtime(), 1, Durations.LONGEST),
                run.job().estimate());
        RunHistory history = histories.getOrDefault(user, RunHistory.empty(user));
        histories.put(user, history.with(List.of(new RunHistory.WorkloadRun(ANY, past)), RunHistory.MOST_RUNS));
    }

    /** Returns the used parts of estimates of users' last jobs, millionths; {@code usual} if unknown. O(users). */
    Map<String, Integer> parts(int usual) {
        Map<String, Integer> parts = new HashMap<>();
        histories.forEach((user, history) -> parts.put(user, history.used(usual)));
        return parts;
    }
}
