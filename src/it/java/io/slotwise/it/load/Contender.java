package io.slotwise.it.load;

import java.util.Map;

/** Who places the pods. */
enum Contender {
    /** Slotwise as its chart installs it. */
    SLOTWISE("slotwise"),
    /** Slotwise with every pod sent through kube-scheduler. */
    EXTENDER("slotwise-extender"),
    /** The limit: only the calls that gangs with durable records cost, see {@link BareCalls}. */
    BARE_CALLS("bare-calls"),
    /** The same kube-scheduler in a cluster without Slotwise: it knows no gangs. */
    KUBE_SCHEDULER("kube-scheduler");

    private final String key;

    Contender(String key) {
        this.key = key;
    }

    /** Its name on the command line. */
    String key() {
        return key;
    }

    /** The values of the chart that make it what it is. */
    Map<String, String> chartValues() {
        return this == EXTENDER ? Map.of("start", "extender") : Map.of();
    }

    boolean isSlotwise() {
        return this == SLOTWISE || this == EXTENDER;
    }

    /** Whether it works in a cluster in which Slotwise's chart is installed. */
    boolean needsChart() {
        return this != KUBE_SCHEDULER;
    }
}
