package io.slotwise.core.window.search;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.window.AlternativeSearch;
import io.slotwise.core.window.SearchTurns;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.SpeculativeQueue;
import io.slotwise.core.work.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds alternatives of all gangs that do not overlap, by reserving each window found and searching again.
 *
 * <p>Each round finds one more alternative for each gang in queue order, until every gang has as many as allowed or a
 * round finds none. So the first gang does not starve the rest, and any choice of one alternative per gang is a valid
 * plan. The room of a promised gang's incumbent stays reserved throughout. Its own improvements may overlap it, since
 * only one of a gang's alternatives is ever chosen.
 *
 * <p>The searches of a round run in parallel and are accepted in queue order, see {@link SpeculativeQueue}:
 * reservations only take room away, so a best window whose room is still free is still the best. At most A + 1 searches
 * for each gang that gets A alternatives, and one more for each window whose room another gang takes meanwhile. A
 * gang's last result helps its next search, see {@link WindowSearch#repeated}.
 *
 * <p>With a search that is not exact (see {@link SlotSelection}) a window whose room is still free is accepted,
 * although a new search might select another, even a better one. A gang without a result is not searched again. The
 * alternatives are still free of overlaps, and independent of the number of threads.
 *
 * <p>Anytime: after the first round the search can be ended between the turns of two gangs. A search that ends after as
 * many turns finds the same windows, see {@link SearchTurns}.
 *
 * <p>Source: the paper on the cyclic scheme, section 1.1 (the cyclic scheduling scheme), which completes one gang after
 * the other, without rounds.
 */
public final class DisjointAlternatives {
    private final List<AlternativeSearch> seekers;

    /** The searches that continue from their last result. */
    private final List<AlternativeSearch> asking;

    private final Timeline timeline;
    private final Effort effort;
    private final List<List<Window>> found = new ArrayList<>();
    private final boolean[] done;
    private int round;

    /**
     * The limits of the search.
     *
     * @param visits the visited slots after which the search for further alternatives ends, or 0 for no limit
     */
    public record Effort(int most, long visits, SearchTurns turns) {}

    /** The windows of each search, best first, after an incumbent. {@code cut}: the limit of visits was reached. */
    public record Found(List<List<Window>> windows, boolean cut) {}

    private DisjointAlternatives(List<AlternativeSearch> seekers, Timeline timeline, Effort effort) {
        this.seekers = seekers;
        this.asking = new ArrayList<>(
                seekers.stream().map(AlternativeSearch::repeated).toList());
        this.timeline = timeline;
        this.effort = effort;
        this.done = new boolean[seekers.size()];
        seekers.forEach(_ -> found.add(new ArrayList<>()));
    }

    /** Finds the alternatives. The timeline is free except for the incumbents, and unchanged afterwards. */
    public static Found find(List<AlternativeSearch> seekers, Timeline timeline, Effort effort, Workers workers) {
        return new DisjointAlternatives(seekers, timeline, effort).find(workers);
    }

    private Found find(Workers workers) {
        SpeculativeQueue<Integer, Optional<Window>> lookahead = new SpeculativeQueue<>(workers, new Searches());
        List<Integer> seeking = seeking();
        while (round < effort.most() && !seeking.isEmpty() && goesOn()) {
            effort.turns().round();
            lookahead.serve(seeking);
            seeking = seeking();
            round++;
        }
        boolean cut = !seeking.isEmpty() && tired();
        for (int i = 0; i < done.length; i++) {
            AlternativeSearch search = seekers.get(i);
            found.get(i).forEach(window -> window.vacate(timeline, search.gang()));
            found.get(i).sort(WindowSearch.order(search.gang()));
            if (search.incumbentWindow() != null) {
                found.get(i).addFirst(search.incumbentWindow());
            }
        }
        return new Found(found, cut);
    }

    private List<Integer> seeking() {
        List<Integer> seeking = new ArrayList<>();
        for (int i = 0; i < done.length; i++) {
            if (!done[i]) {
                seeking.add(i);
            }
        }
        return seeking;
    }

    /** Returns whether to search further. Every gang has its first search regardless of the time. */
    private boolean goesOn() {
        return !tired() && (round == 0 || effort.turns().goOn());
    }

    private boolean tired() {
        return effort.visits() > 0
                && round > 0
                && seekers.stream()
                                .map(AlternativeSearch::selection)
                                .distinct()
                                .mapToLong(SlotSelection::visited)
                                .sum()
                        >= effort.visits();
    }

    /** The searches of a round, by index. */
    private final class Searches implements SpeculativeQueue.Desk<Integer, Optional<Window>> {
        @Override
        public Optional<Window> propose(Integer i) {
            return asking.get(i).next(timeline);
        }

        @Override
        public boolean holds(Integer i, Optional<Window> window) {
            return window.isEmpty() || seekers.get(i).isFree(window.get(), timeline);
        }

        @Override
        public void accept(Integer i, Optional<Window> window) {
            if (round > 0) {
                effort.turns().turn();
            }
            if (window.isEmpty()) {
                done[i] = true;
            } else {
                window.get().occupy(timeline, seekers.get(i).gang());
                found.get(i).add(window.get());
                if (round == 0) {
                    asking.set(i, asking.get(i).further());
                }
            }
        }

        @Override
        public boolean goesOn() {
            return DisjointAlternatives.this.goesOn();
        }
    }
}
