package io.slotwise.it;

import static io.slotwise.it.ControlledWorkload.template;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/** LeaderWorkerSets with their real controller: rolling updates, and groups that are made again as a whole. */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeaderWorkerSetIT {
    private static final String GROUP = "leaderworkerset.sigs.k8s.io/group-index";

    private final Cluster cluster;

    @AutoClose
    @SuppressWarnings("UnusedVariable") // runs until the end of the tests
    private final RunningChart chart;

    LeaderWorkerSetIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        WorkloadController.LEADER_WORKER_SET.start(plane);
        chart = RunningChart.install(plane, Map.of("policy.running.turnover", "0s", "policy.planner.cycle", "1s"));
    }

    private static String set(String pool, int replicas, String policy) {
        return """
                apiVersion: leaderworkerset.x-k8s.io/v1
                kind: LeaderWorkerSet
                metadata: {name: s}
                spec:
                  replicas: %d
                  leaderWorkerTemplate:
                    size: 3
                    restartPolicy: %s
                    workerTemplate: %s
                """.formatted(replicas, policy, template(pool, ""));
    }

    /** The controller misses a pod that disappears too fast, but a container's restart stays visible. */
    @StoryTest
    void aGroupThatIsMadeAgainAfterAContainerWasRestartedStartsAsAWhole() {
        ControlledWorkload set =
                ControlledWorkload.create(cluster, "group", 3, set("group", 1, "RecreateGroupOnPodRestart"));
        Set<String> first = set.awaitWhole(3, Set.of());
        Pod worker = set.pods().stream()
                .filter(pod -> pod.getMetadata().getName().equals("s-0-1"))
                .findFirst()
                .orElseThrow();

        set.restart(worker);

        set.awaitWhole(3, first);
        set.awaitStarted("leaderworkerset-s-0");
    }

    /** The gang waits for the room of the workers, and then keeps the room until the leader is ready. */
    @StoryTest
    void aLeaderStartsWithTheRoomOfWorkersThatComeWhenItIsReady() {
        String waiting = set("late", 1, "RecreateGroupOnPodRestart")
                .replace("replicas: 1", "startupPolicy: LeaderReady\n  replicas: 1")
                .replace("slotwise.io/runtime", "it.slotwise.io/stands: \"true\", slotwise.io/runtime");
        ControlledWorkload set = ControlledWorkload.create(cluster, "late", 2, waiting);
        Scenario.within("the gang to wait for more room", 30)
                .untilAsserted(() -> assertThat(set.phases()).containsEntry("leaderworkerset-s-0", "Pending"));
        cluster.node("late-n3", 4, "1.3", "late");
        Set<String> leader = set.awaitPods(1, Set.of());
        set.awaitStarted("leaderworkerset-s-0");
        Scenario other = new Scenario(cluster, "late-other");
        GangSpec rival = GangSpec.of("late-other", "rival", 1, 3000, 60).on("it.slotwise.io/pool", "late");
        cluster.submitAsPods(rival);
        assertThat(other.awaitPromise(rival))
                .isAfterOrEqualTo(set.windowStart("leaderworkerset-s-0").plusSeconds(30 * 60));

        set.ready(GROUP, "0");

        assertThat(set.awaitPods(3, Set.of())).containsAll(leader);
        assertThat(cluster.phase(rival)).isEqualTo("Promised");
        assertThat(cluster.events("late", "WindowBroken")).isEmpty();
        assertThat(cluster.events("late-other", "WindowBroken")).isEmpty();
    }

    @StoryTest
    void aRollingUpdateStartsEachNewGroupAsAWhole() {
        ControlledWorkload set =
                ControlledWorkload.create(cluster, "rolling", 6, set("rolling", 2, "RecreateGroupOnPodRestart"));
        Set<String> first = set.awaitPods(6, Set.of());

        set.patch("spec: {leaderWorkerTemplate: {workerTemplate: %s}}"
                .formatted(template("rolling", ", it.slotwise.io/version: \"2\"")));

        set.awaitPods(6, first);
        set.assertBoundTogether(set.pods(GROUP, "0"));
        set.assertBoundTogether(set.pods(GROUP, "1"));
        set.awaitStarted("leaderworkerset-s-0", "leaderworkerset-s-1");
    }
}
