package io.slotwise.lab.workload;

import java.util.OptionalInt;

/**
 * How a log is read.
 *
 * @param lenient lines that cannot be understood are skipped and counted; otherwise the first of them ends the reading
 * @param processors of the machine, whatever the log itself says; empty: as it says
 * @param preceding whether jobs wait for the end of those that the log says precede them
 */
public record LogOptions(boolean lenient, OptionalInt processors, boolean preceding) {
    public static final LogOptions STRICT = new LogOptions(false, OptionalInt.empty(), false);

    public LogOptions {
        if (processors.isPresent() && processors.getAsInt() <= 0) {
            throw new IllegalArgumentException(
                    "The number of processors (%d) must be positive.".formatted(processors.getAsInt()));
        }
    }
}
