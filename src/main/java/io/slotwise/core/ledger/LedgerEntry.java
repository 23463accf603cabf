package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A run of a gang, from its start on.
 *
 * @param gang the gang's name in its namespace
 * @param end the first second after its planned end
 * @param processorTime the sum of its pods' seconds, as promised until the run has ended
 * @param beyond the cost of the overrun while it runs
 * @param settled the final charge, or null for an open run, whose promised cost is held
 * @param queue the gang's queue, or null
 */
@RecordBuilder
public record LedgerEntry(
        Key key,
        String gang,
        long end,
        Cost promised,
        long processorTime,
        Beyond beyond,
        @Nullable Settled settled,
        @Nullable String queue)
        implements LedgerEntryBuilder.With {
    /** The most characters of the entry of an open run, without its names, with figures of any width. */
    private static final int OPEN_SIZE = 900;

    private static final int SETTLED_SIZE = 380;

    private static final int QUEUE_SIZE = 11;

    public LedgerEntry {
        if (promised.microSecondsPerHour() < 0 || processorTime < 0) {
            throw new IllegalArgumentException(
                    "The promised cost (%s) and the processor time (%d s) of run (%s) must not be negative."
                            .formatted(promised, processorTime, key.uid()));
        }
        processorTime = settled == null ? processorTime : settled.charge().processorTime();
        beyond = settled == null ? beyond : Beyond.NOTHING;
    }

    public LedgerEntry(Key key, String gang, long end, Cost promised, long processorTime, @Nullable Settled settled) {
        this(key, gang, end, promised, processorTime, Beyond.NOTHING, settled, null);
    }

    /** A run of unknown processor time, which counts as zero. */
    public LedgerEntry(Key key, String gang, long end, Cost promised, @Nullable Settled settled) {
        this(key, gang, end, promised, 0, settled);
    }

    /**
     * The cost of an overrun so far.
     *
     * @param until the first day that is not charged yet, since the epoch, or 0 if no day is charged
     * @param charge the charge of the days before it
     * @param held the cost of that day and later ones until the end of the next grace, by days since the epoch
     */
    public record Beyond(long until, Charge charge, SortedMap<Long, Charge> held) {
        public static final Beyond NOTHING = new Beyond(0, Charge.NOTHING, Collections.emptySortedMap());

        public Beyond {
            held = Collections.unmodifiableSortedMap(new TreeMap<>(held));
        }

        /** Returns a copy in which the held cost has two days, the second one with the sum of all later days. */
        private Beyond brief() {
            SortedMap<Long, Charge> days = new TreeMap<>();
            held.forEach((day, charge) -> days.merge(Math.min(day, held.firstKey() + 1), charge, Charge::plus));
            return new Beyond(until, charge, days);
        }

        Charge allHeld() {
            return held.values().stream().reduce(Charge.NOTHING, Charge::plus);
        }

        /** Charges the days before {@code over} and holds the later ones. Earlier charges stay. O(days placements). */
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
     * The identity of a run.
     *
     * @param uid the UID of the gang's Reservation, or the name of the purchase for nodes bought for a gang that did
     *     not start
     * @param start the first second of the window, which determines the period that pays; a record with a second window
     *     has a run for each
     */
    public record Key(String uid, long start) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return start != other.start ? Long.compare(start, other.start) : uid.compareTo(other.uid);
        }
    }

    /** The end of a run: its charge, and the end of its last pod, seconds since the epoch. */
    public record Settled(Charge charge, long endedAt) {}

    public long start() {
        return key.start();
    }

    public boolean isOpen() {
        return settled == null;
    }

    /** Returns whether days of an overrun were already charged. */
    boolean isCharged() {
        return !beyond.charge.equals(Charge.NOTHING);
    }

    /** Returns the most characters of the entry in the ledger's object. */
    int size() {
        return (isOpen() ? OPEN_SIZE : SETTLED_SIZE)
                + key.uid().length()
                + gang.length()
                + (queue == null ? 0 : QUEUE_SIZE + queue.length());
    }

    /** Returns the entry as it is written. */
    LedgerEntry brief() {
        return withBeyond(beyond.brief());
    }

    /** Returns the run without its end. */
    LedgerEntry open() {
        return withSettled(null);
    }
}
