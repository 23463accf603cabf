package io.slotwise.kubernetes.manifest.admission;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Request;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proves that pods in files are planned as the API server would store them, and not if it would refuse them. */
class PodAdmissionTest {
    private static final String NODE = """
            {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {slotwise.io/price: "1"}}, status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110"}}}
            ---
            """;
    private static final String KATA = """
            apiVersion: node.k8s.io/v1
            kind: RuntimeClass
            metadata: {name: kata}
            handler: kata
            overhead: {podFixed: {cpu: 250m, memory: 1Gi}}
            scheduling:
              nodeSelector: {kata: "yes"}
              tolerations: [{key: kata, operator: Exists, effect: NoSchedule}]
            ---
            """;
    private static final String CLASSES = """
            {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 1000, preemptionPolicy: Never}
            ---
            {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: usual}, value: 10, globalDefault: true}
            ---
            """;
    private static final String LIMITS = """
            apiVersion: v1
            kind: LimitRange
            metadata: {name: limits}
            spec:
              limits:
              - {type: Container, default: {cpu: "2", memory: 4Gi}, defaultRequest: {cpu: 500m}, max: {cpu: "8"}, min: {cpu: 100m}, maxLimitRequestRatio: {cpu: "4"}}
              - {type: Pod, max: {cpu: "10"}}
            ---
            """;

    private static String pod(String name, String spec, String resources) {
        return """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, annotations: {slotwise.io/runtime: 1h}}, spec: {schedulerName: slotwise, containers: [{name: c, resources: {%s}}]%s}}
                ---
                """.formatted(name, resources, spec);
    }

    private static IntakeResult take(String yaml) {
        return new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(
                        ManifestFile.read(
                                new ByteArrayInputStream((NODE + yaml).getBytes(StandardCharsets.UTF_8)), "test.yaml"),
                        Map.of(),
                        NOW);
    }

