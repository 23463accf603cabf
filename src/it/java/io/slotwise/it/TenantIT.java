package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ResourceQuotaStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A tenant with the role edit tries to run pods without a charge in the namespace's ledger, for ten minutes and then
 * for weeks by the clock of Slotwise. The tenant states false runtimes, and changes records, pods, nodes, reservations
 * and their limits. {@link KarpenterIT} has the nodes bought for gangs that are deleted before their start.
 */
@RealControlPlane
class TenantIT {
    private static final String NAMESPACE = "tenant";
    private static final String RECORDS = "/apis/slotwise.io/v1alpha1/namespaces/" + NAMESPACE + "/reservations";
    private static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";
    private static final int ROUNDS = 3;
    private static final Duration ROUND = Duration.ofSeconds(200);
    private static final int WEEKS = 5;
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Instant FIRST_OF_NEXT_MONTH = Scenario.now()
            .atOffset(ZoneOffset.UTC)
            .plusMonths(1)
            .withDayOfMonth(1)
            .truncatedTo(ChronoUnit.DAYS)
            .plusHours(1)
            .toInstant();

    private static final String WINDOW = """
            {"start": "2030-01-01T00:00:00Z", "end": "2030-01-01T01:00:00Z", "cost": "0.000000", "exactCost": 0,
            "placement": [{"pod": "p", "node": "n", "start": "2030-01-01T00:00:00Z", "end": "2030-01-01T01:00:00Z",
            "cost": "0.000000", "exactCost": 0}]}""";

    private final ControlPlane plane;
    private final Cluster cluster;
    private final VirtualKubelet kubelet;

    /** The pods whose ends were not seen, and when they were deleted last. */
    private final IdentityHashMap<Pod, Instant> vanished = new IdentityHashMap<>();

    @AutoClose
    private final RunningChart chart;

    TenantIT(ControlPlane plane) {
        this.plane = plane;
        cluster = new Cluster(plane);
        // All rounds are in one period of the budget.
        kubelet = new VirtualKubelet(plane, NAMESPACE, FIRST_OF_NEXT_MONTH);
        chart = RunningChart.install(
                plane,
                Map.of(
                        "policy.running.turnover",
                        "0s",
                        "policy.planner.cycle",
                        "1s",
                        "policy.running.overrun.grace",
                        "5s"),
                List.of(kubelet.option()));
    }

