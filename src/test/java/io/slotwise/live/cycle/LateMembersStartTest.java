package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.config.PolicyFile;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.WholeReplica;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Gangs of three pods of which some come only when the others are ready, on nodes for one pod each. */
class LateMembersStartTest {
    private static final int RUNTIME = 3600;

    /** Objects whose controllers make the last pod late, or the last two. */
    enum Maker {
        JOB_SET("jobset-set", """
                {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
                 "metadata": {"name": "set", "namespace": "user", "uid": "s", "creationTimestamp": "2030-01-01T00:00:00Z"},
                 "spec": {"replicatedJobs": [
                   {"name": "node", "template": {"spec": {"parallelism": 2, "completions": 2, "template": %1$s}}},
                   {"name": "launcher", "dependsOn": [{"name": "node", "status": "Ready"}],
                    "template": {"spec": {"parallelism": 1, "completions": 1, "template": %1$s}}}]}}
                """, """
                "labels": {"jobset.sigs.k8s.io/jobset-name": "set", "jobset.sigs.k8s.io/jobset-uid": "s",
                  "jobset.sigs.k8s.io/restart-attempt": "0", "jobset.sigs.k8s.io/replicatedjob-name": "%1$s",
                  "batch.kubernetes.io/job-completion-index": "%2$d"},
                "annotations": {"slotwise.io/runtime": "1h"}, "ownerReferences": [
                  {"apiVersion": "batch/v1", "kind": "Job", "name": "set-%1$s-0", "uid": "j-%1$s", "controller": true}]
                """),
        MPI_JOB("mpijob-set", """
                {"apiVersion": "kubeflow.org/v2beta1", "kind": "MPIJob",
                 "metadata": {"name": "set", "namespace": "user", "uid": "s", "creationTimestamp": "2030-01-01T00:00:00Z"},
                 "spec": {"launcherCreationPolicy": "WaitForWorkersReady", "mpiReplicaSpecs": {
                   "Launcher": {"replicas": 1, "template": %1$s}, "Worker": {"replicas": 2, "template": %1$s}}}}
                """, """
                "labels": {"training.kubeflow.org/job-name": "set", "training.kubeflow.org/operator-name": "mpi-operator",
                  "training.kubeflow.org/job-role": "%1$s"},
                "annotations": {"slotwise.io/runtime": "1h"}, "ownerReferences": [%3$s]
                """),
        VOLCANO("set-s", """
                {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job",
                 "metadata": {"name": "set", "namespace": "user", "uid": "s", "creationTimestamp": "2030-01-01T00:00:00Z"},
                 "spec": {"schedulerName": "slotwise", "minAvailable": 3, "tasks": [
                   {"name": "node", "replicas": 2, "template": %1$s},
                   {"name": "launcher", "replicas": 1, "dependsOn": {"name": ["node"]}, "template": %1$s}]}}
                {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup",
                 "metadata": {"name": "set-s", "namespace": "user"},
                 "spec": {"minMember": 3, "minTaskMember": {"node": 2, "launcher": 1}}}
                """, """
                "annotations": {"slotwise.io/runtime": "1h", "scheduling.k8s.io/group-name": "set-s",
                  "volcano.sh/task-spec": "%1$s", "volcano.sh/job-version": "1"}, "ownerReferences": [
                  {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "name": "set", "uid": "s",
                   "controller": true}]
                """),
        LEADER_WORKER_SET("leaderworkerset-set-0", """
                {"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet",
                 "metadata": {"name": "set", "namespace": "user", "uid": "s", "creationTimestamp": "2030-01-01T00:00:00Z"},
                 "spec": {"startupPolicy": "LeaderReady", "replicas": 1,
                  "leaderWorkerTemplate": {"size": 3, "workerTemplate": %1$s}}}
                """, """
                "labels": {"leaderworkerset.sigs.k8s.io/name": "set", "leaderworkerset.sigs.k8s.io/group-index": "0",
                  "leaderworkerset.sigs.k8s.io/template-revision-hash": "r",
                  "leaderworkerset.sigs.k8s.io/worker-index": "%2$d"},
                "annotations": {"slotwise.io/runtime": "1h", "leaderworkerset.sigs.k8s.io/size": "3"},
                "ownerReferences": [
                  {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "%3$s", "uid": "u-%3$s", "controller": true}]
                """);

        private final String gang;
        private final String object;
        private final String metadata;

        Maker(String gang, String object, String metadata) {
            this.gang = gang;
            this.object = object;
            this.metadata = metadata;
        }

        /** The pods that are made first. */
        List<String> first() {
            return this == LEADER_WORKER_SET ? List.of(pod("node", 0)) : List.of(pod("node", 0), pod("node", 1));
        }

