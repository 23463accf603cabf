package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Queues on the real control plane: physics and vision are guaranteed one of two nodes each, and vision borrows that of
 * physics.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueIT {
    private static final int QUEUES = 1000;
    private static final int CHILDREN = 6;

    private final ControlPlane plane;
    private final Cluster cluster;

    @AutoClose
    private final RunningChart chart;

    QueueIT(ControlPlane plane) {
        this.plane = plane;
        cluster = new Cluster(plane);
        chart = RunningChart.install(
                plane,
                Map.of("policy.running.turnover", "3s", "policy.planner.cycle", "2s", "policy.running.min-run", "5s"));
    }

    private static GangSpec vision(String gang, int size, int runtimeSeconds) {
        return GangSpec.of("vision", gang, size, 4000, runtimeSeconds).on("it.slotwise.io/pool", "physics");
    }

    private @Nullable String borrowedFrom(GangSpec gang) {
        return Objects.requireNonNull(cluster.reservation(gang)).get("spec", "borrowed", "from");
    }

    private void awaitActive(String queue, String words) {
        Scenario.within("the condition of queue " + queue, 30)
                .untilAsserted(() -> assertThat(Cluster.condition(cluster.queue(queue), "Active"))
                        .startsWith(words));
    }

    @Test
    void aLenderGetsBackWhatOthersBorrowAsWindowsAndAsRoomOfGangsThatRun() {
        Scenario physics = new Scenario(cluster, "physics").withNodes(2);
        cluster.namespace("vision");
        cluster.createQueue("physics", "{namespaces: [physics], guarantee: {cpu: 4}}");
        cluster.createQueue("vision", "{namespaces: [vision], guarantee: {cpu: 4}}");
        awaitActive("physics", "True Ready:");
        Instant later = Scenario.in(600);
        GangSpec planned = vision("planned", 2, 60).with("earliest-start", later.toString());
        GangSpec running = vision("running", 2, 40)
                .with("preemptible", "true")
                .runningFor(30)
                .stoppingIn(1);

        cluster.submitAsPods(planned);
        assertThat(physics.awaitPromise(planned)).isEqualTo(later);
        assertThat(borrowedFrom(planned)).isEqualTo(later.toString());
        GangSpec reclaiming = physics.gang("reclaiming", 1, 4000, 60).with("earliest-start", later.toString());
        cluster.submitAsPods(reclaiming);
        physics.awaitPromise(reclaiming, later, 30);
        new MovedGang(cluster, planned)
                .awaitBrokenOnce(
                        "reclaimed: a gang of another namespace takes its room: queue physics reclaims what it lends");
        assertThat(physics.awaitPromise(planned)).isAfter(later);

        cluster.submitAsIndexedJob(running);
        physics.awaitWhole(running, 60);
        GangSpec owner = physics.gang("owner", 1, 4000, 20).runningFor(8).stoppingIn(1);
        cluster.submitAsJob(owner);
        physics.awaitWhole(owner, 60);
        MovedGang reclaimed = new MovedGang(cluster, running);
        reclaimed.awaitBrokenOnce("reclaimed: moved to make room for a gang of another namespace, whose queue");
        assertThat(chart.slotwise().metric("slotwise_promises_broken_total{cause=\"reclaimed\"}"))
                .isEqualTo(2);
        physics.awaitWhole(running, 120);
        assertThat(reclaimed.moves()).isEqualTo(1);
        assertThat(physics.violations()).isEmpty();
    }

    @Test
    void aQueueThatIsRefusedDeletedOrMadeAgainSaysWhetherItsGangsGetWindows() {
        Scenario team = new Scenario(cluster, "team").withNodes(1);
        cluster.createQueue("chemistry", "{parent: science}");
        awaitActive("chemistry", "False InvalidValue: queue chemistry: its parent science does not exist");
        GangSpec first = team.gang("first", 1, 1000, 60)
                .with("queue", "chemistry")
                .with("earliest-start", Scenario.in(600).toString());
        cluster.submitAsPods(first);
        team.awaitPending(first, "QueueClosed", "its queue chemistry takes no gangs", 40);

        cluster.createQueue("science", "{}");
        awaitActive("chemistry", "True Ready:");
        Instant start = team.awaitPromise(first);

        cluster.deleteQueue("chemistry");
        GangSpec second = team.gang("second", 1, 1000, 60).with("queue", "chemistry");
        cluster.submitAsPods(second);
        team.awaitPending(second, "QueueClosed", "its queue chemistry takes no gangs", 40);
        assertThat(cluster.promisedStart(first)).isEqualTo(start.toString());

        cluster.createQueue("chemistry", "{parent: science}");
        team.awaitWhole(second, 60);
    }

    @Test
    void gangsOfAThousandQueuesInFiveLevelsStartWithinTheLimitOfTheirQueue() {
        Scenario many = new Scenario(cluster, "many").withNodes(2);
        cluster.createQueue("many-0", "{}");
        for (int i = 1; i < QUEUES; i++) {
            String guarantee = i * CHILDREN + 1 < QUEUES ? "" : ", guarantee: {cpu: 4m}";
            cluster.createQueue(
                    "many-" + i,
                    "{parent: many-%d, weight: %d, limit: {cpu: 1}%s}"
                            .formatted((i - 1) / CHILDREN, 1 + i % 3, guarantee));
        }
        Scenario.within("all queues to be active", 60)
                .untilAsserted(() -> assertThat(cluster.queues())
                        .hasSizeGreaterThanOrEqualTo(QUEUES)
                        .allMatch(queue -> Cluster.condition(queue, "Active").startsWith("True Ready:")));

        GangSpec first = many.gang("first", 2, 500, 600).with("queue", "many-" + (QUEUES - 1));
        GangSpec second = many.gang("second", 2, 500, 60).with("queue", "many-" + (QUEUES - 1));
        GangSpec other = many.gang("other", 2, 500, 60).with("queue", "many-" + QUEUES / 2);
        cluster.submitAsPods(first);
        many.awaitWhole(first, 60);
        cluster.submitAsPods(second);
        cluster.submitAsPods(other);

        many.awaitWhole(other, 60);
        assertThat(many.awaitPromise(second)).isAfter(Scenario.in(500));
        assertThat(many.violations()).isEmpty();
    }

    @Test
    void onlyAccountsWithTheRightToUseAQueueMayNameIt() {
        cluster.namespace("guests");
        Account.create(plane, "guests", "student").may("edit", "guests");
        KubernetesClient client = plane.clientAs("guests", "student");
        GangSpec gang = GangSpec.of("guests", "guest", 1, 1000, 60).with("queue", "elsewhere");

        Scenario.within("the admission policy to be in force", 30)
                .untilAsserted(() -> assertThatThrownBy(() ->
                                client.resource(gang.pods().getFirst()).dryRun().create())
                        .isInstanceOf(KubernetesClientException.class)
                        .hasMessageContaining("may use the queue elsewhere"));
    }
}
