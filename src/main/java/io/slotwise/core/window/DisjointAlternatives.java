package io.slotwise.core.window;

import io.slotwise.core.cluster.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Alternatives of all gangs that do not overlap: reserve each one found and search on.
 *
 * <p>In rounds: one more alternative for each gang in queue order, until every gang has as many as allowed or a round finds
 * none, so that the first gang does not starve the rest. Any choice of one alternative per gang is then a valid plan. The
 * room of a promised gang's incumbent stays reserved throughout; its own improvements may overlap it, since only one of a
 * gang's alternatives is ever chosen.
 *
 * <p>At most A + 1 searches for each gang that gets A alternatives. Source: V. Toporkov, A. Bobchenkov, D. Emelyanov, A.
 * Tselishchev, "Methods and Heuristics of Scheduling in Distributed Computing with Non-dedicated Resources" (2014), section
 * 1.1 (the cyclic scheduling scheme), which completes one gang after the other; the rounds are ours.
 */
public final class DisjointAlternatives {
    private DisjointAlternatives() {}

    /**
     * Finds them; the timeline is the same afterwards.
     *
     * @param seekers in queue order
     * @param timeline free capacity beside the incumbents
     * @param most the most alternatives per gang, not counting an incumbent
     * @return for each seeker its alternatives, best first by its own criterion, an incumbent at the head
     */
    public static List<List<Window>> find(List<Seeker> seekers, Timeline timeline, int most) {
        List<List<Window>> found = new ArrayList<>();
        seekers.forEach(_ -> found.add(new ArrayList<>()));
        boolean[] done = new boolean[seekers.size()];
        boolean more = true;
        for (int round = 0; round < most && more; round++) {
            more = false;
            for (int i = 0; i < done.length; i++) {
                if (!done[i]) {
                    Optional<Window> next = seekers.get(i).next(timeline);
                    next.ifPresent(reserve(seekers.get(i), found.get(i), timeline));
                    done[i] = next.isEmpty();
                    more |= next.isPresent();
                }
            }
        }
        for (int i = 0; i < done.length; i++) {
            Seeker seeker = seekers.get(i);
            found.get(i).forEach(window -> window.vacate(timeline, seeker.gang()));
            if (seeker.incumbent() != null) {
                found.get(i).addFirst(seeker.incumbent());
            }
        }
        return found;
    }

    private static Consumer<Window> reserve(Seeker seeker, List<Window> found, Timeline timeline) {
        return window -> {
            window.occupy(timeline, seeker.gang());
            found.add(window);
        };
    }
}
