package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ResourceQuotaStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A tenant with the role edit tries to run pods that the ledger of the namespace does not know: with runtimes that are
 * not true, and by changing records, pods, nodes and reservations.
 */
@RealControlPlane
class TenantIT {
    private static final String NAMESPACE = "tenant";
    private static final String RECORDS = "/apis/slotwise.io/v1alpha1/namespaces/" + NAMESPACE + "/reservations";
    private static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";
    private static final int ROUNDS = 3;

    private final ControlPlane plane;
    private final Cluster cluster;

    @AutoClose
    @SuppressWarnings("UnusedVariable") // runs until the test has ended
    private final RunningChart chart;

    TenantIT(ControlPlane plane) {
        this.plane = plane;
        cluster = new Cluster(plane);
        chart = RunningChart.install(
                plane,
                Map.of(
                        "policy.running.turnover",
                        "0s",
                        "policy.planner.cycle",
                        "1s",
                        "policy.running.overrun.grace",
                        "5s"));
    }

    @Test
    void theLedgerAgreesWithWhatRanWhateverATenantTries() {
        Scenario scenario = new Scenario(cluster, NAMESPACE).withNodes(4);
        NamespaceLedger ledger = new NamespaceLedger(cluster, NAMESPACE);
        ledger.setBudget("100/month");
        limit();
        Account person = Account.create(plane, NAMESPACE, "developer");
        // Nothing here gathers the parts of the role edit.
        for (String role : List.of("system:aggregate-to-edit", "slotwise-edit", "slotwise-view")) {
            person.may(role, NAMESPACE);
        }
        KubernetesClient tenant = plane.clientAs(NAMESPACE, "developer");
        tenant.resource(scenario.reservation("hoard", """
                hold: {size: 1000, resources: {cpu: 3}, runtime: 1h}
                """)).create();

        for (int round = 0; round < ROUNDS; round++) {
            GangSpec overrun = scenario.gang("overrun-" + round, 2, 3000, 3).runningFor(12 + round);
            GangSpec swapped = scenario.gang("swapped-" + round, 1, 100, 5)
                    .runningFor(9)
                    .with("earliest-start", Scenario.in(10).toString());
            cluster.submitAsPods(swapped);
            cluster.submitAsPods(overrun);
            scenario.awaitPromise(swapped);
            swap(tenant, swapped.pods().getFirst());
            scenario.awaitWhole(overrun, 40);
            tryEverything(tenant, overrun, scenario);
            // Whoever may delete a record: the run is charged all the same.
            plane.client().resource(record(overrun)).delete();
            awaitEnd(overrun);
            scenario.awaitWhole(swapped, 40);
            awaitEnd(swapped);
        }
        Scenario.within("all runs to be charged", 30)
                .untilAsserted(() -> assertThat(ledger.entries())
                        .hasSize(2 * ROUNDS)
                        .allSatisfy(entry -> assertThat(entry).containsKey("endedAt")));

        assertThat(ledger.charged()).isEqualTo(used(ledger));
        assertThat(ledger.spent()).isEqualTo(ledger.charged());
        assertThat(ledger.held()).isZero();
    }

    /** What an admin allows: less than the reservation asks for. No controller here says what is used of it. */
    private void limit() {
        ResourceQuota quota = new ResourceQuotaBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName("quota")
                .endMetadata()
                .withNewSpec()
                .addToHard("requests.cpu", new Quantity("100"))
                .endSpec()
                .build();
        plane.client().resource(quota).create();
        quota.setStatus(new ResourceQuotaStatusBuilder()
                .addToHard("requests.cpu", new Quantity("100"))
                .addToUsed("requests.cpu", new Quantity("0"))
                .build());
        plane.client().resource(quota).updateStatus();
    }

