package io.slotwise.core.migration;

import io.slotwise.core.text.Keyed;
import java.util.List;

/**
 * The policy on moves of running gangs. All durations in seconds.
 *
 * @param limit the most moves of one gang within an hour, not negative
 * @param minRun the least time that a gang runs before it may be moved, not negative
 * @param overhead the overhead of a stop and a restart on the reference node, not negative
 */
public record MigrationPolicy(Reach reach, int limit, long minRun, long overhead) {
    /** No gang is moved. The other figures are the defaults of the policy file. */
    public static final MigrationPolicy NONE = new MigrationPolicy(Reach.NONE, 1, 300, 60);

    /** The seconds in which {@link #limit} moves of a gang are allowed. */
    public static final long HOUR = 3600;

    public MigrationPolicy {
        if (limit < 0 || minRun < 0 || overhead < 0) {
            throw new IllegalArgumentException(
                    "The limit (%d), the least run (%d s) and the overhead (%d s) of migration must not be negative."
                            .formatted(limit, minRun, overhead));
        }
    }

    /** The distance of allowed moves. */
    public enum Reach implements Keyed {
        NONE,
        /** Within the resource domains in which the gang runs. */
        LOCAL,
        /** To any node that the gang may use. */
        EXTERNAL
    }

    /**
     * Returns the first second in which a gang may be stopped, given its start and its earlier stops, ascending. {@link
     * Long#MAX_VALUE}: never.
     */
    public long mayStopFrom(long start, List<Long> stops) {
        if (limit == 0) {
            return Long.MAX_VALUE;
        }
        long first = start + minRun;
        return stops.size() < limit ? first : Math.max(first, stops.get(stops.size() - limit) + HOUR);
    }
}
