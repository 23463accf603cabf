package io.slotwise.core.time;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * A piecewise constant function of time with integer values, immutable: the price of a node, a rate, a free capacity.
 *
 * <p>Piece {@code i} has {@link #value(int)} on {@code [start(i), start(i + 1))}. The first piece reaches back to minus
 * infinity, the last one forward to plus infinity. Neighbouring pieces differ in value, so equal functions are equal
 * objects. With p pieces {@link #at} takes O(log p).
 */
public final class StepFunction {
    private final long[] starts;
    private final long[] values;
    private final int hash;

    private StepFunction(long[] starts, long[] values) {
        this.starts = starts;
        this.values = values;
        this.hash = 31 * Arrays.hashCode(starts) + Arrays.hashCode(values);
    }

    /** Returns the function that is {@code value} at all times. */
    public static StepFunction constant(long value) {
        return new StepFunction(new long[] {Long.MIN_VALUE}, new long[] {value});
    }

    /** Returns the sum of functions; O(P log P), P of their pieces together. Throws on overflow. */
    public static StepFunction sum(List<StepFunction> functions) {
        long first = 0;
        SortedMap<Long, Long> changes = new TreeMap<>();
        for (StepFunction function : functions) {
            first = Math.addExact(first, function.values[0]);
            for (int i = 1; i < function.values.length; i++) {
                changes.merge(
                        function.starts[i],
                        Math.subtractExact(function.values[i], function.values[i - 1]),
                        Math::addExact);
            }
        }
        Builder builder = startingAt(first);
        long value = first;
        for (Map.Entry<Long, Long> entry : changes.entrySet()) {
            value = Math.addExact(value, entry.getValue());
            builder.then(entry.getKey(), value);
        }
        return builder.build();
    }

    /** Returns the function that has {@code f} of both values in each second; O(p + q) for p and q pieces. */
    public static StepFunction combined(StepFunction first, StepFunction other, LongBinaryOperator f) {
        Builder builder = startingAt(f.applyAsLong(first.values[0], other.values[0]));
        int i = 0;
        int j = 0;
        while (i + 1 < first.values.length || j + 1 < other.values.length) {
            long next = Math.min(first.end(i), other.end(j));
            i += first.end(i) == next && i + 1 < first.values.length ? 1 : 0;
            j += other.end(j) == next && j + 1 < other.values.length ? 1 : 0;
            builder.then(next, f.applyAsLong(first.values[i], other.values[j]));
        }
        return builder.build();
    }

    /** Returns the mean of functions, at least one, rounded down at each second. Throws on overflow of their sum. */
    public static StepFunction mean(List<StepFunction> functions) {
        return sum(functions).map(value -> Math.floorDiv(value, (long) functions.size()));
    }

    /** Returns a builder whose function is {@code first} until the first breakpoint. */
    public static Builder startingAt(long first) {
        return new Builder(first);
    }

    /** Returns the number of pieces, at least one. */
    public int pieces() {
        return values.length;
    }

    /** Returns the second at which piece {@code i} begins; {@link Long#MIN_VALUE} for the first. */
    public long start(int i) {
        return starts[i];
    }

    /** Returns the first second after piece {@code i}; {@link Long#MAX_VALUE} for the last. */
    public long end(int i) {
        return i + 1 < starts.length ? starts[i + 1] : Long.MAX_VALUE;
    }

    public long value(int i) {
        return values[i];
    }

    /** Returns the index of the piece that holds second {@code t}; O(log p). */
    public int pieceAt(long t) {
        int i = Arrays.binarySearch(starts, t);
        return i >= 0 ? i : -i - 2;
    }

    /** Returns the value at second {@code t}; O(log p). */
    public long at(long t) {
        return values[pieceAt(t)];
    }

    public boolean isConstant() {
        return values.length == 1;
    }

    /** Returns the sum over the seconds of {@code [from, to)}; O(log p + pieces inside). Throws on overflow. */
    public long sum(long from, long to) {
        if (values.length == 1) {
            return from < to ? Math.multiplyExact(values[0], to - from) : 0;
        }
        long total = 0;
        long t = from;
        for (int i = pieceAt(from); t < to; i++) {
            long stop = Math.min(to, end(i));
            total = Math.addExact(total, Math.multiplyExact(values[i], stop - t));
            t = stop;
        }
        return total;
    }

    /** Returns the largest value on {@code [from, to)}. */
    public long max(long from, long to) {
        long largest = Long.MIN_VALUE;
        for (int i = pieceAt(from); i < values.length && starts[i] < to; i++) {
            largest = Math.max(largest, values[i]);
        }
        return largest;
    }

    public long min() {
        long least = values[0];
        for (long value : values) {
            least = Math.min(least, value);
        }
        return least;
    }

    /** Returns the function with {@code f} applied to every value. */
    public StepFunction map(LongUnaryOperator f) {
        Builder builder = startingAt(f.applyAsLong(values[0]));
        for (int i = 1; i < values.length; i++) {
            builder.then(starts[i], f.applyAsLong(values[i]));
        }
        return builder.build();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StepFunction function
                && hash == function.hash
                && Arrays.equals(starts, function.starts)
                && Arrays.equals(values, function.values);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            parts.add(i == 0 ? "" + values[i] : values[i] + " from " + starts[i]);
        }
        return String.join(", ", parts);
    }

    /** Collects breakpoints in ascending order. A breakpoint that changes nothing is dropped. */
    public static final class Builder {
        private long[] starts = new long[8];
        private long[] values = new long[8];
        private int size;

        private Builder(long first) {
            starts[0] = Long.MIN_VALUE;
            values[0] = first;
            size = 1;
        }

        /** Sets the value from second {@code start} on, not before the last one given. */
        public Builder then(long start, long value) {
            if (start < starts[size - 1]) {
                throw new IllegalArgumentException("The breakpoint (%d) must not lie before the last one (%d)."
                        .formatted(start, starts[size - 1]));
            }
            if (start == starts[size - 1]) {
                values[size - 1] = value;
                if (size > 1 && values[size - 2] == value) {
                    size--;
                }
                return this;
            }
            if (values[size - 1] == value) {
                return this;
            }
            if (size == starts.length) {
                starts = Arrays.copyOf(starts, size * 2);
                values = Arrays.copyOf(values, size * 2);
            }
            starts[size] = start;
            values[size] = value;
            size++;
            return this;
        }

        public StepFunction build() {
            return new StepFunction(Arrays.copyOf(starts, size), Arrays.copyOf(values, size));
        }
    }
}
