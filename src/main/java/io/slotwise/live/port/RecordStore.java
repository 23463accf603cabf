package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.GangRecord;

/** Port: where standings are kept. Calls come from several threads at once, never two for one gang. */
public interface RecordStore {
    /**
     * Writes what changed.
     *
     * @param before what it was, with the version that the write depends on
     * @param after what it becomes
     */
    Outcome write(GangRecord before, GangRecord after);

    /** Deletes the record of a gang that is gone. */
    Outcome delete(GangRecord record);

    /**
     * Finds out what became of writes that were not answered, or that another one came before: until that is known the
     * records may say something else than the standings do.
     *
     * @return whether all of it is known now
     */
    boolean catchUp();

    /** The same for the record of one gang alone, which is read anew. */
    default boolean catchUp(GangId gang) {
        return catchUp();
    }

    /** The same for writes by the right of this epoch alone; others go by the one that holds when they are made. */
    default RecordStore under(long epoch) {
        return this;
    }

    /** What became of a write. */
    sealed interface Outcome {
        /** It is durable; {@code record} has the new version. */
        record Written(GangRecord record) implements Outcome {}

        /** Another write came first; nothing is changed. */
        record Conflict() implements Outcome {}

        /**
         * The server refuses, and will until a person changes something; what was not written before it is not.
         *
         * @param message what it says
         */
        record Refused(String message) implements Outcome {}

        /** The server cannot be reached, or has an error. */
        record Failed(String message) implements Outcome {}
    }
}
