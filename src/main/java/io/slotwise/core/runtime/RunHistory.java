package io.slotwise.core.runtime;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The last runs of the workloads of a namespace. Only the last runs of a workload are kept, and only the workloads of
 * which a run ended last. So the history is bounded, and a forgotten run that is reported again is not taken for a new
 * one.
 *
 * @param version of the record that this was read from, empty if there is no record yet
 */
public record RunHistory(String namespace, String version, SortedMap<String, Series> workloads) {
    /** The most workloads of a namespace. */
    public static final int MOST_WORKLOADS = 200;
    /** The most runs of a workload. */
    public static final int MOST_RUNS = 50;

    private static final Comparator<Map.Entry<String, Series>> LAST_ENDED = Comparator.comparingLong(
                    (Map.Entry<String, Series> entry) -> entry.getValue().endedAt())
            .thenComparing(Map.Entry::getKey);

    /** The last runs of one workload, in the order of their ends, each once; at least one. */
    public record Series(String name, List<PastRun> runs) {
        public Series {
            runs = List.copyOf(runs);
            if (runs.isEmpty() || runs.size() > MOST_RUNS || name.length() > RecurringWorkload.LONGEST_NAME) {
                throw new IllegalArgumentException(
                        "The workload (%s) must have 1 to %d runs, not %d, and a name of at most %d characters."
                                .formatted(name, MOST_RUNS, runs.size(), RecurringWorkload.LONGEST_NAME));
            }
            for (int i = 1; i < runs.size(); i++) {
                if (runs.get(i - 1).compareTo(runs.get(i)) >= 0) {
                    throw new IllegalArgumentException("The run (%s) of workload (%s) must end after the one before it."
                            .formatted(runs.get(i).id(), name));
                }
            }
        }

        /** Returns the end of the last run, seconds since the epoch. */
        long endedAt() {
            return runs.getLast().endedAt();
        }

        boolean has(String id) {
            return runs.stream().anyMatch(run -> run.id().equals(id));
        }
    }

    public record WorkloadRun(RecurringWorkload workload, PastRun run) {}

    public RunHistory {
        workloads = Collections.unmodifiableSortedMap(new TreeMap<>(workloads));
        if (workloads.size() > MOST_WORKLOADS) {
            throw new IllegalArgumentException("The history of namespace (%s) must have at most %d workloads, not %d."
                    .formatted(namespace, MOST_WORKLOADS, workloads.size()));
        }
        workloads.forEach((key, series) -> new RecurringWorkload(key, series.name));
    }

    public static RunHistory empty(String namespace) {
        return new RunHistory(namespace, "", Collections.emptySortedMap());
    }

    /** Returns the history as read from another version of its record. */
    public RunHistory at(String other) {
        return new RunHistory(namespace, other, workloads);
    }

    public boolean has(RecurringWorkload workload, String id) {
        Series knownSeries = workloads.get(workload.key());
        return knownSeries != null && knownSeries.has(id);
    }

    /**
     * Returns the history with these runs. Known runs and forgotten ones change nothing. O(told (runs + log workloads)
     * + workloads).
     */
    public RunHistory with(Collection<WorkloadRun> newRuns, int most) {
        if (newRuns.isEmpty()) {
            return this;
        }
        TreeMap<String, Series> all = new TreeMap<>(workloads);
        for (WorkloadRun workloadRun : newRuns) {
            all.merge(
                    workloadRun.workload.key(),
                    new Series(workloadRun.workload.name(), List.of(workloadRun.run)),
                    (knownSeries, currentSeries) -> knownSeries.has(workloadRun.run.id())
                            ? knownSeries
                            : new Series(currentSeries.name, last(knownSeries, currentSeries, most)));
        }
        while (all.size() > MOST_WORKLOADS) {
            all.remove(Collections.min(all.entrySet(), LAST_ENDED).getKey());
        }
        return all.equals(workloads) ? this : new RunHistory(namespace, version, all);
    }

    private static List<PastRun> last(Series knownSeries, Series currentSeries, int most) {
        TreeSet<PastRun> runs = new TreeSet<>(knownSeries.runs);
        runs.addAll(currentSeries.runs);
        while (runs.size() > most) {
            runs.removeFirst();
        }
        return List.copyOf(runs);
    }

    /**
     * Returns the part of their planned runtimes that the last runs used, millionths, positive: a mean in which each
     * run counts nine tenths of the one after it.
     *
     * @param usual the part assumed without knowledge, positive; it counts as two earlier runs
     */
    public int used(int usual) {
        long sum = 2L * usual;
        long weight = 2L * Prediction.ONE;
        for (PastRun run : last(MOST_RUNS)) {
            if (run.planned() > 0) {
                sum = sum * 9 / 10 + run.used();
                weight = weight * 9 / 10 + Prediction.ONE;
            }
        }
        return (int) Math.max(1, sum * Prediction.ONE / weight);
    }

    /**
     * Returns the longest known run of a workload, or of the namespace if the workload has none, seconds on a node of
     * performance 1, or 0 if there is none. O(runs log runs).
     *
     * @param alone the most seconds that a run counts, unless the next longest is more than half of it
     */
    public long longest(RecurringWorkload workload, long alone) {
        Series ownSeries = workloads.get(workload.key());
        long[] seconds = (ownSeries == null ? workloads.values() : List.of(ownSeries))
                .stream()
                        .flatMap(series -> series.runs.stream())
                        .mapToLong(PastRun::seconds)
                        .sorted()
                        .toArray();
        int n = seconds.length;
        long most = n < 2 ? alone : Math.max(alone, RuntimePredictor.ALONE * seconds[n - 2]);
        return n == 0 ? 0 : Math.min(seconds[n - 1], most);
    }

    /** Returns the last runs of all workloads, in the order of their ends. O(runs log runs). */
    List<PastRun> last(int most) {
        List<PastRun> all = new ArrayList<>();
        workloads.values().forEach(series -> all.addAll(series.runs));
        all.sort(Comparator.naturalOrder());
        return all.subList(Math.max(0, all.size() - most), all.size());
    }
}
