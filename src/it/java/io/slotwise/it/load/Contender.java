package io.slotwise.it.load;

import io.slotwise.it.ControlPlane;
import io.slotwise.it.Installation;
import io.slotwise.it.SlotwiseProcess;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who places the pods. Each has the chart's kube-scheduler with the same limits of calls. */
enum Contender {
    /** Slotwise as its chart installs it. */
    SLOTWISE("slotwise", true),
    /** The same kube-scheduler without an extender and without gates: it knows no gangs. */
    KUBE_SCHEDULER("kube-scheduler", false);

    private final String key;
    private final boolean gated;

    Contender(String key, boolean gated) {
        this.key = key;
        this.gated = gated;
    }

    /** Its name on the command line. */
    String key() {
        return key;
    }

    /** Installs what must be there before pods are made; {@code values} are more of the chart's, or others. */
    Installation install(ControlPlane plane, Map<String, String> values) {
        Map<String, String> all = new TreeMap<>(Map.of(
                "kubeScheduler.qps", "1000",
                "kubeScheduler.burst", "2000",
                "policy.turnover", "0s",
                "policy.cycle", "5s",
                "admission.gate.enabled", Boolean.toString(gated)));
        all.putAll(values);
        Installation chart = Installation.install(plane, all);
        if (gated) {
            chart.awaitGate();
        }
        return chart;
    }

    /** Starts the programs; returns Slotwise, where it is one of them, before it is ready. */
    @Nullable
    SlotwiseProcess start(Installation chart) {
        if (!gated) {
            var _ = chart.startSchedulerAlone();
            return null;
        }
        SlotwiseProcess slotwise = chart.startSlotwiseWithoutWaiting();
        var _ = chart.startScheduler(slotwise.url());
        return slotwise;
    }
}
