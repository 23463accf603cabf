package io.slotwise.it.load;

import java.util.Map;

/** Who places the pods. */
enum Contender {
    /** Slotwise as its chart installs it. */
    SLOTWISE("slotwise"),
    /** Slotwise with every pod sent through kube-scheduler. */
    EXTENDER("slotwise-extender"),
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
        return this != KUBE_SCHEDULER;
    }
}
