package io.slotwise.core.reservation;

import io.slotwise.core.gang.GangId;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which gangs name advance reservations, and what a host knows of those.
 *
 * @param named the reservation that a gang names, by gang
 * @param holds the requests of a snapshot that are advance reservations, by the names that gangs give them
 * @param over how those came to an end that are known and over, one clause each
 * @param guests the pods, {@code namespace/name}, of gangs that are promised a part of a reservation, by reservation
 */
public record ReservationNames(
        SortedMap<GangId, GangId> named,
        Set<GangId> holds,
        SortedMap<GangId, String> over,
        SortedMap<GangId, Set<String>> guests) {
    /** There are no advance reservations, and no gang names one. */
    public static final ReservationNames NONE = new ReservationNames(
            Collections.emptySortedMap(), Set.of(), Collections.emptySortedMap(), Collections.emptySortedMap());

    public ReservationNames {
        named = Collections.unmodifiableSortedMap(new TreeMap<>(named));
        holds = Set.copyOf(holds);
        over = Collections.unmodifiableSortedMap(new TreeMap<>(over));
        guests = Collections.unmodifiableSortedMap(new TreeMap<>(guests));
    }

    /** What files say: no reservation has ended, no gang has been promised a part of one. */
    public ReservationNames(Map<GangId, GangId> named, Set<GangId> holds) {
        this(new TreeMap<>(named), holds, Collections.emptySortedMap(), Collections.emptySortedMap());
    }

    /** The same with what a host knows. */
    public ReservationNames knowing(Map<GangId, String> ended, Map<GangId, Set<String>> pods) {
        return new ReservationNames(named, holds, new TreeMap<>(ended), new TreeMap<>(pods));
    }

    Set<String> guestsOf(Set<GangId> reservations) {
        return guests.entrySet().stream()
                .filter(entry -> reservations.contains(entry.getKey()))
                .flatMap(entry -> entry.getValue().stream())
                .collect(Collectors.toSet());
    }
}
