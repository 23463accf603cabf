package io.slotwise.kubernetes.manifest.field;

import io.slotwise.core.cluster.Performance;

/** Parses the performance of a node. */
public final class PerformanceText {
    private static final Performance FASTEST = new Performance(1_000_000L * 1_000_000);

    private PerformanceText() {}

    /** Parses a performance that runtimes can be multiplied by without overflow. */
    public static Performance parse(String text) {
        Performance performance = Performance.parse(text);
        if (performance.millionths() > FASTEST.millionths()) {
            throw new IllegalArgumentException("expected at most 1000000");
        }
        return performance;
    }
}
