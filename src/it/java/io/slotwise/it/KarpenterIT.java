package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Nodes that Slotwise buys from Karpenter, on the real control plane. */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KarpenterIT {
    private static final String CATALOGUE =
            Karpenter.offer("four", "s-4x-amd64-linux", "on-demand", "test-zone-a", "0.5", 20, "1m");

    private final ControlPlane plane;
    private final Cluster cluster;
    private final Karpenter karpenter;
    private final Installation chart;

    KarpenterIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
        this.karpenter = Karpenter.start(plane);
        this.chart = Installation.forBuying(plane, 3, "#");
    }

    @Test
    void aGangThatFitsNowhereGetsBoughtNodesThatGoAfterItsEnd() {
        karpenter.pool("spare", "s-4x-amd64-linux", "{cpu: 8}");
        Path offers = plane.write("offers.yaml", CATALOGUE);
        Scenario scenario = new Scenario(cluster, "spare").withNodes(1);
        GangSpec large = scenario.gang("large", 3, 3000, 30).runningFor(20);
        GangSpec never = scenario.gang("never", 3, 3000, 30).with("provision", "never");
        GangSpec larger = scenario.gang("larger", 5, 3000, 30);
        try (SlotwiseProcess slotwise =
                chart.startSlotwise(plane.url(), Map.of("SLOTWISE_OFFERS_FILE", offers.toString()))) {
            assertThat(slotwise).isNotNull();
            cluster.submitAsPods(never);
            // The pool's limit allows two nodes, which have room for three pods.
            cluster.submitAsPods(larger);
            cluster.submitAsPods(large);

            Instant promised = scenario.awaitPromise(large);
            assertThat(Objects.requireNonNull(cluster.reservation(large)).<List<?>>get("spec", "purchases"))
                    .hasSize(2);
            Scenario.within("the nodes to be bought", 20)
                    .untilAsserted(() -> assertThat(karpenter.bought()).hasSize(2));
            assertThat(karpenter.claims()).hasSize(2).allSatisfy(KarpenterIT::isMarked);
            scenario.awaitWhole(large, 60);

            assertThat(Instant.parse(Objects.requireNonNull(cluster.promisedStart(large))))
                    .isEqualTo(promised);
            assertThat(cluster.events("spare", "WindowBroken")).isEmpty();
            scenario.awaitPending(never, "NoWindow", 20);
            scenario.awaitPending(larger, "NoWindow", 20);
            Scenario.within("the nodes to go", 90).untilAsserted(() -> {
                assertThat(karpenter.claims()).isEmpty();
                assertThat(karpenter.bought()).isEmpty();
            });
            assertThat(cluster.phase(large)).isEqualTo("Completed");
        }
    }

    @Test
    void theLedgerHasWhatWasBoughtAlsoForAGangThatGoesBeforeItsStart() {
        karpenter.pool("paying", "s-4x-amd64-linux", "{cpu: 8}");
        Path offers = plane.write("offers.yaml", CATALOGUE);
        Scenario scenario = new Scenario(cluster, "paying").withNodes(1);
        GangSpec leaving = scenario.gang("leaving", 1, 3000, 30).with("provision", "only");
        GangSpec staying =
                scenario.gang("staying", 1, 3000, 30).with("provision", "only").runningFor(20);
        try (SlotwiseProcess slotwise =
                chart.startSlotwise(plane.url(), Map.of("SLOTWISE_OFFERS_FILE", offers.toString()))) {
            assertThat(slotwise).isNotNull();
            NamespaceLedger ledger = new NamespaceLedger(cluster, "paying");
            ledger.setBudget("5/month");
            cluster.submitAsPods(leaving);
            Scenario.within("the node to be bought", 30)
                    .untilAsserted(() -> assertThat(karpenter.claims()).hasSize(1));

            cluster.client().pods().inNamespace("paying").withGracePeriod(0).delete();
            Scenario.within("the claim to go", 60)
                    .untilAsserted(() -> assertThat(karpenter.claims()).isEmpty());
            Scenario.within("the record to go", 20)
                    .untilAsserted(
                            () -> assertThat(cluster.reservations("paying")).isEmpty());
            long left = karpenter.spent("paying");
            assertThat(left).isPositive();
            Scenario.within("the ledger to show it", 10)
                    .untilAsserted(() -> assertThat(ledger.spent()).isEqualTo(left));

            cluster.submitAsPods(staying);
            scenario.awaitWhole(staying, 90);
            Scenario.within("the claim to go", 90)
                    .untilAsserted(() -> assertThat(karpenter.claims()).isEmpty());
            assertThat(karpenter.spent("paying")).isGreaterThan(left);
            Scenario.within("the ledger to have all that was bought", 30)
                    .untilAsserted(() -> assertThat(ledger.spent()).isEqualTo(karpenter.spent("paying")));
            assertThat(ledger.held()).isZero();
        }
    }

    private static void isMarked(GenericKubernetesResource claim) {
        assertThat(claim.getMetadata().getAnnotations()).containsEntry("karpenter.sh/do-not-disrupt", "true");
        assertThat(claim.getMetadata().getLabels())
                .containsEntry("karpenter.sh/nodepool", "spare")
                .containsEntry("slotwise.io/price", "0.500000");
        assertThat(claim.<String>get("spec", "expireAfter")).isEqualTo("Never");
    }
}
