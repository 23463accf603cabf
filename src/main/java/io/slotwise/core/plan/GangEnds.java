package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.time.Interval;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What gangs may know of others that they start after.
 *
 * @param known when gangs end or ended that do not wait, as far as it is known, seconds since the epoch; {@link
 *     Interval#FOREVER}: a gang is there and has no window
 * @param admitted the namespaces whose gangs may start after those of a namespace, beside itself: that tells them
 *     whether a gang is there and when it ends; {@link #ANY} stands for each
 */
public record GangEnds(Map<GangId, Long> known, Map<String, Set<String>> admitted) {
    public static final String ANY = "*";

    /** No gang is known, and none may start after one of another namespace. */
    public static final GangEnds NONE = new GangEnds(Map.of(), Map.of());

    /** No gang is known, and each may start after any other. */
    public static final GangEnds OPEN = new GangEnds(Map.of(), Map.of(ANY, Set.of(ANY)));

    public GangEnds {
        known = Map.copyOf(known);
        admitted = admitted.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> Set.copyOf(entry.getValue())));
    }

    /** Whether a gang may start after another one. */
    public boolean admits(GangId gang, GangId before) {
        return gang.namespace().equals(before.namespace())
                || admits(before.namespace(), gang.namespace())
                || admits(ANY, gang.namespace());
    }

    private boolean admits(String namespace, String other) {
        Set<String> others = admitted.getOrDefault(namespace, Set.of());
        return others.contains(other) || others.contains(ANY);
    }

    /** The same with these ends, in place of what is known of those gangs. */
    public GangEnds with(Map<GangId, Long> others) {
        Map<GangId, Long> all = new HashMap<>(known);
        all.putAll(others);
        return new GangEnds(all, admitted);
    }
}
