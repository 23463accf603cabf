package io.slotwise.report;

/**
 * The columns of a Gantt picture: each stands for the same number of seconds.
 *
 * @param now the second at which the first column begins, since the epoch
 * @param step seconds in a column, positive
 * @param columns how many there are, positive
 */
record TimeAxis(long now, long step, int columns) {
    private static final long[] STEPS = {
        1, 2, 3, 5, 10, 15, 20, 30, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200,
        10_800, 14_400, 21_600, 28_800, 43_200, 86_400
    };
    /** A label and the blank after it. */
    private static final int LEAST_TICK = 10;

    /** The finest axis of at most {@code widest} columns that reaches from {@code now} to {@code end}. */
    static TimeAxis of(long now, long end, int widest) {
        long span = Math.max(1, end - now);
        long step = Math.ceilDiv(span, widest);
        for (long candidate : STEPS) {
            if (candidate >= step) {
                step = candidate;
                break;
            }
        }
        return new TimeAxis(now, step, (int) Math.ceilDiv(span, step));
    }

    /** The column whose left edge is nearest to a second; outside the picture it is the nearest edge. */
    int edge(long second) {
        return Math.clamp((second - now + step / 2) / step, 0, columns);
    }

    /** The second in the middle of a column. */
    long middle(int column) {
        return now + column * step + step / 2;
    }

    /** Columns from one tick to the next: round figures, far enough apart for their labels. */
    int tick() {
        for (long candidate : STEPS) {
            if (candidate % step == 0 && candidate / step >= LEAST_TICK) {
                return (int) (candidate / step);
            }
        }
        return LEAST_TICK;
    }
}
