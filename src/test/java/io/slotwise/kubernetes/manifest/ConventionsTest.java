package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.kubernetes.gangs.GroupObjects;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Gangs in the conventions of other projects. Each file of {@code conventions} is a project's own form as its
 * controllers leave it.
 */
class ConventionsTest {
    private static final Path FOLDER = Path.of("src/test/resources/conventions");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            native-podgroup          | training:2                                                | 3600
            scheduler-plugins        | nginx:3                                                   | 3600
            volcano                  | lm-mpi-b0b8f8c2-36a4-4b4e-a5b4-3b1d5f4f6a11:3             | 3600
            volcano-min-member       | podgroup-0d8c8fb4-3c47-4f0e-8d52-6f8b4a3a9e01:2           | 3600
            kueue                    | sample-group:2                                            | 1800
            yunikorn                 | batch-sleep-job:3                                         | 3600
            koordinator              | gang-example:2                                            | 3600
            koordinator-light        | light:2                                                   | 3600
            koordinator-podgroup     | gang-crd:2                                                | 3600
            jobset                   | jobset-paral:5                                            | 3600
            leaderworkerset          | leaderworkerset-vllm-0:2 leaderworkerset-vllm-1:2         | 3600
            indexed-job              | job-sweep:3                                               | 900
            indexed-job-in-a-cluster | job-sweep:2                                               | 3600
            plain-job                | sweep:3                                                   | 900
            plain-job-in-a-cluster   | sweep:3                                                   | 900
            task-list                | pod-list-0-7xk2p:1 pod-list-1-c9m4z:1                     | 3600
            trainer-deepspeed        | jobset-bert:4                                             | 3600
            kubeflow-pytorchjob      | pytorchjob-pytorch-simple:3                               | 1200
            kubeflow-mpijob          | mpijob-pi:3                                               | 3600
            raycluster               | raycluster-raycluster-kuberay:4                           | 3600
            raycluster-autoscaled    | pod-elastic-cpu-worker-9qs7b:1 raycluster-elastic:2       | 3600
            """)
    void eachProjectsFormIsAGang(String file, String gangs, long runtime) {
        IntakeResult result = take(FOLDER.resolve(file + ".yaml"));

        assertThat(result.warnings()).filteredOn(IntakeWarning::isOfConcern).isEmpty();
        assertThat(result.snapshot().held()).isEmpty();
        assertThat(gangs(result)).containsExactly(gangs.split(" "));
        assertThat(result.snapshot().requests())
                .allSatisfy(request -> assertThat(request.gang().runtime()).isEqualTo(runtime));
    }

    @Test
    void everyFormIsInTheTable() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files).hasSize(21);
        }
    }

    @Test
    void podsOfAListOfTasksAreNoGang() {
        Intake intake = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY);
        ClusterObjects list = ManifestFile.read(FOLDER.resolve("task-list.yaml"));
        ClusterObjects job = ManifestFile.read(FOLDER.resolve("indexed-job-in-a-cluster.yaml"));

        assertThat(intake.isApart(id("job-list"), list.pods(), list.groups())).isTrue();
        assertThat(intake.isApart(id("job-list"), list.pods(), GroupObjects.NONE))
                .isFalse();
        assertThat(intake.isApart(id("job-sweep"), job.pods(), job.groups())).isFalse();
        assertThat(intake.isApart(id("job-list"), List.of(), list.groups())).isFalse();
        assertThat(intake.isApart(Pods.ownGang(list.pods().getFirst()), list.pods(), list.groups()))
                .isFalse();
    }

    @Test
    void aGangThatMayStartWithoutSomeOfItsPodsHasItsHead() {
        IntakeResult result = take(FOLDER.resolve("raycluster-autoscaled.yaml"));

        assertThat(members(result, "raycluster-elastic"))
                .containsExactly("elastic-cpu-worker-2m8fd", "elastic-head-vkj4n");
    }

    @Test
    void ourAnnotationsGoBeforeEveryConventionsFigure() {
        IntakeResult result = take("""
                %s
                ---
                %s
                """.formatted(pod("a", """
                          labels: {scheduling.x-k8s.io/pod-group: g, kueue.x-k8s.io/max-exec-time-seconds: "60"}
                          annotations: {slotwise.io/gang-size: "2", slotwise.io/runtime: 20m, slotwise.io/budget: "3", slotwise.io/criterion: cost}
                        """), pod("b", """
                          labels: {scheduling.x-k8s.io/pod-group: g}
                        """)));

        Gang gang = result.snapshot().requests().getFirst().gang();
        assertThat(gang.id()).isEqualTo(id("g"));
        assertThat(gang.size()).isEqualTo(2);
        assertThat(gang.runtime()).isEqualTo(1200);
        assertThat(gang.request().nodeIndependent()).isFalse();
        assertThat(gang.criterion().key()).isEqualTo("cost");
        assertThat(String.valueOf(gang.budget().total())).isEqualTo("3.000000");
    }

    /** Every convention at once on every pod. The first convention is removed line by line. */
    @Test
    void theFirstConventionOfTheListNamesTheGang() {
        List<String> labels = List.of(
                "slotwise.io/gang: ours",
                "scheduling.x-k8s.io/pod-group: coscheduling",
                "",
                "kueue.x-k8s.io/pod-group-name: kueue",
                "",
                "",
                "jobset.sigs.k8s.io/jobset-name: set",
                "leaderworkerset.sigs.k8s.io/name: lws, leaderworkerset.sigs.k8s.io/group-index: \"3\"",
                "training.kubeflow.org/job-name: kf, training.kubeflow.org/operator-name: tfjob-controller",
                "ray.io/cluster: ray, ray.io/node-type: worker",
                "batch.kubernetes.io/job-completion-index: \"0\"");
        List<String> annotations = List.of(
                "",
                "",
                "scheduling.k8s.io/group-name: volcano, scheduling.volcano.sh/group-min-member: \"1\"",
                "kueue.x-k8s.io/pod-group-total-count: \"1\"",
                "yunikorn.apache.org/task-group-name: t, yunikorn.apache.org/app-id: yunikorn",
                "gang.scheduling.koordinator.sh/name: koordinator",
                "",
                "",
                "",
                "",
                "");
        List<String> expected = List.of(
                "ours",
                "coscheduling",
                "volcano",
                "kueue",
                "yunikorn",
                "koordinator",
                "jobset-set",
                "leaderworkerset-lws-3",
                "tfjob-kf",
                "raycluster-ray",
                "job-j");

        for (int first = 0; first < expected.size(); first++) {
            String metadata = """
                      labels: {%s}
                      annotations: {%s}
                      ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u, controller: true}]
                    """.formatted(from(labels, first), from(annotations, first));
            Pod pod = objects(pod("p", metadata)).pods().getFirst();

            assertThat(Pods.gangOf(pod)).isEqualTo(id(expected.get(first)));
            pod.getSpec().setSchedulingGroup(new io.fabric8.kubernetes.api.model.PodSchedulingGroup("native"));
            assertThat(Pods.gangOf(pod)).isEqualTo(id(first == 0 ? "ours" : "native"));
        }
    }

    private static String from(List<String> items, int first) {
        return items.subList(first, items.size()).stream()
                .filter(item -> !item.isEmpty())
                .collect(Collectors.joining(", "));
    }

    @Test
    void ourLabelTakesTheSizeOfTheConventionBehindIt() {
        IntakeResult result = take(pod("p", """
                  labels: {slotwise.io/gang: mine, kueue.x-k8s.io/pod-group-name: theirs}
                  annotations: {kueue.x-k8s.io/pod-group-total-count: "2"}
                """));

        assertThat(result.snapshot().held())
                .containsExactly(new Pending(id("mine"), new Refusal.WaitingForMembers(1, 2)));
    }

    @Test
    void twoConventionsThatMeanDifferentGangsByOneNameAreRefused() {
        assertThat(problem(pod("a", """
                  labels: {slotwise.io/gang: g}
                  annotations: {slotwise.io/gang-size: "2"}
                """) + "---\n" + pod("b", """
                  labels: {scheduling.x-k8s.io/pod-group: g}
                """)))
                .isEqualTo("pod user/a and pod user/b name one gang (g) in two ways, by `slotwise.io/gang` (g) and by"
                        + " `scheduling.x-k8s.io/pod-group` (g): expected one");
    }

    @Test
    void anOwnersGangDiffersFromAnAnnotatedOneOfItsName() {
        IntakeResult result = take(Stream.of("indexed-job.yaml", "raycluster.yaml")
                        .map(ConventionsTest::text)
                        .map(text -> text.replace("raycluster-kuberay", "sweep"))
                        .collect(Collectors.joining("\n---\n"))
                + "---\n"
                + pod("x", """
                          labels: {slotwise.io/gang: sweep}
                          annotations: {slotwise.io/gang-size: "1"}
                        """));

        assertThat(gangs(result)).containsExactly("job-sweep:3", "raycluster-sweep:4", "sweep:1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            native-podgroup     | training                  | PodGroup   | scheduling.k8s.io     | training
            scheduler-plugins   | nginx                     | PodGroup   | scheduling.x-k8s.io   | nginx
            volcano             | lm-mpi-b0b8f8c2-36a4-4b4e-a5b4-3b1d5f4f6a11 | PodGroup | scheduling.volcano.sh | lm-mpi-b0b8f8c2-36a4-4b4e-a5b4-3b1d5f4f6a11
            koordinator-podgroup | gang-crd                 | PodGroup   | scheduling.sigs.k8s.io | gang-crd
            jobset              | jobset-paral              | JobSet     | jobset.x-k8s.io       | paral
            indexed-job-in-a-cluster | job-sweep            | Job        | batch                 | sweep
            plain-job-in-a-cluster | sweep                  | Job        | batch                 | sweep
            kubeflow-pytorchjob | pytorchjob-pytorch-simple | PyTorchJob | kubeflow.org          | pytorch-simple
            kubeflow-mpijob     | mpijob-pi                 | MPIJob     | kubeflow.org          | pi
            raycluster          | raycluster-raycluster-kuberay | RayCluster | ray.io            | raycluster-kuberay
            """)
    void aGangWaitsForTheObjectThatSaysItsSize(String file, String gang, String kind, String api, String name) {
        String all = text(file + ".yaml");

        IntakeResult result = take(all.substring(all.indexOf("---\n")));

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().held())
                .containsExactly(new Pending(id(gang), new Refusal.WaitingForGroup(kind, api, "user/" + name)));
    }

    @Test
    void neitherOfTwoJobsWithOneLabelStatesTheSize() {
        String text = text("plain-job-in-a-cluster.yaml");
        int second = text.lastIndexOf("name: sweep, uid");

        assertThat(problem(text.substring(0, second) + "name: other, uid" + text.substring(second + 16)))
                .isEqualTo("`slotwise.io/gang` (sweep) of pod user/sweep-4x8rk has no size: expected the annotation"
                        + " `slotwise.io/gang-size` on one of the gang's pods");
    }

    @Test
    void aPlainJobWithoutAnyLabelIsNoGang() {
        IntakeResult result = take(text("plain-job-in-a-cluster.yaml").replaceAll("    slotwise.io/gang: .*\n", ""));

        assertThat(gangs(result)).containsExactly("pod-sweep-4x8rk:1", "pod-sweep-b2v7m:1", "pod-sweep-q9d5t:1");
    }

    @Test
    void aRayClusterHasNoMoreWorkersThanItsMost() {
        IntakeResult result = take(text("raycluster.yaml")
                .replace(
                        "replicas: 1\n      minReplicas: 1\n      maxReplicas: 5",
                        "replicas: 9\n      minReplicas: 1\n      maxReplicas: 1"));

        assertThat(gangs(result)).containsExactly("raycluster-raycluster-kuberay:4");
    }

    @Test
    void aStatedSizeNeedsNoObject() {
        String all = text("scheduler-plugins.yaml");

        IntakeResult result = take(all.substring(all.indexOf("---\n"))
                .replaceFirst("  labels:", "  annotations: {slotwise.io/gang-size: \"3\"}\n  labels:"));

        assertThat(gangs(result)).containsExactly("nginx:3");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            native-podgroup     | minCount: 2      | minCount: x      | `spec.schedulingPolicy.gang.minCount` (x) of PodGroup user/training is not valid: expected a whole number between 1 and 100000
            native-podgroup     | minCount: 2      | minimum: 2       | PodGroup user/training has no spec.schedulingPolicy.gang.minCount: expected a whole number between 1 and 100000
            scheduler-plugins   | minMember: 3     | minMember: -3    | `spec.minMember` (-3) of PodGroup user/nginx is not valid: expected a whole number between 1 and 100000
            volcano             | minMember: 3     | minMember: many  | `spec.minMember` (many) of PodGroup user/lm-mpi-b0b8f8c2-36a4-4b4e-a5b4-3b1d5f4f6a11 is not valid: expected a whole number between 1 and 100000
            volcano-min-member  | group-min-member: '2' | group-min-member: '0' | `scheduling.volcano.sh/group-min-member` (0) of pod user/web-5d8f7c-2xkzl is not valid: expected a whole number between 1 and 100000
            kueue               | total-count: '2' | total-count: two | `kueue.x-k8s.io/pod-group-total-count` (two) of pod user/sample-0 is not valid: expected a whole number between 1 and 100000
            kueue               | pod-group-total-count | other-count | `kueue.x-k8s.io/pod-group-name` (sample-group) of pod user/sample-0 has no size: expected the annotation `slotwise.io/gang-size` on one of the gang's pods
            kueue               | "1800"           | "soon"           | `kueue.x-k8s.io/max-exec-time-seconds` (soon) of pod user/sample-0 is not valid: expected a whole number between 1 and 315360000
            yunikorn            | "minMember": 2   | "minMember": -2  | `minMember of yunikorn.apache.org/task-groups` (-2) of pod user/batch-sleep-0 is not valid: expected a whole number between 1 and 100000
            yunikorn            | task-groups:     | groups:          | `applicationId` (batch-sleep-job) of pod user/batch-sleep-0 has no size: expected the annotation `slotwise.io/gang-size` on one of the gang's pods
            koordinator         | min-available: '2' | min-available: '2.5' | `gang.scheduling.koordinator.sh/min-available` (2.5) of pod user/pod-example1 is not valid: expected a whole number between 1 and 100000
            koordinator         | koordinator.sh/mode: 'Strict' | koordinator.sh/groups: '["user/gang-example","user/b"]' | `gang.scheduling.koordinator.sh/groups` (["user/gang-example","user/b"]) of pod user/pod-example1 bundles gangs: expected one gang. Maybe give all their pods the label `slotwise.io/gang`.
            jobset              | replicas: 2      | replicas: -2     | `replicas` (-2) of JobSet user/paral is not valid: expected a whole number between 0 and 2147483647
            leaderworkerset     | sigs.k8s.io/size: '2' | sigs.k8s.io/size: 'two' | `leaderworkerset.sigs.k8s.io/size` (two) of pod user/vllm-0 is not valid: expected a whole number between 1 and 100000
            plain-job-in-a-cluster | parallelism: 3 | parallelism: 0   | Job user/sweep asks for 0 pods: expected between 1 and 100000
            indexed-job-in-a-cluster | parallelism: 2 | parallelism: -2  | `parallelism` (-2) of Job user/sweep is not valid: expected a whole number between 0 and 2147483647
            kubeflow-pytorchjob | replicas: 2      | replicas: two    | `replicas` (two) of PyTorchJob user/pytorch-simple is not valid: expected a whole number between 0 and 2147483647
            raycluster          | numOfHosts: 2    | numOfHosts: 200000 | RayCluster user/raycluster-kuberay asks for 200002 pods: expected between 1 and 100000
            raycluster          | workerGroupSpecs: | workerGroupSpecs: 7 # | `workerGroupSpecs` (7) of RayCluster user/raycluster-kuberay is not valid: expected a list
            """)
    void unreadableValuesAreOneSentence(String file, String right, String wrong, String sentence) {
        String text = text(file + ".yaml");
        assertThat(text).contains(right);
        String broken = wrong.endsWith("#")
                ? text.replaceAll("(?s)workerGroupSpecs:\\n.*?---", wrong + "\n---")
                : text.replace(right, wrong);

        assertThat(problem(broken)).isEqualTo(sentence);
    }

    /** The driver makes its executors. */
    @Test
    void aSparkDriverThatIsToWaitForItsExecutorsIsRefused() {
        assertThat(problem(pod("driver", """
                  labels: {spark-app-selector: app, spark-role: driver}
                  annotations: {yunikorn.apache.org/task-groups: '[{"name": "d", "minMember": 1}, {"name": "e", "minMember": 2}]'}
                """)))
                .contains("pod user/driver suits no gang, since the executors come only when the driver runs: expected "
                        + "pods that come together.");
    }

    @Test
    void aBundleThatThePodGroupNamesIsRefused() {
        String text = text("koordinator-podgroup.yaml");

        assertThat(problem(text.replaceFirst(
                        "  name: gang-crd\n",
                        "  name: gang-crd\n  annotations: {gang.scheduling.koordinator.sh/groups: "
                                + "'[\"user/gang-crd\",\"user/b\"]'}\n")))
                .isEqualTo("`gang.scheduling.koordinator.sh/groups` ([\"user/gang-crd\",\"user/b\"]) of PodGroup"
                        + " user/gang-crd bundles gangs: expected one gang. Maybe give all their pods the label"
                        + " `slotwise.io/gang`.");
    }

    @Test
    void podsThatDisagreeAreBothNamed() {
        String text = text("kueue.yaml");
        int last = text.lastIndexOf("total-count: '2'");

        assertThat(problem(text.substring(0, last) + "total-count: '3'" + text.substring(last + 16)))
                .isEqualTo("`kueue.x-k8s.io/pod-group-total-count` differs: 2 of pod user/sample-0, 3 of pod "
                        + "user/sample-1:" + " expected one value for the gang");
    }

    @Test
    void aSizeWithoutANameIsNotEnough() {
        assertThat(problem(pod("p", """
                  annotations: {scheduling.volcano.sh/group-min-member: "2"}
                """)))
                .startsWith("`scheduling.volcano.sh/group-min-member` (2) of pod user/p needs the annotation");
        assertThat(problem(pod("p", """
                  annotations: {yunikorn.apache.org/task-group-name: t}
                """)))
                .startsWith("`yunikorn.apache.org/task-group-name` (t) of pod user/p needs the annotation");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            slotwise.io/runtime: 5m, | slurmjob.slinky.slurm.net/timelimit: "20", | kueue.x-k8s.io/max-exec-time-seconds: "70" | activeDeadlineSeconds: 80 | 300
                                     | slurmjob.slinky.slurm.net/timelimit: "20", | kueue.x-k8s.io/max-exec-time-seconds: "70" | activeDeadlineSeconds: 80 | 1200
                                     |                                            | kueue.x-k8s.io/max-exec-time-seconds: "70" | activeDeadlineSeconds: 80 | 70
                                     |                                            |                                            | activeDeadlineSeconds: 80 | 80
                                     |                                            |                                            |                           | 3600
            """)
    void theRuntimeIsTakenFromTheFirstThatSaysIt(
            String ours, String slurm, String kueue, String deadline, long runtime) {
        String text = pod("p", """
                  labels: {%s}
                  annotations: {%s %s}
                """.formatted(word(kueue), word(ours), word(slurm)));

        IntakeResult result = take(text.replace("spec:\n", "spec:\n  " + word(deadline) + "\n"));

        Gang gang = result.snapshot().requests().getFirst().gang();
        assertThat(gang.runtime()).isEqualTo(runtime);
        assertThat(gang.request().nodeIndependent()).isEqualTo(runtime != 300 && runtime != 3600);
    }

    @Test
    void aTimeLimitMayStandOnTheOwner() {
        String text = text("jobset.yaml").replaceFirst("  name: paral\n", """
                  name: paral
                  annotations: {slurmjob.slinky.slurm.net/timelimit: "30"}
                """.indent(0));

        assertThat(take(text).snapshot().requests().getFirst().gang().runtime()).isEqualTo(1800);
    }

    @Test
    void aRunningGangOutlivesItsObject() {
        String all = text("scheduler-plugins.yaml");
        String running = all.substring(all.indexOf("---\n")).replace("spec:\n", "spec:\n  nodeName: n1\n");

        IntakeResult result = take(running);

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(result.snapshot().cluster().occupations())
                .hasSize(3)
                .allSatisfy(
                        occupation -> assertThat(occupation.interval().end()).isEqualTo(NOW + 3600));
    }

    @Test
    void anOwnerWithoutPodsIsTold() {
        IntakeResult result = take(text("jobset.yaml").replaceFirst("(?s)---.*", ""));

        assertThat(result.warnings())
                .extracting(IntakeWarning::message)
                .containsExactly("JobSet user/paral is in a cluster, has no pods here and is not planned: expected the "
                        + "pods that its controller makes");
    }

    private static String word(String text) {
        return text == null ? "" : text;
    }

    private static String problem(String text) {
        List<Pending> held = take(text).snapshot().held();
        assertThat(held).isNotEmpty();
        assertThat(held.getFirst().refusal()).isInstanceOf(Refusal.InvalidRequest.class);
        return held.getFirst().refusal().message();
    }

    private static Set<String> members(IntakeResult result, String gang) {
        return Objects.requireNonNull(result.members().get(new GangId("user", gang))).stream()
                .map(pod -> pod.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    private static List<String> gangs(IntakeResult result) {
        return result.snapshot().requests().stream()
                .map(Request::gang)
                .map(gang -> gang.id().name() + ":" + gang.size())
                .toList();
    }

    private static String pod(String name, String metadata) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  namespace: user
                  name: %s
                %sspec:
                  schedulerName: slotwise
                  containers: [{name: main, resources: {requests: {cpu: "1"}}}]
                """.formatted(name, metadata.indent(2).replaceAll("(?m)^ +", "  "));
    }

    private static String text(String file) {
        try {
            return Files.readString(FOLDER.resolve(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static ClusterObjects objects(String text) {
        return ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test.yaml");
    }

    private static IntakeResult take(Path file) {
        return take(ManifestFile.read(file));
    }

    private static IntakeResult take(String text) {
        return take(objects(text));
    }

    private static IntakeResult take(ClusterObjects objects) {
        ClusterObjects nodes = Samples.objects(List.of(node("n1").build()));
        return new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(nodes.plus(objects), Map.of(), NOW);
    }
}
