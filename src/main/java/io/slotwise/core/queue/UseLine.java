package io.slotwise.core.queue;

import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import java.util.Arrays;
import java.util.List;

/**
 * An amount over time that changes: a step function that is 0 at first. Neighbouring pieces differ. With b pieces a
 * change takes O(b), and finding a second O(log b). Not thread-safe.
 */
final class UseLine {
    private long[] starts = {Long.MIN_VALUE, 0, 0, 0};
    private long[] values = new long[4];
    private int size = 1;

    /** No value is greater. */
    private long most;

    int pieces() {
        return size;
    }

    long end(int piece) {
        return piece + 1 < size ? starts[piece + 1] : Long.MAX_VALUE;
    }

    long value(int piece) {
        return values[piece];
    }

    int pieceAt(long second) {
        int i = Arrays.binarySearch(starts, 0, size, second);
        return i >= 0 ? i : -i - 2;
    }

    /** Adds an amount, which may be negative, on {@code [from, to)}. */
    void add(long from, long to, long amount) {
        int first = split(from);
        int end = split(to);
        for (int i = first; i < end; i++) {
            values[i] += amount;
            most = Math.max(most, values[i]);
        }
        join(end);
        join(first);
    }

    /** Adds the seconds of {@code [from, to)} in which the amount exceeds a bound. O(log b) if none ever did. */
    void addExcess(long bound, long from, long to, List<Interval> seconds) {
        for (int i = pieceAt(from); most > bound && i < size && Math.max(from, starts[i]) < to; i++) {
            if (values[i] > bound) {
                seconds.add(new Interval(Math.max(from, starts[i]), Math.min(to, end(i))));
            }
        }
    }

    /** Returns the piece that begins at a second. */
    private int split(long second) {
        int i = pieceAt(second);
        if (starts[i] == second) {
            return i;
        }
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
        }
        System.arraycopy(starts, i + 1, starts, i + 2, size - i - 1);
        System.arraycopy(values, i + 1, values, i + 2, size - i - 1);
        starts[i + 1] = second;
        values[i + 1] = values[i];
        size++;
        return i + 1;
    }

    /** Joins a piece with the one before it if they are equal. */
    private void join(int i) {
        if (i > 0 && i < size && values[i] == values[i - 1]) {
            System.arraycopy(starts, i + 1, starts, i, size - i - 1);
            System.arraycopy(values, i + 1, values, i, size - i - 1);
            size--;
        }
    }

    StepFunction function() {
        StepFunction.Builder builder = StepFunction.startingAt(values[0]);
        for (int i = 1; i < size; i++) {
            builder.then(starts[i], values[i]);
        }
        return builder.build();
    }
}