    /** Puts a pod that asks for thirty times as much in the place of one that was promised its window. */
    private static void swap(KubernetesClient tenant, Pod pod) {
        tenant.resource(pod).withGracePeriod(0).delete();
        tenant.resource(new PodBuilder(pod)
                        .editSpec()
                        .editFirstContainer()
                        .editResources()
                        .addToRequests("cpu", new Quantity("3"))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }

    /** Each of these is refused, and leaves all as it is. */
    private void tryEverything(KubernetesClient tenant, GangSpec running, Scenario scenario) {
        String pod = running.name() + "-0";
        String record = RECORDS + "/" + running.name();
        Object before = record(running).get("spec");
        refused("delete the record", 403, () -> tenant.resource(record(running)).delete());
        refused("make the record first", 403, () -> send(tenant, "POST", RECORDS, """
                {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation", "metadata": {"name": "first",
                "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "%s", "uid": "u"}]},
                "spec": {"gang": "first"}}""".formatted(pod)));
        refused("change the window", 403, () -> send(tenant, "PATCH", record, """
                {"spec": {"window": {"cost": "0", "exactCost": 0}}}"""));
        refused("change the status", 403, () -> send(tenant, "PATCH", record + "/status", """
                {"status": {"phase": "Completed"}}"""));
        refused(
                "change the ledger",
                403,
                () -> send(
                        tenant,
                        "PATCH",
                        "/apis/slotwise.io/v1alpha1/namespaces/" + NAMESPACE + "/ledgers/slotwise",
                        """
                {"spec": {"entries": []}}"""));
        refused("raise the budget", 403, () -> send(tenant, "PATCH", "/api/v1/namespaces/" + NAMESPACE, """
                {"metadata": {"annotations": {"slotwise.io/budget": "1000/month"}}}"""));
        refused("lower a price", 403, () -> send(tenant, "PATCH", "/api/v1/nodes/" + scenario.node(1), """
                {"metadata": {"labels": {"slotwise.io/price": "0"}}}"""));
        refused("resize a pod", 403, () -> send(tenant, "PATCH", PODS + "/" + pod + "/resize", """
                {"spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "4"}}}]}}"""));
        refused(
                "bind a pod",
                403,
                () -> send(tenant, "POST", PODS + "/" + pod + "/binding", """
                {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "%s"},
                "target": {"apiVersion": "v1", "kind": "Node", "name": "%s"}}""".formatted(pod, scenario.node(4))));
        assertThat(record(running).<Object>get("spec")).isEqualTo(before);
        GangSpec hoard = scenario.gang("hoard", 1, 3000, 1);
        assertThat(cluster.phase(hoard)).isEqualTo("Pending");
        assertThat(cluster.condition(hoard, "Planned")).contains("ResourceQuota quota allows");
    }

    private static void refused(String what, int code, ThrowingCallable attempt) {
        KubernetesClientException refusal = catchThrowableOfType(KubernetesClientException.class, attempt);
        assertThat(refusal).as("the answer to an attempt to %s", what).isNotNull();
        assertThat(refusal.getCode()).as("%s: %s", what, refusal.getMessage()).isIn(code, 422);
    }

    private static void send(KubernetesClient tenant, String verb, String path, String json) {
        if (verb.equals("PATCH")) {
            send(tenant, path, json);
        } else {
            tenant.raw(path, verb, Serialization.unmarshal(json, JsonNode.class));
        }
    }

    private static void send(KubernetesClient tenant, String path, String json) {
        var http = tenant.getHttpClient();
        var request = http.newHttpRequestBuilder()
                .uri(tenant.getConfiguration().getMasterUrl().replaceAll("/$", "") + path)
                .method("PATCH", "application/merge-patch+json", json)
                .build();
        var answer = http.sendAsync(request, String.class).join();
        if (answer.code() >= 300) {
            throw new KubernetesClientException(String.valueOf(answer.body()), answer.code(), null);
        }
    }

    private GenericKubernetesResource record(GangSpec gang) {
        return Objects.requireNonNull(cluster.reservation(gang), gang.name());
    }

    private void awaitEnd(GangSpec gang) {
        Scenario.within("the pods of " + gang.name() + " to end", 60)
                .untilAsserted(() -> assertThat(cluster.pods(gang))
                        .hasSize(gang.size())
                        .allMatch(pod -> "Succeeded".equals(pod.getStatus().getPhase())));
    }

    /** What the pods cost from the start of their gang to the end of their containers, 1/3600 millionths. */
    private long used(NamespaceLedger ledger) {
        long used = 0;
        for (Map<String, Object> entry : ledger.entries()) {
            String gang = String.valueOf(entry.get("gang"));
            List<Pod> pods = plane.client()
                    .pods()
                    .inNamespace(NAMESPACE)
                    .withLabel("slotwise.io/gang", gang)
                    .list()
                    .getItems();
            assertThat(pods).as(gang).isNotEmpty();
            Instant started = started(gang);
            for (Pod pod : pods) {
                Instant ended = Instant.parse(pod.getStatus()
                        .getContainerStatuses()
                        .getFirst()
                        .getState()
                        .getTerminated()
                        .getFinishedAt());
                assertThat(Duration.between(started, bound(pod))).isLessThan(Duration.ofSeconds(2));
                used += rate(pod) * Duration.between(started, ended).toSeconds();
            }
        }
        return used;
    }

    /** The second in which the start of a gang was durable, as its record had it. */
    private Instant started(String gang) {
        return cluster.record(NAMESPACE).reservations().stream()
                .filter(version -> version.name().equals(gang))
                .map(version ->
                        version.object().path("status").path("startedAt").asText(""))
                .filter(text -> !text.isEmpty())
                .map(Instant::parse)
                .findFirst()
                .orElseThrow();
    }

    private static Instant bound(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("PodScheduled"))
                .map(condition -> Instant.parse(condition.getLastTransitionTime()))
                .findFirst()
                .orElseThrow();
    }

    /** What a pod pays by its part of the processors of its node, millionths per hour. */
    private long rate(Pod pod) {
        var node = plane.client().nodes().withName(pod.getSpec().getNodeName()).get();
        BigDecimal price = new BigDecimal(node.getMetadata().getLabels().get("slotwise.io/price"));
        BigDecimal asked = Quantity.getAmountInBytes(pod.getSpec()
                .getContainers()
                .getFirst()
                .getResources()
                .getRequests()
                .get("cpu"));
        BigDecimal all =
                Quantity.getAmountInBytes(node.getStatus().getAllocatable().get("cpu"));
        return price.movePointRight(6)
                .multiply(asked)
                .divide(all, 0, RoundingMode.HALF_UP)
                .longValueExact();
    }
}
