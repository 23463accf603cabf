package io.slotwise.kubernetes.manifest.field;

import io.slotwise.core.cluster.Performance;

/** The performance of a node as people write it. */
public final class PerformanceText {
    private static final Performance FASTEST = new Performance(1_000_000L * 1_000_000);

    private PerformanceText() {}

    /** A speed that runtimes can be multiplied by. */
    public static Performance parse(String text) {
        Performance performance = Performance.parse(text);
        if (performance.millionths() > FASTEST.millionths()) {
            throw new IllegalArgumentException("expected at most 1000000");
        }
        return performance;
    }
}
