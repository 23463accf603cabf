package io.slotwise.live;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether a promise still answers to what its gang asks for. */
final class Promises {
    private Promises() {}

    /** What the gang's own change did to its promise, in one sentence; null: it still suits. */
    static @Nullable String contradiction(Gang gang, Standing standing, Promise promise, @Nullable GangId named) {
        Window window = promise.window();
        Terms agreed = standing.terms();
        Terms terms = Terms.of(gang);
        GangId host = standing.host();
        if (standing.promise() != null && !Objects.equals(host, named)) {
            return named == null
                    ? "the gang no longer names reservation %s".formatted(host)
                    : "the gang names reservation %s now".formatted(named);
        }
        if (terms.differFrom(agreed)) {
            return "the gang's request was changed";
        }
        if (window.placements().size() != gang.size()) {
            return "the gang has %d pods, the window %d"
                    .formatted(gang.size(), window.placements().size());
        }
        if (window.cost().compareTo(gang.budget().limit()) > 0) {
            return "the window costs %s, the budget is now %s"
                    .formatted(window.cost().roundedUp().brief(), String.valueOf(terms.budget()));
        }
        if (window.start() < gang.earliestStart()) {
            return "the gang's earliest start is now later than the window";
        }
        if (window.end() > gang.deadline()) {
            return "the gang's deadline is now before the window's end";
        }
        Map<String, Integer> perNode = new HashMap<>();
        for (Placement place : window.placements()) {
            if (perNode.merge(place.node(), 1, Integer::sum) > gang.maxPerNode()) {
                return "the gang allows %d pods per node now".formatted(gang.maxPerNode());
            }
        }
        return null;
    }

    /**
     * The promise with the places of pods that are gone given to those that came instead, in order of their names: the pods of a
     * gang ask for the same, so the window stays as good.
     */
    static Promise forPods(Promise promise, List<String> pods) {
        Window window = promise.window();
        Set<String> named = new HashSet<>();
        window.placements().forEach(place -> named.add(place.pod()));
        TreeSet<String> newcomers = new TreeSet<>(pods);
        newcomers.removeAll(named);
        if (newcomers.isEmpty()) {
            return promise;
        }
        Set<String> present = new HashSet<>(pods);
        List<Placement> places = new ArrayList<>();
        for (Placement place : window.placements()) {
            String pod = present.contains(place.pod()) || newcomers.isEmpty() ? place.pod() : newcomers.removeFirst();
            places.add(new Placement(pod, place.node(), place.start(), place.end(), place.cost()));
        }
        places.sort(Comparator.comparing(Placement::pod));
        return promise.with(Window.of(window.gang(), window.start(), places, window.energy()));
    }
}
