package io.slotwise.core.provision;

import java.util.List;
import java.util.stream.Stream;

/**
 * The delays of the last nodes of an offer from purchase to start, and the expected delay of the next. A node that was
 * given up before it was ready counts with twice its waiting time. Without it only quick nodes would be recorded, and
 * each failure would make the next one likelier.
 *
 * @param seen seconds, oldest first, at most {@link #MOST} of them, each positive and at most {@link #LONGEST}
 */
public record StartDelays(List<Integer> seen) {
    /** The number of recorded delays. */
    public static final int MOST = 20;

    /** The number of delays from which on they may be shorter than the stated delay. */
    public static final int ENOUGH = 10;

    /** The longest recorded delay, seconds. */
    public static final int LONGEST = 3600;

    public static final StartDelays NONE = new StartDelays(List.of());

    /** The inverse of the part of nodes that may be later. */
    private static final int PARTS = 10;

    private static final int PUNCTUAL_PARTS = 9;

    public StartDelays {
        seen = List.copyOf(seen);
        if (seen.size() > MOST || seen.stream().anyMatch(one -> one < 1 || one > LONGEST)) {
            throw new IllegalArgumentException("The start delays (%s) must be at most %d, each between 1 and %d s."
                    .formatted(seen, MOST, LONGEST));
        }
    }

    /** Returns the delays with one more. The oldest is dropped if there are too many. */
    public StartDelays with(long seconds) {
        int one = Math.clamp(seconds, 1, LONGEST);
        return new StartDelays(Stream.concat(seen.stream().skip(Math.max(0, seen.size() + 1 - MOST)), Stream.of(one))
                .toList());
    }

    /** Returns the delays with a node that was given up after {@code waited} seconds without being ready. */
    public StartDelays without(long waited) {
        return with(2 * Math.min(waited, LONGEST));
    }

    /**
     * Returns the expected delay of the next node, seconds. It is the delay of rank {@code ceil(0.9 n)} among n
     * recorded ones, so the longest of less than ten. With less than ten it is no less than stated.
     *
     * @param stated by the offer, seconds
     */
    public long expected(long stated) {
        if (seen.isEmpty()) {
            return stated;
        }
        int rank = Math.ceilDiv(PUNCTUAL_PARTS * seen.size(), PARTS);
        long quantile = seen.stream().sorted().skip(rank - 1L).findFirst().orElseThrow();
        return seen.size() < ENOUGH ? Math.max(stated, quantile) : quantile;
    }
}
