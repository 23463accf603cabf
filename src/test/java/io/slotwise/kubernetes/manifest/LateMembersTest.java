package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.kubernetes.watch.ReadCluster;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gangs with pods that come only when others run or have ended. */
class LateMembersTest {
    private static final String TEMPLATE =
            "template: {metadata: {LABELS}, spec: {schedulerName: slotwise, containers: [{name: c, image: i, "
                    + "resources: {requests: {cpu: \"1\"}}}]}}";

    private static final String JOB_SET = """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata: {name: set, namespace: team}
            spec:
              POLICY
              replicatedJobs:
                - name: model
                  template: {spec: {parallelism: 1, completions: 1, %1$s}}
                - name: data
                  template: {spec: {parallelism: 1, completions: 1, %1$s}}
                - name: node
                  replicas: 2
                  NODE
                  template: {spec: {parallelism: 2, completions: 2, %1$s}}
                - name: launcher
                  LAUNCHER
                  template: {spec: {parallelism: 1, completions: 1, %1$s}}
            """.formatted(TEMPLATE);

    private static String jobSet(@Nullable String policy, @Nullable String node, @Nullable String launcher) {
        return JOB_SET.replace("POLICY", policy == null ? "" : policy)
                .replace("NODE", node == null ? "" : node)
                .replace("LAUNCHER", launcher == null ? "" : launcher);
    }

    /** The pods of a role as the controller made them, next to the JobSet itself. */
    private static String pods(String role, int count, String labels) {
        StringBuilder pods = new StringBuilder();
        for (int i = 0; i < count; i++) {
            pods.append("""
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              namespace: team
              name: set-%1$s-0-%2$d
              labels: {jobset.sigs.k8s.io/jobset-name: set, jobset.sigs.k8s.io/replicatedjob-name: %1$s, MORE}
              ownerReferences: [{apiVersion: batch/v1, kind: Job, name: set-%1$s-0, controller: true, uid: u}]
            spec: {schedulerName: slotwise, containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}
            """.formatted(role, i).replace("MORE", labels.replace("INDEX", String.valueOf(i))));
        }
        return pods.toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                                               | dependsOn: [{name: data, status: Complete}] | dependsOn: [{name: node, status: Ready}]
            startupPolicy: {startupPolicyOrder: InOrder} |                                   |
            """)
    void thePodsThatComeLateArePlannedWithTheOthersOfTheirWave(String policy, String node, String launcher) {
        String set = jobSet(policy, node, launcher).replace("{LABELS}", "{}");
        boolean inOrder = policy != null;
        String nodes = inOrder ? "jobset-set" : "jobset-set.node";

        if (inOrder) {
            assertThat(gangs(take(set + pods("model", 1, "")))).containsExactly("jobset-set:7");
        } else {
            assertThat(gangs(take(set + pods("model", 1, "") + pods("data", 1, ""))))
                    .containsExactly("jobset-set:2", "jobset-set.node:5");
        }
        assertThat(gangs(take(set + succeeded(pods("model", 1, "") + pods("data", 1, "")) + pods("node", 4, ""))))
                .containsExactly(nodes + ":5");
        assertThat(gangs(take(set
                        + succeeded(pods("model", 1, "") + pods("data", 1, "") + pods("node", 4, ""))
                        + pods("launcher", 1, ""))))
                .containsExactly(nodes + ":1");
        assertThat(take(set + pods("node", 3, "")).snapshot().held())
                .extracting(pending -> pending.refusal().message())
                .containsExactly("waiting for members: 3 of 4 pods exist");
    }

    /** The advice of every convention: a label of Slotwise, and the size from the convention. */
    @Test
    void aLabelOnTheTemplateOfARoleMakesItAGangOfItsOwnSize() {
        String set = jobSet(null, null, "dependsOn: [{name: node, status: Ready}]")
                .replace("{LABELS}", "{labels: {slotwise.io/gang: ours}}");

        assertThat(gangs(take(set
                        + pods("node", 4, "slotwise.io/gang: ours")
                        + pods("model", 1, "slotwise.io/gang: ours")
                        + pods("data", 1, "slotwise.io/gang: ours"))))
                .containsExactly("ours:7");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                                                         |                                                                                            | dependsOn: [{name: node, status: Ready}]    | jobset-set:7
                                                         | dependsOn: [{name: data, status: Complete}]                                                | dependsOn: [{name: node, status: Ready}]    | jobset-set:2 jobset-set.node:5 after jobset-set
                                                         | dependsOn: [{name: data, status: Complete}, {name: model, status: Complete}]               | dependsOn: [{name: node, status: Complete}] | jobset-set:2 jobset-set.node:4 after jobset-set jobset-set.launcher:1 after jobset-set.node
            startupPolicy: {startupPolicyOrder: InOrder} |                                                                                            |                                             | jobset-set:7
            """)
    void theWavesOfAJobSetInAFileArePlannedTogether(String policy, String node, String launcher, String gangs) {
        IntakeResult result = take(jobSet(policy, node, launcher).replace("{LABELS}", "{}"));

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(result.snapshot().requests().stream().map(request -> {
                    String after = request.gang().after().gangs().stream()
                            .map(other -> " after " + other.name())
                            .reduce("", String::concat);
                    return request.gang().id().name() + ":" + request.gang().size() + after;
                }))
                .containsExactlyInAnyOrder(gangs.split(" (?!after|(?<=after )jobset)"));
        assertThat(result.warnings())
                .filteredOn(IntakeWarning::isOfConcern)
                .extracting(IntakeWarning::message)
                .isEmpty();
    }

