package io.slotwise.it;

import static io.slotwise.it.ControlledWorkload.template;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/** Jobs for which the Job controller makes PodGroups, next to a kube-scheduler that knows PodGroups, too. */
@RealControlPlane(featureGates = {RealControlPlane.POD_GROUPS, RealControlPlane.JOB_WORKLOADS})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobWorkloadIT {
    private final Cluster cluster;

    @AutoClose
    @SuppressWarnings("UnusedVariable") // runs until the tests have ended
    private final RunningChart chart;

    JobWorkloadIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        chart = RunningChart.install(plane, Map.of("policy.turnover", "0s", "policy.cycle", "1s"));
    }

    private ControlledWorkload job(String name, String more, String labels) {
        String template = template(name, "")
                .replace("spec: {", "spec: {restartPolicy: Never, ")
                .replace("metadata: {", "metadata: {" + labels);
        return ControlledWorkload.create(cluster, name, 3, """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: train}
                spec: {parallelism: 3, completions: 3, %s template: %s}
                """.formatted(more, template));
    }

    @StoryTest
    void aJobWithTheLabelOfAGangIsOneThoughItHasAPodGroup() {
        ControlledWorkload job = job("labelled", "", "labels: {slotwise.io/gang: train}, ");

        job.awaitWhole(3, Set.of());

        assertThat(job.pods())
                .allSatisfy(
                        pod -> assertThat(pod.getSpec().getSchedulingGroup()).isNotNull());
        assertThat(job.started()).containsExactly("train");
    }

    @StoryTest
    void anIndexedJobIsAGangThoughItHasAPodGroup() {
        ControlledWorkload job = job("indexed", "completionMode: Indexed,", "");

        job.awaitWhole(3, Set.of());

        assertThat(job.started()).hasSize(1);
    }

    @StoryTest
    void thePodsOfAPlainJobStartByThemselves() {
        ControlledWorkload job = job("plain", "", "");

        job.awaitPods(3, Set.of());

        assertThat(job.started()).hasSize(3).allSatisfy(gang -> assertThat(gang).startsWith("pod-train-"));
    }

    @StoryTest
    void aJobsOwnPolicyMakesItAGang() {
        ControlledWorkload job = job("policy", "scheduling: {schedulingPolicy: {gang: {}}},", "");

        job.awaitWhole(3, Set.of());

        assertThat(job.started()).hasSize(1);
    }
}
