package io.slotwise.lab.workload;

import java.util.OptionalInt;

/**
 * The options for reading a log.
 *
 * @param lenient whether malformed lines are skipped and counted; otherwise the first one is an error
 * @param processors the processors of the machine; empty to use the log's number
 * @param preceding whether jobs wait for the end of the jobs that precede them in the log
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