    /** The Jobs of a role come one after another, and the gang waits for all of them. */
    @Test
    void theFirstJobOfARoleDoesNotStandForTheOthers() {
        String set =
                jobSet(null, null, "dependsOn: [{name: node, status: Ready}]").replace("{LABELS}", "{}");
        String job = """
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {namespace: team, name: set-node-0}
                spec: {parallelism: 2, completions: 2, completionMode: Indexed, template: {spec: {containers: []}}}
                """;

        String pods = pods("node", 2, "batch.kubernetes.io/job-completion-index: \"INDEX\"");

        assertThat(take(set + job + pods).snapshot().held())
                .extracting(pending -> pending.refusal().message())
                .containsExactly("waiting for members: 2 of 6 pods exist");
    }

    private static final String MPI_JOB = """
            apiVersion: kubeflow.org/v2beta1
            kind: MPIJob
            metadata: {namespace: team, name: pi}
            spec:
              launcherCreationPolicy: WaitForWorkersReady
              mpiReplicaSpecs:
                Launcher: {replicas: 1, %1$s}
                Worker: {replicas: 2, %1$s}
            """.formatted(TEMPLATE.replace("{LABELS}", "{}"));

    @Test
    void theLauncherOfAnMpiJobThatWaitsForTheWorkersIsPlannedWithThem() {
        IntakeResult result = take(MPI_JOB);

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(gangs(result)).containsExactly("mpijob-pi:3");
        assertThat(result.warnings())
                .extracting(IntakeWarning::message)
                .contains("MPIJob team/pi makes 3 pods of the gang mpijob-pi; with launcherCreationPolicy "
                        + "WaitForWorkersReady the launcher comes only when the workers are ready");
    }

    private static List<String> gangs(IntakeResult result) {
        assertThat(result.snapshot().held()).isEmpty();
        return result.snapshot().requests().stream()
                .map(request ->
                        request.gang().id().name() + ":" + request.gang().size())
                .toList();
    }

