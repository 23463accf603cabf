package io.slotwise.it;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A real kube-scheduler with one profile, which can be killed and started again with the same configuration. */
public final class KubeScheduler implements AutoCloseable {
    private final ControlPlane plane;
    private final String program;
    private final Path configuration;
    private @Nullable RunningProgram running;

    private KubeScheduler(ControlPlane plane, String program, Path configuration) {
        this.plane = plane;
        this.program = program;
        this.configuration = configuration;
    }

    /**
     * An extender in a profile.
     *
     * @param url the prefix of its verbs
     * @param verbs the supported ones of {@code filter}, {@code prioritize}, {@code preempt} and {@code bind}
     * @param namesOnly whether the extender gets the nodes' names instead of whole nodes
     * @param timeout after which a call has failed
     * @param ignorable whether pods proceed without the extender if it does not answer
     */
    public record Extender(String url, List<String> verbs, boolean namesOnly, Duration timeout, boolean ignorable) {
        String yaml() {
            StringBuilder yaml = new StringBuilder("- urlPrefix: \"" + url + "\"\n");
            for (String verb : verbs) {
                yaml.append("  ").append(verb).append("Verb: ").append(verb).append('\n');
            }
            return yaml.append("  weight: 1\n")
                    .append("  nodeCacheCapable: " + namesOnly + "\n")
                    .append("  httpTimeout: " + timeout.toMillis() + "ms\n")
                    .append("  ignorable: " + ignorable + "\n")
                    .toString();
        }
    }

    public static KubeScheduler start(
            ControlPlane plane, String schedulerName, Path kubeconfig, List<Extender> extenders) {
        String program = "kube-scheduler-" + schedulerName;
        StringBuilder yaml = new StringBuilder("""
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                leaderElection: {leaderElect: false}
                clientConnection: {kubeconfig: "%s", qps: 500, burst: 1000}
                percentageOfNodesToScore: 100
                podInitialBackoffSeconds: 1
                podMaxBackoffSeconds: 1
                profiles:
                  - schedulerName: "%s"
                """.formatted(kubeconfig, schedulerName));
        if (!extenders.isEmpty()) {
            yaml.append("extenders:\n");
            extenders.forEach(extender -> yaml.append(extender.yaml()));
        }
        return startWith(plane, program, plane.write(program + ".yaml", yaml.toString()));
    }

    /** Starts a scheduler with a complete configuration, such as the chart's. */
    public static KubeScheduler startWith(ControlPlane plane, String program, Path configuration) {
        KubeScheduler scheduler = new KubeScheduler(plane, program, configuration);
        scheduler.start();
        return scheduler;
    }

    public synchronized void kill() {
        if (running != null) {
            running.kill();
            running = null;
        }
    }

    public synchronized void start() {
        if (running == null) {
            List<String> command = new ArrayList<>();
            command.add(plane.program("kube-scheduler").toString());
            command.add("--config=" + configuration);
            command.add("--secure-port=0");
            command.add("--v=2");
            command.addAll(plane.featureGates());
            running = plane.run(program, command, Map.of());
        }
    }

    public synchronized void restart() {
        kill();
        start();
    }

    /**
     * Restarts the scheduler if it has ended by itself, as a kubelet does: kube-scheduler gives up when its watch
     * contradicts what it has seen before.
     *
     * @return whether it had ended
     */
    public synchronized boolean revive() {
        boolean ended = running != null && !running.isRunning();
        if (ended) {
            restart();
        }
        return ended;
    }

    @Override
    public synchronized void close() {
        if (running != null) {
            running.close();
            running = null;
        }
    }
}
