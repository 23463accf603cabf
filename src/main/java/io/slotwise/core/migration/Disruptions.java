package io.slotwise.core.migration;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The use of disruption budgets in one cycle. */
public final class Disruptions {
    private final Map<String, Integer> used = new HashMap<>();

    /** Returns whether all of these gangs may be stopped as a whole in addition to earlier ones. O(guards). */
    public boolean allow(Collection<Running> gangs) {
        Map<String, Integer> wanted = new HashMap<>(used);
        gangs.stream()
                .flatMap(running -> running.guards().stream())
                .forEach(limit -> wanted.merge(limit.budget(), limit.pods(), Math::addExact));
        return gangs.stream()
                .flatMap(running -> running.guards().stream())
                .allMatch(limit -> wanted.getOrDefault(limit.budget(), 0) <= limit.allowed());
    }

    public void take(Running running) {
        running.guards().forEach(limit -> used.merge(limit.budget(), limit.pods(), Math::addExact));
    }
}
