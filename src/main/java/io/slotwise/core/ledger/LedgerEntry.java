package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import org.jspecify.annotations.Nullable;

/**
 * One run of a gang, from its start on.
 *
 * @param key which one
 * @param gang the gang's name in its namespace
 * @param end the first second after its planned end
 * @param promised what it was promised to cost
 * @param processorTime how long its pods run, all together, seconds: as promised until it has ended
 * @param settled what it was charged; null: it has not ended, and the promised cost is held
 */
public record LedgerEntry(
        Key key,
        String gang,
        long end,
        Cost promised,
        long processorTime,
        @Nullable Settled settled) {
    public LedgerEntry {
        processorTime = settled == null ? processorTime : settled.charge().processorTime();
    }

    /** A run of which the processor time is not known: it counts as none. */
    public LedgerEntry(Key key, String gang, long end, Cost promised, @Nullable Settled settled) {
        this(key, gang, end, promised, 0, settled);
    }

    /**
     * Which run.
     *
     * @param uid of the gang's Reservation
     * @param start the first second of the window, which says the period that pays; a record that was used for a second
     *     window has a run for each
     */
    public record Key(String uid, long start) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return start != other.start ? Long.compare(start, other.start) : uid.compareTo(other.uid);
        }
    }

    /**
     * The end of a run.
     *
     * @param charge what it was charged
     * @param endedAt when its last pod had ended, seconds since the epoch
     */
    public record Settled(Charge charge, long endedAt) {}

    /** The first second of the window. */
    public long start() {
        return key.start();
    }

    /** Whether the promised cost is still held. */
    public boolean isOpen() {
        return settled == null;
    }

    /** The same run, settled. */
    public LedgerEntry settled(Settled end) {
        return new LedgerEntry(key, gang, this.end, promised, processorTime, end);
    }
}
