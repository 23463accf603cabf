package io.slotwise.core.provision;

import java.util.List;
import java.util.stream.Stream;

/**
 * How long the last nodes of an offer took from their purchase until pods could start, and what the next one is
 * expected to take. A node that was given up before it was ready counts with twice the time that it was waited for:
 * left out, only quick nodes would be remembered, and each failure would make the next one likelier.
 *
 * @param seen seconds, oldest first, at most {@link #MOST} of them, each positive and at most {@link #LONGEST}
 */
public record StartDelays(List<Integer> seen) {
    /** So many are remembered. */
    public static final int MOST = 20;

    /** From so many on they are believed where they are shorter than what is stated. */
    public static final int ENOUGH = 10;

    /** None is remembered as longer, seconds. */
    public static final int LONGEST = 3600;

    public static final StartDelays NONE = new StartDelays(List.of());

    /** Of ten nodes one may be later. */
    private static final int PARTS = 10;

    private static final int PUNCTUAL_PARTS = 9;

    public StartDelays {
        seen = List.copyOf(seen);
        if (seen.size() > MOST || seen.stream().anyMatch(one -> one < 1 || one > LONGEST)) {
            throw new IllegalArgumentException("The start delays (%s) must be at most %d, each between 1 and %d s."
                    .formatted(seen, MOST, LONGEST));
        }
    }

    /** With one more; the oldest is forgotten where there are too many. */
    public StartDelays with(long seconds) {
        int one = Math.clamp(seconds, 1, LONGEST);
        return new StartDelays(Stream.concat(seen.stream().skip(Math.max(0, seen.size() + 1 - MOST)), Stream.of(one))
                .toList());
    }

    /** The same for a node that was given up after so many seconds, and was not ready. */
    public StartDelays without(long waited) {
        return with(2 * Math.min(waited, LONGEST));
    }

    /**
     * What the next node is expected to take, seconds: with n of them seen the one of rank {@code ceil(0.9 n)} by
     * length, which is the longest for less than ten. Until ten were seen it is no less than what is stated.
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
