package io.slotwise.it;

import static io.slotwise.it.ControlledWorkload.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/**
 * Jobs for which the Job controller makes PodGroups, and PodGroups written by hand, next to a kube-scheduler that knows
 * PodGroups, too.
 */
@RealControlPlane(featureGates = {RealControlPlane.POD_GROUPS, RealControlPlane.JOB_WORKLOADS})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobWorkloadIT {
    private final Cluster cluster;

    @AutoClose
    @SuppressWarnings("UnusedVariable") // runs until the end of the tests
    private final RunningChart chart;

    JobWorkloadIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        chart = RunningChart.install(plane, Map.of("policy.running.turnover", "0s", "policy.planner.cycle", "1s"));
    }

    private ControlledWorkload job(String name, String more, String labels) {
        return jobOf(name, more, template(name, "").replace("metadata: {", "metadata: {" + labels));
    }

    private ControlledWorkload jobOf(String name, String more, String pods) {
        String template = pods.replace("spec: {", "spec: {restartPolicy: Never, ");
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
        job.awaitStarted("train");
    }

    @StoryTest
    void anIndexedJobIsAGangThoughItHasAPodGroup() {
        ControlledWorkload job = job("indexed", "completionMode: Indexed,", "");

        job.awaitWhole(3, Set.of());

        job.awaitStarted("job-train");
    }

    @StoryTest
    void thePodsOfAPlainJobStartByThemselves() {
        ControlledWorkload job = job("plain", "", "");

        job.awaitPods(3, Set.of());

        Scenario.within("the records of their starts", 20)
                .untilAsserted(() -> assertThat(job.started())
                        .hasSize(3)
                        .allSatisfy(gang -> assertThat(gang).startsWith("pod-train-")));
    }

    @StoryTest
    void aJobsOwnPolicyMakesItAGang() {
        ControlledWorkload job = job("policy", "scheduling: {schedulingPolicy: {gang: {}}},", "");

        job.awaitWhole(3, Set.of());

        Scenario.within("the record of its start", 20)
                .untilAsserted(() -> assertThat(job.started()).hasSize(1));
    }

    /** The PodGroup states the size, but no runtime. */
    @StoryTest
    void theTimeLimitOfAJobCountsBehindItsPodGroup() {
        ControlledWorkload job = jobOf(
                "limited",
                "completionMode: Indexed, activeDeadlineSeconds: 600, scheduling: {schedulingPolicy: {gang: {}}},",
                template("limited", "").replace("slotwise.io/runtime: 30m", ""));

        job.awaitWhole(3, Set.of());

        job.awaitStarted("job-train");
        assertThat(cluster.reservations("limited"))
                .extracting(record -> Duration.between(
                        Instant.parse(record.<String>get("spec", "window", "start")),
                        Instant.parse(record.<String>get("spec", "window", "end"))))
                .containsExactly(Duration.ofMinutes(10));
    }

    private static final String POD_GROUP = """
            apiVersion: scheduling.k8s.io/v1beta1
            kind: PodGroup
            metadata: {name: g}
            spec: {schedulingPolicy: {gang: {minCount: 2}}}
            """;

    /** Creates a pod of the PodGroup g. */
    private void member(String namespace, String name, String scheduler) {
        Pod pod = Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: %s, annotations: {slotwise.io/runtime: 30m}}
                spec:
                  schedulerName: %s
                  schedulingGroup: {podGroupName: g}
                  nodeSelector: {it.slotwise.io/pool: %s}
                  containers: [{name: c, image: none, resources: {requests: {cpu: "3"}}}]
                """.formatted(name, namespace, scheduler, namespace), Pod.class);
        cluster.client().resource(pod).create();
    }

    @StoryTest
    void aPodGroupWhosePodsSlotwiseBindsIsToldThatItIsScheduled() {
        ControlledWorkload group = ControlledWorkload.create(cluster, "direct", 2, POD_GROUP);
        member("direct", "a", "slotwise");
        member("direct", "b", "slotwise");

        group.awaitWhole(2, Set.of());

        Scenario.within("the condition of the PodGroup", 20)
                .untilAsserted(() -> assertThat(group.conditions())
                        .extracting(condition -> condition.get("type"), condition -> condition.get("status"))
                        .containsExactly(tuple("PodGroupInitiallyScheduled", "True")));
    }

    /** kube-scheduler would wait forever for the pod that Slotwise binds. */
    @StoryTest
    void aPodGroupWithOnePodForKubeSchedulerIsRefusedAndStartsAsAdvised() {
        ControlledWorkload group = ControlledWorkload.create(cluster, "mixed", 2, POD_GROUP);
        member("mixed", "a", "slotwise");
        member("mixed", "b", "slotwise-extender");

        Scenario.within("the gang to be refused", 20)
                .untilAsserted(() -> assertThat(cluster.events("mixed", "InvalidRequest"))
                        .first(InstanceOfAssertFactories.STRING)
                        .contains("pods mixed/a and mixed/b are of one PodGroup (g)")
                        .contains("expected schedulerName slotwise-extender for all pods of the PodGroup"));
        assertThat(group.pods()).extracting(pod -> pod.getSpec().getNodeName()).containsOnlyNulls();

        cluster.client()
                .pods()
                .inNamespace("mixed")
                .withName("a")
                .withGracePeriod(0)
                .delete();
        member("mixed", "a2", "slotwise-extender");

        group.awaitPods(2, Set.of());
    }
}