    @Test
    void theLedgerAgreesWithWhatRanWhateverATenantTries() {
        Instant began = kubelet.now();
        Scenario scenario = new Scenario(cluster, NAMESPACE).withNodes(5);
        NamespaceLedger ledger = new NamespaceLedger(cluster, NAMESPACE);
        ledger.setBudget("100/month");
        limit();
        Account person = Account.create(plane, NAMESPACE, "developer");
        // There is no controller here that aggregates the role edit.
        for (String role : List.of("system:aggregate-to-edit", "slotwise-edit", "slotwise-view")) {
            person.may(role, NAMESPACE);
        }
        KubernetesClient tenant = plane.clientAs(NAMESPACE, "developer");
        tenant.resource(scenario.reservation("hoard", """
                hold: {size: 1000, resources: {cpu: 3}, runtime: 1h}
                """)).create();

        List<GangSpec> waiting = submitWhatWaits(tenant, scenario);
        GangSpec endless = scenario.gang("endless", 1, 3000, 1)
                .runningFor((int) WEEK.multipliedBy(WEEKS).plusHours(1).toSeconds());
        cluster.submitAsPods(endless, VirtualKubelet::own);
        scenario.awaitWhole(endless, 40, kubelet::look);
        deleteRunningPods(tenant, scenario);

        for (int round = 0; round < ROUNDS; round++) {
            GangSpec overrun = scenario.gang("overrun-" + round, 2, 3000, 3).runningFor(150 + round);
            GangSpec swapped = scenario.gang("swapped-" + round, 1, 100, 5)
                    .runningFor(109)
                    .with(
                            "earliest-start",
                            kubelet.now()
                                    .plusSeconds(20)
                                    .truncatedTo(ChronoUnit.SECONDS)
                                    .toString());
            cluster.submitAsPods(swapped, VirtualKubelet::own);
            cluster.submitAsPods(overrun, VirtualKubelet::own);
            scenario.awaitPromise(swapped);
            swap(tenant, VirtualKubelet.own(swapped.pods().getFirst()));
            scenario.awaitWhole(overrun, 40, kubelet::look);
            tryEverything(tenant, overrun, scenario);
            tryMore(tenant, overrun, scenario);
            // Deleted by an admin: the run is charged all the same.
            plane.client().resource(record(overrun)).delete();
            scenario.awaitWhole(swapped, 40, kubelet::look);
            kubelet.pass(ROUND);
            awaitCharged(tenant, overrun);
            awaitCharged(tenant, swapped);
        }
        assertThat(Duration.between(began, kubelet.now())).isGreaterThan(Duration.ofMinutes(10));
        assertThat(ledger.spent()).isEqualTo(ledger.paid()).isPositive();

        for (int week = 0; week < WEEKS; week++) {
            long paid = ledger.paid();
            kubelet.pass(WEEK);
            Scenario.within("the ledger to charge week " + week, 60).until(() -> ledger.paid() > paid);
        }
        kubelet.pass(Duration.ofHours(2));
        awaitCharged(tenant, endless);

        assertThat(ledger.paid()).isEqualTo(used(Instant.EPOCH));
        assertThat(ledger.spent())
                .as("what the present month pays")
                .isEqualTo(used(ledger.since()))
                .isLessThan(ledger.paid());
        assertThat(ledger.held()).isZero();
        assertThat(waiting).allSatisfy(gang -> {
            assertThat(cluster.phase(gang)).isEqualTo("Pending");
            assertThat(cluster.boundPods(gang)).isZero();
        });
    }

    /** Deletes running pods with a grace, by force, and with a long grace that is shortened into the past later. */
    private void deleteRunningPods(KubernetesClient tenant, Scenario scenario) {
        for (List<Duration> graces : List.of(
                List.of(Duration.ofMinutes(5)),
                List.of(Duration.ZERO),
                List.of(Duration.ofDays(400), Duration.ofSeconds(1)))) {
            GangSpec gang = scenario.gang("deleted-" + graces.getFirst().toSeconds(), 1, 3000, 100)
                    .runningFor(1000);
            cluster.submitAsPods(gang, VirtualKubelet::own);
            scenario.awaitWhole(gang, 40, kubelet::look);
            kubelet.pass(Duration.ofSeconds(20));
            var pods = plane.client().pods().inNamespace(NAMESPACE).withName(gang.name() + "-0");
            Pod pod = pods.get();
            for (Duration grace : graces) {
                delete(tenant, pod, grace);
                if (grace.compareTo(Duration.ofMinutes(1)) > 0) {
                    kubelet.pass(Duration.ofSeconds(10));
                    assertThat(cluster.phase(gang)).isEqualTo("Running");
                }
            }
            if (graces.getLast().compareTo(Duration.ofMinutes(1)) > 0) {
                kubelet.stop(pod);
            } else {
                vanished.put(pod, kubelet.now());
            }
            if (vanished.containsKey(pod)) {
                // The record stays as long as the pod, which may still tell of its start.
                Scenario.within("the run to be over", 60).until(() -> {
                    GenericKubernetesResource there = cluster.reservation(gang);
                    return there == null || Cluster.phase(there).equals("Completed");
                });
                pods.withGracePeriod(0).delete();
            }
            awaitCharged(tenant, gang);
        }
    }

    /** Deletes a pod. The API server sets the end of a grace by its own clock, which is behind that of Slotwise. */
    private void delete(KubernetesClient tenant, Pod pod, Duration grace) {
        boolean isLong = grace.compareTo(Duration.ofMinutes(1)) > 0;
        Duration behind = isLong ? Duration.between(Scenario.now(), kubelet.now()) : Duration.ZERO;
        tenant.resource(pod).withGracePeriod(behind.plus(grace).toSeconds()).delete();
    }

