package io.slotwise.testing;

import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import java.util.List;

/** The capacity that pods hold once they run where they were planned. */
public final class Occupations {
    private Occupations() {}

    /**
     * Returns the occupation of each pod of a window, from its start to its planned end.
     *
     * @param holders the prefix of the holders' names, {@code holders/POD}
     */
    public static List<Occupation> in(Window window, Gang gang, String holders) {
        return window.placements().stream()
                .map(placement -> new Occupation(
                        holders + "/" + placement.pod(),
                        placement.node(),
                        gang.requestOf(placement.pod()).resources(),
                        new Interval(placement.start(), placement.end())))
                .toList();
    }
}
