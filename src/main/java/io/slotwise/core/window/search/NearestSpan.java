package io.slotwise.core.window.search;

import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The span that counts for a gang with patience: the narrowest in which it starts no later than that after its earliest
 * start in any span.
 *
 * @param span its index among the spans of the topology
 * @param latest the last start that counts, seconds since the epoch
 */
public record NearestSpan(int span, long latest) {
    /**
     * A place in which the gang may have its window, with the range of starts and the most that it may cost there.
     *
     * @param search the search on the nodes of the place
     */
    public record Place(WindowSearch search, SlotTerms terms, Cost budget) {
        private @Nullable Window earliest(WindowSearch spanSearch, long latest, RestoredCapacity restored) {
            return spanSearch.earliest(terms.within(latest, terms.deadline()), budget, restored);
        }
    }

    /**
     * Returns the span that counts for windows in any of these places. Null if there is no window, or if the gang has no
     * patience. At most two searches for an earliest start for each span and place.
     */
    public static @Nullable NearestSpan of(Gang gang, List<Place> places, RestoredCapacity restored) {
        Long patience = gang.topology().patience();
        long earliest = Long.MAX_VALUE;
        for (Place place : patience == null ? List.<Place>of() : places) {
            Window window = place.earliest(place.search(), earliest, restored);
            earliest = window == null ? earliest : Math.min(earliest, window.start());
        }
        if (patience == null || earliest == Long.MAX_VALUE) {
            return null;
        }
        long latest = patience > Long.MAX_VALUE - earliest ? Long.MAX_VALUE : earliest + patience;
        int span = 0;
        while (span < gang.topology().spans().size() - 1 && isWithout(span, places, latest, restored)) {
            span++;
        }
        return new NearestSpan(span, latest);
    }

    private static boolean isWithout(int span, List<Place> places, long latest, RestoredCapacity restored) {
        return places.stream().allMatch(place -> place.earliest(place.search().in(span), latest, restored) == null);
    }

    /** Returns the terms for windows that start soon enough. */
    SlotTerms soon(SlotTerms terms) {
        return terms.within(latest, terms.deadline());
    }

    /** Returns a search for windows in this span only. */
    public SlotSelection selection(WindowSearch search) {
        return new InSpan(search.in(span), this);
    }

    private record InSpan(SlotSelection selection, NearestSpan nearest) implements SlotSelection {
        @Override
        public Optional<Window> best(WindowRequest request, RestoredCapacity restored) {
            SlotTerms terms = nearest.soon(request.terms());
            return terms.earliest() > terms.latest()
                    ? Optional.empty()
                    : selection.best(
                            new WindowRequest(request.criterion(), terms, request.budget(), request.ownWindow()),
                            restored);
        }

        @Override
        public boolean bounded() {
            return selection.bounded();
        }

        @Override
        public long visited() {
            return selection.visited();
        }

        @Override
        public SlotSelection repeated() {
            return new InSpan(selection.repeated(), nearest);
        }
    }

    /** The search of a gang with patience. The span that counts is that for all its places, regardless of the terms. */
    static final class Patient implements SlotSelection {
        private final Gang gang;
        private final WindowSearch search;
        private final Supplier<List<Place>> places;
        private volatile @Nullable NearestSpan last;

        Patient(Gang gang, WindowSearch search, Supplier<List<Place>> places) {
            this.gang = gang;
            this.search = search;
            this.places = places;
        }

        @Override
        public Optional<Window> best(WindowRequest request, RestoredCapacity restored) {
            NearestSpan nearest = NearestSpan.of(gang, places.get(), restored);
            if (nearest == null) {
                return Optional.empty();
            }
            last = nearest;
            return nearest.selection(search).best(request, restored);
        }

        @Override
        public SlotSelection further() {
            return Objects.requireNonNull(last).selection(search).repeated();
        }

        @Override
        public boolean bounded() {
            return search.bounded();
        }

        @Override
        public long visited() {
            return search.visited();
        }
    }
}
