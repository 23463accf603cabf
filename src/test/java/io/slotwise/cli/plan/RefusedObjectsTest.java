package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An object that no API server would accept, among honest ones. Proves that it is refused by name, and that the others
 * are planned.
 */
class RefusedObjectsTest {
    private static final long NOW = Instant.parse("2030-01-01T00:00:00Z").getEpochSecond();
    private static final String HONEST = """
            {apiVersion: v1, kind: Node, metadata: {name: n, labels: {slotwise.io/price: "1"}}, status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: honest, annotations: {slotwise.io/runtime: 1h}}, spec: {schedulerName: slotwise, containers: [{name: c, resources: {requests: {cpu: "1"}}}]}}
            ---
            """;
    private static final String POD =
            "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {schedulerName: slotwise, %s}}";
    private static final String CONTAINER = "containers: [{name: c, %s}]";

    /** For a pod, each case gives fields of its specification. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            schedulingGates: [{}]                          | no spec.schedulingGates[0].name: expected
            priority: 1.9                                  | spec.priority (1.9) is not valid: expected a whole number
            activeDeadlineSeconds: -5                      | spec.activeDeadlineSeconds (-5) is not valid: expected a whole number between 1 and 2147483647
            activeDeadlineSeconds: 1.5                     | spec.activeDeadlineSeconds (1.5) is not valid: expected a whole number
            nodeSelector: {gpu: yes}                       | spec.nodeSelector[gpu] (true) is not valid: expected a text
            nodeSelector: [gpu]                            | spec.nodeSelector (["gpu"]) is not valid: expected keys with their values
            tolerations: [{key: a, operator: Equals}]      | spec.tolerations[0].operator (Equals) is not valid: expected Exists or Equal
            tolerations: [{key: a, effect: NoStart}]       | spec.tolerations[0].effect (NoStart) is not valid: expected NoSchedule
            tolerations: [{operator: Equal, value: a}]     | spec.tolerations[0].operator (Equal) is not valid: expected Exists
            preemptionPolicy: Sometimes                    | spec.preemptionPolicy (Sometimes) is not valid: expected Never or PreemptLowerPriority
            restartPolicy: 5                               | spec.restartPolicy (5) is not valid: expected Always or Never or OnFailure
            overhead: {cpu: lots}                          | spec.overhead[cpu] (lots) is not valid: expected a number such as 500m, 2 or 4Gi
            resourceClaims: [{name: g}]                    | spec.resourceClaims[0] (g) is not valid: expected either resourceClaimName or resourceClaimTemplateName
            affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Is, values: [b]}]}]}}} | operator (Is) is not valid: expected In or NotIn or Exists or DoesNotExist or Gt or Lt
            affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Gt, values: [b]}]}]}}} | values (b) is not valid: expected one whole number with the operator Gt
            affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {a: b}}}]}} | topologyKey: expected
            topologySpreadConstraints: [{maxSkew: 0, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}] | maxSkew (0) is not valid: expected a whole number between 1 and
            """)
    void aPodIsRefusedWithTheFieldItsValueAndWhatWasExpected(String field, String problem) {
        FilePlan plan = plan(POD.formatted(field + ", " + CONTAINER.formatted("image: i")));

        assertRefused(plan, "pod-p", "pod default/p: ", problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            resources: {requests: {cpu: ""}}               | requests[cpu] () is not valid: expected a number such as 500m, 2 or 4Gi
            resources: {requests: {cpu: ١}}                | requests[cpu] (١) is not valid: expected a number such as 500m, 2 or 4Gi
            resources: {requests: {cpu: true}}             | requests[cpu] (true) is not valid: expected a number such as 500m, 2 or 4Gi
            resources: {requests: {cpu: -1}}               | requests[cpu] (-1) is not valid: expected 0 or more
            resources: 5                                   | resources (5) is not valid: expected fields
            ports: [{containerPort: 80, hostPort: 80.7}]   | hostPort (80.7) is not valid: expected a whole number between 0 and 65535
            ports: [{containerPort: 80, hostPort: 80000}]  | hostPort (80000) is not valid: expected a whole number between 0 and 65535
            ports: [{containerPort: 80, protocol: ICMP}]   | protocol (ICMP) is not valid: expected TCP or UDP or SCTP
            """)
    void aContainerIsRefusedWithTheFieldItsValueAndWhatWasExpected(String field, String problem) {
        FilePlan plan = plan(POD.formatted(CONTAINER.formatted(field)));

        assertRefused(plan, "pod-p", "pod default/p: spec.containers[0].", problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            {size: 2, resources: {cpu: 1}, window: {start: "2030-01-01T01:00:00Z"}} | `spec.hold.window.end` is missing: expected an RFC 3339 instant
            {size: 2, resources: {cpu: 1}, window: {end: "2030-01-01T01:00:00Z"}} | `spec.hold.window.start` is missing: expected an RFC 3339 instant
            {size: 2, resources: {cpu: 1}, deadline: "2030-01-01T03:00:00Z", window: {start: "2030-01-01T01:00:00Z", end: "2030-01-01T02:00:00Z"}} | `spec.hold.deadline` (2030-01-01T03:00:00Z) cannot be combined with `spec.hold.window`
            {size: 2, budget: ١٢, resources: {cpu: 1}}     | `spec.hold.budget`
            {size: 0, resources: {cpu: 1}}                 | `spec.hold.size` (0) is not valid
            """)
    void anAdvanceReservationIsRefusedByItsField(String hold, String problem) {
        FilePlan plan =
                plan("{apiVersion: slotwise.io/v1alpha1, kind: Reservation, metadata: {name: r}, spec: {hold: %s}}"
                        .formatted(hold));

        assertRefused(plan, "r", "", problem);
    }

    @Test
    void anAdvanceReservationThatHasMovedIsRefusedOnce() {
        FilePlan plan = plan("""
                apiVersion: slotwise.io/v1alpha1
                kind: Reservation
                metadata: {namespace: default, name: r, creationTimestamp: "2029-12-31T00:00:00Z", uid: u}
                spec:
                  gang: r
                  hold: {size: -1, resources: {cpu: 1}, runtime: 1h}
                  window:
                    start: "2030-01-01T01:00:00Z"
                    end: "2030-01-01T02:00:00Z"
                    cost: "0.000000"
                    exactCost: 0
                    placement:
                    - {pod: r-0, node: n1, start: "2030-01-01T01:00:00Z", end: "2030-01-01T02:00:00Z", cost: "0.000000", exactCost: 0}
                    rates: []
                status:
                  phase: Promised
                  past:
                    runs:
                    - {start: "2029-12-31T01:00:00Z", end: "2029-12-31T02:00:00Z", endedAt: "2029-12-31T01:30:00Z",
                      exactPromised: 0, exactCharged: 0, exactOverrun: 0}
                    workSeconds: 3600
                    overheadSeconds: 0
                    exactSpent: 0
                """);

        assertRefused(plan, "r", "", "`spec.hold.size` (-1) is not valid");
    }

    @Test
    void aRecordOfAMovedGangWithoutRunsIsNamed() {
        FilePlan plan = plan("""
                apiVersion: slotwise.io/v1alpha1
                kind: Reservation
                metadata: {namespace: default, name: r, creationTimestamp: "2029-12-31T00:00:00Z", uid: u}
                spec: {gang: r}
                status: {phase: Broken, past: {runs: [], workSeconds: 3600, overheadSeconds: 0, exactSpent: 0}}
                """);

        assertTold(plan, "reservation default/r ", "`status.past.runs` is empty");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            {size: 2, resources: {cpu: ""}}                | spec.hold.resources
            {size: 1.9}                                    | spec.hold.size (1.9) is not valid
            {size: 2, maxPerNode: 1.5}                     | spec.hold.maxPerNode (1.5) is not valid
            {size: 2, tolerations: [{key: a, effect: Never}]} | spec.hold.tolerations[0].effect (Never) is not valid: expected NoSchedule
            {size: 2, nodeSelector: {"a b": c}}            | spec.hold.nodeSelector (a b) is not valid: expected keys
            text                                           | spec.hold (text) is not valid
            """)
    void anAdvanceReservationThatCannotBeReadIsNamed(String hold, String problem) {
        FilePlan plan =
                plan("{apiVersion: slotwise.io/v1alpha1, kind: Reservation, metadata: {name: r}, spec: {hold: %s}}"
                        .formatted(hold));

        assertTold(plan, "Reservation r: ", problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{hold: null}", "{holds: {size: 2}}"})
    void aReservationThatIsAboutNothingIsNamed(String spec) {
        FilePlan plan = plan(
                "{apiVersion: slotwise.io/v1alpha1, kind: Reservation, metadata: {name: r}, spec: %s}".formatted(spec));

        assertTold(plan, "Reservation r: ", "no spec.hold: expected what an advance reservation keeps room for");
    }

    /** A gang's record is a promise. The record of a missing gang keeps no other gang waiting. */
    @Test
    void aReservationOfAGangIsNoAdvanceReservation() {
        FilePlan plan = plan("{apiVersion: slotwise.io/v1alpha1, kind: Reservation, metadata: {name: r}, spec: "
                + "{gang: g, hold: null}}");

        assertThat(plan.result().warnings()).isEmpty();
        assertThat(plan.plan().pending()).isEmpty();
        assertHonest(plan);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            annotations: {slotwise.io/buget: 0.1/month}         | `slotwise.io/buget` (0.1/month) of namespace team is not known
            annotations: {slotwise.io/monthly-budget: "0.1"}    | `slotwise.io/monthly-budget` (0.1) of namespace team is not known
            labels: {slotwise.io/budget: "0.1"}                 | `slotwise.io/budget` (0.1) of namespace team must not be a label
            annotations: {slotwise.io/budget: ١٢}               | `slotwise.io/budget`
            annotations: {slotwise.io/budget: 5}                | metadata.annotations[slotwise.io/budget] (5) is not valid: expected a text
            labels: {slotwise.io/budget: 20/month}              | metadata.labels[slotwise.io/budget] (20/month) is not valid
            """)
    void aBudgetOfANamespaceThatCannotBeReadBelongsToItsGangs(String budget, String problem) {
        FilePlan plan = plan("{apiVersion: v1, kind: Namespace, metadata: {name: team, %s}}\n---\n".formatted(budget)
                + POD.formatted(CONTAINER.formatted("image: i")).replace("{name: p}", "{name: p, namespace: team}"));

        assertThat(reason(plan, new GangId("team", "pod-p"))).contains(problem);
        assertHonest(plan);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            JobSet     | jobset.x-k8s.io/v1alpha2 | {replicatedJobs: [{name: a, replicas: 2147483647, template: {spec: {parallelism: 2147483647}}}, {name: b, replicas: 2147483647, template: {spec: {parallelism: 2147483647}}}, {name: c, replicas: 2147483647, template: {spec: {parallelism: 2147483647}}}]} | jobset.sigs.k8s.io/jobset-name: g
            RayCluster | ray.io/v1                | {workerGroupSpecs: [{replicas: 2147483647, numOfHosts: 2147483647}, {replicas: 2147483647, numOfHosts: 2147483647}, {replicas: 2147483647, numOfHosts: 2147483647}]} | ray.io/cluster: g, ray.io/node-type: worker
            """)
    void aSumOfPodsThatPassesALongIsTooMany(String kind, String api, String spec, String labels) {
        FilePlan plan = plan(POD.formatted(CONTAINER.formatted("image: i"))
                        .replace("{name: p}", "{name: p, labels: {%s}}".formatted(labels))
                + "\n---\n{apiVersion: %s, kind: %s, metadata: {name: g, uid: u}, spec: %s}"
                        .formatted(api, kind, spec));

        assertThat(plan.plan().pending())
                .singleElement()
                .satisfies(pending -> assertThat(pending.refusal().message())
                        .contains("asks for 9223372036854775807 pods or more: expected between 1 and 100000"));
        assertHonest(plan);
    }

