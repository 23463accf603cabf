package io.slotwise.lab.simulation.processors;

import java.util.Arrays;

/**
 * How many processors are free from now on, a step function in arrays: piece {@code i} has {@code free[i]} on {@code
 * [starts[i], starts[i + 1])}, the last one for ever. Not safe for threads.
 *
 * <p>With b breakpoints {@link #take} and {@link #give} take O(b) - of which all but the touched pieces are one block
 * copy -, {@link #earliest} takes O(log b + pieces up to the answer's end).
 */
final class FreeProfile {
    private long[] starts = new long[16];
    private int[] free = new int[16];
    /** The first piece; those before it are forgotten. */
    private int first;
    /** One past the last piece. */
    private int end = 1;

    /** All processors free at all times. */
    FreeProfile(int processors) {
        starts[0] = Long.MIN_VALUE;
        free[0] = processors;
    }

    /** Drops what was before second {@code now}. O(pieces dropped). */
    void forgetBefore(long now) {
        while (first + 1 < end && starts[first + 1] <= now) {
            first++;
        }
    }

    /** Takes processors on {@code [from, to)}. */
    void take(long from, long to, int processors) {
        change(from, to, -processors);
    }

    /** Gives processors back on {@code [from, to)}. */
    void give(long from, long to, int processors) {
        change(from, to, processors);
    }

    /** The first second from {@code from} on with so many processors free for so many seconds. */
    long earliest(long from, int processors, long seconds) {
        return earliest(from, processors, seconds, Long.MAX_VALUE);
    }

    /**
     * The first second of {@code [from, known)} from which so many processors are free for so many seconds or until
     * {@code known}, from where on they are known to be; {@code known} itself if there is none.
     */
    long earliest(long from, int processors, long seconds, long known) {
        long begin = from;
        for (int i = pieceAt(from); i < end && starts[i] < known; i++) {
            if (free[i] < processors) {
                begin = i + 1 < end ? starts[i + 1] : Long.MAX_VALUE;
            } else if (i + 1 == end || starts[i + 1] - begin >= seconds) {
                return begin;
            }
        }
        return Math.min(begin, known);
    }

    private void change(long from, long to, int by) {
        makeRoom();
        int low = split(from);
        int high = split(to);
        for (int i = low; i < high; i++) {
            free[i] += by;
        }
        join(high);
        join(low);
    }

    private int pieceAt(long t) {
        int i = Arrays.binarySearch(starts, first, end, t);
        return i >= 0 ? i : Math.max(first, -i - 2);
    }

    /** Makes {@code t} a breakpoint and returns the piece that begins there. */
    private int split(long t) {
        int i = pieceAt(t);
        if (starts[i] >= t) {
            return i;
        }
        System.arraycopy(starts, i + 1, starts, i + 2, end - i - 1);
        System.arraycopy(free, i, free, i + 1, end - i);
        starts[i + 1] = t;
        end++;
        return i + 1;
    }

    /** Room for two more pieces. */
    private void makeRoom() {
        if (end + 2 <= starts.length) {
            return;
        }
        int size = end - first;
        int capacity = 2 * size <= starts.length ? starts.length : 2 * starts.length;
        starts = Arrays.copyOf(Arrays.copyOfRange(starts, first, end), capacity);
        free = Arrays.copyOf(Arrays.copyOfRange(free, first, end), capacity);
        first = 0;
        end = size;
    }

    /** Drops the breakpoint of piece {@code i} if nothing changes there. */
    private void join(int i) {
        if (i > first && i < end && free[i] == free[i - 1]) {
            System.arraycopy(starts, i + 1, starts, i, end - i - 1);
            System.arraycopy(free, i + 1, free, i, end - i - 1);
            end--;
        }
    }
}
