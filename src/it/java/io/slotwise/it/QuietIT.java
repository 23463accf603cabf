package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The events, log lines and requests when nothing changes, counted from the API server's audit log: for a gang that
 * fits nowhere while nodes come, and for calls that the API server keeps refusing.
 */
@RealControlPlane(auditsRights = true)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuietIT {
    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);
    private static final int MOST_CALLS = 5;
    private static final int PODS = 50;
    /**
     * The largest number of lines in the admin's log: one for each refusal, and one for each gang whose start failed.
     */
    private static final int LINES = 10;
    /** An account with all rights of the chart's own account. */
    private static final String STRANGER = "stranger";

    private static final String CYCLES = "slotwise_cycle_seconds_count";

    private final ControlPlane plane;
    private final Cluster cluster;
    private final Installation chart;

    QuietIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
        chart = Installation.install(plane, Map.of("policy.running.turnover", "3s", "policy.planner.cycle", "1s"));
        chart.awaitGate();
        // There is no kube-scheduler here, whose role has rights that a story revokes.
        plane.client()
                .rbac()
                .clusterRoleBindings()
                .withName(Installation.RELEASE + "-kube-scheduler")
                .delete();
    }

    /** Deletes the gangs, so that the next story's leader neither asks nor reports anything about this one. */
    @AfterEach
    void clear() {
        KubernetesClient client = plane.client();
        client.pods().inAnyNamespace().list().getItems().stream()
                .filter(pod -> !pod.getMetadata().getNamespace().equals(Installation.RELEASE))
                .forEach(pod -> client.resource(pod).withGracePeriod(0).delete());
        client.resources(Reservation.class).inAnyNamespace().list().getItems().forEach(record -> {
            if (!record.getMetadata().getFinalizers().isEmpty()) {
                var _ = client.resource(record)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\": {\"finalizers\": null}}");
            }
            client.resource(record).delete();
        });
    }

    @Test
    void aGangThatFitsOnNoneOfTheNodesThatComeOneByOneIsToldOnce() {
        Scenario scenario = new Scenario(cluster, "storm").withNodes(1);
        GangSpec gang = scenario.gang("g", 50, 3000, 60).with("max-per-node", "1");
        try (SlotwiseProcess slotwise = chart.startSlotwise()) {
            cluster.submitAsPods(gang);
            scenario.awaitPending(gang, "NoWindow", 60);
            scenario.awaitEvent("NoWindow", event -> assertThat(event).startsWith("NoWindow Pod/g-0: "));

            tenNodesCome(scenario, slotwise);

            assertThat(calls("storm", "create events")).hasSize(1);
            assertThat(calls("storm", "update reservations/status")).hasSizeLessThanOrEqualTo(4);
        }
    }

    @Test
    void fiftyPodsThatFitOnNoneOfTheNodesThatComeOneByOneAreToldOnceEach() {
        Scenario scenario = new Scenario(cluster, "bare").withNodes(1);
        try (SlotwiseProcess slotwise = chart.startSlotwise()) {
            for (int i = 0; i < PODS; i++) {
                plane.client()
                        .resource(Workload.pod("bare", "p" + i, Installation.RELEASE, 9000, 64))
                        .create();
            }
            Scenario.within("each pod to have its event and its condition", 180)
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> {
                        assertThat(calls("bare", "create events")).hasSizeGreaterThanOrEqualTo(PODS);
                        assertThat(calls("bare", "patch pods/status")).hasSizeGreaterThanOrEqualTo(PODS);
                    });

            tenNodesCome(scenario, slotwise);

            assertThat(calls("bare", "create events")).hasSize(PODS);
            assertThat(calls("bare", "patch pods/status")).hasSize(PODS);
        }
    }

    private void tenNodesCome(Scenario scenario, SlotwiseProcess slotwise) {
        for (int i = 2; i <= 11; i++) {
            double cycles = slotwise.metric(CYCLES);
            cluster.node(scenario.node(i), 4, "1." + i, scenario.namespace());
            Scenario.within("two cycles to see node " + i, 60).until(() -> slotwise.metric(CYCLES) >= cycles + 2);
        }
    }

    @Test
    void aQuotaOfNoRecordsIsAskedSeldomAndOtherNamespacesGoOn() {
        Scenario scenario = new Scenario(cluster, "quota").withNodes(2);
        plane.client()
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace("quota")
                        .withName("none")
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("count/reservations.slotwise.io", new Quantity("0"))
                        .endSpec()
                        .build())
                .create();
        Scenario.within("the quota to be known", 20)
                .until(() -> !plane.client()
                        .resourceQuotas()
                        .inNamespace("quota")
                        .withName("none")
                        .get()
                        .getStatus()
                        .getHard()
                        .isEmpty());
        try (SlotwiseProcess slotwise = chart.startSlotwise()) {
            staysQuiet(scenario, slotwise, "create reservations", "ResourceQuota none");
            assertThat(slotwise.isReady()).isTrue();
            Scenario other = new Scenario(cluster, "unlimited").withNodes(1);
            GangSpec free = other.gang("free", 1, 1000, 20);
            cluster.submitAsPods(free);
            other.awaitWhole(free, 20);
        }
    }

    /** Revokes the right to a resource, and returns the role as it was. */
    private ClusterRole without(String resource) {
        ClusterRole role = Objects.requireNonNull(plane.client()
                .rbac()
                .clusterRoles()
                .withName(Installation.RELEASE)
                .get());
        write(new ClusterRoleBuilder(role)
                .withRules(role.getRules().stream()
                        .filter(rule -> !rule.getResources().contains(resource))
                        .toList())
                .build());
        return role;
    }

    @ParameterizedTest
    @CsvSource({"conditions, patch, pods/status", "told, create, events"})
    void aRightThatNoStartNeedsIsAskedForSeldomAndGangsStart(String what, String verb, String resource) {
        Scenario scenario = new Scenario(cluster, "right-" + what).withNodes(1);
        ClusterRole role = without(resource);
        try (SlotwiseProcess slotwise = chart.startSlotwise()) {
            IntStream.range(0, 6).forEach(i -> cluster.submitAsPods(scenario.gang("large-" + i, 1, 9000, 20)));
            isAskedSeldom(
                    scenario,
                    slotwise,
                    verb + " " + resource,
                    account(Installation.RELEASE),
                    "kubectl auth can-i " + verb);

            assertThat(slotwise.isReady()).isTrue();
            GangSpec fits = gang(scenario, 0);
            cluster.submitAsPods(fits);
            scenario.awaitWhole(fits, 20);
        } finally {
            write(role);
        }
    }

    @ParameterizedTest
    @CsvSource({"records, update, reservations/status", "bindings, create, pods/binding"})
    void aMissingRightIsAskedForSeldomUntilItIsGranted(String what, String verb, String resource) {
        Scenario scenario = new Scenario(cluster, "right-" + what).withNodes(2);
        ClusterRole role = without(resource);
        SlotwiseProcess slotwise = chart.startSlotwiseWithoutWaiting();
        try (slotwise) {
            staysQuiet(
                    scenario,
                    slotwise,
                    verb + " " + resource,
                    account(Installation.RELEASE),
                    "kubectl auth can-i " + verb);
            staysUnready(slotwise);

            write(role);

            scenario.awaitWhole(gang(scenario, 0), 90);
            Scenario.within("the replica to be ready again", 30).until(slotwise::isReady);
        } finally {
            write(role);
        }
    }

    @Test
    void anAccountUnknownToTheChartsPoliciesIsNamedWithPolicyAndRemedy() {
        Scenario scenario = new Scenario(cluster, "stranger").withNodes(2);
        Account.create(plane, Installation.RELEASE, STRANGER).mayEverywhere(Installation.RELEASE);
        plane.client()
                .rbac()
                .roleBindings()
                .inNamespace(Installation.RELEASE)
                .withName(Installation.RELEASE)
                .edit(there -> new RoleBindingBuilder(there)
                        .addNewSubject("", "ServiceAccount", STRANGER, Installation.RELEASE)
                        .build());
        try (SlotwiseProcess slotwise = chart.startSlotwiseAs(STRANGER)) {
            staysQuiet(
                    scenario,
                    slotwise,
                    "create pods/binding",
                    account(STRANGER),
                    "the policy slotwise-account-bindings",
                    "run Slotwise as the account of the chart's release");
            staysUnready(slotwise);
        }
    }

    private static String account(String name) {
        return "(account system:serviceaccount:" + Installation.RELEASE + ":" + name + ")";
    }

    private static void staysUnready(SlotwiseProcess slotwise) {
        assertThat(slotwise.isReady()).isFalse();
        assertThat(slotwise.metric("slotwise_refused_calls")).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"Forbidden, 403", "Invalid, 422"})
    void aPolicyThatDeniesRecordsIsAskedSeldom(String reason, int code) {
        Scenario scenario = new Scenario(cluster, "denied-" + reason.toLowerCase(Locale.ROOT)).withNodes(2);
        String denial = """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: no-records}
            spec:
              failurePolicy: Fail
              matchConstraints:
                namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
                resourceRules:
                - {apiGroups: [slotwise.io], apiVersions: [v1alpha1], operations: [CREATE], resources: [reservations]}
              validations:
              - {expression: "false", message: denied by a policy of this test, reason: %s}
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: no-records}
            spec: {policyName: no-records, validationActions: [Deny]}
            """.formatted(scenario.namespace(), reason);
        List<HasMetadata> policy = plane.client()
                .load(new ByteArrayInputStream(denial.getBytes(StandardCharsets.UTF_8)))
                .create();
        Scenario.within("the policy to be in force", 30).until(() -> isDenied(scenario.namespace()));
        try (SlotwiseProcess slotwise = chart.startSlotwiseWithoutWaiting()) {
            staysQuiet(scenario, slotwise, "create reservations", "denied by a policy of this test");
            assertThat(refusals(scenario.namespace(), "create reservations"))
                    .extracting(AuditLog.Entry::code)
                    .containsOnly(code);
        } finally {
            policy.forEach(object -> plane.client().resource(object).delete());
        }
    }

    private boolean isDenied(String namespace) {
        Reservation record = new Reservation();
        record.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName("probe")
                .build());
        record.setSpec(
                new ReservationSpec("probe", "finish", 60L, null, null, null, null, null, null, null, null, null));
        try {
            plane.client().resource(record).dryRun().create();
            return false;
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage()).contains("a policy of this test");
        }
    }

    /** Submits gangs. Asserts that one pod of each is told the refusal, and the rest as {@link #isAskedSeldom}. */
    private void staysQuiet(Scenario scenario, SlotwiseProcess slotwise, String call, String... told) {
        IntStream.range(0, 6).forEach(i -> cluster.submitAsPods(gang(scenario, i)));
        isAskedSeldom(scenario, slotwise, call, told);
        scenario.awaitEvent("WriteRefused", event -> assertThat(event).contains("Pod/"));
        assertThat(cluster.events(scenario.namespace(), "WriteRefused"))
                .doesNotHaveDuplicates()
                .hasSizeLessThanOrEqualTo(6);
    }

    /**
     * Asserts that calls of this kind, granted or not, and reads of the same resource are rare in the half minute after
     * the first refusal, and so are refused calls of each other kind.
     *
     * @param told the words of the single log line for the admin
     */
    private void isAskedSeldom(Scenario scenario, SlotwiseProcess slotwise, String call, String... told) {
        String namespace = scenario.namespace();
        Scenario.within("a refusal of " + call, 90)
                .until(() -> !refusals(namespace, call).isEmpty());
        Instant first = refusals(namespace, call).getFirst().received();
        Scenario.awaitClock(first.plus(HALF_A_MINUTE));

        String read = "(get|list) " + call.replaceFirst("[^ ]+ ", "").replaceFirst("/.*", "");
        List<AuditLog.Entry> all = plane.audit()
                .entries(entry -> entry.namespace().equals(namespace)
                        && (call(entry).equals(call)
                                || call(entry).matches(read)
                                || (entry.code() >= 400 && entry.code() != 409))
                        && entry.received().isBefore(first.plus(HALF_A_MINUTE)));
        Map<String, List<AuditLog.Entry>> byKind =
                all.stream().collect(Collectors.groupingBy(entry -> call(entry).matches(read) ? call : call(entry)));
        assertThat(byKind.values()).allSatisfy(calls -> assertThat(calls).hasSizeLessThanOrEqualTo(MOST_CALLS));
        List<String> warnings = warnings(slotwise);
        assertThat(warnings).as("lines of the log").hasSizeLessThanOrEqualTo(LINES);
        assertThat(warnings)
                .filteredOn(line -> Stream.of(told).allMatch(line::contains))
                .as("the refusal in %s", warnings)
                .hasSize(1);
    }

    private static GangSpec gang(Scenario scenario, int number) {
        return scenario.gang("g" + number, 1, 500, 20);
    }

    private List<AuditLog.Entry> refusals(String namespace, String call) {
        return calls(namespace, call).stream()
                .filter(entry -> !entry.succeeded())
                .toList();
    }

    private List<AuditLog.Entry> calls(String namespace, String call) {
        return plane.audit()
                .entries(entry ->
                        entry.namespace().equals(namespace) && call(entry).equals(call));
    }

    private static String call(AuditLog.Entry entry) {
        return entry.verb() + " " + entry.resource();
    }

    private static List<String> warnings(SlotwiseProcess slotwise) {
        try {
            return slotwise.log().stream()
                    .filter(line -> line.contains("WARN") || line.contains("ERROR"))
                    // Without lines of libraries about an alpha version and a busy machine.
                    .filter(line -> !line.contains("[VersionUsageUtils]") && !line.contains("[BlockedThreadChecker]"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(ClusterRole role) {
        List<PolicyRule> rules = role.getRules();
        plane.client()
                .rbac()
                .clusterRoles()
                .withName(role.getMetadata().getName())
                .edit(there -> new ClusterRoleBuilder(there).withRules(rules).build());
    }
}
