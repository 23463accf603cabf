package io.slotwise.kubernetes.crd.v1alpha1;

import io.slotwise.core.ledger.PodSizes;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Share;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Translates between the prices of a promise and what its Reservation says of them. */
final class Tariffs {
    private Tariffs() {}

    /** The rates of a tariff as a window has them. */
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

    /** The prices of a window as it was written. */
    static PromiseTariff read(@Nullable WindowSpec window) {
        if (window == null) {
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
            StepFunction.Builder known = rates.get(place);
            if (known == null) {
                rates.put(place, StepFunction.startingAt(rate.rate()));
            } else {
                known.then(Reservations.second(rate.from()), rate.rate());
            }
        }
        TreeMap<PromiseTariff.Place, StepFunction> built = new TreeMap<>();
        rates.forEach((place, rate) -> built.put(place, rate.build()));
        TreeMap<PromiseTariff.Place, Share> shares = new TreeMap<>();
        for (PlacementSpec place : window.placement()) {
            if (place.share() != null) {
                shares.put(new PromiseTariff.Place(place.node(), new Cost(place.exactCost())), share(place.share()));
            }
        }
        return new PromiseTariff(built, shares);
    }

    /** The share of its node that the pod of a place pays for; null: it pays the same whatever it takes. */
    static @Nullable String share(PromiseTariff tariff, Placement place) {
        Share share = tariff.share(place);
        return share == null ? null : share.toString();
    }

    private static Share share(String text) {
        try {
            Share share = Share.parse(text);
            if (share.part() > 0) {
                return share;
            }
        } catch (IllegalArgumentException e) {
            // Told as one of nothing.
        }
        throw new IllegalArgumentException(
                "the share (%s) is not valid: expected PART/WHOLE, both positive".formatted(SafeText.value(text)));
    }

    /** What pods take since they were resized. */
    static PodSizes sizes(List<ReservationStatus.Size> written) {
        SortedMap<String, NavigableMap<Long, Share>> sizes = new TreeMap<>();
        written.forEach(size -> sizes.computeIfAbsent(size.pod(), _ -> new TreeMap<>())
                .put(Reservations.second(size.from()), share(size.times())));
        return new PodSizes(sizes);
    }

    /** The same as it is written. */
    static List<ReservationStatus.Size> sizes(PodSizes sizes) {
        List<ReservationStatus.Size> written = new ArrayList<>();
        sizes.byPod()
                .forEach((pod, times) -> times.forEach((second, share) -> written.add(
                        new ReservationStatus.Size(pod, Reservations.instant(second), share.toString()))));
        return written;
    }
}
