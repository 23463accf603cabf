package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a gang, from its start on.
 *
 * @param gang the gang's name in its namespace
 * @param end the first second after its planned end
 * @param processorTime how long its pods run, all together, seconds: as promised until it has ended
 * @param beyond what it costs beyond its promise while it runs
 * @param settled what it was charged; null: it has not ended, and the promised cost is held
 */
public record LedgerEntry(
        Key key,
        String gang,
        long end,
        Cost promised,
        long processorTime,
        Beyond beyond,
        @Nullable Settled settled) {
    /** The most characters of a ledger's object about one run, without its names, with figures of any width. */
    private static final int OPEN_SIZE = 900;

    private static final int SETTLED_SIZE = 380;

    public LedgerEntry {
        if (promised.microSecondsPerHour() < 0 || processorTime < 0) {
            throw new IllegalArgumentException(
                    "The promised cost (%s) and the processor time (%d s) of run (%s) must not be negative."
                            .formatted(promised, processorTime, key.uid()));
        }
        processorTime = settled == null ? processorTime : settled.charge().processorTime();
        beyond = settled == null ? beyond : Beyond.NOTHING;
    }

    /** A run that costs nothing beyond its promise so far. */
    public LedgerEntry(Key key, String gang, long end, Cost promised, long processorTime, @Nullable Settled settled) {
        this(key, gang, end, promised, processorTime, Beyond.NOTHING, settled);
    }

    /** A run of which the processor time is not known: it counts as none. */
    public LedgerEntry(Key key, String gang, long end, Cost promised, @Nullable Settled settled) {
        this(key, gang, end, promised, 0, settled);
    }

    /**
     * What a run that goes on costs beyond its promise.
     *
     * @param until the first day that is not charged yet, since the epoch; 0: none is
     * @param charge what the days before it were charged
     * @param held what that day and those after it cost until the end of the next grace, by days since the epoch
     */
    public record Beyond(long until, Charge charge, SortedMap<Long, Charge> held) {
        public static final Beyond NOTHING = new Beyond(0, Charge.NOTHING, Collections.emptySortedMap());

        public Beyond {
            held = Collections.unmodifiableSortedMap(new TreeMap<>(held));
        }

        /** The same with what is held told as that of two days, the second one of all that follow. */
        private Beyond brief() {
            SortedMap<Long, Charge> days = new TreeMap<>();
            held.forEach((day, charge) -> days.merge(Math.min(day, held.firstKey() + 1), charge, Charge::plus));
            return new Beyond(until, charge, days);
        }

        Charge allHeld() {
            return held.values().stream().reduce(Charge.NOTHING, Charge::plus);
        }

        /** Charges the days before {@code over} and holds the others; what is charged already stays. O(days places). */
        Beyond going(Overrun overrun, long over, BiConsumer<Long, Charge> charging) {
            long first = Math.max(
                    Math.max(until, over - Ledger.DAYS_KEPT), Math.floorDiv(overrun.start(), Period.DAY_SECONDS));
            Charge sumCharge = charge;
            SortedMap<Long, Charge> later = new TreeMap<>();
            for (long day = first; day * Period.DAY_SECONDS < overrun.end(); day++) {
                Charge partCharge = overrun.between(day * Period.DAY_SECONDS, (day + 1) * Period.DAY_SECONDS);
                if (partCharge.equals(Charge.NOTHING)) {
                    continue;
                }
                if (day < over) {
                    charging.accept(day, partCharge);
                    sumCharge = sumCharge.plus(partCharge);
                } else {
                    later.put(day, partCharge);
                }
            }
            return sumCharge.equals(Charge.NOTHING) && later.isEmpty()
                    ? NOTHING
                    : new Beyond(Math.max(first, over), sumCharge, later);
        }
    }

    /**
     * Which run.
     *
     * @param uid of the gang's Reservation; of what was bought for a gang that did not start the name of the purchase
     * @param start the first second of the window, which says the period that pays; a record that was used for a second
     *     window has a run for each
     */
    public record Key(String uid, long start) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return start != other.start ? Long.compare(start, other.start) : uid.compareTo(other.uid);
        }
    }

    /** The end of a run: what it was charged, and when its last pod had ended, seconds since the epoch. */
    public record Settled(Charge charge, long endedAt) {}

    public long start() {
        return key.start();
    }

    public boolean isOpen() {
        return settled == null;
    }

    /** Whether days beyond its promise were charged while it runs. */
    boolean isCharged() {
        return !beyond.charge.equals(Charge.NOTHING);
    }

    /** The most characters that the ledger's object has of it. */
    int size() {
        return (isOpen() ? OPEN_SIZE : SETTLED_SIZE) + key.uid().length() + gang.length();
    }

    /** As it is written. */
    LedgerEntry brief() {
        return with(beyond.brief());
    }

    /** The same run, as long as its end does not count. */
    LedgerEntry open() {
        return new LedgerEntry(key, gang, end, promised, processorTime, beyond, null);
    }

    public LedgerEntry settled(Settled settled) {
        return new LedgerEntry(key, gang, this.end, promised, processorTime, settled);
    }

    LedgerEntry with(Beyond other) {
        return new LedgerEntry(key, gang, end, promised, processorTime, other, settled);
    }
}
