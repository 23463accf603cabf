package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.slotwise.it.ApiProxy.Turn;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Nodes that Slotwise buys by ProvisioningRequests, on the real control plane with a simulated autoscaler. */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NodeGroupIT {
    /** Seconds, enough for a replica that was killed to request a node, and to find and mark it. */
    private static final int DELAY = 25;

    private static final String REQUESTS = "/apis/autoscaling.x-k8s.io/v1/namespaces/slotwise/provisioningrequests";
    private static final List<String> GROUPS = List.of(
            "bought", "kill-asked", "kill-found", "kill-orphan", "refused", "partial", "late", "gone", "absent");

    private final Cluster cluster;
    private final ControlPlane plane;

    @AutoClose
    private final PlayedAutoscaler autoscaler;

    @AutoClose
    private final ApiProxy proxy;

    @AutoClose
    private final SlotwiseProcess slotwise;

    NodeGroupIT(ControlPlane plane) {
        this.plane = plane;
        cluster = new Cluster(plane);
        proxy = new ApiProxy(plane, 1);
        String catalogue = GROUPS.stream().map(NodeGroupIT::offer).collect(Collectors.joining("---\n"));
        // The chart grants the rights that offers of node groups need.
        slotwise = Installation.buying(plane, proxy.url(), 12, "slotwise.io/offer-node-group", catalogue);
        autoscaler = PlayedAutoscaler.start(plane, cluster);
    }

    private static String offer(String group) {
        return """
                apiVersion: v1
                kind: Node
                metadata:
                  name: %s
                  labels: {it.slotwise.io/pool: %s, slotwise.io/price: "0.5"}
                  annotations:
                    slotwise.io/offer-node-group: it.slotwise.io/pool
                    slotwise.io/offer-delay: %ds
                    slotwise.io/offer-billed-step: 1m
                status: {allocatable: {cpu: "4", memory: 16Gi, pods: "110"}}
                """.formatted(group, group, DELAY);
    }

    /** A gang of three pods in a group with one existing node. */
    private GangSpec gang(String group, int seconds, int most) {
        autoscaler.conduct(group, new PlayedAutoscaler.Conduct(seconds, most));
        return new Scenario(cluster, group).withNodes(1).gang("g", 3, 3000, 30).runningFor(15);
    }

    private String promised(GangSpec gang) {
        Scenario.within("gang " + gang.namespace() + " to be promised nodes", 30)
                .until(() -> purchases(gang).size() == 2);
        return Objects.requireNonNull(cluster.promisedStart(gang));
    }

    private List<?> purchases(GangSpec gang) {
        GenericKubernetesResource reservation = cluster.reservation(gang);
        List<?> purchases = reservation == null ? null : reservation.get("spec", "purchases");
        return Objects.requireNonNullElse(purchases, List.of());
    }

    private void startsAsPromised(GangSpec gang, String promised) {
        Scenario.within("gang " + gang.namespace() + " to run whole", DELAY + 60)
                .untilAsserted(() -> assertThat(cluster.boundPods(gang)).isEqualTo(3));
        assertThat(cluster.promisedStart(gang)).isEqualTo(promised);
        assertThat(cluster.events(gang.namespace(), "WindowBroken")).isEmpty();
    }

    private void awaitTold(GangSpec gang, String... causes) {
        Scenario.within("the promise of " + gang.namespace() + " to be broken", DELAY + 60)
                .untilAsserted(() -> assertThat(cluster.events(gang.namespace(), "WindowBroken"))
                        .anyMatch(event -> Stream.of(causes).anyMatch(event::contains)));
    }

    private void nothingIsLeft() {
        Scenario.within("requests, their pods and nodes to go", 90).untilAsserted(() -> {
            assertThat(autoscaler.requests()).isEmpty();
            assertThat(autoscaler.templates()).isEmpty();
            assertThat(autoscaler.nodes("")).isEmpty();
        });
    }

    @Test
    @Order(1)
    void withoutProvisioningRequestsNothingIsBoughtAndThatIsLogged() {
        slotwise.start();
        GangSpec gang = gang("absent", 5, 9);

        cluster.submitAsPods(gang);

        Scenario.within("the gang to wait", 30)
                .untilAsserted(() -> assertThat(cluster.phase(gang)).isEqualTo("Pending"));
        Scenario.within("the board to say so", 30)
                .untilAsserted(() -> assertThat(slotwise.get("/api/v1/board"))
                        .contains("the cluster does not serve ProvisioningRequests (autoscaling.x-k8s.io/v1)"));
        cluster.client().pods().inNamespace(gang.namespace()).delete();
        slotwise.kill();
    }

    @Test
    @Order(2)
    void nodesAreBoughtInTimeFailuresAreToldAndNothingIsLeft() {
        PlayedAutoscaler.define(plane);
        slotwise.start();
        GangSpec bought = gang("bought", 5, 9);
        GangSpec refused = gang("refused", 5, 0);
        GangSpec partial = gang("partial", 5, 1);
        GangSpec late = gang("late", DELAY + 20, 9);
        GangSpec gone = gang("gone", 3, 9);

        cluster.submitAsPods(bought);
        String promised = promised(bought);
        Stream.of(refused, partial, late, gone).forEach(cluster::submitAsPods);
        awaitMarked("gone", 1);
        cluster.client()
                .nodes()
                .withName(marked("gone").getFirst().getMetadata().getName())
                .delete();

        startsAsPromised(bought, promised);
        assertThat(marked("bought")).hasSize(2);
        Stream.of(refused, partial, late).forEach(gang -> {
            awaitTold(gang, "not-provisioned");
            assertThat(cluster.boundPods(gang)).isZero();
        });
        // A cycle may have written the node's own name into the gang's window before the node went.
        awaitTold(gone, "not-provisioned", "node-lost: node made-");
        nothingIsLeft();
    }

    @Test
    @Order(3)
    void purchasesContinueAfterAnyKillAndLeaveNothing() {
        slotwise.start();
        // The first request is made and not answered, and the second one is not made.
        GangSpec asked = gang("kill-asked", 3, 9);
        AtomicInteger posts = new AtomicInteger();
        proxy.treat((method, path) -> method.equals("POST") && path.equals(REQUESTS)
                ? posts.incrementAndGet() == 1 ? Turn.UNANSWERED : Turn.HELD
                : Turn.PASSES);
        cluster.submitAsPods(asked);
        awaitHeld();
        String first = promised(asked);
        slotwise.kill();
        proxy.forget();
        Scenario.within("the request without an answer to be there", 20)
                .untilAsserted(() -> assertThat(autoscaler.requests()).hasSize(1));
        slotwise.start();
        startsAsPromised(asked, first);

        // The request names its node, but the node is not marked yet.
        GangSpec found = gang("kill-found", 3, 9);
        proxy.treat((method, path) ->
                method.equals("PATCH") && path.startsWith("/api/v1/nodes/") ? Turn.HELD : Turn.PASSES);
        cluster.submitAsPods(found);
        String second = promised(found);
        awaitHeld();
        slotwise.kill();
        proxy.forget();
        assertThat(marked("kill-found")).isEmpty();
        slotwise.start();
        startsAsPromised(found, second);

        // A PodTemplate without its request, whose gang is gone meanwhile.
        GangSpec orphan = gang("kill-orphan", 5, 9);
        proxy.treat((method, path) -> method.equals("POST") && path.equals(REQUESTS) ? Turn.HELD : Turn.PASSES);
        cluster.submitAsPods(orphan);
        awaitHeld();
        slotwise.kill();
        proxy.forget();
        assertThat(autoscaler.templates()).isNotEmpty();
        cluster.client().pods().inNamespace(orphan.namespace()).delete();
        slotwise.start();

        nothingIsLeft();
    }

    private void awaitHeld() {
        Scenario.within("a call to be held", 30).until(() -> proxy.held() > 0);
    }

    private void awaitMarked(String group, int count) {
        Scenario.within("a node of " + group + " to be found", DELAY + 10)
                .until(() -> marked(group).size() >= count);
    }

    private List<Node> marked(String group) {
        return autoscaler.nodes(group).stream().filter(NodeGroupIT::isMarked).toList();
    }

    private static boolean isMarked(Node node) {
        return node.getMetadata().getLabels().containsKey("slotwise.io/purchase")
                && node.getSpec().getTaints().stream()
                        .anyMatch(taint -> taint.getKey().equals("slotwise.io/bought"))
                && node.getSpec().getTaints().stream()
                        .anyMatch(taint -> taint.getKey().equals("it.slotwise.io/reserved"));
    }
}
