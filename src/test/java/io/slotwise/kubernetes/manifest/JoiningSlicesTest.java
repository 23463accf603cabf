package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Proves that a pod that replaces one of a running gang joins its slice. */
class JoiningSlicesTest {
    /** Three racks of two nodes, a node without a rack, and pods of a gang in slices of two, in one rack each. */
    private static Snapshot snapshot(String pods) {
        String nodes = IntStream.range(0, 7)
                .mapToObj(i -> """
                        {apiVersion: v1, kind: Node, metadata: {name: n%d, labels: {%s slotwise.io/price: "1"}},
                        status: {allocatable: {cpu: "2", memory: 8Gi, pods: "9"}}}
                        """.formatted(i, i == 6 ? "" : "rack: r%d,".formatted(i / 2)))
                .collect(Collectors.joining("---\n"));
        return new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(
                        ManifestFile.read(
                                new ByteArrayInputStream((nodes + pods).getBytes(StandardCharsets.UTF_8)), "test.yaml"),
                        Map.of(),
                        NOW)
                .snapshot();
    }

    private static String pod(int rank, String node) {
        return pod(rank, node, 4);
    }

    private static String pod(int rank, String node, int size) {
        String running = "phase: Running, startTime: '%s'".formatted(Instant.ofEpochSecond(NOW - 60));
        return """
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: g-%d, labels: {slotwise.io/gang: g}, annotations:
                {slotwise.io/gang-size: "%d", slotwise.io/runtime: 1h, slotwise.io/topology-slice: rack/2}},
                spec: {schedulerName: slotwise%s, containers: [{name: c, resources: {requests: {cpu: "1"}}}]},
                status: {%s}}
                """.formatted(rank, size, node.isEmpty() ? "" : ", nodeName: " + node, node.isEmpty() ? "" : running);
    }

    private static Plan plan(Snapshot snapshot) {
        return new Planner(LoopSettings.EXACT.policy()).plan(snapshot);
    }

    @Test
    void aReplacementJoinsTheSliceThatIsNotWhole() {
        Snapshot snapshot = snapshot(pod(0, "n0") + pod(1, "n1") + pod(2, "") + pod(3, "n5"));

        Gang gang = snapshot.requests().getFirst().gang();

        assertThat(gang.request().constraint().selector()).isEqualTo(Map.of("rack", "r2"));
        assertThat(gang.isSliced()).isFalse();
        assertThat(plan(snapshot).windows().getFirst().window().placements())
                .extracting(Placement::node)
                .containsExactly("n4");
    }

    /** The third of these pods belongs into r2, and the others into r0, which has as many pods as a slice. */
    @Test
    void severalReplacementsAreNotSentToOneSlice() {
        Plan plan = plan(snapshot(
                pod(0, "n0", 6) + pod(1, "", 6) + pod(2, "", 6) + pod(3, "n1", 6) + pod(4, "n4", 6) + pod(5, "", 6)));

        assertThat(plan.windows()).isEmpty();
    }

    @Test
    void aPodOutsideOfEachDomainKeepsReplacementsWaiting() {
        Plan plan = plan(snapshot(pod(0, "n0") + pod(1, "n1") + pod(2, "n6") + pod(3, "")));

        assertThat(plan.windows()).isEmpty();
    }

    @Test
    void aReplacementThatMayJoinSeveralSlicesGetsNoWindow() {
        Plan plan = plan(snapshot(pod(0, "n0") + pod(1, "") + pod(2, "n4") + pod(3, "")));

        assertThat(plan.windows()).isEmpty();
        assertThat(plan.pending())
                .hasSize(2)
                .allSatisfy(pending -> assertThat(pending.refusal().message())
                        .isEqualTo("its pod is not the only missing one of a gang in topology slices (rack/2), which "
                                + "Slotwise does not plan"));
    }
}
