package io.slotwise.it;

import static io.slotwise.it.ControlledWorkload.template;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/** JobSets with their real controller: restarts, suspension, and roles that wait for others. */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobSetIT {
    private static final String ROLE = "jobset.sigs.k8s.io/replicatedjob-name";

    private final Cluster cluster;

    @AutoClose
    @SuppressWarnings("UnusedVariable") // runs until the end of the tests
    private final RunningChart chart;

    JobSetIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        WorkloadController.JOB_SET.start(plane);
        chart = RunningChart.install(plane, Map.of("policy.running.turnover", "0s", "policy.planner.cycle", "1s"));
    }

    @StoryTest
    void aJobSetThatRecreatesItsJobsRunsAgainAsAWhole() {
        restart("recreate", "Recreate");
    }

    @StoryTest
    void aJobSetThatWaitsForTheEndOfItsJobsRunsAgainAsAWhole() {
        restart("blocking", "BlockingRecreate");
    }

    /** Restarts a JobSet with room for only one generation, so that the next one starts in the room of the old one. */
    private void restart(String name, String strategy) {
        ControlledWorkload set = jobSet(
                name,
                "failurePolicy: {maxRestarts: 3, restartStrategy: %s}, ".formatted(strategy),
                role(name, "driver", 1, ""),
                role(name, "workers", 2, ""));
        Set<String> first = set.awaitWhole(3, Set.of());
        List<Pod> workers = set.pods(ROLE, "workers");

        set.fail(workers.getFirst());

        set.awaitWhole(3, first);
        assertThat(set.pods("jobset.sigs.k8s.io/restart-attempt", "1")).hasSize(3);
        set.awaitStarted("jobset-set");
    }

    @StoryTest
    void aSuspendedJobSetRunsAgainAsAWholeWhenItIsResumed() {
        ControlledWorkload set =
                jobSet("suspended", "", role("suspended", "driver", 1, ""), role("suspended", "workers", 2, ""));
        Set<String> first = set.awaitWhole(3, Set.of());

        set.patch("spec: {suspend: true}");
        Scenario.within("the pods to go", 30)
                .untilAsserted(() -> assertThat(set.pods()).isEmpty());
        set.patch("spec: {suspend: false}");

        set.awaitWhole(3, first);
        set.awaitStarted("jobset-set");
    }

    /** The second role's window is after that of the first, and moves forward when the first ends early. */
    @StoryTest
    void aRoleThatWaitsForAnothersEndHasAWindowBeforeItsPodsExist() {
        ControlledWorkload set = jobSet(
                "complete",
                "",
                role("complete", "load", 1, ""),
                role("complete", "train", 3, "dependsOn: [{name: load, status: Complete}], "));
        Set<String> load = set.awaitWhole(1, Set.of());
        set.awaitStarted("jobset-set");

        Scenario.within("the window of the pods to come", 20)
                .untilAsserted(() -> assertThat(set.phases()).containsEntry("jobset-set.train", "Promised"));
        assertThat(set.pods(ROLE, "train")).isEmpty();
        assertThat(set.windowStart("jobset-set.train"))
                .isAfterOrEqualTo(set.windowStart("jobset-set").plusSeconds(30 * 60));

        set.end(ROLE, "load");

        set.awaitWhole(3, load);
        set.awaitStarted("jobset-set", "jobset-set.train");
        assertThat(cluster.events("complete", "WindowBroken")).isEmpty();
    }

    @StoryTest
    void theRoomOfPodsToComeIsGivenBackWhenTheirJobSetIsSuspended() {
        ControlledWorkload set = jobSet(
                "given-back",
                "",
                role("given-back", "load", 1, ""),
                role("given-back", "train", 3, "dependsOn: [{name: load, status: Complete}], "));
        set.awaitWhole(1, Set.of());
        Scenario.within("the window of the pods to come", 20)
                .untilAsserted(() -> assertThat(set.phases()).containsEntry("jobset-set.train", "Promised"));

        set.patch("spec: {suspend: true}");

        Scenario.within("the window to go", 20)
                .untilAsserted(() -> assertThat(set.phases()).doesNotContainKey("jobset-set.train"));
        assertThat(cluster.events("given-back", "WindowBroken")).isEmpty();
    }

    /** The gang waits for the room of the last pod, and then keeps the room until the other pods are ready. */
    @StoryTest
    void aRoleThatWaitsUntilAnotherIsReadyHasItsRoomFromTheStartOn() {
        ControlledWorkload set = create(
                "ready",
                2,
                "",
                role("node", 2, "", template("ready", ", it.slotwise.io/stands: \"true\"")),
                role("ready", "launcher", 1, "dependsOn: [{name: node, status: Ready}], "));
        Scenario.within("the gang to wait for more room", 20)
                .untilAsserted(() -> assertThat(set.phases()).containsEntry("jobset-set", "Pending"));
        cluster.node("ready-n3", 4, "1.3", "ready");
        Set<String> nodes = set.awaitWhole(2, Set.of());
        Scenario other = new Scenario(cluster, "ready-other");
        GangSpec rival = GangSpec.of("ready-other", "rival", 1, 3000, 60).on("it.slotwise.io/pool", "ready");

        cluster.submitAsPods(rival);

        assertThat(other.awaitPromise(rival))
                .isAfterOrEqualTo(set.windowStart("jobset-set").plusSeconds(30 * 60));
        set.ready(ROLE, "node");
        assertThat(set.awaitPods(3, Set.of())).containsAll(nodes);
        assertThat(cluster.phase(rival)).isEqualTo("Promised");
        assertThat(cluster.events("ready", "WindowBroken")).isEmpty();
        assertThat(cluster.events("ready-other", "WindowBroken")).isEmpty();
    }

    /** The controller makes the Jobs of a role when those of the role before are ready. */
    @StoryTest
    void theRolesOfAJobSetThatComeInOrderHaveTheirRoomFromTheStartOn() {
        ControlledWorkload set = create(
                "in-order",
                2,
                "startupPolicy: {startupPolicyOrder: InOrder}, ",
                role("driver", 1, "", template("in-order", ", it.slotwise.io/stands: \"true\"")),
                role("in-order", "workers", 2, ""));
        Scenario.within("the gang to wait for more room", 20)
                .untilAsserted(() -> assertThat(set.phases()).containsEntry("jobset-set", "Pending"));
        cluster.node("in-order-n3", 4, "1.3", "in-order");
        Set<String> driver = set.awaitPods(1, Set.of());
        set.awaitStarted("jobset-set");

        set.ready(ROLE, "driver");

        assertThat(set.awaitPods(3, Set.of())).containsAll(driver);
        assertThat(cluster.events("in-order", "WindowBroken")).isEmpty();
    }

    /** Creates a JobSet of these roles, with room for three pods. */
    private ControlledWorkload jobSet(String pool, String more, String... roles) {
        return create(pool, 3, more, roles);
    }

    private ControlledWorkload create(String pool, int nodes, String more, String... roles) {
        return ControlledWorkload.create(cluster, pool, nodes, """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: set}
                spec: {%sreplicatedJobs: [%s]}
                """.formatted(more, String.join(", ", roles)));
    }

    private static String role(String pool, String name, int pods, String more) {
        return role(name, pods, more, template(pool, ""));
    }

    private static String role(String name, int pods, String more, String template) {
        return "{name: %s, %stemplate: {spec: {parallelism: %d, completions: %d, backoffLimit: 0, template: %s}}}"
                .formatted(name, more, pods, pods, template);
    }
}
