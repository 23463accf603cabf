package io.slotwise.kubernetes.manifest.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Patience;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Slice;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.gang.TopologyLevels;
import io.slotwise.kubernetes.manifest.field.AnnotationReader;
import io.slotwise.kubernetes.manifest.field.GangKey;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyReaderTest {
    private static final int ONE = Span.ONE;
    private static final TopologyLevel BLOCK = TopologyLevel.of("x/block");
    private static final TopologyLevel RACK = new TopologyLevel(List.of("x/block", "x/rack"));
    private static final TopologyLevel HOST = new TopologyLevel(List.of("x/block", "x/rack", "host"));
    private static final TopologyLevels LEVELS =
            new TopologyLevels(List.of(HOST.keys(), List.of("gpu/pod", "gpu/rack")), new Patience(600, 0));

    private final AnnotationReader annotations = new AnnotationReader();

    private Topology read(String words) {
        for (String word : words.split(";", -1)) {
            String[] parts = word.strip().split(": ", 2);
            GangKey.ALL.stream()
                    .filter(key -> key.word().equals(parts[0]))
                    .forEach(key -> annotations.add(key, parts[1], "g"));
        }
        return new TopologyReader(annotations, LEVELS).read(3600, 16);
    }

    private static Topology of(@Nullable Long patience, Span... spans) {
        return new Topology(List.of(spans), patience);
    }

    private static Span span(@Nullable TopologyLevel level, int factor) {
        return new Span(level, factor);
    }

    @Test
    void aRequiredLevelHasTheLabelsOfAllWiderOnes() {
        assertThat(read("topology: x/rack")).isEqualTo(Topology.within(RACK));
        assertThat(annotations.problems()).isEmpty();
    }

    @Test
    void aLabelThatThePolicyDoesNotNameIsALevelByItself() {
        assertThat(read("topology: zone")).isEqualTo(Topology.within(TopologyLevel.of("zone")));
    }

    @Test
    void aPreferredLevelIsFollowedByWiderOnesAndTheCluster() {
        assertThat(read("topology-preferred: x/rack"))
                .isEqualTo(of(600L, span(RACK, ONE), span(BLOCK, ONE), span(null, ONE)));
    }

    @Test
    void aPreferredLevelIsFollowedByWiderOnesUpToTheRequiredOne() {
        assertThat(read("topology: x/block; topology-preferred: host; topology-patience: 50%"))
                .isEqualTo(of(1800L, span(HOST, ONE), span(RACK, ONE), span(BLOCK, ONE)));
    }

    @Test
    void distancesAreReadInAnyOrderByNameOrLabelKey() {
        assertThat(read("distance-cost: cluster=1.6, x/rack=1, block = 1.150001"))
                .isEqualTo(of(null, span(RACK, ONE), span(BLOCK, 1_150_001), span(null, 1_600_000)));
    }

    @Test
    void theWidestLevelWithAFactorIsRequired() {
        Topology topology = read("distance-cost: host=1, block=100");

        assertThat(topology).isEqualTo(of(null, span(HOST, ONE), span(BLOCK, Span.MOST)));
        assertThat(topology.widest()).isEqualTo(BLOCK);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topology: x/rack; topology-preferred: x/block | `slotwise.io/topology-preferred` (x/block) is not "
                        + "valid: expected a level within the required one (x/rack): x/rack, host",
                "topology: zone; topology-preferred: x/block | `slotwise.io/topology-preferred` (x/block) is not "
                        + "valid: expected a level within the required one (zone): it has none",
                "topology-patience: 5m | `slotwise.io/topology-patience` (5m) needs `slotwise.io/topology-preferred`: "
                        + "expected the level that the gang prefers",
                "distance-cost: host=1; topology: x/block | `slotwise.io/distance-cost` (host=1) cannot be combined "
                        + "with `slotwise.io/topology` (x/block): expected one of them, as the widest level with a "
                        + "factor is the required one",
                "distance-cost: host=1; topology-preferred: x/block | `slotwise.io/distance-cost` (host=1) cannot be "
                        + "combined with `slotwise.io/topology-preferred` (x/block): expected one of them, as the "
                        + "widest level with a factor is the required one",
                "distance-cost: host=1, zone=2 | `slotwise.io/distance-cost` (host=1, zone=2) is not valid: expected "
                        + "cluster, or levels of the policy's `gangs.topology.levels`, not zone: x/block, x/rack, "
                        + "host, gpu/pod, gpu/rack",
                "distance-cost: rack=1 | `slotwise.io/distance-cost` (rack=1) is not valid: expected the label key of "
                        + "one level that is called rack: x/rack, gpu/rack",
                "distance-cost: x/rack=1, gpu/pod=2 | `slotwise.io/distance-cost` (x/rack=1, gpu/pod=2) is not valid: "
                        + "expected levels of one tree, and rack is not within pod: x/block, x/rack, host, gpu/pod, "
                        + "gpu/rack",
                "distance-cost: block=1, x/block=2 | `slotwise.io/distance-cost` (block=1, x/block=2) is not valid: "
                        + "expected levels of one tree, and block is not within block: x/block, x/rack, host, gpu/pod, "
                        + "gpu/rack",
                "distance-cost: host=1.5, block=1.2 | `slotwise.io/distance-cost` (host=1.5, block=1.2) is not valid: "
                        + "expected a factor for block that is at least that for host",
                "distance-cost: host=1, host=2 | `slotwise.io/distance-cost` (host=1, host=2) is not valid: expected "
                        + "each level once"
            })
    void wordsThatContradictEachOtherAreRefused(String words, String problem) {
        read(words);

        assertThat(annotations.problems()).containsExactly(problem.replace(") is not", ") of g is not"));
    }

    @Test
    void slicesAreReadInAnyOrderByNameOrLabelKey() {
        assertThat(read("topology: x/block; topology-slice: x/rack/8, host/4").slices())
                .containsExactly(new Slice(HOST, 4), new Slice(RACK, 8));
        assertThat(read("topology-slice: zone/16").slices()).containsExactly(new Slice(TopologyLevel.of("zone"), 16));
        assertThat(annotations.problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x/rack | expected levels with the pods of a slice from 1 to 100000, such as rack/16, "
                        + "kubernetes.io/hostname/4",
                "host/0 | expected levels with the pods of a slice from 1 to 100000, such as rack/16, "
                        + "kubernetes.io/hostname/4",
                "rack/4 | expected the label key of one level that is called rack: x/rack, gpu/rack",
                "host/3 | expected slices that the gang consists of, and its 16 pods are no multiple of 3",
                "host/4, x/block/6 | expected slices of one tree that hold whole narrower ones, and host/4 is not a "
                        + "part of block/6: x/block, x/rack, host, gpu/pod, gpu/rack",
                "host/8, x/block/4 | expected slices of one tree that hold whole narrower ones, and block/4 is not a "
                        + "part of host/8: x/block, x/rack, host, gpu/pod, gpu/rack",
                "host/4, gpu/pod/8 | expected slices of one tree that hold whole narrower ones, and host/4 is not a "
                        + "part of pod/8: x/block, x/rack, host, gpu/pod, gpu/rack"
            })
    void slicesThatNoGangOfSixteenPodsHasAreRefused(String slices, String expected) {
        read("topology-slice: " + slices);

        assertThat(annotations.problems())
                .containsExactly("`slotwise.io/topology-slice` (%s) of g is not valid: %s".formatted(slices, expected));
    }

    @ParameterizedTest
    @CsvSource({"0.99", "100.000001", "1.0000001", "one", "1e400000000", "''"})
    void aFactorIsFromOneToAHundredWithSixDecimals(String factor) {
        read("distance-cost: host=" + factor);

        assertThat(annotations.problems())
                .singleElement()
                .asString()
                .contains("expected levels with factors of the runtime from 1 to 100 with at most six decimals");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topology: x/rack",
                "topology-preferred: host; topology-patience: 20m",
                "topology: x/block; topology-preferred: x/rack; topology-patience: 0s",
                "distance-cost: host=1, block=1.15, cluster=1.6",
                "distance-cost: block=1.5",
                "topology-slice: host/4, x/rack/8"
            })
    void whatIsReadIsWrittenAsItWasStated(String words) {
        Demand demand = Demand.NONE.withTopology(read(words));

        assertThat(GangKey.ALL.stream()
                        .filter(key -> !key.equals(GangKey.CRITERION) && key.textOf(demand) != null)
                        .map(key -> key.word() + ": " + key.textOf(demand)))
                .containsExactly(words.split("; "));
    }
}
