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
    /** Strict, on the log's own machine. */
    public static final LogOptions STRICT = new LogOptions(false, OptionalInt.empty());

    /** Lenient, on the log's own machine. */
    public static final LogOptions LENIENT = new LogOptions(true, OptionalInt.empty());

    public LogOptions {
        if (processors.isPresent() && processors.getAsInt() <= 0) {
            throw new IllegalArgumentException(
                    "The number of processors (%d) must be positive.".formatted(processors.getAsInt()));
        }
    }

    /** Where no job waits for another one. */
    public LogOptions(boolean lenient, OptionalInt processors) {
        this(lenient, processors, false);
    }

    /** The same where jobs wait for the end of those that precede them. */
    public LogOptions withPreceding() {
        return new LogOptions(lenient, processors, true);
    }

    /** The same for a machine of this size. */
    public LogOptions on(int machine) {
        return new LogOptions(lenient, OptionalInt.of(machine), preceding);
    }
}
