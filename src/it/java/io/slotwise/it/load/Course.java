package io.slotwise.it.load;

import io.slotwise.it.load.Load.Shape;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The course of a trial.
 *
 * @param values of the chart, by their names
 * @param creation when the pods are created
 * @param warmUp gangs of a few seconds that run before and are removed again, or null if the programs have just started
 * @param patience the end of the trial, whatever has been bound
 */
record Course(
        Map<String, String> values,
        Creation creation,
        @Nullable Shape warmUp,
        Duration patience) {
    Course {
        values = Map.copyOf(values);
    }

    /** Everything is created before the programs are started. */
    static Course cold(Map<String, String> values, Duration patience) {
        return new Course(values, Creation.FIRST, null, patience);
    }

    /** Returns whether the programs run before the measurement. */
    boolean runsBefore() {
        return creation == Creation.LIVE || warmUp != null;
    }
}
