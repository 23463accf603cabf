package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Advice;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.RequestChange;
import io.slotwise.core.runtime.PastRun;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.report.Explanation;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proves that a plan of files names the cause if a gang has no window. */
class RefusedPlansTest {
    private static final long NOW = 1_893_456_000L;

    private static String node(String name, String cpu, String memory) {
        return """
                {apiVersion: v1, kind: Node, metadata: {name: %s, labels: {slotwise.io/price: "1"}}, status: {allocatable: {cpu: "%s", memory: %s, pods: "110"}}}
                ---
                """.formatted(name, cpu, memory);
    }

    private static String pod(String name, String metadata, String spec, String requests) {
        return """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, %s}, spec: {schedulerName: slotwise%s, containers: [{name: c, resources: {requests: {%s}}}]}}
                ---
                """.formatted(name, metadata, spec, requests);
    }

    private static String member(String name, String requests) {
        return pod(
                name,
                "labels: {slotwise.io/gang: g}, annotations: {slotwise.io/gang-size: '3', slotwise.io/runtime: 1h}",
                "",
                requests);
    }

    private static ClusterObjects objects(String yaml) {
        return ManifestFile.read(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)), "test.yaml");
    }

    private static FilePlan plan(ClusterObjects objects) {
        return FilePlan.of(objects, LoopSettings.EXACT, PriceCatalogue.EMPTY, NOW);
    }

    private static FilePlan plan(String yaml) {
        return plan(objects(yaml));
    }

    private static Refusal refusal(String yaml) {
        return plan(yaml).plan().pending().stream()
                .map(Pending::refusal)
                .collect(Collectors.collectingAndThen(Collectors.toList(), all -> {
                    assertThat(all).hasSize(1);
                    return all.getFirst();
                }));
    }

    @Test
    void aMixedGangThatEmptyNodesDoNotTakeTogetherIsTooLarge() {
        String nodes = node("n1", "4", "8Gi") + node("n2", "4", "8Gi");
        String gang = member("a", "cpu: 3") + member("b", "cpu: 3") + member("c", "cpu: 2");

        assertThat(refusal(nodes + gang)).isEqualTo(new Refusal.TooLarge(3, 2));
        assertThat(plan(nodes + node("n3", "2", "8Gi") + gang).plan().pending()).isEmpty();
    }

    @Test
    void aGangThatFitsIntoNoDomainIsToldOfTheLargestOne() {
        String nodes = node("n1", "4", "8Gi").replace("labels: {", "labels: {x/rack: r1, ")
                + node("n2", "4", "8Gi").replace("labels: {", "labels: {x/rack: r2, ")
                + node("n3", "4", "8Gi").replace("labels: {", "labels: {x/rack: r2, ");
        String gang = Stream.of("a", "b", "c")
                .map(name -> member(name, "cpu: 3")
                        .replace("annotations: {", "annotations: {slotwise.io/topology: x/rack, "))
                .collect(Collectors.joining());

        Refusal refusal = refusal(nodes + gang);

        assertThat(refusal).isEqualTo(new Refusal.TooLarge(3, 2, "x/rack", "r2", null));
        assertThat(refusal.message()).endsWith("take 2 when they are empty, most of all r2");
    }

    @Test
    void aMixedGangWithoutRoomIsToldOfTheGangsInItsWay() {
        String nodes = node("n1", "4", "8Gi") + node("n2", "4", "8Gi") + node("n3", "2", "8Gi");
        String running = pod("r", "annotations: {}", ", nodeName: n3", "cpu: 1")
                .replace("schedulerName: slotwise", "schedulerName: other");

        assertThat(refusal(nodes + running + member("a", "cpu: 3") + member("b", "cpu: 3") + member("c", "cpu: 2")))
                .isEqualTo(new Refusal.NoWindow(3, LoopSettings.EXACT.policy().horizon()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cpu: 9                    | no eligible node among 2: 2 too small for one pod (cpu)
            cpu: 3, memory: 9Gi       | no eligible node among 2: 2 too small for one pod (cpu on 1, memory on 2)
            ephemeral-storage: 1Gi    | no eligible node among 2: 2 too small for one pod (ephemeral-storage)
            """)
    void aTooSmallNodeIsReportedWithItsResource(String requests, String message) {
        assertThat(refusal(node("n1", "4", "8Gi")
                                + node("n2", "2", "8Gi")
                                + pod("p", "annotations: {slotwise.io/runtime: 1h}", "", requests))
                        .message())
                .isEqualTo(message);
    }

    @Test
    void aLabelThatNoNodeHasIsNamed() {
        Refusal refusal = refusal(node("n1", "4", "8Gi")
                + pod("p", "annotations: {slotwise.io/runtime: 1h, slotwise.io/topology: nosuch}", "", "cpu: 1"));

        assertThat(refusal.message())
                .isEqualTo("no eligible node has the label nosuch, of which all pods of the gang must be in one value");
        assertThat(Explanation.hint(refusal))
                .isEqualTo("Set slotwise.io/topology to a label that nodes have, or label nodes with nosuch.");
    }

    @Test
    void aRuntimeThatPastRunsContradictIsPutRight() {
        GangId gang = new GangId("default", "pod-p");
        ClusterObjects objects = objects(node("n1", "4", "8Gi")
                + pod("p", "annotations: {slotwise.io/runtime: 4h, slotwise.io/budget: '0.5'}", "", "cpu: 1"));
        RecurringWorkload workload = Objects.requireNonNull(
                        plan(objects).result().sources().get(gang))
                .workload();
        List<PastRun> runs = Stream.of("a", "b", "c")
                .map(id -> new PastRun(NOW - 3600, id, 600))
                .toList();
        RunHistory history = new RunHistory(
                "default", "1", new TreeMap<>(Map.of(workload.key(), new RunHistory.Series(workload.name(), runs))));

        assertThat(plan(objects.withHistories(Map.of("default", history))).advice(gang))
                .extracting(Advice::change)
                .filteredOn(RequestChange.Lasting.class::isInstance)
                .containsExactly(new RequestChange.Lasting(600));
        assertThat(plan(objects).advice(gang))
                .extracting(Advice::change)
                .filteredOn(RequestChange.Lasting.class::isInstance)
                .containsExactly(new RequestChange.Lasting(7200));
    }

    @Test
    void aTooLongAmountIsReportedWithItsLength() {
        String digits = IntStream.range(0, 65).mapToObj(_ -> "0").collect(Collectors.joining());

        assertThat(refusal(node("n1", "4", "8Gi")
                                + pod(
                                        "p",
                                        "annotations: {slotwise.io/runtime: 1h, slotwise.io/budget: '" + digits + "'}",
                                        "",
                                        "cpu: 1"))
                        .message())
                .endsWith(" is not valid: too long: expected a decimal number of at most 64 characters such as 1.25");
        assertThat(refusal(node("n1", "4", "8Gi")
                                + pod("p", "annotations: {slotwise.io/runtime: 1h}", "", "cpu: '" + digits + "1'"))
                        .message())
                .endsWith(" of cpu is too long: expected at most 64 characters");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {a: b}}}]}}     | affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]
            affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {a: b}}}]}} | affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]
            topologySpreadConstraints: [{maxSkew: 1, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {a: b}}}]       | topologySpreadConstraints[0]
            """)
    void aRuleWithoutATopologyKeyIsRefusedByItsName(String spec, String path) {
        assertThat(refusal(node("n1", "4", "8Gi")
                                + pod("p", "annotations: {slotwise.io/runtime: 1h}", ", " + spec, "cpu: 1"))
                        .message())
                .isEqualTo("pod default/p: no spec.%s.topologyKey: expected a key such as example.com/name"
                        .formatted(path));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labels      | slotwise.io/price       | a label of nodes
            annotations | slotwise.io/unavailable | an annotation of nodes
            annotations | slotwise.io/after-from  | an annotation of namespaces
            """)
    void aKeyOnTheWrongObjectIsReportedWithItsPlace(String form, String key, String place) {
        String metadata = form.equals("labels")
                ? "labels: {%s: '1'}, annotations: {slotwise.io/runtime: 1h}".formatted(key)
                : "annotations: {%s: '1', slotwise.io/runtime: 1h}".formatted(key);

        assertThat(refusal(node("n1", "4", "8Gi") + pod("p", metadata, "", "cpu: 1"))
                        .message())
                .isEqualTo("`%s` (1) of pod default/p is %s: expected it there".formatted(key, place));
    }

    @Test
    void aLabelThatIsThereIsNotAdvised() {
        String group = """
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {name: x}
                spec: {schedulingPolicy: {basic: {}}}
                ---
                """;
        String job = """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: j}
                spec:
                  parallelism: 2
                  completions: 2
                  template:
                    metadata: {labels: {%s: j}, annotations: {slotwise.io/runtime: 1h}}
                    spec: {schedulerName: slotwise, schedulingGroup: {podGroupName: x}, restartPolicy: Never, containers: [{name: c}]}
                """;

        assertThat(plan(group + job.formatted("slotwise.io/gang")).result().warnings())
                .extracting(IntakeWarning::message)
                .noneMatch(message -> message.contains("would make them a gang"));
        assertThat(plan(group + job.formatted("app")).result().warnings())
                .extracting(IntakeWarning::message)
                .anyMatch(message -> message.contains("would make them a gang"));
    }
}
