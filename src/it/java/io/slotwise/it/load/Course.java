package io.slotwise.it.load;

import io.slotwise.it.load.Load.Shape;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a load is given to a contender.
 *
 * @param values of the chart, by their names
 * @param creation when the pods are made
 * @param warmUp gangs of a few seconds that run before and are removed again; null: none, the programs have just begun
 * @param patience after which it is over, whatever has been bound
 */
record Course(
        Map<String, String> values,
        Creation creation,
        @Nullable Shape warmUp,
        Duration patience) {
    Course {
        values = Map.copyOf(values);
    }

    /** Everything is created first, then the programs are started. */
    static Course cold(Map<String, String> values, Duration patience) {
        return new Course(values, Creation.FIRST, null, patience);
    }

    /** Whether the programs run before the measuring begins. */
    boolean runsBefore() {
        return creation == Creation.LIVE || warmUp != null;
    }
}
