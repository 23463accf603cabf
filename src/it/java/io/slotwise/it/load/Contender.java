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
    /** The limit of the way through kube-scheduler, see {@link BareExtender}. */
    BARE_EXTENDER("bare-extender"),
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
        return isThroughKubeScheduler() ? Map.of("start", "extender") : Map.of();
    }

    boolean isSlotwise() {
        return this == SLOTWISE || this == EXTENDER;
    }

    /** Whether all pods get a gate and go through the chart's kube-scheduler. */
    boolean isThroughKubeScheduler() {
        return this == EXTENDER || this == BARE_EXTENDER;
    }

    /** Whether it works in a cluster in which Slotwise's chart is installed. */
    boolean needsChart() {
        return this != KUBE_SCHEDULER;
    }
}
