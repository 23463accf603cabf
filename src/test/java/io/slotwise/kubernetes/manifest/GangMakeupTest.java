package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pods that make a gang complete: a number of each role, without those that have succeeded. */
class GangMakeupTest {
    private static final String VOLCANO = """
            apiVersion: scheduling.volcano.sh/v1beta1
            kind: PodGroup
            metadata: {namespace: user, name: g}
            spec: {minMember: %d, minTaskMember: {worker: 2, zps: 1}}
            ---
            """;
    private static final String TASK_GROUPS =
            "yunikorn.apache.org/task-groups: '[{\"name\": \"worker\", \"minMember\": 2}, "
                    + "{\"name\": \"zps\", \"minMember\": 1}]'";

    @Test
    void aVolcanoJobStartsWithSoManyOfEachTask() {
        IntakeResult result = take("""
                apiVersion: batch.volcano.sh/v1alpha1
                kind: Job
                metadata: {namespace: user, name: g}
                spec:
                  schedulerName: slotwise
                  tasks:
                  - {name: worker, replicas: 6, minAvailable: 2, template: {spec: {containers: [{name: c}]}}}
                  - {name: zps, replicas: 1, minAvailable: 1, template: {spec: {containers: [{name: c}]}}}
                """);

        assertThat(members(result, "g")).containsExactly("g-worker-0", "g-worker-1", "g-zps-0");
    }

    @Test
    void aVolcanoGangWaitsForTheTaskThatLacks() {
        IntakeResult result = take(VOLCANO.formatted(3)
                + pods("worker", 4, "annotations: {scheduling.k8s.io/group-name: g, volcano.sh/task-spec: worker}"));

        assertThat(result.snapshot().held()).containsExactly(new Pending(id("g"), new Refusal.WaitingForMembers(2, 3)));
        assertThat(result.snapshot().requests()).isEmpty();
    }

    /** These pods come only when the others run, and have room then. */
    @Test
    void aVolcanoJobIsPlannedWithTheTasksThatDependOnOthers() {
        IntakeResult result = take("""
                apiVersion: batch.volcano.sh/v1alpha1
                kind: Job
                metadata: {namespace: user, name: g}
                spec:
                  schedulerName: slotwise
                  tasks:
                  - {name: worker, replicas: 2, template: {spec: {containers: [{name: c}]}}}
                  - {name: master, replicas: 1, dependsOn: {name: [worker]}, template: {spec: {containers: [{name: c}]}}}
                """);

        assertThat(members(result, "g")).containsExactly("g-master-0", "g-worker-0", "g-worker-1");
        assertThat(result.warnings().getFirst().message())
                .contains("the pods of task master come only when those of others run");
    }

    /** As Volcano's own plugin does. */
    @Test
    void aVolcanoGangOfFewerPodsThanItsTasksNeedLooksAtNoTask() {
        IntakeResult result = take(VOLCANO.formatted(2)
                + pods("worker", 2, "annotations: {scheduling.k8s.io/group-name: g, volcano.sh/task-spec: worker}"));

        assertThat(members(result, "g")).containsExactly("worker-0", "worker-1");
    }

    @Test
    void podsBeyondTheTasksMinimaAreOfAnyTask() {
        IntakeResult result = take(VOLCANO.formatted(4)
                + pods("worker", 3, "annotations: {scheduling.k8s.io/group-name: g, volcano.sh/task-spec: worker}")
                + pods("zps", 1, "annotations: {scheduling.k8s.io/group-name: g, volcano.sh/task-spec: zps}"));

        assertThat(members(result, "g")).containsExactly("worker-0", "worker-1", "worker-2", "zps-0");
    }

    @Test
    void aYuniKornGangStartsWithSoManyOfEachTaskGroup() {
        String workers = pods("worker", 4, yunikorn("worker"));

        assertThat(members(take(workers + pods("zps", 1, yunikorn("zps"))), "app"))
                .containsExactly("worker-0", "worker-1", "zps-0");
        assertThat(take(workers).snapshot().held())
                .containsExactly(new Pending(id("app"), new Refusal.WaitingForMembers(2, 3)));
    }

    @Test
    void podsOfNoTaskGroupStandInForThoseThatLack() {
        String own = "labels: {applicationId: app}\n  annotations: {%s}".formatted(TASK_GROUPS);

        assertThat(members(take(pods("any", 3, own)), "app")).containsExactly("any-0", "any-1", "any-2");
    }

    private static String yunikorn(String group) {
        return "labels: {applicationId: app}\n  annotations: {yunikorn.apache.org/task-group-name: %s, %s}"
                .formatted(group, TASK_GROUPS);
    }

