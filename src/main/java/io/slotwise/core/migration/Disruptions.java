package io.slotwise.core.migration;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** How much of the disruption budgets one cycle has used: scratch of that cycle. */
public final class Disruptions {
    private final Map<String, Integer> used = new HashMap<>();

    /** Whether all of these gangs may be stopped as a whole beside those that were. O(guards). */
    public boolean allow(Collection<Running> gangs) {
        Map<String, Integer> wanted = new HashMap<>(used);
        gangs.stream()
                .flatMap(gang -> gang.guards().stream())
                .forEach(guard -> wanted.merge(guard.budget(), guard.pods(), Math::addExact));
        return gangs.stream()
                .flatMap(gang -> gang.guards().stream())
                .allMatch(guard -> wanted.getOrDefault(guard.budget(), 0) <= guard.allowed());
    }

    public void take(Running gang) {
        gang.guards().forEach(guard -> used.merge(guard.budget(), guard.pods(), Math::addExact));
    }
}