    @Test
    void aNodeThatTakesNoPodsTakesNone() {
        FilePlan plan = plan("""
                {apiVersion: v1, kind: Node, metadata: {name: none, labels: {slotwise.io/price: "0"}}, status: {allocatable: {cpu: "8", pods: "0"}}}
                """);

        assertThat(plan.result().warnings()).isEmpty();
        assertHonest(plan);
    }

    private static void assertRefused(FilePlan plan, String gang, String object, String problem) {
        assertThat(reason(plan, new GangId("default", gang))).contains(object).contains(problem);
        assertHonest(plan);
    }

    private static void assertTold(FilePlan plan, String object, String problem) {
        assertThat(plan.result().warnings().stream().map(IntakeWarning::message))
                .filteredOn(message -> message.contains(object) && message.contains(problem))
                .hasSize(1);
        assertHonest(plan);
    }

    /** Asserts that the unrelated gang has its window, and that no sentence is about Java classes. */
    private static void assertHonest(FilePlan plan) {
        assertThat(plan.plan().windows())
                .filteredOn(planned -> planned.window().gang().equals(new GangId("default", "pod-honest")))
                .singleElement()
                .satisfies(planned -> assertThat(
                                planned.window().placements().getFirst().node())
                        .isEqualTo("n"));
        assertThat(Stream.concat(
                        plan.result().warnings().stream().map(IntakeWarning::message),
                        plan.plan().pending().stream()
                                .map(pending -> pending.refusal().message())))
                .noneMatch(text -> text.contains("java.") || text.contains("io.fabric8") || text.contains("internal"));
    }

    private static String reason(FilePlan plan, GangId gang) {
        List<String> reasons = plan.plan().pending().stream()
                .filter(pending -> pending.gang().equals(gang))
                .map(pending -> pending.refusal().message())
                .toList();
        assertThat(reasons).as("reasons of %s", gang).hasSize(1);
        return reasons.getFirst();
    }

    private static FilePlan plan(String text) {
        ClusterObjects objects = ManifestFile.read(
                new ByteArrayInputStream((HONEST + text).getBytes(StandardCharsets.UTF_8)), "objects.yaml");
        return FilePlan.of(objects, LoopSettings.EXACT, PriceCatalogue.EMPTY, NOW);
    }
}
