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
 * The prices of a promise: the rate of each place, millionths per hour, over the seconds of the window. Only places
 * whose rate changes inside the window are listed; in the others every second costs the same.
 *
 * @param requests the distinct promised amounts by which pods pay, empty if pods pay the same at any size, or if the
 *     amounts are unknown
 * @param shapes the index of each pod's request; missing pods have the first one
 */
public record PromiseTariff(
        SortedMap<Place, StepFunction> rates, List<Resources> requests, SortedMap<String, Integer> shapes) {
    public static final PromiseTariff CONSTANT = new PromiseTariff(Collections.emptySortedMap());

    /** The prices of pods with unknown requests. */
    public PromiseTariff(SortedMap<Place, StepFunction> rates) {
        this(rates, List.of(), Collections.emptySortedMap());
    }

    /**
     * Places of one gang with the same rate. All places on one node last equally long, and a rate grows with the pod's
     * share of the node in every second, so two places of the same cost have the same rate. Pods may exchange their
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

    /** Returns the prices of a window, given the rate of the pod in each place. O(places log places + pieces). */
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
     * Returns the prices for pods that pay by what they take of their nodes. O(places x shapes).
     *
     * @param request the request of the pod in each place, or {@link Resources#NONE} if the pod pays the same at any
     *     size
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

    /** Returns the promised request by which a pod pays, or {@link Resources#NONE} if it pays the same at any size. */
    public Resources request(String pod) {
        return requests.isEmpty() ? Resources.NONE : requests.get(shapes.getOrDefault(pod, 0));
    }

    /** Returns the prices with nodes renamed. Nodes without a new name keep theirs. */
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
     * Returns the exact cost of the first {@code seconds} seconds of a placement. The n-th second costs as much as the
     * n-th promised second, and each later one as much as the last.
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
     * Returns the cost of each placement whose room was only kept, until the window's end or until it was given up,
     * whichever is earlier, in the window's order.
     */
    public Map<Placement, Cost> kept(Window window, long until) {
        Map<Placement, Cost> costs = new LinkedHashMap<>();
        for (Placement placement : window.placements()) {
            costs.put(placement, cost(placement, Math.min(until, placement.end()) - placement.start()));
        }
        return costs;
    }

    /** Returns what a pod pays in a placement of the promised window, millionths per hour, over time; exact. */
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
