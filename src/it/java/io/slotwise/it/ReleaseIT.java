package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.it.AuditLog.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Both ways to tell kube-scheduler a released pod's node, with 200 pods on 40 nodes. Asserts that all pods start.
 * Reports the time from the removal of a pod's gate to its call of {@code bind}, and the number of patches. The first
 * of three runs only warms the control plane up.
 */
@RealControlPlane
class ReleaseIT {
    private static final int GANGS = 20;
    private static final int SIZE = 10;
    private static final int NODES = 40;
    private static final Pattern POD = Pattern.compile("\"PodName\":\"([^\"]+)\"");

    @Test
    void releasedPodsReachTheBarrierNominatedAndPinned(ControlPlane plane) throws IOException {
        Cluster cluster = new Cluster(plane);
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        start(plane, cluster, chart, "warm-up", "nominate");
        start(plane, cluster, chart, "pin", "pin");
        start(plane, cluster, chart, "nominate", "nominate");
    }

    private static void start(ControlPlane plane, Cluster cluster, Installation chart, String name, String guidance)
            throws IOException {
        Scenario scenario = new Scenario(cluster, name);
        for (int i = 1; i <= NODES; i++) {
            cluster.node("%s-%02d".formatted(name, i), 8, "0.20", name);
        }
        Map<String, Instant> arrivals = new ConcurrentHashMap<>();
        try (SlotwiseProcess slotwise = chart.startSlotwise(plane.url(), Map.of("SLOTWISE_RELEASE", guidance));
                ExtenderRelay relay = ExtenderRelay.before(slotwise)) {
            relay.behave((call, onward) -> {
                Matcher pod = POD.matcher(call.body());
                if (call.verb().equals("bind") && pod.find()) {
                    arrivals.putIfAbsent(pod.group(1), Instant.now());
                }
                return onward.send();
            });
            try (KubeScheduler _ = chart.startScheduler(relay.extender())) {
                List<GangSpec> gangs = new ArrayList<>();
                for (int i = 0; i < GANGS; i++) {
                    GangSpec gang =
                            scenario.gang("g%02d".formatted(i), SIZE, 1000, 600).throughKubeScheduler();
                    gangs.add(gang);
                    cluster.submitAsJob(gang);
                }
                gangs.forEach(gang -> scenario.awaitWhole(gang, 120));
            }
            write(plane, name, arrivals);
            assertThat(arrivals).hasSize(GANGS * SIZE);
        }
    }

    private static void write(ControlPlane plane, String name, Map<String, Instant> arrivals) throws IOException {
        List<Long> millis = new ArrayList<>();
        int patches = 0;
        for (Entry entry : plane.audit().entries(e -> e.namespace().equals(name) && e.succeeded())) {
            boolean ours = entry.verb().equals("patch")
                    && entry.request().path("metadata").has("uid");
            patches += ours ? 1 : 0;
            Instant arrival = arrivals.get(entry.name());
            if (ours && entry.resource().equals("pods") && arrival != null) {
                millis.add(Duration.between(entry.received(), arrival).toMillis());
            }
        }
        millis.sort(null);
        Files.writeString(
                plane.logs().resolve("release-" + name + ".txt"),
                "gate removal to bind, ms: median %d, 95th percentile %d; patches of pods: %d%n"
                        .formatted(millis.get(millis.size() / 2), millis.get(millis.size() * 95 / 100), patches));
    }
}
