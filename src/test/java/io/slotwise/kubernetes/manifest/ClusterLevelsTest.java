package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Patience;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.gang.TopologyLevels;
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

/** Proves that the levels of Volcano's HyperNodes and Kueue's Topologies are those of the cluster. */
class ClusterLevelsTest {
    private static final String TIER = "topology.volcano.sh/tier-";
    private static final TopologyLevel SPINE = TopologyLevel.of(TIER + 2);
    private static final TopologyLevel RACK = new TopologyLevel(List.of(TIER + 2, TIER + 1));

    /** Two racks by each kind of selector, and a spine above them. The node d is in no HyperNode. */
    private static final String HYPER_NODES = """
            {apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: r1}, spec: {tier: 1, \
            tierName: rack, members: [{type: Node, selector: {exactMatch: {name: a}}}, \
            {type: Node, selector: {regexMatch: {pattern: ^b}}}]}}
            ---
            {apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: r2}, spec: {tier: 1, \
            tierName: rack, members: [{type: Node, selector: {labelMatch: {matchLabels: {pool: blue}}}}]}}
            ---
            {apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: s}, spec: {tier: 2, \
            members: [{type: HyperNode, selector: {exactMatch: {name: r1}}}, \
            {type: HyperNode, selector: {regexMatch: {pattern: r2}}}]}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: a}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: b1}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: c, labels: {pool: blue}}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: d}}
            ---
            """;

