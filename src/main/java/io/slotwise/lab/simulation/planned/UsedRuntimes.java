package io.slotwise.lab.simulation.planned;

import io.slotwise.core.runtime.PastRun;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.time.Durations;
import io.slotwise.lab.simulation.JobRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What jobs have used of their estimates, as a cluster learns it in which each user is a namespace. */
final class UsedRuntimes {
    private static final RecurringWorkload ANY = new RecurringWorkload("jobs", "jobs");

    private final Map<String, RunHistory> histories = new HashMap<>();

    private long runs;

    /** A job has ended with its work done. O(runs that are kept). */
    void ended(JobRun run) {
        String user = run.job().user();
        PastRun past = new PastRun(
                run.end(),
                Long.toString(++runs),
                Math.clamp(run.job().runtime(), 1, Durations.LONGEST),
                run.job().estimate());
        RunHistory history = histories.getOrDefault(user, RunHistory.empty(user));
        histories.put(user, history.with(List.of(new RunHistory.Told(ANY, past)), RunHistory.MOST_RUNS));
    }

    /** The parts of estimates that users' last jobs used, millionths; {@code usual}: if nothing is known. O(users). */
    Map<String, Integer> parts(int usual) {
        Map<String, Integer> parts = new HashMap<>();
        histories.forEach((user, history) -> parts.put(user, history.used(usual)));
        return parts;
    }
}