        /** The pods that come only when the first ones are ready. */
        List<String> late() {
            return this == LEADER_WORKER_SET
                    ? List.of(pod("launcher", 0), pod("launcher", 1))
                    : List.of(pod("launcher", 0));
        }

        String pod(String role, int index) {
            return switch (this) {
                case LEADER_WORKER_SET -> role.equals("node") ? "set-0" : "set-0-" + (index + 1);
                case JOB_SET -> "set-%s-0-%d-x7k2p".formatted(role, index);
                case MPI_JOB -> role.equals("launcher") ? "set-launcher-x7k2p" : "set-worker-" + index;
                case VOLCANO -> "set-%s-%d".formatted(role, index);
            };
        }

        String metadata(String role, int index) {
            if (this == LEADER_WORKER_SET) {
                boolean leads = role.equals("node");
                return metadata.formatted(role, leads ? 0 : index + 1, leads ? "set" : "set-0");
            }
            String owner = role.equals("launcher")
                    ? "\"apiVersion\": \"batch/v1\", \"kind\": \"Job\", \"name\": \"set-launcher\", \"uid\": \"l\""
                    : "\"apiVersion\": \"kubeflow.org/v2beta1\", \"kind\": \"MPIJob\", "
                            + "\"name\": \"set\", \"uid\": \"s\"";
            return metadata.formatted(
                    this == MPI_JOB && role.equals("node") ? "worker" : role,
                    index,
                    "{%s, \"controller\": true}".formatted(owner));
        }
    }

    private static final String TEMPLATE = """
            {"metadata": {"annotations": {"slotwise.io/runtime": "1h"}},
             "spec": {"schedulerName": "slotwise",
              "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "4", "memory": "1Gi"}}}]}}
            """;

    @AutoClose
    private final WholeReplica replica =
            new WholeReplica(LoopSettings.EXACT, PriceCatalogue.EMPTY, Instant.parse("2030-01-01T00:00:00Z"));

    private final Set<String> there = new TreeSet<>();
    private final Map<String, String> metadata = new HashMap<>();
    private final List<String> told = new ArrayList<>();
    private int generation;

    private void nodes(int count) {
        for (int i = 1; i <= count; i++) {
            replica.seeing("""
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n%d", "labels": {"slotwise.io/price": "1"}},
                     "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"},
                      "conditions": [{"type": "Ready", "status": "True"}]}}
                    """.formatted(i));
        }
    }

    private void make(Maker maker, String role, int index) {
        String name = maker.pod(role, index);
        metadata.put(name, maker.metadata(role, index));
        show(name, "");
    }

    /** Shows an unrelated pod of two hours. */
    private void other() {
        metadata.put("other", "\"annotations\": {\"slotwise.io/runtime\": \"2h\"}");
        show("other", "");
    }

