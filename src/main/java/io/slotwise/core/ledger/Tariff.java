package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The prices of a promise: what one pod of the gang pays on a node, millionths per hour, over the seconds of its window. Only
 * nodes whose price changes inside the window are listed; on the others a place's cost is the same every second.
 *
 * @param rates by node
 */
public record Tariff(SortedMap<String, StepFunction> rates) {
    /** All prices are constant. */
    public static final Tariff CONSTANT = new Tariff(Collections.emptySortedMap());

    public Tariff {
        rates = Collections.unmodifiableSortedMap(new TreeMap<>(rates));
    }

    /** The prices of a window, given the rate of a pod on each of its nodes. O(places and pieces). */
    public static Tariff of(Window window, Function<String, StepFunction> rate) {
        TreeMap<String, StepFunction> rates = new TreeMap<>();
        TreeMap<String, Long> ends = new TreeMap<>();
        window.placements().forEach(place -> ends.merge(place.node(), place.end(), Math::max));
        ends.forEach((node, end) -> {
            StepFunction inside = inside(rate.apply(node), window.start(), end);
            if (!inside.isConstant()) {
                rates.put(node, inside);
            }
        });
        return new Tariff(rates);
    }

    private static StepFunction inside(StepFunction rate, long start, long end) {
        StepFunction.Builder inside = StepFunction.startingAt(rate.at(start));
        for (int i = rate.pieceAt(start) + 1; i < rate.pieces() && rate.start(i) < end; i++) {
            inside.then(rate.start(i), rate.value(i));
        }
        return inside.build();
    }

    /**
     * What a place costs for as many seconds, exactly. The n-th second costs what the n-th second of the promised place costs,
     * and each one after the last what the last one costs.
     */
    public Cost cost(Placement place, long seconds) {
        long planned = place.end() - place.start();
        StepFunction rate = rates.get(place.node());
        if (rate == null) {
            return seconds == planned ? place.cost() : proportion(place.cost(), seconds, planned);
        }
        long inside = Math.min(seconds, planned);
        long cost = inside == 0 ? 0 : rate.sum(place.start(), place.start() + inside);
        long last = Math.multiplyExact(rate.at(place.end() - 1), seconds - inside);
        return new Cost(Math.addExact(cost, last));
    }

    private static Cost proportion(Cost cost, long seconds, long planned) {
        return new Cost(BigInteger.valueOf(cost.microSecondsPerHour())
                .multiply(BigInteger.valueOf(seconds))
                .divide(BigInteger.valueOf(planned))
                .longValueExact());
    }
}
