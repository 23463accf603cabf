package io.slotwise.it.load;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.slotwise.it.Account;
import io.slotwise.it.ControlPlane;
import io.slotwise.it.ExtenderPort;
import io.slotwise.it.Installation;
import io.slotwise.it.KubeScheduler;
import io.slotwise.it.RunningProgram;
import io.slotwise.it.SlotwiseProcess;
import io.slotwise.it.Workload;
import io.slotwise.testing.Loopback;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The programs of a scheduler in one control plane, without a limit on their calls. */
final class Programs {
    /** kube-scheduler's limit of calls per second, which it cannot reach. */
    static final int QPS = 10_000;

    private static final String ALONE = "kube-scheduler";
    private static final List<String> USERS =
            List.of("system:serviceaccount:" + ALONE + ":", "system:serviceaccount:" + Installation.RELEASE + ":");
    private static final int GATE_SECONDS = 5;
    private static final int CALM_SECONDS = 30;

    private final Contender contender;
    private final ControlPlane plane;
    private final Map<String, String> values;
    private final List<RunningProgram> running = new ArrayList<>();
    private @Nullable Installation chart;
    private @Nullable SlotwiseProcess slotwise;

    /** Creates programs that do not run yet. {@code values} are further values of the chart. */
    Programs(Contender contender, ControlPlane plane, Map<String, String> values) {
        this.contender = contender;
        this.plane = plane;
        Map<String, String> all = new TreeMap<>(Map.of(
                "kubeScheduler.qps",
                "" + QPS,
                "kubeScheduler.burst",
                "" + 2 * QPS,
                // A program that is suspended while pods are created remains the leader.
                "leaderElection.leaseDuration",
                "120s",
                "leaderElection.renewDeadline",
                "110s"));
        all.putAll(values);
        all.putAll(contender.chartValues());
        this.values = Map.copyOf(all);
    }

    /** Returns whether a user of the API server is a measured scheduler. */
    static boolean isOfContender(String user) {
        return USERS.stream().anyMatch(user::startsWith);
    }

    /** Installs what must exist before pods are made. */
    void install() {
        if (!contender.isKubeScheduler()) {
            chart = Installation.install(plane, values);
            awaitAdmission();
        } else {
            grant();
        }
    }

    /**
     * Waits until the admission policies are in force, which takes half a second. A policy that gates this pod shows
     * it; others get five seconds.
     */
    private void awaitAdmission() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GATE_SECONDS);
        while (System.nanoTime() < end) {
            var probe = plane.client()
                    .resource(Workload.pod("default", "probe", "slotwise", 100, 64))
                    .dryRun()
                    .create();
            if (!probe.getSpec().getSchedulingGates().isEmpty()) {
                return;
            }
            pause(100);
        }
    }

    /** Creates a service account with the rights of Kubernetes' own kube-scheduler. */
    private void grant() {
        KubernetesClient client = plane.client();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(ALONE)
                        .endMetadata()
                        .build())
                .create();
        Account.create(plane, ALONE, ALONE)
                .mayEverywhere("system:kube-scheduler")
                .mayEverywhere("system:volume-scheduler");
    }

    /** Starts the programs without waiting. */
    void start() {
        Installation installed = chart;
        if (installed == null) {
            KubeScheduler.startWith(plane, "kube-scheduler", configuration());
            running.add(plane.running("kube-scheduler"));
            return;
        }
        if (!contender.isSlotwise()) {
            startLimit(installed);
            return;
        }
        SlotwiseProcess process = installed.startSlotwiseWithoutWaiting();
        slotwise = process;
        running.add(plane.running("slotwise-1"));
        if (!"false".equals(values.get("kubeScheduler.enabled"))) {
            installed.startScheduler(process.extender());
            running.add(plane.running("kube-scheduler"));
        }
    }

    /** Starts the program of the limit, and the chart's kube-scheduler if the limit needs it. */
    private void startLimit(Installation installed) {
        boolean direct = !contender.isThroughKubeScheduler();
        int port = Loopback.freePort();
        List<String> command = new ArrayList<>(SlotwiseProcess.java());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(
                direct
                        ? List.of(BareCalls.class.getName())
                        : List.of(BareExtender.class.getName(), Integer.toString(port)));
        running.add(plane.run(
                contender.key(),
                command,
                Map.of("KUBECONFIG", installed.kubeconfig(plane.url()).toString())));
        if (!direct) {
            installed.startScheduler(new ExtenderPort("http://127.0.0.1:" + port, null));
            running.add(plane.running("kube-scheduler"));
        }
    }

    /** kube-scheduler's default configuration, for the pods' scheduler name. */
    private Path configuration() {
        return plane.write("kube-scheduler-alone.yaml", """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                leaderElection: {leaderElect: false}
                clientConnection: {kubeconfig: "%s", qps: %d, burst: %d}
                profiles:
                - schedulerName: slotwise
                """.formatted(
                        plane.kubeconfig(ALONE, plane.serviceAccountToken(ALONE, ALONE), plane.url()), QPS, 2 * QPS));
    }

    /**
     * Waits until the programs are ready and idle: less than a tenth of a processor for two seconds, half a minute at
     * most.
     */
    void awaitCalm() {
        if (slotwise != null) {
            slotwise.awaitReady();
        }
        for (int waited = 0; waited < CALM_SECONDS; waited += 2) {
            Duration before = processorTime();
            pause(2000);
            if (processorTime().minus(before).toMillis() < 200) {
                return;
            }
        }
    }

    /** Suspends the programs (SIGSTOP) until {@link #resume}. */
    void suspend() {
        running.forEach(program -> program.signal("STOP"));
    }

    void resume() {
        running.forEach(program -> program.signal("CONT"));
    }

    /** The sum of the programs' processor times. */
    Duration processorTime() {
        return running.stream().map(RunningProgram::processorTime).reduce(Duration.ZERO, Duration::plus);
    }

    /** Slotwise's own metrics, or null without Slotwise. */
    @Nullable
    Inside inside() {
        return slotwise == null ? null : Inside.of(slotwise);
    }

    /** Fails if one of the programs has ended. */
    void requireRunning() {
        running.forEach(RunningProgram::requireRunning);
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
