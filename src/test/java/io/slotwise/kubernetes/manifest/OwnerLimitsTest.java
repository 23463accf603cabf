package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.plan.Request;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The time limit of a gang on its pods, or on any object on the way from a pod to its root owner. */
class OwnerLimitsTest {
    private static final String TEMPLATE = """
            template:
              spec:
                schedulerName: slotwise
                containers: [{name: c, resources: {requests: {cpu: "1"}}}]
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            spec     | activeDeadlineSeconds: 600                                      | 600
            metadata | labels: {kueue.x-k8s.io/max-exec-time-seconds: "700"}           | 700
            metadata | annotations: {slurmjob.slinky.slurm.net/timelimit: "15"}        | 900
            """)
    void aPlainJobsOwnLimitCounts(String part, String limit, long runtime) {
        assertThat(runtimes("""
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: tasks
                  %s
                spec:
                  parallelism: 2
                  %s
                %s""".formatted(
                                part.equals("metadata") ? limit : "", part.equals("spec") ? limit : "", in(TEMPLATE))))
                .containsExactly(runtime, runtime);
    }

    /** The pods as in a cluster where a controller has given the Job another limit than the template. */
    @Test
    void theLimitOfTheOwnerThatIsNearestCounts() {
        String set = """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {namespace: user, name: s, uid: s, annotations: {slurmjob.slinky.slurm.net/timelimit: "30"}%s}
                spec: {replicatedJobs: [{name: w, template: {spec: {parallelism: 1}}}]}
                ---
                """;
        String trainJob = """
                apiVersion: trainer.kubeflow.org/v1alpha1
                kind: TrainJob
                metadata: {namespace: user, name: t, uid: t, annotations: {slurmjob.slinky.slurm.net/timelimit: "60"}}
                spec: {}
                ---
                """;
        String job = """
                apiVersion: batch/v1
                kind: Job
                metadata: {namespace: user, name: s-w-0, uid: j, ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: s, uid: s, controller: true}]}
                spec: {%s}
                ---
                """;
        String pod = """
                apiVersion: v1
                kind: Pod
                metadata:
                  namespace: user
                  name: s-w-0-0
                  labels: {jobset.sigs.k8s.io/jobset-name: s}
                  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: s-w-0, uid: j, controller: true}]
                spec:
                  schedulerName: slotwise
                  %s
                  containers: [{name: c, resources: {requests: {cpu: "1"}}}]
                """;
        String owner =
                ", ownerReferences: [{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, name: t, uid: t, "
                        + "controller: true}]";
        String silent = set.replace("annotations: {slurmjob.slinky.slurm.net/timelimit: \"30\"}", "labels: {}");

        assertThat(runtimes(set.formatted("")
                        + job.formatted("activeDeadlineSeconds: 600")
                        + pod.formatted("activeDeadlineSeconds: 60")))
                .containsExactly(60L);
        assertThat(runtimes(set.formatted("") + job.formatted("activeDeadlineSeconds: 600") + pod.formatted("")))
                .containsExactly(600L);
        assertThat(runtimes(set.formatted("") + job.formatted("") + pod.formatted("")))
                .containsExactly(1800L);
        assertThat(runtimes(trainJob + silent.formatted(owner) + job.formatted("") + pod.formatted("")))
                .containsExactly(3600L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            spec: {schedulerName: slotwise, schedulingGroup: {podGroupName: g}, | scheduling.k8s.io/v1beta1       | {schedulingPolicy: {gang: {minCount: 2}}}
            metadata: {labels: {scheduling.x-k8s.io/pod-group: g}}, spec: {schedulerName: slotwise,    | scheduling.x-k8s.io/v1alpha1    | {minMember: 2}
            metadata: {annotations: {scheduling.k8s.io/group-name: g}}, spec: {schedulerName: slotwise, | scheduling.volcano.sh/v1beta1   | {minMember: 2}
            metadata: {labels: {pod-group.scheduling.sigs.k8s.io: g}}, spec: {schedulerName: slotwise, | scheduling.sigs.k8s.io/v1alpha1 | {minMember: 2}
            """)
    void aLimitBehindAPodGroupCounts(String template, String api, String spec) {
        String group = """
                apiVersion: %s
                kind: PodGroup
                metadata: {name: g}
                spec: %s
                ---
                """.formatted(api, spec);
        String pods = "{%s containers: [{name: c, resources: {requests: {cpu: \"1\"}}}]}}".formatted(template);

        assertThat(runtimes(group + """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: j}
                spec: {parallelism: 2, activeDeadlineSeconds: 600, template: %s}
                """.formatted(pods))).containsExactly(600L);
        assertThat(runtimes(group + """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: j, annotations: {slurmjob.slinky.slurm.net/timelimit: "15"}}
                spec: {parallelism: 2, template: %s}
                """.formatted(pods))).containsExactly(900L);
        assertThat(runtimes(group + """
                apiVersion: kubeflow.org/v1
                kind: PyTorchJob
                metadata: {name: j}
                spec: {runPolicy: {activeDeadlineSeconds: 700}, pytorchReplicaSpecs: {Worker: {replicas: 2, template: %s}}}
                """.formatted(pods))).containsExactly(700L);
        assertThat(runtimes(group.replace(
                                "{name: g}", "{name: g, annotations: {slurmjob.slinky.slurm.net/timelimit: \"20\"}}")
                        + """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: j}
                spec: {parallelism: 2, template: %s}
                """.formatted(pods)))
                .containsExactly(1200L);
    }

    /** The gang's room is kept until the last of its Jobs is ended. */
    @Test
    void theLongestOfTheRolesOfAJobSetCounts() {
        String role = """
                - name: %s
                  template:
                    spec:
                      activeDeadlineSeconds: %d
                %s""";
        assertThat(runtimes("""
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: s}
                spec:
                  replicatedJobs:
                %s%s""".formatted(
                                role.formatted("a", 500, TEMPLATE.indent(6)).indent(2),
                                role.formatted("b", 900, TEMPLATE.indent(6)).indent(2))))
                .containsExactly(900L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labels: {kueue.x-k8s.io/max-exec-time-seconds: "700"}    | 700
            annotations: {slurmjob.slinky.slurm.net/timelimit: "15"} | 900
            """)
    void theLimitOnTheJobTemplateOfARoleCounts(String limit, long runtime) {
        String roles = """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: s, annotations: {slurmjob.slinky.slurm.net/timelimit: "60"}}
                spec:
                  replicatedJobs:
                  - name: w
                    template:
                      metadata: {%s}
                      spec:
                %s""";

        assertThat(runtimes(roles.formatted(limit, TEMPLATE.indent(8)))).containsExactly(runtime);
        assertThat(runtimes(roles.formatted("", TEMPLATE.indent(8)))).containsExactly(3600L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ray.io/v1                      | RayJob          | activeDeadlineSeconds: 800, rayClusterSpec: {headGroupSpec: {T}, workerGroupSpecs: [{groupName: w, replicas: 1, T}]}                 | | 800
            leaderworkerset.x-k8s.io/v1    | LeaderWorkerSet | leaderWorkerTemplate: {size: 2, workerTemplate: P} | , annotations: {slurmjob.slinky.slurm.net/timelimit: "15"} | 900
            batch.volcano.sh/v1alpha1      | Job             | schedulerName: slotwise, tasks: [{name: a, replicas: 2, T}] | , labels: {kueue.x-k8s.io/max-exec-time-seconds: "700"} | 700
            kubeflow.org/v2beta1           | MPIJob          | runPolicy: {activeDeadlineSeconds: 750}, mpiReplicaSpecs: {Launcher: {T}, Worker: {replicas: 1, T}} | | 750
            """)
    void theLimitOfARootOwnerCounts(String api, String kind, String spec, String metadata, long runtime) {
        String pods = "{spec: {schedulerName: slotwise, containers: [{name: c, resources: {requests: {cpu: \"1\"}}}]}}";

        assertThat(runtimes("""
                apiVersion: %s
                kind: %s
                metadata: {name: o%s}
                spec: {%s}
                """.formatted(
                                api,
                                kind,
                                metadata == null ? "" : metadata,
                                spec.replace("T}", "template: " + pods + "}").replace(" P}", " " + pods + "}"))))
                .containsExactly(runtime);
    }

    @Test
    void ownersThatOwnEachOtherHaveAnEnd() {
        String job = """
                apiVersion: batch/v1
                kind: Job
                metadata: {namespace: user, name: %s, uid: %s, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: %s, uid: u, controller: true}]}
                spec: {}
                ---
                """;

        assertThat(runtimes(job.formatted("a", "a", "b") + job.formatted("b", "b", "a") + """
                apiVersion: v1
                kind: Pod
                metadata:
                  namespace: user
                  name: p
                  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: a, uid: a, controller: true}]
                spec: {schedulerName: slotwise, containers: [{name: c}]}
                """))
                .containsExactly(3600L);
    }

    private static String in(String template) {
        return template.indent(2);
    }

    private static List<Long> runtimes(String text) {
        ClusterObjects nodes = Samples.objects(List.of(node("n1").build()));
        ClusterObjects objects =
                ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test.yaml");
        IntakeResult result = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(nodes.plus(objects), Map.of(), NOW);
        assertThat(result.snapshot().held()).isEmpty();
        return result.snapshot().requests().stream()
                .map(Request::gang)
                .map(gang -> gang.runtime())
                .toList();
    }
}
