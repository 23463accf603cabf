package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.time.Interval;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The knowledge of gangs about their predecessors.
 *
 * @param known the known ends of gangs that do not wait, seconds since the epoch; {@link Interval#FOREVER} for a gang
 *     that exists and has no window
 * @param admitted for each namespace, the other namespaces whose gangs may start after its gangs, which reveals whether
 *     a gang exists and when it ends; {@link #ANY} stands for every namespace
 */
public record GangEnds(Map<GangId, Long> known, Map<String, Set<String>> admitted) {
    public static final String ANY = "*";

    /** No gang is known, and no gang may start after a gang of another namespace. */
    public static final GangEnds NONE = new GangEnds(Map.of(), Map.of());

    /** No gang is known, and each may start after any other. */
    public static final GangEnds OPEN = new GangEnds(Map.of(), Map.of(ANY, Set.of(ANY)));

    public GangEnds {
        known = Map.copyOf(known);
        admitted = admitted.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> Set.copyOf(entry.getValue())));
    }

    /** Returns whether a gang may start after another gang. */
    public boolean admits(GangId gang, GangId before) {
        return gang.namespace().equals(before.namespace())
                || admits(before.namespace(), gang.namespace())
                || admits(ANY, gang.namespace());
    }

    private boolean admits(String namespace, String other) {
        Set<String> others = admitted.getOrDefault(namespace, Set.of());
        return others.contains(other) || others.contains(ANY);
    }

    /** Returns a copy with the ends of these gangs replaced. */
    public GangEnds with(Map<GangId, Long> others) {
        Map<GangId, Long> all = new HashMap<>(known);
        all.putAll(others);
        return new GangEnds(all, admitted);
    }
}