    private static IntakeResult take(String text) {
        ClusterObjects objects =
                ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test.yaml");
        ClusterObjects nodes = Samples.objects(List.of(node("n1").build()));
        return new ReadCluster(
                        new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES), nodes.plus(objects))
                .planned(LoopSettings.EXACT, NOW);
    }

    @Test
    void succeededPodsOfAnEarlierWaveAreNoMembersOfTheNext() {
        String set = jobSet(
                        null, "dependsOn: [{name: data, status: Complete}]", "dependsOn: [{name: node, status: Ready}]")
                .replace("{LABELS}", "{}");
        String pods = succeeded(pods("model", 1, "") + pods("data", 1, "")) + pods("node", 3, "");
        String sized =
                pods.replace("ownerReferences", "annotations: {slotwise.io/gang-size: \"4\"}\n  ownerReferences");

        assertThat(take(set + pods).snapshot().held())
                .extracting(pending -> pending.refusal().message())
                .containsExactly("waiting for members: 3 of 4 pods exist");
        assertThat(take(set + sized).snapshot().held())
                .extracting(pending -> pending.refusal().message())
                .containsExactly("waiting for members: 3 of 4 pods exist");
    }

    /** The workers' Job does not know the driver, whose pod exists. The succeeded index has no pod. */
    @Test
    void successesOfSeveralJobsOfAWaveAreAddedUp() {
        String set = """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: set, namespace: team}
                spec:
                  replicatedJobs:
                    - {name: driver, template: {spec: {parallelism: 1, completions: 1, %1$s}}}
                    - {name: workers, template: {spec: {parallelism: 4, completions: 4, completionMode: Indexed, %1$s}}}
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {namespace: team, name: set-workers-0, uid: u}
                spec: {parallelism: 4, completions: 4, completionMode: Indexed, template: {spec: {containers: []}}}
                status: {succeeded: 1, completedIndexes: "0"}
                """.formatted(TEMPLATE.replace("{LABELS}", "{}"));
        String waiting = IntStream.rangeClosed(1, 3)
                .mapToObj(i -> pods("workers", 1, "batch.kubernetes.io/job-completion-index: \"%d\"".formatted(i))
                        .replace("set-workers-0-0", "set-workers-0-" + i))
                .collect(Collectors.joining());

        assertThat(gangs(take(set + succeeded(pods("driver", 1, "")) + waiting)))
                .containsExactly("jobset-set:3");
    }

    /** Neither Job makes its last index again, and the pods of both are gone. */
    @Test
    void theIndexesThatAreDoneInSeveralJobsOfAWaveAreAddedUp() {
        String set = """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: set, namespace: team}
                spec:
                  replicatedJobs:
                    - {name: a, template: {spec: {parallelism: 3, completions: 3, completionMode: Indexed, %1$s}}}
                    - {name: b, template: {spec: {parallelism: 3, completions: 3, completionMode: Indexed, %1$s}}}
                """.formatted(TEMPLATE.replace("{LABELS}", "{}"));
        String jobs = Stream.of("a", "b").map(role -> """
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {namespace: team, name: set-%s-0, uid: u}
                spec: {parallelism: 3, completions: 3, completionMode: Indexed, template: {spec: {containers: []}}}
                status: {succeeded: 1, completedIndexes: "2"}
                """.formatted(role)).collect(Collectors.joining());
        String waiting = Stream.of("a", "b")
                .map(role -> pods(role, 2, "batch.kubernetes.io/job-completion-index: \"INDEX\""))
                .collect(Collectors.joining());

        assertThat(gangs(take(set + jobs + waiting))).containsExactly("jobset-set:4");
    }

    @Test
    void aLabelThatNoTemplateHasNamesTheGangOfAllRoles() {
        String set = jobSet(null, null, null).replace("{LABELS}", "{}");

        assertThat(gangs(take(set
                        + pods("node", 4, "slotwise.io/gang: ours")
                        + pods("model", 1, "slotwise.io/gang: ours")
                        + pods("data", 1, "slotwise.io/gang: ours")
                        + pods("launcher", 1, "slotwise.io/gang: ours"))))
                .containsExactly("ours:7");
    }

    private static String succeeded(String pods) {
        return pods.replace("\nspec:", "\nstatus: {phase: Succeeded}\nspec:");
    }

    @Test
    void aWaveWithAReservationIsNotAlsoAfterTheWaveBefore() {
        assertThat(gangs(take(jobSet(null, "dependsOn: [{name: data, status: Complete}]", null)
                        .replace("{LABELS}", "{annotations: {slotwise.io/reservation: none}}"))))
                .containsExactlyInAnyOrder("jobset-set:3", "jobset-set.node:4");
    }
}
