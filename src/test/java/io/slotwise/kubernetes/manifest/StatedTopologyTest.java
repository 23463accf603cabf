package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Patience;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Slice;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.gang.TopologyLevels;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proves that the topology of a gang is read from the words of Kueue, KAI and Kubernetes. */
class StatedTopologyTest {
    private static final TopologyLevel BLOCK = TopologyLevel.of("x/block");
    private static final TopologyLevel RACK = new TopologyLevel(List.of("x/block", "x/rack"));
    private static final LoopSettings SETTINGS = LoopSettings.EXACT.withTopology(
            new TopologyLevels(List.of(List.of("x/block", "x/rack", "host")), new Patience(60, 0)));
    private static final Topology NEAR = preferring(RACK, BLOCK, null);

    private static Topology preferring(@Nullable TopologyLevel... levels) {
        return new Topology(
                Stream.of(levels).map(level -> new Span(level, Span.ONE)).toList(), 60L);
    }

    /** A pod of the gang {@code g} with these annotations, and more objects. */
    private static IntakeResult take(String annotations, String spec, String more) {
        String yaml = """
                apiVersion: v1
                kind: Pod
                metadata: {name: p, labels: {slotwise.io/gang: g}, annotations: {slotwise.io/gang-size: "1", %s}%s
                spec: {schedulerName: slotwise, containers: [{name: c}]%s}
                ---
                %s
                """.formatted(
                        annotations,
                        more.contains("kind: Job")
                                ? ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u, "
                                        + "controller: true}]}"
                                : "}",
                        spec,
                        more);
        return new Intake(SETTINGS, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(
                        ManifestFile.read(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)), "test.yaml"),
                        Map.of(),
                        NOW);
    }

    private static Topology topology(String annotations, String spec, String more) {
        return take(annotations, spec, more)
                .snapshot()
                .requests()
                .getFirst()
                .gang()
                .topology();
    }

    @Test
    void kueuesRequiredLevelIsReadWithTheWiderOnesOfThePolicy() {
        assertThat(topology("kueue.x-k8s.io/podset-required-topology: x/rack", "", ""))
                .isEqualTo(Topology.within(RACK));
    }

    @Test
    void kueuesPreferredLevelIsReadWithThePatienceOfThePolicy() {
        assertThat(topology("kueue.x-k8s.io/podset-preferred-topology: x/rack", "", ""))
                .isEqualTo(NEAR);
    }

    @Test
    void anUnconstrainedGangOfKueueMayRunAnywhere() {
        assertThat(topology(
                        "kueue.x-k8s.io/podset-unconstrained-topology: 'true', "
                                + "kai.scheduler/topology-required-placement: x/rack",
                        "",
                        ""))
                .isEqualTo(Topology.ANYWHERE);
    }

    @Test
    void kueuesSlicesAreReadWithTheLevelOfTheWholeGang() {
        Topology topology = topology(
                "kueue.x-k8s.io/podset-required-topology: x/block, "
                        + "kueue.x-k8s.io/podset-slice-required-topology: x/rack, "
                        + "kueue.x-k8s.io/podset-slice-size: '1'",
                "",
                "");

        assertThat(topology).isEqualTo(Topology.within(BLOCK).in(List.of(new Slice(RACK, 1))));
    }

    @Test
    void kueuesLayersOfSlicesAreRead() {
        Topology topology = topology(
                "kueue.x-k8s.io/podset-slice-required-topology-constraints: "
                        + "'[{\"topology\": \"x/block\", \"size\": \"1\"}, "
                        + "{\"topology\": \"x/rack\", \"size\": 1}]'",
                "",
                "");

        assertThat(topology.slices()).containsExactly(new Slice(RACK, 1), new Slice(BLOCK, 1));
    }

    @Test
    void aSliceOfAJobSetWithoutASizeIsOneOfItsJobs() {
        assertThat(problem(
                        "kueue.x-k8s.io/podset-slice-required-topology: x/rack",
                        "",
                        "{apiVersion: batch/v1, kind: Job, metadata: {name: j, uid: u, ownerReferences: [{apiVersion: "
                                + "jobset.x-k8s.io/v1alpha2, kind: JobSet, name: s, uid: v, controller: true}]}, "
                                + "spec: {parallelism: 4}}\n---\n{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, "
                                + "metadata: {name: s, uid: v}, spec: {replicatedJobs: [{name: r, replicas: 1, "
                                + "template: {spec: {parallelism: 4, template: {spec: {containers: [{name: "
                                + "c}]}}}}}]}}"))
                .isEqualTo("`slotwise.io/topology-slice` (x/rack/4) of "
                        + "`kueue.x-k8s.io/podset-slice-required-topology` is not valid: expected slices that the "
                        + "gang consists of, and its 1 pods are no multiple of 4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kueue.x-k8s.io/podset-slice-size: '4' | `kueue.x-k8s.io/podset-slice-size` (4) of pod default/p needs "
                        + "`kueue.x-k8s.io/podset-slice-required-topology`: expected the level of the slices",
                "kueue.x-k8s.io/podset-slice-required-topology: x/rack | "
                        + "`kueue.x-k8s.io/podset-slice-required-topology` (x/rack) of pod default/p needs "
                        + "`kueue.x-k8s.io/podset-slice-size`: expected the pods of a slice",
                "kueue.x-k8s.io/podset-slice-required-topology-constraints: '[]' | "
                        + "`kueue.x-k8s.io/podset-slice-required-topology-constraints` ([]) of pod default/p is not "
                        + "valid: expected a list such as [{\"topology\": \"cloud.example/rack\", \"size\": 16}]",
                "kueue.x-k8s.io/podset-slice-required-topology-constraints: a, kueue.x-k8s.io/podset-slice-size: '4' | "
                        + "`kueue.x-k8s.io/podset-slice-required-topology-constraints` (a) of pod default/p cannot be "
                        + "combined with `kueue.x-k8s.io/podset-slice-size`: expected one of them"
            },
            quoteCharacter = '\0')
    void slicesOfKueueThatCannotBeReadAreNamed(String annotations, String expected) {
        assertThat(problem(annotations)).isEqualTo(expected);
    }

    @Test
    void kaisLevelsAreReadFromThePods() {
        assertThat(topology(
                        "kai.scheduler/topology: t, kai.scheduler/topology-required-placement: x/block, "
                                + "kai.scheduler/topology-preferred-placement: x/rack",
                        "",
                        ""))
                .isEqualTo(preferring(RACK, BLOCK));
    }

    @Test
    void kaisLevelsAreReadFromTheOwnerOfPods() {
        assertThat(topology(
                        "slotwise.io/runtime: 1h",
                        "",
                        "{apiVersion: batch/v1, kind: Job, metadata: {name: j, uid: u, annotations: "
                                + "{kai.scheduler/topology-preferred-placement: x/rack}}, spec: {suspend: true}}"))
                .isEqualTo(NEAR);
    }

    @Test
    void theLevelOfAPodGroupOfKubernetesIsRead() {
        assertThat(topology(
                        "slotwise.io/runtime: 1h", ", schedulingGroup: {podGroupName: pg}", group("[{key: x/rack}]")))
                .isEqualTo(Topology.within(RACK));
    }

    private static String group(String topology) {
        return ("{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: pg}, spec: "
                        + "{schedulingPolicy: {gang: {minCount: 1}}, schedulingConstraints: {topology: %s}}}")
                .formatted(topology);
    }

    @ParameterizedTest
    @CsvSource({
        "'slotwise.io/topology: x/block'",
        "'slotwise.io/topology: x/block, kai.scheduler/topology-required-placement: host'",
        "'slotwise.io/topology: x/block, kueue.x-k8s.io/podset-preferred-topology: zone'"
    })
    void slotwisesOwnAnnotationCountsAlone(String annotations) {
        assertThat(topology(annotations, "", "")).isEqualTo(Topology.within(BLOCK));
    }

    @Test
    void slotwisesPatienceCountsForALevelThatKueuePrefers() {
        assertThat(topology(
                        "slotwise.io/topology-patience: 2m, kueue.x-k8s.io/podset-preferred-topology: x/block", "", ""))
                .isEqualTo(new Topology(List.of(new Span(BLOCK, Span.ONE), new Span(null, Span.ONE)), 120L));
    }

    @Test
    void wordsThatCannotBeReadAreNamed() {
        assertThat(problem("kueue.x-k8s.io/podset-required-topology: a, kueue.x-k8s.io/podset-preferred-topology: b"))
                .isEqualTo("`kueue.x-k8s.io/podset-required-topology` (a) of pod default/p cannot be combined with "
                        + "`kueue.x-k8s.io/podset-preferred-topology` (b): expected one of them");
        assertThat(problem("kueue.x-k8s.io/podset-required-topology: a b"))
                .isEqualTo("`slotwise.io/topology` (a b) of `kueue.x-k8s.io/podset-required-topology` is not valid: "
                        + "expected the key of a node label such as topology.kubernetes.io/zone");
        assertThat(problem("kai.scheduler/topology-required-placement: x/rack, "
                        + "kai.scheduler/topology-preferred-placement: x/block"))
                .isEqualTo("`slotwise.io/topology-preferred` (x/block) of "
                        + "`kai.scheduler/topology-preferred-placement` is not valid: expected a level within the "
                        + "required one (x/rack): x/rack, host");
        assertThat(problem(
                        "slotwise.io/runtime: 1h",
                        ", schedulingGroup: {podGroupName: pg}",
                        group("[{key: a}, {key: b}]")))
                .isEqualTo("`spec.schedulingConstraints.topology` of PodGroup default/pg has 2 items: expected one");
    }

    private static String problem(String annotations) {
        return problem(annotations, "", "");
    }

    private static String problem(String annotations, String spec, String more) {
        return take(annotations, spec, more).snapshot().held().stream()
                .map(Pending::refusal)
                .map(refusal -> ((Refusal.InvalidRequest) refusal).message())
                .findFirst()
                .orElseThrow();
    }
}
