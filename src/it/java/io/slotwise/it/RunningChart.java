package io.slotwise.it;

import java.util.List;
import java.util.Map;

/** The containers of a pod of the chart as processes: Slotwise and its kube-scheduler. */
final class RunningChart implements AutoCloseable {
    private final SlotwiseProcess slotwise;
    private final KubeScheduler scheduler;

    private RunningChart(SlotwiseProcess slotwise, KubeScheduler scheduler) {
        this.slotwise = slotwise;
        this.scheduler = scheduler;
    }

    /** Installs the chart with {@code values} and starts its only replica. */
    static RunningChart install(ControlPlane plane, Map<String, String> values) {
        return install(plane, values, List.of());
    }

    static RunningChart install(ControlPlane plane, Map<String, String> values, List<String> javaOptions) {
        Installation chart = Installation.install(plane, values);
        SlotwiseProcess slotwise = chart.slotwise(plane.url(), Map.of(), javaOptions);
        slotwise.start();
        return new RunningChart(slotwise, chart.startScheduler(slotwise.extender()));
    }

    /** Starts one of several replicas. {@code name} is part of the names of its logs. */
    static RunningChart replica(Installation chart, String name) {
        SlotwiseProcess slotwise = chart.startSlotwise();
        return new RunningChart(slotwise, chart.startElectedScheduler("kube-scheduler-" + name, slotwise.extender()));
    }

    SlotwiseProcess slotwise() {
        return slotwise;
    }

    void awaitLeading() {
        Scenario.within("the replica to lead", 40).until(() -> slotwise.metric("slotwise_leader") == 1);
    }

    /** Kills both with SIGKILL, as the loss of their node would. */
    void crash() {
        slotwise.kill();
        scheduler.kill();
    }

    /** Ends both as the kubelet ends a pod. */
    @Override
    public void close() {
        scheduler.close();
        slotwise.close();
    }
}