    private static Gang only(IntakeResult result) {
        assertThat(result.snapshot().held()).isEmpty();
        assertThat(result.warnings()).noneMatch(IntakeWarning::isOfConcern);
        return result.snapshot().requests().stream()
                .map(Request::gang)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> refusals(IntakeResult result) {
        return result.snapshot().held().stream()
                .map(Pending::refusal)
                .map(refusal -> refusal.message())
                .toList();
    }

    @Test
    void aRuntimeClassGivesOverheadNodeSelectorAndTolerations() {
        Gang gang =
                only(take(KATA + pod("p", ", runtimeClassName: kata, nodeSelector: {zone: a}", "requests: {cpu: 1}")));

        var request = gang.shapes().getFirst().request();
        assertThat(request.resources().get(Resources.CPU)).isEqualTo(1250);
        assertThat(request.resources().get(Resources.MEMORY)).isEqualTo(1L << 30);
        assertThat(request.constraint().selector()).isEqualTo(Map.of("kata", "yes", "zone", "a"));
        assertThat(request.constraint().tolerations())
                .extracting(toleration -> toleration.key())
                .containsExactly("kata");
    }

    @Test
    void podsThatShareATemplateAreAdmittedOnce() {
        Gang gang = only(take(KATA + """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: j}
                spec:
                  parallelism: 3
                  completions: 3
                  template:
                    metadata: {labels: {slotwise.io/gang: g}, annotations: {slotwise.io/runtime: 1h, slotwise.io/gang-size: "3"}}
                    spec: {schedulerName: slotwise, runtimeClassName: kata, restartPolicy: Never, containers: [{name: c, resources: {requests: {cpu: "1"}}}]}
                """));

        assertThat(gang.size()).isEqualTo(3);
        assertThat(gang.isUniform()).isTrue();
        assertThat(gang.shapes().getFirst().request().resources().get(Resources.CPU))
                .isEqualTo(1250);
    }

    @Test
    void aPodThatAnApiServerHasMadeStaysAsItIs() {
        Gang gang = only(take(KATA + CLASSES + LIMITS + """
                {apiVersion: v1, kind: Pod, metadata: {name: p, uid: u-1, annotations: {slotwise.io/runtime: 1h}}, spec: {schedulerName: slotwise, runtimeClassName: kata, priority: 7, containers: [{name: c}]}}
                """));

        assertThat(gang.priority()).isEqualTo(7);
        assertThat(gang.shapes().getFirst().request().resources().get(Resources.CPU))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            , priorityClassName: high                  | 1000       | false
            ''                                         | 10         | true
            , priorityClassName: system-node-critical  | 2000001000 | true
            , priorityClassName: high, priority: 1000   | 1000       | false
            """, quoteCharacter = '~')
    void aPriorityClassGivesItsValueAndPolicy(String spec, int priority, boolean preempts) {
        String plain = spec.replace("'", "");

        Gang gang = only(take(CLASSES + pod("p", plain, "")));

        assertThat(gang.priority()).isEqualTo(priority);
        assertThat(gang.preempts()).isEqualTo(preempts);
    }

    @Test
    void aPriorityWithoutAClassIsPlannedAndTold() {
        IntakeResult result = take(pod("p", ", priority: 5", ""));

        assertThat(result.snapshot().requests().getFirst().gang().priority()).isEqualTo(5);
        assertThat(result.warnings())
                .extracting(IntakeWarning::message)
                .containsExactly(
                        "no PriorityClass states the priority 5 (`spec.priority` of pod default/p): the API server "
                                + "refuses it without `spec.priorityClassName`, and it counts in the plan");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                      | 500
            limits: {cpu: 1}                        | 1000
            requests: {cpu: 3}, limits: {cpu: 4}    | 3000
            """)
    void aLimitRangeGivesTheRequestThatIsNotStated(String resources, int cpu) {
        Gang gang = only(take(LIMITS + pod("p", "", resources)));

        assertThat(gang.shapes().getFirst().request().resources().get(Resources.CPU))
                .isEqualTo(cpu);
        assertThat(gang.shapes().getFirst().request().resources().get(Resources.MEMORY))
                .isEqualTo(4L << 30);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            requests: {cpu: 9}, limits: {cpu: 9}      | container c has a limit of 9 of cpu, and LimitRange limits allows at most 8
            requests: {cpu: 50m}, limits: {cpu: 100m} | container c requests 50m of cpu, and LimitRange limits wants at least 100m
            requests: {cpu: 1}, limits: {cpu: 5}      | container c has a limit of 5 of cpu and requests 1, and LimitRange limits allows at most 4 times as much
            """)
    void podsOutsideALimitRangeAreRefused(String resources, String why) {
        IntakeResult result = take(LIMITS + pod("p", "", resources) + pod("q", "", ""));

        assertThat(refusals(result)).containsExactly("the API server refuses pod default/p: " + why);
        assertThat(result.snapshot().requests()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            , runtimeClassName: other                             | RuntimeClass other is not there
            , runtimeClassName: kata, nodeSelector: {kata: "no"}  | `spec.nodeSelector` has kata=no, and RuntimeClass kata has kata=yes
            , priorityClassName: none                             | PriorityClass none is not there
            , priorityClassName: high, priority: 3                | `spec.priority` (3) is not that of PriorityClass high (1000)
            , preemptionPolicy: Never                             | `spec.preemptionPolicy` (Never) is not that of PriorityClass usual (PreemptLowerPriority)
            """)
    void podsThatContradictTheirClassAreRefused(String spec, String why) {
        assertThat(refusals(take(KATA + CLASSES + pod("p", spec, ""))))
                .containsExactly("the API server refuses pod default/p: " + why);
    }

    private static String quota(String hard, String more) {
        return "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {%s}%s}}\n---\n"
                .formatted(hard, more);
    }

    @Test
    void aGangThatTheQuotaLeavesNoRoomForWaits() {
        String gang = """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: j}
                spec:
                  parallelism: 3
                  completions: 3
                  template:
                    metadata: {labels: {slotwise.io/gang: g}, annotations: {slotwise.io/runtime: 1h, slotwise.io/gang-size: "3"}}
                    spec: {schedulerName: slotwise, restartPolicy: Never, containers: [{name: c, resources: {requests: {cpu: "2"}}}]}
                ---
                """;
        String running = pod("r", ", nodeName: n1", "requests: {cpu: 1}");

        assertThat(refusals(take(quota("requests.cpu: 7", "") + running + gang)))
                .isEmpty();
        assertThat(refusals(take(quota("requests.cpu: 6", "") + running + gang)))
                .containsExactly(
                        "the API server refuses pod default/j-2: ResourceQuota q allows 6 of requests.cpu, 5 are "
                                + "used, and it asks for 2");
        assertThat(refusals(take(quota("pods: 3", "") + running + gang)))
                .containsExactly(
                        "the API server refuses pod default/j-2: ResourceQuota q allows 3 of pods, 3 are used, and"
                                + " it asks for 1");
        assertThat(refusals(take(quota("limits.cpu: 60", "") + gang)))
                .containsExactly("the API server refuses pod default/j-0: container c does not state limits.cpu, which "
                        + "ResourceQuota q counts");
    }

    @Test
    void theUsageInAQuotasStatusCounts() {
        String quota =
                "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, uid: u}, spec: {hard: {pods: 2}}, status: "
                        + "{used: {pods: 1}}}\n---\n";
        String made = pod("r", ", nodeName: n1", "").replace("name: r,", "name: r, uid: u-1,");

        assertThat(refusals(take(quota + made + pod("a", "", "") + pod("b", "", ""))))
                .containsExactly(
                        "the API server refuses pod default/b: ResourceQuota q allows 2 of pods, 2 are used, and "
                                + "it asks for 1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            scopes: [Terminating]                                                                             | false
            scopes: [NotTerminating]                                                                          | true
            scopes: [BestEffort]                                                                              | true
            scopes: [NotBestEffort]                                                                           | false
            scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}     | false
            scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: NotIn, values: [high]}]}  | true
            scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: Exists}]}                 | false
            """)
    void aQuotaCountsThePodsOfItsScopes(String scopes, boolean counts) {
        assertThat(refusals(take(quota("pods: 0", ", " + scopes) + pod("p", "", ""))))
                .hasSize(counts ? 1 : 0);
    }

    @Test
    void aQuotaThatCannotBeReadIsToldAndTheOthersCount() {
        IntakeResult result = take(quota("pods: many", "")
                + quota("pods: 0", "").replace("name: q", "name: other, namespace: team")
                + pod("p", "", "")
                + pod("x", "", "").replace("name: x,", "name: x, namespace: team,"));

        assertThat(result.warnings())
                .extracting(IntakeWarning::message)
                .contains("test.yaml, document 2, ResourceQuota q: spec.hard[pods] (many) is not "
                        + "valid: expected a number such as "
                        + "500m, 2 or 4Gi; it is left out");
        assertThat(refusals(result)).hasSize(1);
        assertThat(result.snapshot().requests()).hasSize(1);
    }
}