    /** Submits gangs that wait forever: for money, for missing members, and for devices with an expensive selector. */
    private List<GangSpec> submitWhatWaits(KubernetesClient tenant, Scenario scenario) {
        plane.client().resource(object("""
                {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: devices}, spec: {}}""", DeviceClass.class)).create();
        plane.client()
                .resource(object("""
                        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: devices}, spec: {
                        driver: d.example.com, nodeName: %s, pool: {name: p, generation: 1, resourceSliceCount: 1},
                        devices: [%s]}}""".formatted(scenario.node(1), listed("{name: d%d}", 32)), ResourceSlice.class))
                .create();
        String numbers = "[" + listed("%d", 95) + "]";
        tenant.resource(object("""
                {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {namespace: %s, name: dear}, spec: {
                devices: {requests: [{name: r, exactly: {deviceClassName: devices, selectors: [{cel: {expression:
                "%s.all(x, %s.all(y, x + y >= 0)) && device.driver == 'none'"}}]}}]}}}""".formatted(NAMESPACE, numbers, numbers), ResourceClaim.class))
                .create();
        GangSpec boast = scenario.gang("boast", 1, 1000, 5).with("value-of-time", "1000");
        GangSpec chained = scenario.gang("chained", 1, 1000, 5).with("after", "elsewhere/secret");
        GangSpec dear = scenario.gang("dear", 1, 1000, 5);
        cluster.submitAsPods(boast);
        cluster.submitAsPods(chained);
        cluster.submitAsPods(
                dear,
                pod -> new PodBuilder(pod)
                        .editSpec()
                        .addNewResourceClaim()
                        .withName("c")
                        .withResourceClaimName("dear")
                        .endResourceClaim()
                        .endSpec()
                        .build());
        return List.of(boast, chained, dear);
    }

    private static String listed(String item, int count) {
        return IntStream.range(0, count).mapToObj(item::formatted).collect(Collectors.joining(", "));
    }

    /** Text that begins with a brace would be read as JSON. */
    private static <T> T object(String text, Class<T> type) {
        return Serialization.unmarshal("---" + System.lineSeparator() + text, type);
    }

    /** Creates an admin's quota, which is smaller than the reservation. No controller here counts its use. */
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

    /** Replaces a pod with a promised window by one with thirty times its request. */
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

    /** Asserts that each of these attempts is refused without an effect. */
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

    /** Asserts further refusals, and that the permitted attempts have no effect. */
    private void tryMore(KubernetesClient tenant, GangSpec running, Scenario scenario) {
        String pod = PODS + "/" + running.name() + "-0";
        String record = """
                {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation", "metadata": {"name": "mine"%s},
                "spec": {"hold": {"size": 1, "resources": {"cpu": "1"}, "runtime": "1h"}%s}}""";
        refused(
                "make a record that stays",
                403,
                () -> send(tenant, "POST", RECORDS, record.formatted(", \"finalizers\": [\"example.com/stays\"]", "")));
        refused(
                "make a record with a window",
                403,
                () -> send(tenant, "POST", RECORDS, record.formatted("", ", \"window\": " + WINDOW)));
        refused("say that a pod has ended", 403, () -> send(tenant, "PATCH", pod + "/status", """
                {"status": {"phase": "Succeeded"}}"""));
        refused(
                "say how long runs took",
                403,
                () -> send(tenant, "POST", of("slotwise.io/v1alpha1", "runhistories"), """
                {"apiVersion": "slotwise.io/v1alpha1", "kind": "RunHistory", "metadata": {"name": "slotwise"}}"""));
        refused("raise its quota", 403, () -> send(tenant, "PATCH", of("v1", "resourcequotas") + "/quota", """
                {"spec": {"hard": {"requests.cpu": "10000"}}}"""));
        refused("set limits of its own", 403, () -> send(tenant, "POST", of("v1", "limitranges"), """
                {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "mine"}, "spec": {"limits": []}}"""));
        refused("register a node", 403, () -> send(tenant, "POST", "/api/v1/nodes", """
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "mine", "labels": {"slotwise.io/price": "0"}}}"""));
        refused("write a calendar", 403, () -> send(tenant, "PATCH", "/api/v1/nodes/" + scenario.node(1), """
                {"metadata": {"annotations": {"slotwise.io/price-calendar": "0 0 * * *"}}}"""));
        assertThatNoException().isThrownBy(() -> send(tenant, "PATCH", pod, """
                {"metadata": {"annotations": {"slotwise.io/runtime": "1s", "slotwise.io/budget": "0.000001"}}}"""));
        for (int i = 0; i < 5; i++) {
            chart.slotwise().get("/api/v1/quote?size=3&cpu=3&runtime=1h&namespace=" + NAMESPACE);
        }
    }