    private static IntakeResult take(TopologyLevels levels, String yaml) {
        return new Intake(LoopSettings.EXACT.withTopology(levels), PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(
                        ManifestFile.read(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)), "test.yaml"),
                        Map.of(),
                        NOW);
    }

    private static Topology topology(TopologyLevels levels, String objects, String annotations) {
        return take(levels, objects + pod(annotations))
                .snapshot()
                .requests()
                .getFirst()
                .gang()
                .topology();
    }

    private static String pod(String annotations) {
        return "{apiVersion: v1, kind: Pod, metadata: {name: p, annotations: {slotwise.io/gang-size: '1', %s}, labels: "
                        .formatted(annotations)
                + "{slotwise.io/gang: g}}, spec: {schedulerName: slotwise, containers: [{name: c}]}}";
    }

    private static Topology ofVolcano(String objects, String topology) {
        return topology(TopologyLevels.NONE, objects + """
                        {apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: pg}, \
                        spec: {minMember: 1, networkTopology: %s}}
                        ---
                        """.formatted(topology), "scheduling.k8s.io/group-name: pg");
    }

    private static String kueue(String name, String... keys) {
        return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: %s}, spec: {levels: %s}}\n---\n"
                .formatted(
                        name,
                        List.of(keys).stream().map("{nodeLabel: %s}"::formatted).toList());
    }

    @ParameterizedTest
    @CsvSource({"a, r1, s, r1", "b1, r1, s, r1", "c, r2, s, r2", "d, , ,"})
    void aNodeHasTheLabelsOfItsHyperNodes(String node, String rack, String spine, String named) {
        Map<String, String> labels = take(TopologyLevels.NONE, HYPER_NODES).snapshot().cluster().inventory().stream()
                .filter(one -> one.name().equals(node))
                .findFirst()
                .orElseThrow()
                .labels();

        assertThat(labels.get(TIER + 1)).isEqualTo(rack);
        assertThat(labels.get(TIER + 2)).isEqualTo(spine);
        assertThat(labels.get("topology.volcano.sh/rack")).isEqualTo(named);
    }

    @Test
    void aTierThatIsSkippedIsTheNarrowerOne() {
        String skipping = HYPER_NODES.replace("tier: 2", "tier: 3");

        assertThat(take(TopologyLevels.NONE, skipping).snapshot().cluster().inventory().stream()
                        .filter(node -> node.name().equals("a"))
                        .findFirst()
                        .orElseThrow()
                        .labels())
                .containsEntry(TIER + 3, "s")
                .containsEntry(TIER + 1, "r1");
        assertThat(ofVolcano(skipping, "{mode: hard, highestTierAllowed: 2}").key())
                .isEqualTo(TIER + 1);
    }

    @Test
    void aHardTierOfVolcanoIsRequired() {
        assertThat(ofVolcano(HYPER_NODES, "{highestTierAllowed: 1}")).isEqualTo(Topology.within(RACK));
        assertThat(ofVolcano(HYPER_NODES, "{mode: hard, highestTierAllowed: 2}"))
                .isEqualTo(Topology.within(SPINE));
        assertThat(ofVolcano(HYPER_NODES, "{mode: hard, highestTierName: rack}"))
                .isEqualTo(Topology.within(TopologyLevel.of("topology.volcano.sh/rack")));
    }

    @Test
    void aTierAboveAllOthersIsTheCluster() {
        assertThat(ofVolcano(HYPER_NODES, "{highestTierAllowed: 3}")).isEqualTo(Topology.ANYWHERE);
        assertThat(ofVolcano("", "{highestTierAllowed: 1}")).isEqualTo(Topology.ANYWHERE);
    }

    @Test
    void softTopologyOfVolcanoPrefersTheNarrowestTier() {
        assertThat(ofVolcano(HYPER_NODES, "{mode: soft}"))
                .isEqualTo(new Topology(
                        List.of(new Span(RACK, Span.ONE), new Span(SPINE, Span.ONE), new Span(null, Span.ONE)), 0L));
    }

    @Test
    void theTopologyOfAVolcanoJobIsThatOfItsPodGroup() {
        String job = """
                {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j}, spec: {schedulerName: slotwise, \
                networkTopology: {highestTierAllowed: 1}, tasks: [{name: t, replicas: 2, template: \
                {spec: {containers: [{name: c}]}}}]}}
                """;

        assertThat(take(TopologyLevels.NONE, HYPER_NODES + job)
                        .snapshot()
                        .requests()
                        .getFirst()
                        .gang()
                        .topology())
                .isEqualTo(Topology.within(RACK));
    }

    @Test
    void aTierThatThePolicyHasElsewhereIsNoLevelOfHyperNodes() {
        IntakeResult result =
                take(new TopologyLevels(List.of(List.of(TIER + 1, "host")), Patience.NONE), HYPER_NODES + pod("a: b"));

        assertThat(result.snapshot().requests()).hasSize(1);
        assertThat(result.warnings().stream().map(IntakeWarning::message))
                .contains("The tiers of HyperNodes (%s2, %s1) are no levels: expected the label %s1 at one level, not "
                                .formatted(TIER, TIER, TIER)
                        + "below both the cluster and %s2".formatted(TIER));
    }

    @Test
    void aNameThatLooksLikeANumberOfATierDoesNotCount() {
        String named = HYPER_NODES.replace("tierName: rack", "tierName: tier-gpu");

        assertThat(ofVolcano(named, "{highestTierAllowed: 1}")).isEqualTo(Topology.within(RACK));
    }

    @Test
    void aTierThatAnotherProjectsWordsNameIsALabel() {
        for (String tier : List.of("x", "9", "99999999999")) {
            assertThat(topology(
                            TopologyLevels.NONE,
                            HYPER_NODES,
                            "kueue.x-k8s.io/podset-required-topology: " + TIER + tier))
                    .isEqualTo(Topology.within(TopologyLevel.of(TIER + tier)));
        }
    }

    @Test
    void levelsOfKueueCountIfThePolicyHasNone() {
        String required = "kueue.x-k8s.io/podset-required-topology: rack";

        assertThat(topology(TopologyLevels.NONE, kueue("t", "block", "rack"), required))
                .isEqualTo(Topology.within(new TopologyLevel(List.of("block", "rack"))));
        assertThat(topology(
                        new TopologyLevels(List.of(List.of("rack")), Patience.NONE),
                        kueue("t", "block", "rack"),
                        required))
                .isEqualTo(Topology.within(TopologyLevel.of("rack")));
    }

    @Test
    void theDeepestTopologyOfKueueCountsForAHost() {
        IntakeResult result = take(
                TopologyLevels.NONE,
                kueue("a", "host") + kueue("b", "rack", "host") + pod("kueue.x-k8s.io/podset-required-topology: host"));

        assertThat(result.snapshot().requests().getFirst().gang().topology())
                .isEqualTo(Topology.within(new TopologyLevel(List.of("rack", "host"))));
        assertThat(result.warnings().stream().map(IntakeWarning::message))
                .contains("Topology a does not count: expected the label host at one level, not below both rack and "
                        + "the cluster");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{tier: x}|`spec.tier` (x) is not valid: expected a whole number of at least 0",
                "{tier: 1, members: [{type: Node}]}|`spec.members` ({type=Node}) is not valid: expected members with a "
                        + "type and a selector",
                "{tier: 1, members: [{type: Node, selector: {regexMatch: {pattern: '('}}}]}"
                        + "|`spec.members[].selector.regexMatch.pattern` (() is not valid: expected a regular "
                        + "expression"
            })
    void aHyperNodeThatCannotBeReadIsLeftOut(String spec, String problem) {
        String broken = "{apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: h}, spec: %s}"
                .formatted(spec);

        assertThat(take(TopologyLevels.NONE, broken).warnings().stream().map(IntakeWarning::message))
                .contains("HyperNode h: %s; it is left out".formatted(problem));
    }

    @Test
    void aNodeInTwoHyperNodesOfATierIsInTheFirst() {
        IntakeResult result = take(
                TopologyLevels.NONE,
                HYPER_NODES
                        + "{apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: r3}, spec: "
                        + "{tier: 1, members: [{type: Node, selector: {exactMatch: {name: a}}}]}}");

        assertThat(result.warnings().stream().map(IntakeWarning::message))
                .contains("node a is in HyperNodes r1 and r3 of tier 1: the first one counts");
    }
}
