package io.slotwise.core.migration;

import io.slotwise.core.text.Keyed;
import java.util.List;

/**
 * Which gangs the policy allows to be moved while they run. All durations in seconds.
 *
 * @param limit the most moves of one gang within an hour, not negative
 * @param minRun the least time that a gang runs before it may be moved, not negative
 * @param overhead what a stop and a restart cost a gang on the reference node, not negative
 */
public record MigrationPolicy(Reach reach, int limit, long minRun, long overhead) {
    /** No gang is moved; the other figures are the defaults of the policy file. */
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

    /** How far a gang may be moved. */
    public enum Reach implements Keyed {
        NONE,
        /** Within the resource domains in which it runs. */
        LOCAL,
        /** To any node that it may use. */
        EXTERNAL
    }

    /**
     * The first second in which a gang may be stopped that started in second {@code start} and was stopped before in
     * the seconds of {@code stops}, ascending; {@link Long#MAX_VALUE}: none.
     */
    public long mayStopFrom(long start, List<Long> stops) {
        if (limit == 0) {
            return Long.MAX_VALUE;
        }
        long first = start + minRun;
        return stops.size() < limit ? first : Math.max(first, stops.get(stops.size() - limit) + HOUR);
    }
}