    @Test
    void anAutoscaledRayClusterStartsWithTheLeastOfEachWorkerGroup() {
        String cluster = """
                apiVersion: ray.io/v1
                kind: RayCluster
                metadata: {namespace: user, name: r, uid: r}
                spec:
                  enableInTreeAutoscaling: true
                  headGroupSpec: {}
                  workerGroupSpecs: [{groupName: cpu, replicas: 3, minReplicas: 1}, {groupName: gpu, replicas: 1, minReplicas: 1}]
                ---
                """;
        String labels = "labels: {ray.io/cluster: r, ray.io/node-type: %s, ray.io/group: %s}";

        assertThat(members(
                        take(cluster
                                + pods("a", 3, labels.formatted("worker", "cpu"))
                                + pods("b", 1, labels.formatted("worker", "gpu"))
                                + pods("head", 1, labels.formatted("head", "headgroup"))),
                        "raycluster-r"))
                .containsExactly("a-0", "b-0", "head-0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            completions: 10, parallelism: 10, completionMode: Indexed | succeeded: 2, completedIndexes: "0,1"                         | 8
            completions: 10, parallelism: 10, completionMode: Indexed | succeeded: 2, completedIndexes: "0-1", failedIndexes: "4,7-9" | 4
            completions: 10, parallelism: 20, completionMode: Indexed | completedIndexes: "3"                                         | 9
            """)
    void anIndexedJobNeedsNoneOfTheIndexesThatAreDone(String spec, String status, int left) {
        String job = job(spec, status);

        IntakeResult whole = take(job + pods("j", left, index()));
        assertThat(members(whole, "job-j")).hasSize(left);
        assertThat(whole.snapshot().requests()).hasSize(1);
        assertThat(take(job + pods("j", left - 1, index())).snapshot().held())
                .containsExactly(new Pending(id("job-j"), new Refusal.WaitingForMembers(left - 1, left)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            completions: 4, parallelism: 4 | succeeded: 1 | 3
            completions: 9, parallelism: 4 | succeeded: 3 | 4
            completions: 9, parallelism: 4 | succeeded: 7 | 2
            parallelism: 4                 | succeeded: 1 | 3
            """)
    void aLabelledPlainJobNeedsThePodsThatItStillMakes(String spec, String status, int left) {
        String metadata = "labels: {slotwise.io/gang: g}\n  " + owner();

        assertThat(members(take(job(spec, status) + pods("j", left, metadata)), "g"))
                .hasSize(left);
        assertThat(take(job(spec, status) + pods("j", left - 1, metadata))
                        .snapshot()
                        .requests())
                .isEmpty();
    }

    @Test
    void aStatedSizeCountsThePodsThatTheJobStillMakes() {
        String job = job("completions: 4, parallelism: 4", "succeeded: 2");
        String ours = "labels: {slotwise.io/gang: g}\n  annotations: {slotwise.io/gang-size: \"4\"}\n  " + owner();
        String group = """
                apiVersion: scheduling.x-k8s.io/v1alpha1
                kind: PodGroup
                metadata: {namespace: user, name: g}
                spec: {minMember: 4}
                ---
                """;
        String labelled = "labels: {scheduling.x-k8s.io/pod-group: g}\n  " + owner();

        assertThat(members(take(job + pods("j", 2, ours)), "g")).hasSize(2);
        assertThat(take(job + pods("j", 1, ours)).snapshot().requests()).isEmpty();
        assertThat(members(take(job + group + pods("j", 2, labelled)), "g")).hasSize(2);
    }

    @Test
    void aGangOfMorePodsThanItsJobMakesWaitsForTheOthers() {
        String ours = "labels: {slotwise.io/gang: g}\n  annotations: {slotwise.io/gang-size: \"3\"}\n  " + owner();

        assertThat(take(job("parallelism: 2", "") + pods("j", 2, ours))
                        .snapshot()
                        .held())
                .containsExactly(new Pending(id("g"), new Refusal.WaitingForMembers(2, 3)));
    }

    @Test
    void indexesThatCannotBeReadAreASentence() {
        assertThat(take(job("completions: 4, parallelism: 4, completionMode: Indexed", "completedIndexes: \"1-x\"")
                                + pods("j", 2, index()))
                        .snapshot()
                        .held())
                .extracting(pending -> pending.refusal().message())
                .containsExactly("`completedIndexes` (1-x) of Job user/j is not valid: expected indexes such as 0,2-5");
    }

    /** No other part of the status is kept, because it changes all the time. */
    @Test
    void aClustersWatchKeepsTheProgressOfAJob() {
        ClusterObjects objects = objects(job(
                        "completions: 4, parallelism: 4, completionMode: Indexed",
                        "active: 2, completedIndexes: \"0,1\", conditions: []")
                + pods("j", 2, index()));
        GenericKubernetesResource job =
                Objects.requireNonNull(objects.groups().find(new GroupKey(GroupKind.JOB, "user", "j")));

        GroupObjects.strip(job);

        assertThat(job.getAdditionalProperties().get("status")).isEqualTo(Map.of("completedIndexes", "0,1"));
        assertThat(members(take(objects), "job-j")).hasSize(2);
    }

    private static String owner() {
        return "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: j, controller: true}]";
    }

    private static String index() {
        return "labels: {batch.kubernetes.io/job-completion-index: \"INDEX\"}\n  " + owner();
    }

    private static String job(String spec, String status) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata: {namespace: user, name: j, uid: j}
                spec: {%s}
                status: {%s}
                ---
                """.formatted(spec, status);
    }

    private static String pods(String name, int count, String metadata) {
        return IntStream.range(0, count)
                .mapToObj(i -> """
                        apiVersion: v1
                        kind: Pod
                        metadata:
                          namespace: user
                          name: %s-%d
                          %s
                        spec:
                          schedulerName: slotwise
                          containers: [{name: main}]
                        ---
                        """.formatted(name, i, metadata.replace("INDEX", String.valueOf(i))))
                .collect(Collectors.joining());
    }

    private static List<String> members(IntakeResult result, String gang) {
        assertThat(result.snapshot().held()).isEmpty();
        return result.snapshot().requests().stream()
                .map(Request::gang)
                .filter(one -> one.id().equals(id(gang)))
                .flatMap(one -> one.shapes().stream())
                .flatMap(shape -> shape.pods().stream())
                .sorted()
                .toList();
    }

    private static ClusterObjects objects(String text) {
        return ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test.yaml");
    }

    private static IntakeResult take(String text) {
        return take(objects(text));
    }

    private static IntakeResult take(ClusterObjects objects) {
        ClusterObjects nodes = Samples.objects(List.of(node("n1").build()));
        return new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(nodes.plus(objects), Map.of(), NOW);
    }

    @Test
    void theStatusOfAJobAloneSaysHowManyOfItsPodsAreDone() {
        String ours = "labels: {slotwise.io/gang: g}\n  annotations: {slotwise.io/gang-size: \"2\"}\n  " + owner();
        String job = job("completions: 4, parallelism: 2", "succeeded: 1") + succeeded(pods("done", 1, ours));

        assertThat(members(take(job + pods("j", 2, ours)), "g")).hasSize(2);
        assertThat(take(job + pods("j", 1, ours)).snapshot().held())
                .containsExactly(new Pending(id("g"), new Refusal.WaitingForMembers(1, 2)));
    }

    @Test
    void aJobWithoutAStatusHasItsPodsThatSucceeded() {
        String ours = "labels: {slotwise.io/gang: g}\n  annotations: {slotwise.io/gang-size: \"2\"}\n  " + owner();
        String job = job("completions: 2, parallelism: 2", "") + succeeded(pods("done", 1, ours));

        assertThat(members(take(job + pods("j", 1, ours)), "g")).hasSize(1);
    }

    @Test
    void aWorkerOfARayClusterOfAtLeastItsHeadWaitsForTheHead() {
        String cluster = """
                apiVersion: ray.io/v1
                kind: RayCluster
                metadata: {namespace: user, name: r, uid: r}
                spec:
                  enableInTreeAutoscaling: true
                  headGroupSpec: {}
                  workerGroupSpecs: [{groupName: cpu, replicas: 1, minReplicas: 0}]
                ---
                """;
        String worker = "labels: {ray.io/cluster: r, ray.io/node-type: worker, ray.io/group: cpu}";

        assertThat(take(cluster + pods("a", 1, worker)).snapshot().held())
                .containsExactly(new Pending(id("raycluster-r"), new Refusal.WaitingForMembers(0, 1)));
    }

    @Test
    void aMemberThatIsDoneCountsForItsOwnRole() {
        String task = "annotations: {scheduling.k8s.io/group-name: g, volcano.sh/task-spec: %s}\n  ownerReferences: "
                + "[{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, name: v, uid: v, controller: true}]";
        String workers = VOLCANO.formatted(3)
                + succeeded(pods("done", 1, task.formatted("worker")))
                + pods("worker", 2, task.formatted("worker"));

        assertThat(take(workers).snapshot().held())
                .containsExactly(new Pending(id("g"), new Refusal.WaitingForMembers(1, 2)));
        assertThat(members(take(workers + pods("zps", 1, task.formatted("zps"))), "g"))
                .containsExactly("worker-0", "zps-0");
    }

    private static String succeeded(String pods) {
        return pods.replace("\nspec:", "\nstatus: {phase: Succeeded}\nspec:");
    }
}
