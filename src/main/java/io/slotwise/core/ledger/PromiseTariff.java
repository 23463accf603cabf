package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The prices of a promise: what a pod pays in its place, millionths per hour, over the seconds of the window. Only
 * places whose rate changes inside the window are listed; in the others every second costs the same.
 *
 * @param requests the different amounts that pods were promised room for and pay by; none: they pay the same whatever
 *     they take, or it is not known
 * @param shapes which of these is a pod's, by pod; a pod that is not among them has the first one
 */
public record PromiseTariff(
        SortedMap<Place, StepFunction> rates, List<Resources> requests, SortedMap<String, Integer> shapes) {
    public static final PromiseTariff CONSTANT = new PromiseTariff(Collections.emptySortedMap());

    /** The prices of pods of which it is not known what they pay by. */
    public PromiseTariff(SortedMap<Place, StepFunction> rates) {
        this(rates, List.of(), Collections.emptySortedMap());
    }

    /**
     * Places of one gang that have the same rate. All places on one node last equally long, and a rate grows with the
     * pod's share of the node in every second, so two of the same cost have the same rate; and pods may change their
     * places.
     */
    public record Place(String node, Cost cost) implements Comparable<Place> {
        private static Place of(Placement placement) {
            return new Place(placement.node(), placement.cost());
        }

        @Override
        public int compareTo(Place other) {
            int byNode = node.compareTo(other.node);
            return byNode != 0 ? byNode : cost.compareTo(other.cost);
        }
    }

    public PromiseTariff {
        rates = Collections.unmodifiableSortedMap(new TreeMap<>(rates));
        requests = List.copyOf(requests);
        shapes = Collections.unmodifiableSortedMap(new TreeMap<>(shapes));
        for (Map.Entry<String, Integer> entry : shapes.entrySet()) {
            if (entry.getValue() < 0 || entry.getValue() >= requests.size()) {
                throw new IllegalArgumentException("the request (%d) of pod %s is not valid: expected one of %d"
                        .formatted(entry.getValue(), SafeText.value(entry.getKey()), requests.size()));
            }
        }
    }

    /** The prices of a window, given the rate of the pod in each of its places. O(places log places + pieces). */
    public static PromiseTariff of(Window window, Function<Placement, StepFunction> rate) {
        TreeMap<Place, StepFunction> rates = new TreeMap<>();
        for (Placement placement : window.placements()) {
            Place place = Place.of(placement);
            if (!rates.containsKey(place)) {
                StepFunction function = inside(rate.apply(placement), placement.start(), placement.end());
                if (!function.isConstant()) {
                    rates.put(place, function);
                }
            }
        }
        return new PromiseTariff(rates);
    }

    /**
     * The same for pods that pay by what they take of their nodes. O(places x shapes).
     *
     * @param request of the pod in each place; {@link Resources#NONE}: it pays the same whatever it takes
     */
    public PromiseTariff payingBy(Window window, Function<Placement, Resources> request) {
        List<Resources> different = new ArrayList<>();
        SortedMap<String, Integer> others = new TreeMap<>();
        for (Placement placement : window.placements()) {
            Resources resources = request.apply(placement).amounts().with(Resources.PODS, 0);
            int shape = different.indexOf(resources);
            if (shape < 0) {
                shape = different.size();
                different.add(resources);
            }
            if (shape > 0) {
                others.put(placement.pod(), shape);
            }
        }
        return different.equals(List.of(Resources.NONE)) ? this : new PromiseTariff(rates, different, others);
    }

    /** What a pod was promised room for and pays by; {@link Resources#NONE}: it pays the same whatever it takes. */
    public Resources request(String pod) {
        return requests.isEmpty() ? Resources.NONE : requests.get(shapes.getOrDefault(pod, 0));
    }

    /** The same on nodes of other names; those that are not among these keep theirs. */
    public PromiseTariff on(Map<String, String> names) {
        SortedMap<Place, StepFunction> renamed = new TreeMap<>();
        rates.forEach((place, rate) ->
                renamed.put(new Place(names.getOrDefault(place.node(), place.node()), place.cost()), rate));
        return new PromiseTariff(renamed, requests, shapes);
    }

    private static StepFunction inside(StepFunction rate, long start, long end) {
        StepFunction.Builder builder = StepFunction.startingAt(rate.at(start));
        for (int i = rate.pieceAt(start) + 1; i < rate.pieces() && rate.start(i) < end; i++) {
            builder.then(rate.start(i), rate.value(i));
        }
        return builder.build();
    }

    /**
     * What a place costs for as many seconds, exactly. The n-th second costs what the n-th second of the promised place
     * costs, and each one after the last what the last one costs.
     */
    public Cost cost(Placement placement, long seconds) {
        long planned = placement.end() - placement.start();
        StepFunction rate = rates.get(Place.of(placement));
        if (rate == null) {
            return seconds == planned ? placement.cost() : proportion(placement.cost(), seconds, planned);
        }
        long inside = Math.min(seconds, planned);
        return Cost.of(rate, placement.start(), placement.start() + inside)
                .plus(Cost.product(rate.at(placement.end() - 1), seconds - inside));
    }

    /**
     * What each place of a window costs whose room was only kept: counted are the seconds until the window's end or
     * until it was given back, if that was earlier. By place, in the window's order.
     */
    public Map<Placement, Cost> kept(Window window, long until) {
        Map<Placement, Cost> costs = new LinkedHashMap<>();
        for (Placement placement : window.placements()) {
            costs.put(placement, cost(placement, Math.min(until, placement.end()) - placement.start()));
        }
        return costs;
    }

    /** What a pod pays in a place of the promised window, millionths per hour, over time; exact. */
    public StepFunction rate(Placement placement) {
        StepFunction function = rates.get(Place.of(placement));
        return function == null
                ? StepFunction.constant(placement.cost().microSecondsPerHour() / (placement.end() - placement.start()))
                : function;
    }

    private static Cost proportion(Cost cost, long seconds, long planned) {
        return Cost.of(cost.exact().multiply(BigInteger.valueOf(seconds)).divide(BigInteger.valueOf(planned)));
    }
}
