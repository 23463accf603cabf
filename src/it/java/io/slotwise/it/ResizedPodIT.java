package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A tenant resizes a pod in place, and this test grants the resize instead of a kubelet. */
@RealControlPlane
class ResizedPodIT {
    private static final String NAMESPACE = "resizing";
    /** The promised CPU, milli-cores. */
    private static final int PROMISED = 500;

    private final ControlPlane plane;
    private final Cluster cluster;

    @AutoClose
    @SuppressWarnings("UnusedVariable") // runs until the end of the test
    private final RunningChart chart;

    ResizedPodIT(ControlPlane plane) {
        this.plane = plane;
        cluster = new Cluster(plane);
        chart = RunningChart.install(plane, Map.of("policy.running.turnover", "0s", "policy.planner.cycle", "1s"));
    }

    @Test
    void aPodPaysForEachSizeFromTheSecondOnInWhichItsNodeGrantsIt() {
        Scenario scenario = new Scenario(cluster, NAMESPACE).withNodes(1);
        NamespaceLedger ledger = new NamespaceLedger(cluster, NAMESPACE);
        ledger.setBudget("100/month");
        KubernetesClient tenant = resizer();
        GangSpec gang = scenario.gang("resized", 1, PROMISED, 20).runningFor(600);
        cluster.submitAsPods(gang);
        scenario.awaitWhole(gang, 40);
        grant(gang, PROMISED);

        resize(tenant, gang, 4 * PROMISED);
        Scenario.awaitClock(Scenario.in(4));
        assertThat(record(gang).<Object>get("status", "resized")).isNull();
        Instant granted = grant(gang, 4 * PROMISED);
        awaitPart(gang, 4_000_000);
        Instant seen = Scenario.now();
        resize(tenant, gang, PROMISED / 2);
        grant(gang, PROMISED / 2);
        awaitPart(gang, 500_000);
        // The overrun costs half as much, too.
        Scenario.awaitClock(Instant.parse(Objects.requireNonNull(cluster.promisedStart(gang)))
                .plusSeconds(25));
        cluster.endPods(gang);

        Scenario.within("the run to be charged", 90)
                .untilAsserted(() -> assertThat(ledger.entries())
                        .singleElement()
                        .satisfies(entry -> assertThat(entry).containsKey("endedAt")));
        NavigableMap<Instant, Long> parts = parts(gang);
        assertThat(parts.values()).containsExactly(1_000_000L, 4_000_000L, 500_000L);
        assertThat(parts.higherKey(parts.firstKey())).isBetween(granted.minusSeconds(1), seen);
        assertThat(ledger.charged()).isEqualTo(used(gang, parts));
        assertThat(ledger.spent()).isEqualTo(ledger.charged());
        assertThat(ledger.held()).isZero();
    }

    private KubernetesClient resizer() {
        plane.client()
                .resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName("resizer")
                        .endMetadata()
                        .addNewRule()
                        .withApiGroups("")
                        .withResources("pods/resize")
                        .withVerbs("patch")
                        .endRule()
                        .build())
                .create();
        Account.create(plane, NAMESPACE, "developer").may("resizer", NAMESPACE);
        return plane.clientAs(NAMESPACE, "developer");
    }

    /** Requests another size. */
    private static void resize(KubernetesClient tenant, GangSpec gang, int milli) {
        var http = tenant.getHttpClient();
        var request = http.newHttpRequestBuilder()
                .uri("%s/api/v1/namespaces/%s/pods/%s-0/resize"
                        .formatted(
                                tenant.getConfiguration().getMasterUrl().replaceAll("/$", ""), NAMESPACE, gang.name()))
                .method("PATCH", "application/strategic-merge-patch+json", """
                        {"spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "%dm"}}}]}}""".formatted(milli))
                .build();
        var answer = http.sendAsync(request, String.class).join();
        assertThat(answer.code()).as("%s", answer.body()).isEqualTo(200);
    }

    /** Grants a size as a kubelet does, and returns when. */
    private Instant grant(GangSpec gang, int milli) {
        var pods = plane.client().pods().inNamespace(NAMESPACE).withName(gang.name() + "-0");
        Scenario.within("the containers of " + gang.name() + " to run", 30)
                .until(() -> !pods.get().getStatus().getContainerStatuses().isEmpty());
        pods.editStatus(pod -> {
            Map<String, Quantity> granted = new HashMap<>(
                    pod.getSpec().getContainers().getFirst().getResources().getRequests());
            granted.put("cpu", new Quantity(milli + "m"));
            pod.getStatus().getContainerStatuses().forEach(container -> {
                container.setAllocatedResources(granted);
                container.setResources(
                        new ResourceRequirementsBuilder().withRequests(granted).build());
            });
            return pod;
        });
        return Scenario.now();
    }

    private void awaitPart(GangSpec gang, int part) {
        Scenario.within("the record of " + gang.name() + " to say what its pod takes", 30)
                .untilAsserted(() -> assertThat(record(gang).<Integer>get("status", "resized", "parts", 0))
                        .isEqualTo(part));
    }

    private GenericKubernetesResource record(GangSpec gang) {
        return Objects.requireNonNull(cluster.reservation(gang), gang.name());
    }

    /** The sizes of the pod in millionths of the promised size, by the second from which the record has each. */
    private NavigableMap<Instant, Long> parts(GangSpec gang) {
        TreeMap<Instant, Long> parts = new TreeMap<>();
        cluster.record(NAMESPACE).reservations().stream()
                .filter(version -> version.name().equals(gang.name()))
                .map(version -> version.object().path("status"))
                .filter(status -> status.hasNonNull("startedAt"))
                .forEach(status -> {
                    JsonNode resized = status.path("resized");
                    if (resized.isMissingNode()) {
                        parts.put(Instant.parse(status.path("startedAt").asText()), 1_000_000L);
                    } else {
                        parts.put(
                                Instant.parse(resized.path("since").asText()),
                                resized.path("parts").path(0).asLong());
                    }
                });
        return parts;
    }

    /** The cost of the pod from each size to the next, up to the end of its container, 1/3600 millionths. */
    private long used(GangSpec gang, NavigableMap<Instant, Long> parts) {
        Pod pod = cluster.pods(gang).getFirst();
        Instant end = Instant.parse(pod.getStatus()
                .getContainerStatuses()
                .getFirst()
                .getState()
                .getTerminated()
                .getFinishedAt());
        long rate = rate(pod);
        long used = 0;
        for (Map.Entry<Instant, Long> size : parts.entrySet()) {
            Instant next = parts.higherKey(size.getKey());
            long seconds =
                    Duration.between(size.getKey(), next == null ? end : next).toSeconds();
            used += rate * seconds * size.getValue() / 1_000_000;
        }
        return used;
    }

    /** The promised price, millionths an hour. */
    private long rate(Pod pod) {
        var node = plane.client().nodes().withName(pod.getSpec().getNodeName()).get();
        long price = new BigDecimal(node.getMetadata().getLabels().get("slotwise.io/price"))
                .movePointRight(6)
                .longValueExact();
        long cores = Quantity.getAmountInBytes(node.getStatus().getAllocatable().get("cpu"))
                .movePointRight(3)
                .longValueExact();
        assertThat(price * PROMISED % (4 * cores)).isZero();
        return price * PROMISED / cores;
    }
}
