package io.slotwise.it.load;

import java.util.Map;
import java.util.TreeMap;

/** The origin of Slotwise's policy. */
enum PolicyValues {
    /** The chart's values. */
    CHART,
    /** The chart's values without turnover, and with shorter waits between cycles. */
    EAGER;

    /** Returns the chart's values. Those in {@code more} take precedence. */
    Map<String, String> with(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>();
        if (this == EAGER) {
            all.put("policy.running.turnover", "0s");
            all.put("policy.planner.cycle", "5s");
        }
        all.putAll(more);
        return all;
    }
}
