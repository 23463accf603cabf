package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.slotwise.it.ApiProxy.Turn;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Faults between a promise and its nodes, on the real control plane with the real Karpenter. */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KarpenterFaultsIT {
    private static final int DELAY = 30;
    private static final int RUNTIME = 15;
    private static final String TYPE = "s-4x-amd64-linux";
    private static final String CLAIMS = "/apis/karpenter.sh/v1/nodeclaims";

    private final Cluster cluster;
    private final Karpenter karpenter;

    @AutoClose
    private final ApiProxy proxy;

    @AutoClose
    private final SlotwiseProcess slotwise;

    KarpenterFaultsIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        karpenter = Karpenter.start(plane);
        proxy = new ApiProxy(plane, 1);
        String catalogue = String.join(
                "---\n",
                node("four", TYPE, "on-demand", "test-zone-a", "0.5"),
                node("other", TYPE, "on-demand", "test-zone-b", "0.6"),
                node("spot", TYPE, "spot", "test-zone-a", "0.45"),
                node("none", "no-such-type", "on-demand", "test-zone-a", "0.4"));
        slotwise = Installation.buying(plane, proxy.url(), 12, "#", catalogue);
        slotwise.start();
    }

    private static String node(String name, String type, String capacity, String zone, String price) {
        return Karpenter.offer(name, type, capacity, zone, price, DELAY, "10s");
    }

    /** After each test, no NodeClaim and no node is left, and the spending is within the policy. */
    @AfterEach
    void nothingIsLeft() {
        proxy.release();
        karpenter.wake();
        Scenario.within("the nodes to go", 120).untilAsserted(() -> {
            assertThat(karpenter.claims()).isEmpty();
            karpenter.collect();
            assertThat(karpenter.bought())
                    .extracting(node -> node.getMetadata().getName())
                    .isEmpty();
        });
        Map<String, Long> bills = karpenter.bills();
        assertThat(bills.values().stream().mapToLong(Long::longValue).sum()).isLessThanOrEqualTo(5_000_000L * 3600);
        System.out.println("Purchases beside Karpenter that were paid so far: " + bills.size());
    }

    /** A gang of three pods with one node, in a pool of these kinds of nodes. */
    private GangSpec gang(String name, String type, String capacity, String zones, int seconds) {
        karpenter.pool(name, type, capacity, zones, "{cpu: 16}");
        return new Scenario(cluster, name)
                .withNodes(1)
                .gang("g", 3, 3000, seconds + 5)
                .runningFor(seconds);
    }

    private GangSpec gang(String name) {
        return gang(name, TYPE, "on-demand", "test-zone-a", RUNTIME);
    }

    private void awaitWhole(GangSpec gang) {
        Scenario.within("gang " + gang.namespace() + " to run whole", DELAY + 60)
                .untilAsserted(() -> assertThat(cluster.boundPods(gang)).isEqualTo(3));
    }

    /** Asserts a start in the second of the first promise, on nodes that were bought once. */
    private void startsAsPromised(GangSpec gang, String promised) {
        awaitWhole(gang);
        assertThat(cluster.promisedStart(gang)).isEqualTo(promised);
        assertThat(cluster.events(gang.namespace(), "WindowBroken")).isEmpty();
        assertThat(spentOn(gang)).isEqualTo(2);
    }

    private List<?> purchases(GangSpec gang) {
        GenericKubernetesResource reservation = cluster.reservation(gang);
        List<?> purchases = reservation == null ? null : reservation.get("spec", "purchases");
        return Objects.requireNonNullElse(purchases, List.of());
    }

    /** The number of paid purchases of this gang. */
    private long spentOn(GangSpec gang) {
        Map<String, Long> bills = karpenter.bills();
        return purchases(gang).stream()
                .map(purchase -> ((Map<?, ?>) purchase).get("node"))
                .filter(bills::containsKey)
                .count();
    }

    private String promised(GangSpec gang) {
        Scenario.within("gang " + gang.namespace() + " to be promised nodes", 30)
                .until(() -> purchases(gang).size() == 2);
        return Objects.requireNonNull(cluster.promisedStart(gang));
    }

    private void awaitClaims(int count) {
        Scenario.within(count + " nodes to be bought", 20)
                .untilAsserted(() -> assertThat(karpenter.claims()).hasSize(count));
    }

    private void awaitBroken(GangSpec gang, String why) {
        Scenario.within("the promise of " + gang.namespace() + " to be broken", DELAY + 60)
                .untilAsserted(() -> assertThat(cluster.events(gang.namespace(), "WindowBroken"))
                        .anyMatch(event -> event.contains(why)));
    }

    private void awaitNodes(String pool) {
        Scenario.within("the nodes of " + pool + " to be there", DELAY)
                .untilAsserted(() -> assertThat(karpenter.bought(pool)).hasSize(2));
    }

    private void takeAway(Node node) {
        cluster.client().nodes().withName(node.getMetadata().getName()).delete();
    }

    /**
     * Two gangs have nodes bought while Slotwise is killed between any two steps. Two others lose a node, one before
     * its start and one while it runs.
     */
    @Test
    void purchasesContinueAfterAnyKillAndGangsThatLoseNodesArePlannedAgain() {
        GangSpec bought = gang("bought");
        GangSpec running = gang("taken-under", TYPE, "spot", "test-zone-a", 2 * RUNTIME);
        cluster.submitAsPods(bought);
        cluster.submitAsPods(running);
        String first = promised(bought);
        promised(running);
        awaitClaims(4);
        // One of these two NodeClaims is made and not answered, the other is not made.
        GangSpec asked = gang("asked");
        AtomicInteger posts = new AtomicInteger();
        proxy.treat((method, path) -> method.equals("POST") && path.startsWith(CLAIMS)
                ? posts.incrementAndGet() == 1 ? Turn.UNANSWERED : Turn.HELD
                : Turn.PASSES);
        cluster.submitAsPods(asked);
        Scenario.within("the next claim to be asked for", 30).until(() -> proxy.held() > 0);
        String second = promised(asked);

        // The gang's own node exists before Slotwise restarts. Otherwise Slotwise would buy a third node.
        GangSpec waiting = gang("taken-before", TYPE, "on-demand", "test-zone-a, test-zone-b", RUNTIME);
        slotwise.kill();
        proxy.forget();
        awaitClaims(5);
        slotwise.start();

        cluster.submitAsPods(waiting);
        promised(waiting);
        awaitWhole(running);
        awaitNodes("taken-before");
        Node before = karpenter.bought("taken-before").getFirst();
        takeAway(before);
        takeAway(karpenter.bought("taken-under").getFirst());
        startsAsPromised(bought, first);
        awaitBroken(waiting, "WindowBroken");
        startsAsPromised(asked, second);
        Scenario.within("how long nodes take to be kept", 20)
                .untilAsserted(() -> assertThat(karpenter.books().getMetadata().getAnnotations())
                        .hasEntrySatisfying(
                                "slotwise.io/start-delays",
                                delays -> assertThat(delays).contains("bought.four=", "asked.four=")));

        // Slotwise is killed once more when it gives a node up, and the next replica gives it up.
        proxy.treat((method, path) -> method.equals("DELETE") && path.startsWith(CLAIMS) ? Turn.HELD : Turn.PASSES);
        Scenario.within("a node to be given up", RUNTIME + 60).until(() -> proxy.held() > 0);
        slotwise.kill();
        proxy.forget();
        slotwise.start();
        awaitWhole(waiting);
        assertThat(cluster.pods(waiting))
                .noneMatch(pod ->
                        before.getMetadata().getName().equals(pod.getSpec().getNodeName()));
    }

    @Test
    void gangsStartWholeOrAreToldIfKarpenterDiesHasNoCapacityOrHangs() {
        GangSpec lucky = gang("killed");
        GangSpec none = gang("none", "no-such-type", "on-demand", "test-zone-a", RUNTIME);
        cluster.submitAsPods(lucky);
        String promised = promised(lucky);
        awaitClaims(2);
        karpenter.kill();
        cluster.submitAsPods(none);
        promised(none);
        awaitClaims(4);
        karpenter.run();
        awaitNodes("killed");
        awaitBroken(none, "not-provisioned");

        GangSpec never = gang("never-ready");
        karpenter.freeze();
        cluster.submitAsPods(never);
        promised(never);
        startsAsPromised(lucky, promised);
        assertThat(cluster.boundPods(none)).isZero();
        awaitBroken(never, "not-provisioned");
        Scenario.within("the offer to rest", 20)
                .untilAsserted(() -> assertThat(karpenter.books().getMetadata().getAnnotations())
                        .hasEntrySatisfying(
                                "slotwise.io/resting-offers",
                                resting -> assertThat(resting).contains("never-ready.four=")));
        slotwise.kill();
        karpenter.wake();
        slotwise.start();

        Scenario.within("the claims to go", 60)
                .untilAsserted(() -> assertThat(karpenter.claims()).isEmpty());
        Scenario.within("the gang to wait", 30)
                .untilAsserted(() -> assertThat(cluster.phase(never)).isEqualTo("Pending"));
        Scenario.awaitClock(Scenario.in(10));
        assertThat(karpenter.claims()).isEmpty();
        assertThat(cluster.boundPods(never)).isZero();
    }
}
