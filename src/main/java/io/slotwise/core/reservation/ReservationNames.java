package io.slotwise.core.reservation;

import io.slotwise.core.gang.GangId;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The gangs that name advance reservations, and the known facts about those.
 *
 * @param named the reservation that a gang names, by gang
 * @param holds the requests of a snapshot that are advance reservations, by the names that gangs give them
 * @param over the reservations that have ended, with one clause each on how
 * @param guests the pods, {@code namespace/name}, of gangs that are promised a part of a reservation, by reservation
 */
public record ReservationNames(
        SortedMap<GangId, GangId> named,
        Set<GangId> holds,
        SortedMap<GangId, String> over,
        SortedMap<GangId, Set<String>> guests) {
    public static final ReservationNames NONE = new ReservationNames(
            Collections.emptySortedMap(), Set.of(), Collections.emptySortedMap(), Collections.emptySortedMap());

    public ReservationNames {
        named = Collections.unmodifiableSortedMap(new TreeMap<>(named));
        holds = Set.copyOf(holds);
        over = Collections.unmodifiableSortedMap(new TreeMap<>(over));
        guests = Collections.unmodifiableSortedMap(new TreeMap<>(guests));
    }

    /** The names from files, without ended reservations and guests. */
    public ReservationNames(Map<GangId, GangId> named, Set<GangId> holds) {
        this(new TreeMap<>(named), holds, Collections.emptySortedMap(), Collections.emptySortedMap());
    }

    /** Returns the names with ended reservations and guests' pods. */
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
