package io.slotwise.lab.workload.log;

import io.slotwise.lab.workload.Omission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What became of a log's lines.
 *
 * @param jobs told
 * @param omitted jobs left out, by reason
 * @param cut jobs told with their run time cut to their estimate
 * @param malformed lines that could not be parsed and were skipped
 * @param firstMalformed what was wrong with the first of them, with its place; null if there is none
 * @param inOrder whether the submissions stand in order of time
 * @param headings what a person should know of the headings, a sentence each
 */
public record LogReading(
        long jobs,
        SortedMap<Omission, Long> omitted,
        long cut,
        long malformed,
        @Nullable String firstMalformed,
        boolean inOrder,
        List<String> headings) {
    public LogReading {
        headings = List.copyOf(headings);
        omitted = Collections.unmodifiableSortedMap(new TreeMap<>(omitted));
    }

    /** What a person should know, a sentence each; {@code name} stands for the log. */
    List<String> remarks(String name) {
        List<String> remarks = new ArrayList<>();
        headings.forEach(heading -> remarks.add(name + ": " + heading));
        if (malformed > 0) {
            remarks.add("%s: %s could not be parsed and %s skipped; the first: %s"
                    .formatted(name, counted(malformed, "line"), malformed == 1 ? "was" : "were", firstMalformed));
        }
        if (!omitted.isEmpty()) {
            long all = omitted.values().stream().mapToLong(Long::longValue).sum();
            List<String> reasons = omitted.entrySet().stream()
                    .map(entry -> entry.getValue() + " " + entry.getKey().words())
                    .toList();
            remarks.add("%s: %s left out (%s)".formatted(name, counted(all, "job"), String.join(", ", reasons)));
        }
        if (cut > 0) {
            remarks.add("%s: the run times of %s were cut to the estimates".formatted(name, counted(cut, "job")));
        }
        if (!inOrder) {
            remarks.add("%s: submissions were out of order and have been sorted".formatted(name));
        }
        return remarks;
    }

    private static String counted(long count, String what) {
        return count == 1 ? "1 " + what : count + " " + what + "s";
    }
}
