package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static io.slotwise.kubernetes.manifest.Samples.promise;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The predecessors that pods and namespaces name, and the knowledge about them. */
class ChainIntakeTest {
    private static PodBuilder after(String gang, String others) {
        return member(gang, gang + "-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.AFTER, others);
    }

    private static Gang gang(IntakeResult result, String name) {
        return result.snapshot().requests().stream()
                .map(Request::gang)
                .filter(gang -> gang.id().equals(id(name)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void namesWithoutANamespaceAreOfItsOwn() {
        Pod pod = new PodBuilder(after("b", "a, other/x,a").build())
                .editMetadata()
                .addToAnnotations(AnnotationKeys.AFTER_TRANSFER, "1.5Ki")
                .endMetadata()
                .build();

        Predecessors after = gang(take(pod), "b").after();

        assertThat(after.gangs()).containsExactly(id("a"), new GangId("other", "x"));
        assertThat(after.transferBytes()).isEqualTo(1536);
    }

    @Test
    void aGangWaitsForAHundredOthersAtMost() {
        String hundred = IntStream.range(0, 100).mapToObj(i -> "g" + i).collect(Collectors.joining(","));

        assertThat(gang(take(after("b", hundred).build()), "b").after().gangs()).hasSize(100);
        assertThat(take(after("b", hundred + ",one-more").build()).snapshot().held())
                .singleElement()
                .satisfies(held ->
                        assertThat(held.refusal().message()).endsWith("is not valid: expected at most 100 gangs"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        a,,b      | `slotwise.io/after` (a,,b) of pod user/b-0 is not valid: expected the names of gangs as GANG or NAMESPACE/GANG, with commas
        A/b       | `slotwise.io/after` (A/b) of pod user/b-0 is not valid: expected the names of gangs as GANG or NAMESPACE/GANG, with commas
        a/b/c     | `slotwise.io/after` (a/b/c) of pod user/b-0 is not valid: expected the names of gangs as GANG or NAMESPACE/GANG, with commas
        """)
    void aNameThatIsNoneIsRefused(String value, String message) {
        IntakeResult result = take(after("b", value).build());

        assertThat(result.snapshot().held())
                .extracting(pending -> pending.refusal().message())
                .containsExactly(message);
    }

    @Test
    void aTransferNeedsAGangAndAReservationHasAStartOfItsOwn() {
        IntakeResult alone = take(member("b", "b-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.AFTER_TRANSFER, "1")
                .build());
        IntakeResult both = take(new PodBuilder(after("b", "a").build())
                .editMetadata()
                .addToAnnotations(AnnotationKeys.RESERVATION, "friday")
                .endMetadata()
                .build());

        assertThat(alone.snapshot().held())
                .extracting(pending -> pending.refusal().message())
                .containsExactly("`slotwise.io/after-transfer` (1) needs `slotwise.io/after`: expected the gangs after "
                        + "whose end the gang starts");
        assertThat(both.snapshot().held())
                .extracting(pending -> pending.refusal().message())
                .containsExactly("`slotwise.io/after` (a) cannot be combined with `slotwise.io/reservation` (friday): "
                        + "expected one of them, as a reservation has a start of its own");
    }

    @Test
    void runningPredecessorsHaveAnExpectedEndAndCompletedOnesAnEnd() {
        Pod running =
                bound(member("a", "a-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.RUNTIME, "10m"), "n1", -60);
        Pod failed = new PodBuilder(
                        member("over", "over-0", AnnotationKeys.GANG_SIZE, "1").build())
                .withNewStatus()
                .withPhase("Failed")
                .addNewContainerStatus()
                .withNewState()
                .withNewTerminated()
                .withFinishedAt(Samples.at(-30))
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();

        IntakeResult result = take(running, failed, after("b", "a,over").build());

        assertThat(result.snapshot().ends().known())
                .containsOnly(Map.entry(id("a"), NOW + 540), Map.entry(id("over"), NOW - 30));
    }

    @Test
    void anUnplannableGangWithAPromiseEndsAsPromised() {
        IntakeResult result = take(
                Samples.objects(
                        List.of(node("n1").build()),
                        member("a", "a-0", AnnotationKeys.GANG_SIZE, "2").build(),
                        member("c", "c-0", AnnotationKeys.GANG_SIZE, "2").build(),
                        after("b", "a,c").build()),
                Map.of(id("a"), new KnownGang(promise("a", 60, false, "a-0", "a-1"), OptionalLong.empty(), Set.of())));

        assertThat(result.snapshot().held()).extracting(Pending::gang).containsExactly(id("a"), id("c"));
        assertThat(result.snapshot().ends().known()).containsExactly(Map.entry(id("a"), NOW + 660));
    }

    @Test
    void aReplacementPodWaitsForNoPredecessor() {
        Pod member = bound(after("b", "gone"), "n1", -60);
        Pod newcomer = new PodBuilder(pod("b-1").build())
                .editMetadata()
                .addToLabels(AnnotationKeys.GANG, "b")
                .endMetadata()
                .build();

        IntakeResult result = take(member, newcomer);

        assertThat(gang(result, "pod-b-1").after()).isEqualTo(Predecessors.NONE);
    }

    private static Namespace namespace(String name, String others) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .addToAnnotations(AnnotationKeys.AFTER_FROM, others)
                .endMetadata()
                .build();
    }

    @Test
    void aNamespaceSaysWhichNamespacesMayWaitForItsGangs() {
        List<Namespace> namespaces =
                List.of(namespace("one", "user, more"), namespace("two", "*"), namespace("three", "No Name"));
        IntakeResult result = take(
                objects(List.of(node("n1").build()), after("b", "a").build()).withNamespaces(namespaces), Map.of());

        assertThat(result.snapshot().ends().admits(id("b"), new GangId("one", "x")))
                .isTrue();
        assertThat(result.snapshot().ends().admits(id("b"), new GangId("two", "x")))
                .isTrue();
        assertThat(result.snapshot().ends().admits(id("b"), new GangId("three", "x")))
                .isFalse();
        assertThat(result.warnings())
                .extracting(IntakeWarning::name, IntakeWarning::message)
                .containsExactly(tuple(
                        "three",
                        "`slotwise.io/after-from` (No Name) of namespace three is not valid: expected the names of "
                                + "namespaces, separated by commas, or *"));
    }

    private static final String JOB_SET = """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: set, namespace: user}
        spec:
          replicatedJobs:
            - name: load
              template: {spec: {parallelism: 1, completions: 1, template: {spec: {schedulerName: slotwise, containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}}}
            - name: train
              replicas: 2
              dependsOn: [{name: load, status: Complete}]
              template: {spec: {parallelism: 2, completions: 2, template: {spec: {schedulerName: slotwise, containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}}}
            - name: watch
              dependsOn: [{name: train, status: Ready}]
              template: {spec: {parallelism: 1, completions: 1, template: {spec: {schedulerName: slotwise, containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}}}
        """;

    @Test
    void theDependenciesOfAJobSetInAFileAreAChain() {
        ClusterObjects read =
                ManifestFile.read(new ByteArrayInputStream(JOB_SET.getBytes(StandardCharsets.UTF_8)), "set.yaml");
        IntakeResult result = take(
                read.plus(ClusterObjects.NONE.withNodes(
                        List.of(node("n1").build(), node("n2").build()))),
                Map.of());

        Plan plan = new Planner(Policy.EXACT).plan(result.snapshot());

        assertThat(gang(result, "jobset-set.train").size()).isEqualTo(5);
        assertThat(gang(result, "jobset-set.train").after().gangs()).containsExactly(id("jobset-set"));
        assertThat(plan.windows())
                .extracting(
                        planned -> planned.gang().id().name(),
                        planned -> planned.window().start() - NOW)
                .containsExactlyInAnyOrder(tuple("jobset-set", 0L), tuple("jobset-set.train", 3600L));
        assertThat(result.snapshot().ends().known()).doesNotContainValue(Interval.FOREVER);
    }
}
