package io.slotwise.kubernetes.crd.v1alpha1;

import io.slotwise.core.ledger.PodSizes;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Converts between the tariff of a gang's pods and its form in a Reservation. */
final class Tariffs {
    private Tariffs() {}

    static List<WindowSpec.Rate> rates(long start, PromiseTariff tariff) {
        List<WindowSpec.Rate> rates = new ArrayList<>();
        tariff.rates().forEach((place, rate) -> {
            for (int i = 0; i < rate.pieces(); i++) {
                rates.add(new WindowSpec.Rate(
                        place.node(),
                        place.cost().microSecondsPerHour(),
                        Reservations.instant(i == 0 ? start : rate.start(i)),
                        rate.value(i)));
            }
        });
        return rates;
    }

    /** Returns the amounts that the pods pay for, in a window's form. */
    static List<Map<String, Long>> requests(PromiseTariff tariff) {
        return tariff.requests().stream()
                .<Map<String, Long>>map(Resources::asMap)
                .toList();
    }

    static PromiseTariff read(@Nullable WindowSpec window) {
        if (window == null || (window.rates().isEmpty() && window.requests().isEmpty())) {
            return PromiseTariff.CONSTANT;
        }
        TreeMap<PromiseTariff.Place, StepFunction.Builder> rates = new TreeMap<>();
        for (WindowSpec.Rate rate : window.rates()) {
            if (rate.rate() < 0) {
                throw new IllegalArgumentException(
                        "the rate (%d) on node %s is not valid: expected one that is not negative"
                                .formatted(rate.rate(), SafeText.value(rate.node())));
            }
            PromiseTariff.Place place = new PromiseTariff.Place(rate.node(), new Cost(rate.exactCost()));
            StepFunction.Builder builder = rates.get(place);
            if (builder == null) {
                rates.put(place, StepFunction.startingAt(rate.rate()));
            } else {
                builder.then(RecordTime.second(rate.from()), rate.rate());
            }
        }
        TreeMap<PromiseTariff.Place, StepFunction> built = new TreeMap<>();
        rates.forEach((place, builder) -> built.put(place, builder.build()));
        SortedMap<String, Integer> shapes = new TreeMap<>();
        for (PlacementSpec placement : window.placement()) {
            if (placement.request() != null) {
                shapes.put(placement.pod(), placement.request());
            }
        }
        return new PromiseTariff(
                built, window.requests().stream().map(Resources::of).toList(), shapes);
    }

    /**
     * Reads the sizes of resized pods.
     *
     * @param window the window that defines their order, or null
     */
    static PodSizes sizes(ReservationStatus.@Nullable Resized resized, @Nullable WindowSpec window) {
        if (resized == null || window == null) {
            return PodSizes.NONE;
        }
        SortedMap<String, Long> parts = new TreeMap<>();
        for (int i = 0; i < Math.min(window.placement().size(), resized.parts().size()); i++) {
            long part = resized.parts().get(i);
            if (part != PodSizes.PROMISED) {
                parts.put(window.placement().get(i).pod(), part);
            }
        }
        return new PodSizes(RecordTime.second(resized.since()), Ledgers.days(resized.days()), parts);
    }

    /**
     * Returns the sizes of resized pods in written form; null without any.
     *
     * @param placements the placements that define their order
     */
    static ReservationStatus.@Nullable Resized sizes(PodSizes sizes, List<Placement> placements) {
        return sizes.equals(PodSizes.NONE)
                ? null
                : new ReservationStatus.Resized(
                        Reservations.instant(sizes.since()),
                        placements.stream()
                                .map(placement -> sizes.part(placement.pod()))
                                .toList(),
                        Ledgers.days(sizes.before()));
    }
}
