package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.plan.Request;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workload objects as users keep them in git, in place of the pods that their controllers would make. */
class WorkloadsTest {
    private static final Path LEFT_BY_CONTROLLERS = Path.of("src/test/resources/conventions");
    private static final Path EXAMPLES = Path.of("docs/examples/conventions");

    /**
     * The object of each file, without its pods, makes pods with the labels and gangs of those that the real controller
     * left.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jobset",
                "kubeflow-pytorchjob",
                "kubeflow-mpijob",
                "raycluster",
                "raycluster-autoscaled",
                "indexed-job-in-a-cluster",
                "plain-job-in-a-cluster",
                "task-list"
            })
    void expandedPodsAreThoseOfTheController(String file) throws IOException {
        String all = Files.readString(LEFT_BY_CONTROLLERS.resolve(file + ".yaml"));
        String written = all.substring(0, all.indexOf("\n---\n")).replaceFirst("  uid: .*\n", "");

        List<Pod> made = objects(written).pods();
        List<Pod> left = objects(all).pods();

        assertThat(gangs(made)).isEqualTo(gangs(left));
        List<Map<String, String>> unmatched = new ArrayList<>();
        left.forEach(pod -> unmatched.add(pod.getMetadata().getLabels()));
        for (Pod pod : made) {
            Map<String, String> labels = pod.getMetadata().getLabels();
            Map<String, String> like = unmatched.stream()
                    .filter(others -> others.entrySet().containsAll(labels.entrySet()))
                    .findFirst()
                    .orElse(null);
            assertThat(like)
                    .as("a pod of the controller with the labels %s among %s", labels, unmatched)
                    .isNotNull();
            unmatched.remove(like);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            slotwise             | train:4                                          | Job team/train makes 4 pods of the gang train
            podgroup             | training:3                                       | Job team/train makes 3 pods of the gang training
            coscheduling         | nginx:3                                          | ReplicaSet team/nginx makes 3 pods of the gang nginx
            volcano-job          | lm-mpi:3                                         | Job team/lm-mpi makes 3 pods of the gang lm-mpi; in a cluster the gang's name ends with the Job's UID
            volcano-deployment   | podgroup-of-web:2                                | Deployment team/web makes 2 pods of the gang podgroup-of-web; in a cluster the gang's name ends with the UID of the pods' controller
            yunikorn             | gang-app:3                                       | Job team/gang-job makes 3 pods of the gang gang-app
            koordinator          | gang-example:2                                   | Job team/example makes 2 pods of the gang gang-example
            koordinator-podgroup | gang-crd:2                                       | Job team/crd makes 2 pods of the gang gang-crd
            jobset               | jobset-paral:5                                   | JobSet team/paral makes 5 pods of the gang jobset-paral
            leaderworkerset      | leaderworkerset-vllm-0:4 leaderworkerset-vllm-1:4 | LeaderWorkerSet team/vllm makes 8 pods of 2 gangs: leaderworkerset-vllm-0, leaderworkerset-vllm-1
            pytorchjob           | pytorchjob-resnet:4                              | PyTorchJob team/resnet makes 4 pods of the gang pytorchjob-resnet
            mpijob               | mpijob-pi:3                                      | MPIJob team/pi makes 3 pods of the gang mpijob-pi
            raycluster           | raycluster-ray:3                                 | RayCluster team/ray makes 3 pods of the gang raycluster-ray
            rayjob               | raycluster-tune:3                                | RayJob team/tune makes 3 pods of the gang raycluster-tune; in a cluster the name of its RayCluster, and so the gang's, has a random end; the pod that submits its work comes when the cluster is ready, and is for default-scheduler
            indexed-job          | job-sweep:4                                      | Job team/sweep is suspended; resumed it makes 4 pods of the gang job-sweep
            tasks                | pod-tasks-0:1 pod-tasks-1:1 pod-tasks-2:1         | Job team/tasks makes 3 pods, each of which starts by itself (the label `slotwise.io/gang` in its pod template would make them a gang)
            """)
    void aWorkloadExpandsToItsGangsAndANoteSaysSo(String file, String gangs, String note) {
        IntakeResult result = take(ManifestFile.read(EXAMPLES.resolve(file + ".yaml")));

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(result.snapshot().requests().stream()
                        .map(Request::gang)
                        .map(gang -> gang.id().name() + ":" + gang.size()))
                .containsExactly(gangs.split(" "));
        assertThat(result.warnings())
                .filteredOn(warning -> warning.reason() == IntakeWarning.Reason.EXPANDED)
                .extracting(IntakeWarning::message)
                .containsExactly(note);
        assertThat(result.warnings()).noneMatch(IntakeWarning::isOfConcern);
    }

    @Test
    void aMinimumAboveTheMembersIsNoted() {
        ClusterObjects objects = objects(text("podgroup").replace("minCount: 3", "minCount: 9"));

        assertThat(objects.warnings())
                .extracting(IntakeWarning::message)
                .containsExactly("Job team/train makes 3 pods of the gang training; the gang training needs 9 pods and "
                        + "cannot start with 3");
    }

    /** The pods of an object from a cluster, or of files that contain them, are not made again. */
    @Test
    void aWorkloadWithExistingPodsMakesNoOthers() throws IOException {
        String all = Files.readString(LEFT_BY_CONTROLLERS.resolve("jobset.yaml"));

        assertThat(objects(all).pods()).hasSize(5);
        assertThat(objects(all.replaceFirst("  uid: .*\n", "")).pods()).hasSize(5);
        assertThat(objects(all.replaceFirst("  uid: .*\n", "")).warnings()).isEmpty();
    }

