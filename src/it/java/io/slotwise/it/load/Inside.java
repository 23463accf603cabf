package io.slotwise.it.load;

import io.slotwise.it.SlotwiseProcess;
import java.util.TreeMap;

/**
 * Slotwise's own metrics at the end of a trial.
 *
 * @param filter the 99 % quantile of {@code slotwise_extender_seconds} for filter, as its bucket's upper bound, seconds
 * @param prioritize the same for prioritize
 * @param longestCycle of the last minutes, seconds
 * @param heap used bytes, including garbage
 */
record Inside(double filter, double prioritize, double longestCycle, long heap) {
    private static final String EXTENDER = "slotwise_extender_seconds_bucket{";

    static Inside of(SlotwiseProcess slotwise) {
        String metrics = slotwise.get("/metrics");
        return new Inside(
                percentile(metrics, "filter"),
                percentile(metrics, "prioritize"),
                slotwise.metric("slotwise_cycle_seconds_max"),
                (long) metrics.lines()
                        .filter(line -> line.startsWith("jvm_memory_used_bytes{") && line.contains("\"heap\""))
                        .mapToDouble(Inside::value)
                        .sum());
    }

    private static double percentile(String metrics, String verb) {
        TreeMap<Double, Double> counts = new TreeMap<>();
        metrics.lines()
                .filter(line -> line.startsWith(EXTENDER) && line.contains("verb=\"" + verb + "\""))
                .forEach(line -> counts.put(bound(line), value(line)));
        if (counts.isEmpty()) {
            return 0;
        }
        double most = 0.99 * counts.lastEntry().getValue();
        return counts.entrySet().stream()
                .filter(bucket -> bucket.getValue() >= most)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    private static double bound(String line) {
        int from = line.indexOf("le=\"") + 4;
        String bound = line.substring(from, line.indexOf('"', from));
        return bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound);
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }
}
