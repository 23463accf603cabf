package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.GangRecord;

/** Port: stores records. Called by several threads, but never by two for the same gang. */
public interface RecordStore {
    /** Writes a changed record; {@code before} has the version that is expected. */
    Outcome write(GangRecord before, GangRecord after);

    /** Deletes the record of a gang that is gone. */
    Outcome delete(GangRecord record);

    /**
     * Finds out the outcome of writes that were not answered or met a conflict. Until then the stored records may
     * differ from the known ones.
     *
     * @return whether all outcomes are known now
     */
    boolean catchUp();

    /** Reads the record of one gang again. Returns whether it is known now. */
    default boolean catchUp(GangId gang) {
        return catchUp();
    }

    /** Returns the same store for writes that are valid in this epoch only. Other writes use the current epoch. */
    default RecordStore under(long epoch) {
        return this;
    }

    /** The outcome of a write. */
    sealed interface Outcome {
        /** Durable; {@code record} has the new version. */
        record Written(GangRecord record) implements Outcome {}

        /** Another write came first; nothing changed. */
        record Conflict() implements Outcome {}

        /** Refused until a user changes something; anything not written before stays unwritten. */
        record Refused(String message) implements Outcome {}

        /** The server was unavailable or had an error. */
        record Failed(String message) implements Outcome {}
    }
}
