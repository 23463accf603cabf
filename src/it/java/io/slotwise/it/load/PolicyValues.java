package io.slotwise.it.load;

import java.util.Map;
import java.util.TreeMap;

/** Where the policy of Slotwise comes from. */
enum PolicyValues {
    /** What the chart has. */
    CHART,
    /** The same with no time kept free between two pods, and shorter waits between cycles. */
    EAGER;

    /** Its values of the chart; {@code more} are added, or stand in their place. */
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
