package io.slotwise.core.planner.queue;

import io.slotwise.core.gang.Gang;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts how many of the gangs that were promised a window have passed a waiting gang. */
public final class BypassCounter {
    private final NavigableMap<Integer, long[]> byPriority;

    /** A gang's arrival, in seconds since the epoch, and its priority. */
    public record Arrival(long second, int priority) {
        public static Arrival of(Gang gang) {
            return new Arrival(gang.arrival(), gang.priority());
        }
    }

    /** Indexes these gangs. O(g log g). */
    public BypassCounter(Collection<Arrival> gangs) {
        Map<Integer, long[]> sorted = gangs.stream()
                .collect(Collectors.groupingBy(
                        Arrival::priority,
                        Collectors.collectingAndThen(
                                Collectors.mapping(Arrival::second, Collectors.toList()),
                                seconds -> seconds.stream()
                                        .mapToLong(Long::longValue)
                                        .sorted()
                                        .toArray())));
        this.byPriority = new TreeMap<>(sorted);
    }

    /** Returns how many arrived after this gang and have no higher priority. O(p log g) for p priorities. */
    public int passed(Arrival arrival) {
        int passed = 0;
        for (long[] seconds : byPriority.headMap(arrival.priority, true).values()) {
            int at = Arrays.binarySearch(seconds, arrival.second);
            int after = at < 0 ? -at - 1 : at;
            while (after < seconds.length && seconds[after] == arrival.second) {
                after++;
            }
            passed += seconds.length - after;
        }
        return passed;
    }
}