    private static String of(String version, String resources) {
        return (version.equals("v1") ? "/api/" : "/apis/") + version + "/namespaces/" + NAMESPACE + "/" + resources;
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

    /**
     * Lets the tenant delete the record of an ended run early, and asserts that it goes once the run is charged and has
     * been over for two minutes.
     */
    private void awaitCharged(KubernetesClient tenant, GangSpec gang) {
        Scenario.within("the record of " + gang.name() + " to go", 180).until(() -> {
            GenericKubernetesResource there = cluster.reservation(gang);
            if (there != null && Cluster.phase(there).equals("Completed")) {
                try {
                    tenant.resource(there).delete();
                } catch (KubernetesClientException e) {
                    assertThat(e.getCode()).isEqualTo(404);
                }
            }
            return there == null;
        });
    }

    /**
     * The cost of all pods that have had a node, from the start of their gang to the end of their containers, 1/3600
     * millionths.
     *
     * @param since the instant from which costs count
     */
    private long used(Instant since) {
        IdentityHashMap<Pod, Instant> ends = new IdentityHashMap<>();
        vanished.forEach((pod, deleted) -> {
            Instant ended = recorded(gangOf(pod), "endedAt");
            assertThat(Duration.between(deleted, ended).toSeconds()).isBetween(-1L, 5L);
            ends.put(pod, ended);
        });
        for (Pod pod : plane.client().pods().inNamespace(NAMESPACE).list().getItems()) {
            if (pod.getSpec().getNodeName() != null) {
                String ended = pod.getStatus()
                        .getContainerStatuses()
                        .getFirst()
                        .getState()
                        .getTerminated()
                        .getFinishedAt();
                ends.put(pod, Instant.parse(ended));
            }
        }
        long used = 0;
        for (Map.Entry<Pod, Instant> entry : ends.entrySet()) {
            Pod pod = entry.getKey();
            Instant ended = entry.getValue();
            Instant started = recorded(gangOf(pod), "startedAt");
            assertThat(kubelet.at(bound(pod)))
                    .as("when the pods were bound that started at %s", started)
                    .anyMatch(bound -> Duration.between(started, bound).abs().toSeconds() < 5);
            Instant from = started.isBefore(since) ? since : started;
            used += from.isBefore(ended)
                    ? rate(pod) * Duration.between(from, ended).toSeconds()
                    : 0;
        }
        return used;
    }

    private static String gangOf(Pod pod) {
        return Objects.requireNonNull(pod.getMetadata().getLabels().get("slotwise.io/gang"));
    }

    /** The second of a field of the status of a gang's record, such as that in which its start was durable. */
    private Instant recorded(String gang, String field) {
        return cluster.record(NAMESPACE).reservations().stream()
                .filter(version -> version.name().equals(gang))
                .map(version -> version.object().path("status").path(field).asText(""))
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

    /** The price of a pod by its share of the node's CPU, millionths per hour. */
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