    private void show(String name, String node) {
        there.add(name);
        replica.seeing("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%1$s", "namespace": "user", "uid": "%6$s",
                  "creationTimestamp": "%2$s", %3$s},
                 "spec": {"schedulerName": "slotwise", "priority": %7$d, %4$s
                  "tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute",
                    "tolerationSeconds": 300}],
                  "containers": [{"name": "c", "resources": {"requests": {"cpu": "4", "memory": "1Gi"}}}]},
                 "status": {"phase": "%5$s"}}
                """.formatted(
                        name,
                        Instant.ofEpochSecond(replica.now()),
                        Objects.requireNonNull(metadata.get(name)),
                        node.isEmpty() ? "" : "\"nodeName\": \"%s\",".formatted(node),
                        node.isEmpty() ? "Pending" : "Running",
                        uid(name),
                        name.equals("high") ? 100 : 0));
    }

    private void goes(String pod) {
        there.remove(pod);
        replica.missing("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "user"}}
                """.formatted(pod));
    }

    private String uid(String pod) {
        return "uid-" + pod + generation;
    }

    /** Runs a cycle. Due gangs start with the existing pods. */
    private void cycle() {
        replica.cycle();
        told.addAll(replica.newlyTold());
        for (GangRecord started : replica.opened(this::uids)) {
            Objects.requireNonNull(started.promise()).window().placements().stream()
                    .filter(placement -> there.contains(placement.pod()))
                    .forEach(placement -> show(placement.pod(), placement.node()));
        }
    }

    private SortedMap<String, String> uids(GangRecord record) {
        TreeMap<String, String> uids = new TreeMap<>();
        Objects.requireNonNull(record.promise()).window().pods().stream()
                .filter(there::contains)
                .forEach(pod -> uids.put(pod, uid(pod)));
        return uids;
    }

    private void pass(int seconds) {
        replica.pass(Duration.ofSeconds(seconds));
        cycle();
        cycle();
    }

    private GangRecord record(String gang) {
        return find(gang).orElseThrow(() -> new AssertionError(gang + " is none of " + replica.records()));
    }

    private Optional<GangRecord> find(String gang) {
        return replica.records().stream()
                .filter(record -> record.gang().name().equals(gang))
                .findFirst();
    }

    private void firstPodsStart(Maker maker) {
        replica.seeing(maker.object.formatted(TEMPLATE));
        for (int i = 0; i < maker.first().size(); i++) {
            make(maker, "node", i);
        }
        cycle();
        cycle();
    }

    private void latePodsCome(Maker maker) {
        for (int i = 0; i < maker.late().size(); i++) {
            make(maker, "launcher", i);
        }
        cycle();
        cycle();
    }

    @ParameterizedTest
    @EnumSource
    void aGangStartsWithItsExistingPodsAndTheLateOneStartsInItsRoom(Maker maker) {
        nodes(3);

        firstPodsStart(maker);

        GangRecord first = record(maker.gang);
        assertThat(first.phase()).isEqualTo(Phase.RUNNING);
        assertThat(first.startedMembers().uids()).containsOnlyKeys(maker.first().toArray(String[]::new));
        other();
        pass(60);
        assertThat(record("pod-other").windowStart()).hasValue(replica.now() - 60 + RUNTIME);

        latePodsCome(maker);

        for (String pod : maker.late()) {
            GangRecord late = record("pod-" + pod);
            assertThat(late.phase()).as("%s", late.plannedAspect()).isEqualTo(Phase.RUNNING);
            assertThat(late.windowStart()).hasValue(replica.now());
        }
        assertThat(record(maker.gang).phase()).isEqualTo(Phase.RUNNING);
        pass(30);
        assertThat(replica.newlyEvicted()).isEmpty();
        assertThat(told).noneMatch(words -> words.contains("WindowBroken"));
    }

    @ParameterizedTest
    @EnumSource
    void aGangWaitsUntilThereIsRoomForTheLatePodsToo(Maker maker) {
        nodes(2);

        firstPodsStart(maker);

        assertThat(record(maker.gang).phase()).isEqualTo(Phase.PENDING);
        nodes(3);
        cycle();
        assertThat(record(maker.gang).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void theRoomOfPodsThatDoNotComeIsGivenUpAfterTenMinutes() {
        nodes(3);
        firstPodsStart(Maker.JOB_SET);
        other();

        pass(599);
        assertThat(record("pod-other").windowStart()).hasValue(replica.now() - 599 + RUNTIME);
        pass(1);
        pass(10);

        assertThat(record("pod-other").phase()).isEqualTo(Phase.RUNNING);
        assertThat(told).noneMatch(words -> words.contains("WindowBroken"));
        assertThat(told)
                .filteredOn(words -> words.contains("LateSeatsGivenUp"))
                .containsExactly("user/jobset-set LateSeatsGivenUp set-launcher-0-0 did not come within 10m of the "
                        + "start: their room is given up, and they are placed where there is room when they come");
    }

    @Test
    void aCompleteGangIsToldOfNoPlacementsGivenUp() {
        nodes(3);
        firstPodsStart(Maker.JOB_SET);
        pass(60);
        latePodsCome(Maker.JOB_SET);

        pass(600);

        assertThat(told).noneMatch(words -> words.contains("LateSeatsGivenUp"));
    }

    /** The late pod does not exist yet, and is made when the others are ready again. */
    @Test
    void aGangThatIsRestartedHasRoomForItsLatePodsAgain() {
        replica.under(PolicyFile.read(new StringReader("running.member-loss: restart"), "policy.yaml"));
        Maker maker = Maker.JOB_SET;
        nodes(3);
        firstPodsStart(maker);
        pass(60);
        goes(maker.pod("node", 1));
        pass(1);
        assertThat(replica.newlyEvicted()).containsOnly("user/" + maker.pod("node", 0));
        goes(maker.pod("node", 0));
        pass(1);

        generation++;
        firstPodsStart(maker);
        pass(60);
        other();
        pass(1);

        assertThat(record(maker.gang).phase()).isEqualTo(Phase.RUNNING);
        assertThat(record("pod-other").phase()).isEqualTo(Phase.PROMISED);
        latePodsCome(maker);
        assertThat(record("pod-" + maker.pod("launcher", 0)).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aGangThatIsDisplacedTakesTheSeatsOfItsLatePodsWithIt() {
        replica.under(LoopSettings.EXACT.withPolicy(Policy.EXACT
                .withPreemption(Policy.Preempting.RUNNING)
                .withMigration(new MigrationPolicy(Reach.NONE, 1, 30, 60))));
        Maker maker = Maker.JOB_SET;
        nodes(3);
        firstPodsStart(maker);
        pass(60);
        metadata.put("high", "\"annotations\": {\"slotwise.io/runtime\": \"2h\"}");
        show("high", "");
        pass(1);

        assertThat(replica.newlyEvicted()).containsOnly("user/" + maker.pod("node", 0), "user/" + maker.pod("node", 1));
        assertThat(Objects.requireNonNull(record(maker.gang).promise()).window().pods())
                .containsExactlyInAnyOrder(maker.pod("node", 0), maker.pod("node", 1), "set-launcher-0-0");
        maker.first().forEach(this::goes);
        goes("high");
        generation++;
        firstPodsStart(maker);
        pass(120);

        assertThat(record(maker.gang).phase()).isEqualTo(Phase.RUNNING);
        assertThat(record(maker.gang).startedMembers().late()).hasSize(1);
    }

    /** A lost leader takes its workers with it, whatever the policy. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LEADER_WORKER_SET")
    void aPodThatHasComeLateTakesNoPlaceOfOneThatIsLost(Maker maker) {
        replica.under(PolicyFile.read(new StringReader("running.member-loss: restart"), "policy.yaml"));
        nodes(3);
        firstPodsStart(maker);
        pass(60);
        make(maker, "launcher", 0);
        cycle();
        pass(60);
        assertThat(record("pod-" + maker.pod("launcher", 0)).phase()).isEqualTo(Phase.RUNNING);

        goes(maker.pod("node", 1));
        pass(1);

        assertThat(replica.newlyEvicted()).contains("user/" + maker.pod("node", 0));
    }

    /** The old workers go with their leader, and the next ones are made for the new leader. */
    @Test
    void aGroupWhoseLeaderIsMadeAgainHasRoomForItsWorkersAgain() {
        Maker maker = Maker.LEADER_WORKER_SET;
        nodes(3);
        firstPodsStart(maker);
        pass(60);
        latePodsCome(maker);
        pass(60);
        Stream.concat(maker.first().stream(), maker.late().stream()).forEach(this::goes);
        pass(1);

        generation++;
        firstPodsStart(maker);
        other();
        pass(60);

        assertThat(record(maker.gang).phase()).isEqualTo(Phase.RUNNING);
        assertThat(record("pod-other").phase()).isEqualTo(Phase.PROMISED);
        latePodsCome(maker);
        assertThat(record("pod-set-0-1").phase()).isEqualTo(Phase.RUNNING);
        assertThat(record("pod-set-0-2").phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void nothingIsPlannedForLatePodsOfAnAttemptThatWaitsForTheEndOfTheOneBefore() {
        nodes(3);
        firstPodsStart(Maker.JOB_SET);
        for (int i = 0; i < 2; i++) {
            String next = "set-node-0-%d-again".formatted(i);
            metadata.put(
                    next,
                    Maker.JOB_SET.metadata("node", i).replace("restart-attempt\": \"0", "restart-attempt\": \"1"));
            replica.pass(Duration.ofSeconds(1));
            show(next, "");
        }

        pass(1);

        assertThat(replica.records())
                .extracting(record -> record.gang().name())
                .containsExactlyInAnyOrder("jobset-set", "pod-set-node-0-0-again", "pod-set-node-0-1-again");
    }

    @Test
    void aLatePodThatIsMoreThanItsGangNeedsIsPlannedWhenItComes() {
        nodes(3);
        replica.seeing(
                Maker.JOB_SET.object.formatted(TEMPLATE.replace("\"1h\"", "\"1h\", \"slotwise.io/gang-size\": \"1\"")));
        String pod = Maker.JOB_SET.pod("node", 0);
        metadata.put(
                pod, Maker.JOB_SET.metadata("node", 0).replace("\"1h\"", "\"1h\", \"slotwise.io/gang-size\": \"1\""));
        show(pod, "");

        cycle();

        assertThat(replica.records()).extracting(record -> record.gang().name()).containsExactly("jobset-set");
    }

    /** The namespace has money for three pods and an hour. */
    @Test
    void theMoneyOfThePodsThatComeLateIsKeptAndPaidOnce() {
        replica.seeing("""
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "user",
                  "annotations": {"slotwise.io/budget": "3.000000/month"}}}
                """);
        nodes(4);
        firstPodsStart(Maker.JOB_SET);
        other();
        cycle();
        assertThat(record("pod-other").promise()).isNull();

        pass(60);
        make(Maker.JOB_SET, "launcher", 0);
        cycle();
        cycle();

        GangRecord late = record("pod-" + Maker.JOB_SET.pod("launcher", 0));
        assertThat(late.phase()).as("%s", late.plannedAspect()).isEqualTo(Phase.RUNNING);
        assertThat(Objects.requireNonNull(late.promise()).window().cost().roundedUp())
                .isEqualTo(Money.parse("0.983334"));
        assertThat(Objects.requireNonNull(record("jobset-set").promise())
                        .window()
                        .cost()
                        .roundedUp())
                .isEqualTo(Money.parse("2"));
        assertThat(record("pod-other").promise()).isNull();
    }
}
