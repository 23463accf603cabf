package io.slotwise.kubernetes.manifest.prices;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The price calendars of nodes, each parsed and expanded once, valid or not. Thread-safe. */
public final class PriceCalendars {
    /** The most pieces of all calendars that are kept. */
    private static final long MOST_PIECES = 1_000_000;
    /** Stands for a node's plain price. */
    private static final long PLAIN = -1;

    private record Key(String text, Interval interval) {}

    /** The result of reading a calendar; one of the two is null. */
    private record Reading(
            @Nullable StepFunction price, @Nullable IllegalArgumentException refusal) {
        int weight() {
            return price == null ? 1 : price.pieces();
        }
    }

    private final Cache<Key, Reading> readings = Caffeine.newBuilder()
            .maximumWeight(MOST_PIECES)
            .weigher((Key _, Reading reading) -> reading.weight())
            .build();

    /**
     * Returns the price by a calendar, see {@link PriceCalendar#over}. O(pieces) for a cached calendar.
     *
     * @throws IllegalArgumentException if it cannot be read, or has too many intervals
     */
    public StepFunction over(String text, long plain, Interval interval) {
        Reading reading = readings.get(new Key(text, interval), PriceCalendars::read);
        if (reading.refusal() != null) {
            throw reading.refusal();
        }
        return Objects.requireNonNull(reading.price()).map(price -> price == PLAIN ? plain : price);
    }

    private static Reading read(Key key) {
        try {
            PriceCalendar calendar = PriceCalendar.parse(key.text());
            return new Reading(
                    calendar.over(PLAIN, key.interval().start(), key.interval().end()), null);
        } catch (IllegalArgumentException refusal) {
            return new Reading(null, refusal);
        }
    }
}
