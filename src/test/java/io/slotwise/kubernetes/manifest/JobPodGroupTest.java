package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.kubernetes.manifest.field.IntakeWarning;
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

/** The PodGroup that the Job controller makes for a Job, and the policy that a Job requests. */
class JobPodGroupTest {
    private static final String BASIC = """
            apiVersion: scheduling.k8s.io/v1beta1
            kind: PodGroup
            metadata: {namespace: team, name: train-x-train-pgt-0-x}
            spec: {schedulingPolicy: {basic: {}}, workloadRef: {workloadName: train-x, templateName: train-pgt-0}}
            ---
            """;

    private static final String JOB = """
            apiVersion: batch/v1
            kind: Job
            metadata: {namespace: team, name: train}
            spec:
              parallelism: 4
              completions: 4
              MORE
              template:
                metadata: {METADATA}
                spec:
                  schedulerName: slotwise
                  GROUP
                  restartPolicy: Never
                  containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
            """;

    private static final String SINGLES = "pod-train-0:1 pod-train-1:1 pod-train-2:1 pod-train-3:1";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labels: {slotwise.io/gang: train}                                                   |                         | train:4
            labels: {slotwise.io/gang: train}, annotations: {slotwise.io/gang-size: "4"}        |                         | train:4
                                                                                                | completionMode: Indexed | job-train:4
                                                                                                |                         | %s
            """)
    void aBasicPodGroupOfAJobWithoutAPolicySaysNothing(String metadata, String more, String gangs) {
        IntakeResult result =
                take(BASIC + job(metadata, more, "schedulingGroup: {podGroupName: train-x-train-pgt-0-x}"));

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(gangs(result)).containsExactly(gangs.formatted(SINGLES).split(" "));
    }

    /** The name of a PodGroup from the Job controller has the hash of the Job's UID, so people cannot write it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            completionMode: Indexed | gang: {minCount: 4} | job-train:4
            completionMode: Indexed | gang: {minCount: 3} | job-train:3 pod-train-3:1
            completionMode: Indexed | basic: {}           | %s
                                    | gang: {}            | train:4
            """)
    void aGangHasTheNameThatItHasWithoutThePodGroupOfItsJob(String more, String policy, String gangs) {
        String asked = "scheduling: {schedulingPolicy: {%s}}".formatted(policy);

        IntakeResult result = take(job("", asked + (more == null ? "" : "\n  " + more), ""));

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(gangs(result))
                .containsExactlyInAnyOrder(gangs.formatted(SINGLES).split(" "));
    }

    /** A Job that is deleted and made again has another PodGroup. */
    @Test
    void podsOfTwoPodGroupsOfOneJobAreOfOneGang() {
        String pods =
                podOfJob("train-0", "w").replace("namespace", "deletionTimestamp: 2030-01-01T00:00:00Z\n  namespace")
                        + podOfJob("train-0-x", "x")
                        + podOfJob("train-1-x", "x");
        String job = job("", "completionMode: Indexed", "").replace(": 4", ": 2");

        IntakeResult result = take(BASIC + BASIC.replace("-x", "-w") + job + pods);

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(gangs(result))
                .isEqualTo(gangs(take(job + pods.replaceAll("schedulingGroup: .*", ""))))
                .containsExactly("job-train:2");
    }

    private static String podOfJob(String name, String run) {
        return """
                ---
                apiVersion: v1
                kind: Pod
                metadata:
                  namespace: team
                  name: NAME
                  labels: {batch.kubernetes.io/job-completion-index: "INDEX"}
                  ownerReferences:
                  - {apiVersion: batch/v1, kind: Job, name: train, uid: RUN, controller: true}
                spec:
                  schedulerName: slotwise
                  schedulingGroup: {podGroupName: train-RUN-train-pgt-0-RUN}
                  containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
                """.replace("NAME", name).replace("INDEX", name.substring(6, 7)).replace("RUN", run);
    }

    @Test
    void aBasicPodGroupThatAJobAsksForKeepsItsPodsApart() {
        String asked = "scheduling: {schedulingPolicy: {basic: {}}}";

        IntakeResult result = take(BASIC
                + job(
                        "labels: {slotwise.io/gang: train}",
                        asked,
                        "schedulingGroup: {podGroupName: train-x-train-pgt-0-x}"));

        assertThat(gangs(result)).containsExactly(SINGLES.split(" "));
    }

    /** A PodGroup from a cluster names its owner. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            uid: g                                                                                              | %s
            ownerReferences: [{apiVersion: batch/v1, kind: Job, name: other, uid: j, controller: true}]         | %s
            uid: g, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: train, uid: j, controller: true}] | train:4
            """)
    void aBasicPodGroupOfAWorkloadSaysNothingOnlyIfTheJobControllerMadeIt(String metadata, String gangs) {
        String group = BASIC.replace(
                "name: train-x-train-pgt-0-x}\n", "name: train-x-train-pgt-0-x, %s}\n".formatted(metadata));

        IntakeResult result = take(group
                + job(
                        "labels: {slotwise.io/gang: train}",
                        "",
                        "schedulingGroup: {podGroupName: train-x-train-pgt-0-x}"));

        assertThat(gangs(result)).containsExactly(gangs.formatted(SINGLES).split(" "));
    }

    @Test
    void aBasicPodGroupThatAUserWroteKeepsItsPodsApart() {
        String written = BASIC.replace(", workloadRef: {workloadName: train-x, templateName: train-pgt-0}", "");

        IntakeResult result = take(
                written + job("", "completionMode: Indexed", "schedulingGroup: {podGroupName: train-x-train-pgt-0-x}"));

        assertThat(gangs(result)).containsExactly(SINGLES.split(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gang: {minCount: 3} | train:3 pod-train-3:1
            gang: {}            | train:4
            basic: {}           | %s
            """)
    void aJobsOwnPolicyMakesItsGang(String policy, String gangs) {
        IntakeResult result = take(job("", "scheduling: {schedulingPolicy: {%s}}".formatted(policy), ""));

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(gangs(result))
                .containsExactlyInAnyOrder(gangs.formatted(SINGLES).split(" "));
        assertThat(result.warnings())
                .extracting(IntakeWarning::message)
                .anySatisfy(note -> assertThat(note).contains("feature gate WorkloadWithJob"));
    }

    /** The pods beyond the minimum are planned one by one. */
    @Test
    void aMinimumThatIsChangedByHandCountsWhateverTheJobAskedFor() {
        String changed = BASIC.replace("basic: {}", "gang: {minCount: 3}");
        String asked = "scheduling: {schedulingPolicy: {gang: {}}}";

        IntakeResult result = take(changed + job("", asked, "schedulingGroup: {podGroupName: train-x-train-pgt-0-x}"));

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(gangs(result)).containsExactlyInAnyOrder("train-x-train-pgt-0-x:3", "pod-train-3:1");
    }

    private static final String GANG = """
            apiVersion: scheduling.k8s.io/v1beta1
            kind: PodGroup
            metadata: {namespace: team, name: g}
            spec: {schedulingPolicy: {gang: {minCount: 2}}MORE}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: team, name: a}
            spec: {schedulerName: slotwise, schedulingGroup: {podGroupName: g}, containers: [{name: c, image: i}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: team, name: b}
            spec: {schedulerName: OTHER, schedulingGroup: {podGroupName: g}, containers: [{name: c, image: i}]}
            """;

    /** kube-scheduler's own plugin waits for pods that it never sees. */
    @Test
    void aGangOfAPodGroupIsBoundByOneSchedulerOnly() {
        IntakeResult mixed = take(GANG.replace("MORE", "").replace("OTHER", "slotwise-extender"));
        IntakeResult direct = take(GANG.replace("MORE", "").replace("OTHER", "slotwise"));

        assertThat(mixed.snapshot().held())
                .extracting(pending -> pending.refusal().message())
                .containsExactly(
                        "pods team/a and team/b are of one PodGroup (g), and only team/b needs kube-scheduler, "
                                + "which waits for the others: expected schedulerName "
                                + "slotwise-extender for all pods of the "
                                + "PodGroup");
        assertThat(gangs(direct)).containsExactly("g:2");
    }

    @Test
    void aCompositePodGroupIsRefusedByName() {
        IntakeResult result =
                take(GANG.replace("MORE", ", parentCompositePodGroupName: all").replace("OTHER", "slotwise"));

        assertThat(result.snapshot().held())
                .extracting(pending -> pending.refusal().message())
                .containsExactly("PodGroup team/g is part of the CompositePodGroup all, which Slotwise does not read: "
                        + "expected a PodGroup by itself");
    }

    private static String job(String metadata, String more, String group) {
        return JOB.replace("METADATA", metadata == null ? "" : metadata)
                .replace("MORE", more == null ? "" : more)
                .replace("GROUP", group);
    }

    private static List<String> gangs(IntakeResult result) {
        return result.snapshot().requests().stream()
                .map(request ->
                        request.gang().id().name() + ":" + request.gang().size())
                .toList();
    }

    private static IntakeResult take(String text) {
        ClusterObjects objects =
                ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test.yaml");
        ClusterObjects nodes = Samples.objects(List.of(node("n1").build()));
        return new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(nodes.plus(objects), Map.of(), NOW);
    }
}
