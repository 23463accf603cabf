package io.slotwise.kubernetes.manifest.pods;

import static io.slotwise.kubernetes.manifest.Samples.at;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.core.work.Steps;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GangRunTest {
    private static final String SET = "jobset.sigs.k8s.io/";
    private static final String GROUP = "leaderworkerset.sigs.k8s.io/";

    @Test
    void podsOfWhichNoneRunsStartTogether() {
        GangRun run = run(bare("a", 0), bare("b", 5));

        assertThat(names(run.together())).containsExactly("a", "b");
        assertThat(run.isUnderWay()).isFalse();
    }

    @Test
    void aPodThatComesWhileAMemberRunsJoinsIt() {
        GangRun run = run(running(bare("a", 0)), bare("b2", 50));

        assertThat(names(run.running())).containsExactly("a");
        assertThat(names(run.joining())).containsExactly("b2");
        assertThat(run.together()).isEmpty();
    }

    /** Comparing 30,000 generations with each other would take minutes. */
    @Test
    void podsOfManyOwnersAreComparedOnlyWithThoseOfTheSameName() {
        Pod[] pods = IntStream.range(0, 30_000)
                .mapToObj(i -> {
                    Pod pod = job("t-" + i, "job-" + i / 2, "u" + i, 0, i % 2);
                    return i % 2 == 0 ? running(pod) : pod;
                })
                .toArray(Pod[]::new);

        GangRun run = assertTimeout(Duration.ofSeconds(10), () -> run(pods));

        assertThat(run.outside()).hasSize(15_000);
    }

    @Test
    void manyLeadersOfAGroupAreNotComparedWithEachOfItsWorkers() {
        Pod[] pods = IntStream.range(0, 4_000)
                .mapToObj(
                        i -> i % 2 == 0 ? running(worker("s-" + i, "1", "sts" + i, 90)) : leader("s-" + i, "l" + i, 90))
                .toArray(Pod[]::new);

        assertThat(Steps.of(() -> run(pods))).isLessThan(pods.length * 200L);
    }

    @Test
    void aFinishedPodOfAnotherOwnerIsNotOfTheRunOfPodsThatWait() {
        assertThat(GangRun.finished(List.of(job("t-0", "t", "u1", 0, 0)), List.of(bare("b", 5))))
                .isEmpty();
    }

    @Test
    void theLastMemberThatRunsMayBeOneThatCameSince() {
        GangRun run = run(running(bare("a2", 50)), bare("b2", 80));

        assertThat(names(run.joining())).containsExactly("b2");
    }

    @Test
    void aMemberWhoseStartIsDurableRunsBeforeItIsBound() {
        GangRun run = GangRun.of(
                List.of(bare("a", 0), bare("b", 1)),
                List.of(),
                GroupObjects.NONE,
                pod -> pod.getMetadata().getName().equals("a"));

        assertThat(names(run.running())).containsExactly("a");
        assertThat(names(run.joining())).containsExactly("b");
    }

    @Test
    void anIndexOfAJobThatIsMadeAgainJoinsTheOthers() {
        GangRun run = run(running(job("t-0", "t", "u1", 0, 0)), job("t-1b", "t", "u1", 1, 90));

        assertThat(names(run.joining())).containsExactly("t-1b");
    }

    @Test
    void podsOfAJobThatWasMadeAgainWaitForThoseOfTheJobBefore() {
        GangRun run = run(running(job("t-0", "t", "u1", 0, 0)), job("t-0b", "t", "u2", 0, 90));

        assertThat(names(run.outside())).containsExactly("t-0b");
        assertThat(run.joining()).isEmpty();
    }

    @Test
    void oneJobOfAGangMayBeRemadeWhileTheOtherRuns() {
        GangRun run = run(running(job("t-0", "t", "u1", 0, 0)), job("h-0b", "helpers", "u3", 0, 90));

        assertThat(names(run.joining())).containsExactly("h-0b");
    }

    @Test
    void anAttemptOfAJobSetWaitsForTheAttemptBefore() {
        GangRun run = run(running(set("w-0", 0, "j1", 0)), set("l-0", 1, "j2", 60), set("w-0b", 1, "j3", 60));

        assertThat(names(run.outside())).containsExactly("l-0", "w-0b");
    }

    @Test
    void aVersionOfAVolcanoJobWaitsForTheVersionBefore() {
        GangRun again = run(running(versioned("w-0", 0, 0)), versioned("w-1b", 0, 90));
        GangRun next = run(running(versioned("w-0", 0, 0)), versioned("w-1b", 1, 90));

        assertThat(names(again.joining())).containsExactly("w-1b");
        assertThat(names(next.outside())).containsExactly("w-1b");
    }

    private static Pod versioned(String name, int version, int age) {
        return owned(name, "Job", "batch.volcano.sh/v1alpha1", "t", "u1", age)
                .edit()
                .editMetadata()
                .addToAnnotations("volcano.sh/job-version", String.valueOf(version))
                .endMetadata()
                .build();
    }

    @Test
    void aJobOfAJobSetThatIsMadeAgainInTheSameAttemptJoinsTheOthers() {
        GangRun run = run(running(set("w-0", 3, "j1", 0)), set("l-0b", 3, "j2", 60));

        assertThat(names(run.joining())).containsExactly("l-0b");
    }

    /** A restart in place keeps the pods, each of which counts its own attempts. */
    @Test
    void aPodThatIsMadeAgainInAJobSetThatRestartsInPlaceJoinsTheOthers() {
        GangRun run = run(running(inPlace(set("w-0", 0, "j1", 0), 3)), inPlace(set("w-1b", 0, "j1", 90), 4));

        assertThat(names(run.joining())).containsExactly("w-1b");
    }

    private static Pod inPlace(Pod pod, int attempt) {
        return pod.edit()
                .editMetadata()
                .addToAnnotations(SET + "in-place-restart-attempt", String.valueOf(attempt))
                .endMetadata()
                .build();
    }

    /** The worker has no identity yet, and is made for the existing leader. */
    @Test
    void aWorkerThatIsStillToComeBelongsToTheLeaderThatIsThere() {
        Pod coming = worker("s-0-1", "1", "", 1)
                .edit()
                .editMetadata()
                .withUid("")
                .endMetadata()
                .build();

        assertThat(names(run(leader("s-0", "new", 90), coming).together())).containsExactly("s-0", "s-0-1");
        assertThat(names(run(running(leader("s-0", "new", 90)), coming).joining()))
                .containsExactly("s-0-1");
    }

    @Test
    void podsOfAnEarlierAttemptDoNotStartWithThoseOfALaterOne() {
        GangRun run = run(set("l-0", 9, "j1", 0), set("l-1", 10, "j2", 60), set("w-1", 10, "j3", 60));

        assertThat(names(run.together())).containsExactly("l-1", "w-1");
        assertThat(names(run.outside())).containsExactly("l-0");
    }

    @Test
    void aNewLeaderWaitsForTheWorkersThatRun() {
        GangRun run = run(running(worker("s-0-1", "1", "sts1", 1)), leader("s-0", "new", 90));

        assertThat(names(run.outside())).containsExactly("s-0");
    }

    @Test
    void workersOfAnotherStatefulSetGoWithTheNewLeader() {
        GangRun run = run(
                running(worker("s-0-1", "1", "sts1", 1)),
                worker("s-0-2", "2", "sts1", 90),
                leader("s-0", "new", 90),
                worker("s-0-3", "3", "sts2", 91));

        assertThat(names(run.outside())).containsExactly("s-0-2", "s-0", "s-0-3");
    }

    @Test
    void aWorkerThatIsLostUnderItsLeaderJoinsTheGroup() {
        GangRun run = run(running(leader("s-0", "l", 0)), worker("s-0-1", "1", "sts1", 90));

        assertThat(names(run.joining())).containsExactly("s-0-1");
    }

    @Test
    void workersThatAreOlderThanTheirLeaderDoNotStartWithIt() {
        GangRun run = run(leader("s-0", "new", 90), worker("s-0-1", "1", "sts1", 1));

        assertThat(names(run.together())).containsExactly("s-0");
        assertThat(names(run.outside())).containsExactly("s-0-1");
    }

    @Test
    void aWorkerThatAnOldStatefulSetMakesOnceMoreIsAsOldAsItsOthers() {
        GangRun run = GangRun.of(
                List.of(leader("s-0", "new", 90), worker("s-0-1", "1", "sts1", 95)),
                List.of(worker("s-0-2", "2", "sts1", 1)),
                GroupObjects.NONE,
                _ -> false);

        assertThat(names(run.together())).containsExactly("s-0");
    }

    /** The garbage collector deletes it soon. */
    @Test
    void aWorkerThatTheStatefulSetOfAnOldLeaderMakesOnceMoreIsNotOfTheNewLeader() {
        Pod worker = worker("s-0-1", "1", "sts1", 95);
        GroupObjects objects = workers("sts1", "old");
        GangRun run = run(objects, leader("s-0", "new", 90), worker);

        assertThat(names(run.together())).containsExactly("s-0");
        assertThat(names(run.outside())).containsExactly("s-0-1");
        assertThat(names(run(objects, running(leader("s-0", "new", 90)), worker).outside()))
                .containsExactly("s-0-1");
        assertThat(names(run(objects, running(worker), leader("s-0", "new", 95)).outside()))
                .containsExactly("s-0");
    }

    @Test
    void aWorkerOfAnotherStatefulSetThanTheLeadersIsNotOfIt() {
        GangRun run = run(workers("sts2", "new"), leader("s-0", "new", 90), worker("s-0-1", "1", "sts1", 95));

        assertThat(names(run.together())).containsExactly("s-0");
        assertThat(names(run.outside())).containsExactly("s-0-1");
    }

    @Test
    void aWorkerOfTheStatefulSetOfALeaderStartsWithIt() {
        Pod worker = worker("s-0-1", "1", "sts2", 90);
        worker.getMetadata().getLabels().put(GROUP + "template-revision-hash", "other");

        assertThat(names(run(workers("sts2", "new"), leader("s-0", "new", 90), worker)
                        .together()))
                .containsExactly("s-0", "s-0-1");
    }

    /** The watch may show the StatefulSet after its pods. */
    @Test
    void aWorkerOfAnUnknownStatefulSetStartsWithTheExistingLeader() {
        GangRun run = run(workers("sts1", "old"), leader("s-0", "new", 90), worker("s-0-1", "1", "sts2", 91));

        assertThat(names(run.together())).containsExactly("s-0", "s-0-1");
    }

    @Test
    void aStatefulSetThatNoLeaderOwnsTellsNothing() {
        GroupObjects objects = workers("sts1", "old");
        Objects.requireNonNull(objects.find(new GroupKey(GroupKind.STATEFUL_SET, "user", "s")))
                .getMetadata()
                .setOwnerReferences(List.of());

        assertThat(names(run(objects, leader("s-0", "new", 90), worker("s-0-1", "1", "sts1", 95))
                        .together()))
                .containsExactly("s-0", "s-0-1");
    }

    @Test
    void workersOfAnotherTemplateDoNotStartWithTheLeader() {
        Pod old = worker("s-0-1", "1", "sts1", 90);
        old.getMetadata().getLabels().put(GROUP + "template-revision-hash", "other");
        GangRun run = run(leader("s-0", "new", 90), old);

        assertThat(names(run.together())).containsExactly("s-0");
    }

    @Test
    void aDeploymentThatIsRolledOutKeepsItsGang() {
        GangRun run = run(
                running(owned("d-1-a", "ReplicaSet", "apps/v1", "d-1", "r1", 0)),
                owned("d-2-a", "ReplicaSet", "apps/v1", "d-2", "r2", 60));

        assertThat(names(run.joining())).containsExactly("d-2-a");
    }

    @Test
    void successesOfTheSameAttemptCountOnceForEachIndex() {
        List<Pod> finished = GangRun.finished(
                List.of(
                        succeeded(job("t-0", "t", "u1", 0, 0), 40),
                        succeeded(job("t-0b", "t", "u1", 0, 0), 40),
                        succeeded(job("t-1", "t", "u1", 1, 0), 40),
                        succeeded(job("t-2", "t", "u0", 2, 0), 40)),
                List.of(job("t-1b", "t", "u1", 1, 90)));

        assertThat(names(finished)).containsExactly("t-0");
    }

    @Test
    void successesOfAnotherAttemptOfAJobSetDoNotCount() {
        List<Pod> finished = GangRun.finished(
                List.of(succeeded(set("a-0", 0, "j1", 0), 40), succeeded(set("b-0", 1, "j2", 0), 40)),
                List.of(set("c-0", 1, "j3", 60)));

        assertThat(names(finished)).containsExactly("b-0");
    }

    @Test
    void successesCountForAnUncontrolledPodFromBeforeTheEnd() {
        Pod early = succeeded(bare("early", 0), 40);
        Pod late = succeeded(bare("late", 0), 90);
        Pod silent = succeeded(bare("silent", 0), 90);
        silent.getStatus().setContainerStatuses(List.of());

        assertThat(names(GangRun.finished(List.of(early, late, silent), List.of(bare("b", 60)))))
                .containsExactly("late");
        assertThat(GangRun.finished(List.of(early), List.of(bare("b", 60)))).isEmpty();
    }

    @Test
    void podsThatAControllerMakesAgainDoNotCount() {
        Pod done = succeeded(owned("d-a", "ReplicaSet", "apps/v1", "d", "r1", 0), 40);

        assertThat(GangRun.finished(List.of(done), List.of(owned("d-b", "ReplicaSet", "apps/v1", "d", "r1", 20))))
                .isEmpty();
    }

    @Test
    void podsThatARayClusterMakesAgainDoNotCount() {
        Pod done = succeeded(owned("r-a", "RayCluster", "ray.io/v1", "r", "u1", 0), 40);

        assertThat(GangRun.finished(List.of(done), List.of(owned("r-b", "RayCluster", "ray.io/v1", "r", "u1", 20))))
                .isEmpty();
    }

    private static GangRun run(Pod... pods) {
        return run(GroupObjects.NONE, pods);
    }

    private static GangRun run(GroupObjects objects, Pod... pods) {
        return GangRun.of(Arrays.asList(pods), List.of(), objects, pod -> Pods.node(pod) != null);
    }

    private static GroupObjects workers(String uid, String leader) {
        return GroupObjects.of(List.of(new GenericKubernetesResourceBuilder()
                .withApiVersion("apps/v1")
                .withKind("StatefulSet")
                .withNewMetadata()
                .withNamespace(pod("any").build().getMetadata().getNamespace())
                .withName("s")
                .withUid(uid)
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("Pod")
                .withName("s-0")
                .withUid(leader)
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build()));
    }

    private static List<String> names(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getName()).toList();
    }

    private static Pod bare(String name, long created) {
        return made(pod(name), created).build();
    }

    private static PodBuilder made(PodBuilder pod, long created) {
        return pod.editMetadata().withCreationTimestamp(at(created)).endMetadata();
    }

    private static Pod owned(String name, String kind, String api, String owner, String uid, long created) {
        return made(pod(name), created)
                .editMetadata()
                .withUid("uid-" + name)
                .addNewOwnerReference()
                .withApiVersion(api)
                .withKind(kind)
                .withName(owner)
                .withUid(uid)
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    private static Pod job(String name, String job, String uid, int index, long created) {
        return owned(name, "Job", "batch/v1", job, uid, created)
                .edit()
                .editMetadata()
                .addToLabels("batch.kubernetes.io/job-completion-index", String.valueOf(index))
                .endMetadata()
                .build();
    }

    private static Pod set(String name, int attempt, String job, long created) {
        return owned(name, "Job", "batch/v1", "js-" + name.charAt(0) + "-0", job, created)
                .edit()
                .editMetadata()
                .addToLabels(SET + "jobset-name", "js")
                .addToLabels(SET + "jobset-uid", "j")
                .addToLabels(SET + "restart-attempt", String.valueOf(attempt))
                .endMetadata()
                .build();
    }

    private static Pod leader(String name, String uid, long created) {
        return group(name, "0", "leaders", created)
                .edit()
                .editMetadata()
                .withUid(uid)
                .endMetadata()
                .build();
    }

    private static Pod worker(String name, String index, String set, long created) {
        return group(name, index, set, created);
    }

    private static Pod group(String name, String index, String set, long created) {
        return owned(name, "StatefulSet", "apps/v1", "s", set, created)
                .edit()
                .editMetadata()
                .addToLabels(GROUP + "name", "s")
                .addToLabels(GROUP + "group-index", "0")
                .addToLabels(GROUP + "worker-index", index)
                .addToLabels(GROUP + "template-revision-hash", "r")
                .endMetadata()
                .build();
    }

    private static Pod running(Pod pod) {
        return pod.edit().editSpec().withNodeName("n1").endSpec().build();
    }

    private static Pod succeeded(Pod pod, long ended) {
        return pod.edit()
                .withNewStatus()
                .withPhase("Succeeded")
                .addNewContainerStatus()
                .withName("c")
                .withNewState()
                .withNewTerminated()
                .withFinishedAt(at(ended))
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }
}
