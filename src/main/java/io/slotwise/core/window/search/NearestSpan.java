package io.slotwise.core.window.search;

import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import java.util.ArrayList;
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
     * Returns the span that counts for windows in any of these places. Null if there is no window, or if the gang has
     * no patience. At most two searches for an earliest start for each span and place.
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

    /** Returns the search for the best window in this span in any of the places. */
    public SlotSelection selection(Gang gang, List<Place> places) {
        return new InPlaces(
                gang,
                places,
                places.stream()
                        .<SlotSelection>map(place -> place.search().in(span))
                        .toList(),
                latest);
    }

    /** The searches in one span of each place. */
    private record InPlaces(Gang gang, List<Place> places, List<SlotSelection> selections, long latest)
            implements SlotSelection {
        @Override
        public Optional<Window> best(WindowRequest request, RestoredCapacity restored) {
            List<Window> windows = new ArrayList<>();
            for (int i = 0; i < places.size(); i++) {
                Place place = places.get(i);
                SlotTerms terms = request.terms()
                        .between(
                                place.terms().earliest(),
                                Math.min(latest, place.terms().latest()));
                if (terms.earliest() <= terms.latest()) {
                    WindowRequest placeRequest = new WindowRequest(
                            request.criterion(),
                            terms.endingBy(place.terms().deadline()),
                            request.budget().min(place.budget()),
                            request.ownWindow());
                    selections.get(i).best(placeRequest, restored).ifPresent(windows::add);
                }
            }
            return windows.stream().min(WindowSearch.order(request.criterion(), gang));
        }

        @Override
        public boolean bounded() {
            return places.stream().anyMatch(place -> place.search().bounded());
        }

        @Override
        public long visited() {
            return places.stream()
                    .map(Place::search)
                    .distinct()
                    .mapToLong(WindowSearch::visited)
                    .sum();
        }

        @Override
        public SlotSelection repeated() {
            return new InPlaces(
                    gang,
                    places,
                    selections.stream().map(SlotSelection::repeated).toList(),
                    latest);
        }
    }

    /**
     * The search of a gang with patience in all its places. The span that counts is that for all of them, regardless of
     * the terms. It is settled once for each window.
     */
    static final class Patient implements SlotSelection {
        private final Gang gang;
        private final WindowSearch search;
        private final Supplier<List<Place>> places;
        private volatile @Nullable SlotSelection last;

        Patient(Gang gang, WindowSearch search, Supplier<List<Place>> places) {
            this.gang = gang;
            this.search = search;
            this.places = places;
        }

        @Override
        public Optional<Window> best(WindowRequest request, RestoredCapacity restored) {
            List<Place> present = places.get();
            NearestSpan nearest = NearestSpan.of(gang, present, restored);
            if (nearest == null) {
                return Optional.empty();
            }
            SlotSelection selection = nearest.selection(gang, present);
            last = selection;
            return selection.best(request, restored);
        }

        @Override
        public SlotSelection further() {
            return Objects.requireNonNull(last).repeated();
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