    @Test
    void manyGangsAreNotAllNamed() {
        ClusterObjects objects = objects(text("leaderworkerset").replace("replicas: 2", "replicas: 7"));

        assertThat(objects.warnings())
                .extracting(IntakeWarning::message)
                .containsExactly("LeaderWorkerSet team/vllm makes 28 pods of 7 gangs: leaderworkerset-vllm-0,"
                        + " leaderworkerset-vllm-1, leaderworkerset-vllm-2 and 4 more");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            jobset | name: paral | annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: zone} | with exclusive topology the other pods of each Job come only when its first one has a node | `alpha.jobset.sigs.k8s.io/exclusive-topology` (zone) of pod team/paral-workers-0-0 suits no gang, since the other pods of each Job come only when its first one has a node: expected pods that come together. Maybe give each pod the annotation `slotwise.io/gang-size` with 1.
            """)
    void aGangThatWouldWaitForPodsWhichWaitForItIsRefused(
            String file, String where, String added, String remark, String sentence) {
        IntakeResult result = take(objects(with(file, where, added)));

        assertThat(result.warnings().getFirst().message()).contains("; " + remark);
        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().held())
                .extracting(pending -> pending.refusal().message())
                .contains(sentence);
    }

    /** The example with an additional line after the first one with these words. */
    private static String with(String file, String where, String added) {
        String text = text(file);
        String indent = text.substring(text.lastIndexOf('\n', text.indexOf(where)), text.indexOf(where));
        return text.replaceFirst(where, where + indent.replace('-', ' ') + added);
    }

    @Test
    void workersThatComeWhenTheirLeaderIsReadyArePlannedWithIt() {
        IntakeResult result = take(objects(with("leaderworkerset", "replicas: 2", "startupPolicy: LeaderReady")));

        assertThat(result.warnings().getFirst().message())
                .contains("; with startupPolicy LeaderReady the workers come only when their leader is ready");
        assertThat(result.snapshot().held()).isEmpty();
        assertThat(result.snapshot().requests())
                .extracting(request -> request.gang().size())
                .containsExactly(4, 4);
    }

    @Test
    void workersOfAnExclusiveTopologyArePlannedWithTheirLeader() {
        IntakeResult result = take(objects(with(
                "leaderworkerset",
                "name: vllm",
                "annotations: {leaderworkerset.sigs.k8s.io/exclusive-topology: zone}")));

        assertThat(result.warnings().getFirst().message())
                .contains("; with exclusive topology the workers come only when their leader has a node");
        assertThat(result.snapshot().requests())
                .extracting(request -> request.gang().size())
                .containsExactly(4, 4);
        assertThat(result.snapshot().requests())
                .extracting(request -> request.gang().topology())
                .containsOnly(Topology.within(TopologyLevel.of("zone")));
    }

    /** Their nodes already have labels. */
    @Test
    void anExclusiveTopologyByLabelsOfNodesIsAGang() {
        IntakeResult result = take(objects(with(
                "jobset",
                "name: paral",
                "annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: zone, "
                        + "alpha.jobset.sigs.k8s.io/node-selector: \"true\"}")));

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(result.snapshot().requests()).hasSize(1);
    }

    @Test
    void aStatefulSetMakesOnePodAfterTheOtherUnlessItSaysParallel() {
        String set = text("coscheduling").replace("kind: ReplicaSet", "kind: StatefulSet");

        assertThat(objects(set).pods()).hasSize(1);
        assertThat(objects(set.replace("  replicas: 3", "  podManagementPolicy: Parallel\n  replicas: 3"))
                        .pods())
                .hasSize(3);
    }

    @Test
    void applicationsWithoutAGangArePassedOver() {
        String deployment = text("volcano-deployment").replaceAll("      annotations: .*\n", "");

        assertThat(objects(deployment).pods()).hasSize(2);
        ClusterObjects others = objects(deployment.replace("      schedulerName: slotwise\n", ""));
        assertThat(others.pods()).isEmpty();
        assertThat(others.warnings())
                .extracting(IntakeWarning::message)
                .containsExactly(
                        "test.yaml: Deployment team/web is not read: their pods name another scheduler and take no"
                                + " room in the plan");
    }

    @Test
    void theHeadOfARayClusterThatScalesHasTheAutoscaler() {
        String text = text("raycluster").replace("  rayVersion", "  enableInTreeAutoscaling: true\n  rayVersion");

        IntakeResult result = take(objects(text));

        assertThat(result.snapshot().requests().stream()
                        .map(Request::gang)
                        .filter(gang -> gang.id().name().equals("raycluster-ray"))
                        .flatMap(gang -> gang.shapes().stream())
                        .filter(shape -> shape.pods().contains("ray-head"))
                        .map(shape -> shape.request().resources().get(Resources.CPU)))
                .containsExactly(2500L);
    }

    @Test
    void theWorkOfARayJobIsSubmittedByAContainerOfItsHead() {
        String text = text("rayjob");

        IntakeResult result = take(objects(text.replaceFirst("spec:\n", "spec:\n  submissionMode: SidecarMode\n")));

        assertThat(cpuOf(result, "tune-head") - cpuOf(take(objects(text)), "tune-head"))
                .isEqualTo(500);
        assertThat(result.warnings().getFirst().message()).doesNotContain("submits");
    }

    @Test
    void theSubmitterPodOfARayJobIsPlannedIfItIsSlotwises() {
        String submitter = "  submitterPodTemplate: {spec: {schedulerName: slotwise, containers: "
                + "[{name: c, resources: {requests: {cpu: 300m}}}]}}\n";

        IntakeResult result = take(objects(text("rayjob").replaceFirst("spec:\n", "spec:\n" + submitter)));

        assertThat(cpuOf(result, "tune-0")).isEqualTo(300);
        assertThat(result.warnings().getFirst().message())
                .endsWith("; the pod that submits its work comes when the cluster is ready, and is planned by itself");
    }

    private static long cpuOf(IntakeResult result, String pod) {
        return result.snapshot().requests().stream()
                .flatMap(request -> request.gang().shapes().stream())
                .filter(shape -> shape.pods().contains(pod))
                .mapToLong(shape -> shape.request().resources().get(Resources.CPU))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            slotwise        | parallelism: 4   | parallelism: two      | Job train: spec.parallelism (two) is not valid: expected a whole number between 0 and 2147483647
            slotwise        | parallelism: 4   | parallelism: 1.5      | Job train: spec.parallelism (1.5) is not valid: expected a whole number between 0 and 2147483647
            slotwise        | parallelism: 4   | suspend: maybe        | Job train: spec.suspend (maybe) is not valid: expected true or false
            slotwise        | requests: {cpu   | requests: 5 # {cpu    | Job train: spec.template.spec.containers[0].resources.requests (5) is not valid: expected keys with their values
            jobset          | replicas: 2      | replicas: -2          | JobSet paral: spec.replicatedJobs[1].replicas (-2) is not valid: expected a whole number between 0 and 100000
            jobset          | parallelism: 2   | parallelism: many     | JobSet paral: spec.replicatedJobs[1].template.spec.parallelism (many) is not valid: expected a whole number between 0 and 2147483647
            jobset          | - name: driver   | - title: driver       | JobSet paral: no spec.replicatedJobs[0].template.spec.template.spec.containers[0].name: expected at most 63 of a-z, 0-9 and -
            jobset          | replicas: 2      | replicas: 60000       | JobSet paral: more than 100000 pods: expected at most so many
            leaderworkerset | size: 4          | size: []              | LeaderWorkerSet vllm: spec.leaderWorkerTemplate.size ([]) is not valid: expected a whole number between -2147483648 and 2147483647
            leaderworkerset | workerTemplate:  | otherTemplate:        | LeaderWorkerSet vllm: no spec.leaderWorkerTemplate.workerTemplate: expected fields
            pytorchjob      | pytorchReplicaSpecs: | tfReplicaSpecs:   | PyTorchJob resnet: no spec.pytorchReplicaSpecs: expected the roles of the job
            mpijob          | Launcher:        | Starter:              | MPIJob pi: no spec.mpiReplicaSpecs.Launcher: expected the launcher
            raycluster      | - groupName: small | - name: small       | RayCluster ray: no spec.workerGroupSpecs[0].groupName: expected the name of the worker group
            raycluster      | workerGroupSpecs: | workerGroupSpecs: 7 # | RayCluster ray: spec.workerGroupSpecs (7) is not valid: expected a list
            rayjob          | rayClusterSpec:  | clusterSpec:          | RayJob tune: no spec.rayClusterSpec: expected the RayCluster to make
            volcano-deployment | replicas: 2   | replicas: several     | Deployment web: spec.replicas (several) is not valid: expected a whole number between 0 and 2147483647
            volcano-job     | minAvailable: 3  | minAvailable: all     | Job lm-mpi: spec.minAvailable (all) is not valid: expected a whole number between 0 and 3
            volcano-job     | minAvailable: 3  | minAvailable: 4       | Job lm-mpi: spec.minAvailable (4) is not valid: expected a whole number between 0 and 3
            volcano-job     | replicas: 1      | minAvailable: 2       | Job lm-mpi: spec.tasks[0].minAvailable (2) is not valid: expected a whole number between 0 and 1
            volcano-job     | replicas: 1      | dependsOn: {name: [nosuch]} | Job lm-mpi: spec.tasks[0].dependsOn.name (nosuch) is not valid: expected the name of a task
            volcano-job     | replicas: 1      | dependsOn: {name: [mpimaster]} | Job lm-mpi: spec.tasks[0].dependsOn ({"name":["mpimaster"]}) is not valid: expected no circle of tasks
            rayjob          | entrypoint: python tune.py | submissionMode: NoSuchMode | RayJob tune: spec.submissionMode (NoSuchMode) is not valid: expected K8sJobMode or HTTPMode or InteractiveMode or SidecarMode
            mpijob          | slotsPerWorker: 1 | launcherCreationPolicy: Whenever | MPIJob pi: spec.launcherCreationPolicy (Whenever) is not valid: expected AtStartup or WaitForWorkersReady
            """)
    void unreadableFieldsAreNamedByTheirPath(String file, String right, String wrong, String problem) {
        String text = text(file);
        assertThat(text).contains(right);
        String broken = wrong.endsWith("7 #")
                ? text.substring(0, text.indexOf(right)) + "workerGroupSpecs: 7\n"
                : text.replace(right, wrong);

        ClusterObjects objects = objects(broken);

        assertThat(objects.pods()).isEmpty();
        assertThat(objects.warnings())
                .extracting(IntakeWarning::message)
                .contains("test.yaml, document 1, %s; it is left out".formatted(problem));
    }

    @Test
    void podsOfAWorkloadThatAreThereUnderTheirNamesAreRefused() {
        String pod = """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: paral-workers-0-1}
                spec: {containers: [{name: c}]}
                ---
                """;

        assertThatThrownBy(() -> objects(pod + text("jobset")))
                .hasMessage("test.yaml, document 2: Pod team/paral-workers-0-1 appears twice, also in test.yaml, "
                        + "document 1:" + " expected it once");
    }

    private static Map<String, Integer> gangs(List<Pod> pods) {
        Map<String, Integer> gangs = new TreeMap<>();
        // Pods that start alone are named after their pods, whose suffixes are random in a cluster.
        pods.forEach(pod -> gangs.merge(Pods.gangOf(pod).toString(), 1, Integer::sum));
        return gangs;
    }

    private static String text(String file) {
        try {
            return Files.readString(EXAMPLES.resolve(file + ".yaml"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static ClusterObjects objects(String text) {
        return ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test.yaml");
    }

    private static IntakeResult take(ClusterObjects objects) {
        ClusterObjects nodes =
                Samples.objects(List.of(Objects.requireNonNull(node("n1").build())));
        return new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(nodes.plus(objects), Map.of(), NOW);
    }
}
