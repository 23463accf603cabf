package io.slotwise.core.plan;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The expected start and the latest start of a gang's first promise, seconds since the epoch. All reports of promises
 * use one figure: of the gangs that started, those that {@link #isKept started by what was promised}.
 */
public record FirstPromise(long start, long by) {
    public FirstPromise {
        by = Math.max(start, by);
    }

    public FirstPromise(long start) {
        this(start, start);
    }

    public static FirstPromise of(Promise promise) {
        return new FirstPromise(promise.window().start(), promise.bound().start());
    }

    /** Returns whether a gang that started in this second started by what was promised. */
    public boolean isKept(long started) {
        return started <= by;
    }

    /**
     * The outcomes of promises.
     *
     * @param asPromised the started gangs that {@link #isKept started by what was promised}
     * @param moves the number of promises that moved, by cause, without zeros
     */
    public record Outcomes(long started, long asPromised, SortedMap<String, Long> moves) {
        private static final Comparator<Map.Entry<String, Long>> MOST_FIRST = Map.Entry.<String, Long>comparingByValue(
                        Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey());

        public static final Outcomes NONE = new Outcomes(0, 0, Collections.emptySortedMap());

        public Outcomes {
            moves = Collections.unmodifiableSortedMap(new TreeMap<>(moves));
        }

        /** Returns the outcomes in one line: how many gangs started by what was promised, and why promises moved. */
        public String line() {
            return "%d of %d gangs started by what was promised; %s"
                    .formatted(
                            asPromised,
                            started,
                            moves.isEmpty()
                                    ? "no promise moved for a cause"
                                    : moves.entrySet().stream()
                                            .sorted(MOST_FIRST)
                                            .map(entry -> entry.getValue() + " " + entry.getKey())
                                            .collect(Collectors.joining(", ", "moved: ", "")));
        }
    }
}
