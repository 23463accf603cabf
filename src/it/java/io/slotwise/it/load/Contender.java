package io.slotwise.it.load;

import io.slotwise.it.RealControlPlane;
import java.util.List;
import java.util.Map;

/** The schedulers that are compared. */
enum Contender {
    /** Slotwise as its chart installs it. */
    SLOTWISE("slotwise"),
    /** Slotwise with every pod through kube-scheduler. */
    EXTENDER("slotwise-extender"),
    /** The limit of direct starts, see {@link BareCalls}. */
    BARE_CALLS("bare-calls"),
    /** The limit of starts through kube-scheduler, see {@link BareExtender}. */
    BARE_EXTENDER("bare-extender"),
    /** The same kube-scheduler in a cluster without Slotwise, which knows no gangs. */
    KUBE_SCHEDULER("kube-scheduler"),
    /** The same with Kubernetes' own gang scheduling: a PodGroup for each gang. */
    KUBE_SCHEDULER_GANGS("kube-scheduler-gangs");

    private final String key;

    Contender(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    /** The chart's values for this scheduler. */
    Map<String, String> chartValues() {
        return isThroughKubeScheduler() ? Map.of("start", "extender") : Map.of();
    }

    boolean isSlotwise() {
        return this == SLOTWISE || this == EXTENDER;
    }

    /** Returns whether all pods get a gate and go through the chart's kube-scheduler. */
    boolean isThroughKubeScheduler() {
        return this == EXTENDER || this == BARE_EXTENDER;
    }

    /** Returns whether kube-scheduler runs without Slotwise, so that others are compared with it. */
    boolean isKubeScheduler() {
        return this == KUBE_SCHEDULER || this == KUBE_SCHEDULER_GANGS;
    }

    /** The feature gates of Kubernetes that this scheduler needs. */
    List<String> featureGates() {
        return this == KUBE_SCHEDULER_GANGS ? List.of(RealControlPlane.POD_GROUPS) : List.of();
    }
}
