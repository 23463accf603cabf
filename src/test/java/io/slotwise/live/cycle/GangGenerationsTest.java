package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.WholeReplica;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single stories of runs and generations, in whole cycles of a replica. */
class GangGenerationsTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final String GROUP = "leaderworkerset.sigs.k8s.io/";

    private final TreeMap<String, String> there = new TreeMap<>();
    private final List<String> starts = new ArrayList<>();
    private WholeReplica replica = replica(LoopSettings.EXACT);

    private static WholeReplica replica(LoopSettings settings) {
        return new WholeReplica(settings, PriceCatalogue.EMPTY, BEGIN);
    }

    @AfterEach
    void close() {
        replica.close();
    }

    @Test
    void aGangWhoseMembersAreReplacedOneByOneGoesOn() {
        nodes(2);
        shows("a", bare("g", 2));
        shows("b", bare("g", 2));
        go(1);
        goes("a");
        shows("a2", bare("g", 2));
        go(10);
        goes("b");
        go(10);
        shows("b2", bare("g", 2));
        go(10);

        assertThat(starts).containsExactly("g: a b", "pod-a2: a2", "pod-b2: b2");
        assertThat(phase("g")).isEqualTo(Phase.RUNNING);

        goes("a2");
        goes("b2");
        go(10);
        shows("a3", bare("g", 2));
        go(10);
        assertThat(reason("g")).isEqualTo("waiting for members: 1 of 2 pods exist");
        shows("b3", bare("g", 2));
        go(10);
        assertThat(starts).endsWith("g: a3 b3");
    }

    @Test
    void aNewAttemptWaitsForTheOldOneAndStartsWholeInItsRoom() {
        nodes(2);
        shows("l-0", set(0));
        shows("w-0", set(0));
        go(60);

        goes("l-0");
        shows("l-1", set(1));
        shows("w-1", set(1));
        go(2);
        assertThat(reason("pod-l-1"))
                .isEqualTo("waiting for another generation of its gang to end: 1 of its pods still exist");
        assertThat(starts).hasSize(1);
        dies("w-0", 30);
        go(10);
        assertThat(phase("jobset-js")).isEqualTo(Phase.PROMISED);
        assertThat(starts).hasSize(1);
        goes("w-0");
        go(30);

        assertThat(starts).containsExactly("jobset-js: l-0 w-0", "jobset-js: l-1 w-1");
        assertThat(replica.records()).extracting(record -> record.gang().name()).containsExactly("jobset-js");
    }

    /** The old pods leave within the turnover after their time. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void newPodsGetTheOldPodsRoomBeforeLaterGangs(boolean charged) {
        replica.close();
        replica = replica(LoopSettings.DEFAULT);
        nodes(2);
        budget(charged);
        shows("l-0", set(0));
        shows("w-0", set(0));
        go(60);

        dies("l-0", 30);
        dies("w-0", 30);
        shows("l-1", set(1));
        shows("w-1", set(1));
        shows("other", bare("other", 1));
        go(30);
        go(3);
        goes("l-0");
        goes("w-0");
        go(10);

        assertThat(starts).containsExactly("jobset-js: l-0 w-0", "jobset-js: l-1 w-1");
        assertThat(phase("other")).isEqualTo(Phase.PROMISED);
    }

    @Test
    void nextPodsOfAChargedGangKeepNoRoomWhileTheOldOnesTerminate() {
        nodes(4);
        budget(true);
        shows("l-0", set(0));
        shows("w-0", set(0));
        go(10);

        dies("l-0", 600);
        dies("w-0", 600);
        shows("l-1", set(1));
        shows("w-1", set(1));
        shows("other", bare("other", 1));
        go(10);
        assertThat(starts).containsExactly("jobset-js: l-0 w-0", "other: other");
        goes("l-0");
        goes("w-0");
        go(10);

        assertThat(starts).containsExactly("jobset-js: l-0 w-0", "other: other", "jobset-js: l-1 w-1");
    }

    /** The old pods stay longer than the turnover past their time. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNewAttemptKeepsItsPlaceWhenTheOldPodsTakeTooLongToLeave(boolean charged) {
        replica.close();
        replica = replica(LoopSettings.DEFAULT);
        nodes(2);
        budget(charged);
        shows("l-0", set(0));
        shows("w-0", set(0));
        go(60);

        dies("l-0", 30);
        dies("w-0", 30);
        shows("l-1", set(1));
        shows("w-1", set(1));
        go(5);
        shows("other", bare("other", 1));
        go(30);
        assertThat(phase("other")).isEqualTo(Phase.PROMISED);
        go(60);
        assertThat(phase("jobset-js")).isEqualTo(Phase.PROMISED);
        goes("l-0");
        go(10);
        goes("w-0");
        go(10);

        assertThat(starts).containsExactly("jobset-js: l-0 w-0", "jobset-js: l-1 w-1");
        assertThat(phase("other")).isEqualTo(Phase.PROMISED);
        assertThat(replica.newlyTold())
                .filteredOn(words -> words.contains("WindowBroken"))
                .anyMatch(words -> words.matches(
                        "user/jobset-js WindowBroken room-taken: the room on node n[01] is taken by user/[lw]-0"));
    }

    @Test
    void aGroupThatIsRolledOutStartsWithItsNewWorkers() {
        nodes(6);
        shows("s-0", group(0, "leaders", "r1"));
        shows("s-0-1", group(1, "set1", "r1"));
        shows("s-0-2", group(2, "set1", "r1"));
        go(5);
        goes("s-0");
        shows("s-0", group(0, "leaders", "r2"));
        go(3);
        goes("s-0-1");
        goes("s-0-2");
        go(3);
        shows("s-0-1", group(1, "set2", "r2"));
        go(3);
        shows("s-0-2", group(2, "set2", "r2"));
        go(3);

        assertThat(starts)
                .containsExactly("leaderworkerset-s-0: s-0 s-0-1 s-0-2", "leaderworkerset-s-0: s-0 s-0-1 s-0-2");
    }

    @Test
    void aGangThatLacksAMemberMakesWayAndIsWholeAgainLater() {
        replica.close();
        replica = replica(LoopSettings.EXACT.withPolicy(Policy.EXACT
                .withPreemption(Policy.Preempting.RUNNING)
                .withMigration(new MigrationPolicy(Reach.NONE, 1, 300, 60))));
        nodes(2);
        shows("t-0", job(0));
        shows("t-1", job(1));
        go(400);
        goes("t-1");
        // Another pod is on its node before it is made again.
        String free = Objects.requireNonNull(there.get("t-0")).contains("\"n0\"") ? "n1" : "n0";
        shows("x", "\"labels\": {}", "others", free, 0);
        shows("t-1b", job(1));
        go(60);
        assertThat(starts).containsExactly("job-t: t-0 t-1");

        shows("high", "\"annotations\": {\"slotwise.io/runtime\": \"10m\"}", "slotwise", "", 100);
        go(1);
        assertThat(replica.newlyEvicted()).containsOnly("user/t-0");
        goes("t-0");
        shows("t-0b", job(0));
        go(5);
        assertThat(starts).endsWith("pod-high: high");

        goes("x");
        go(5);
        assertThat(starts).endsWith("pod-high: high");
        goes("high");
        go(120);
        assertThat(starts).containsExactly("job-t: t-0 t-1", "pod-high: high", "job-t: t-0b t-1b");
    }

    /** The StatefulSet of the old leader makes pods until it is deleted, and then these are deleted. */
    @Test
    void aNewLeaderDoesNotStartWithLateWorkersOfTheOldStatefulSet() {
        nodes(3);
        String old = workers("w1");
        shows("s-0", group(0, "leaders", "r"));
        replica.seeing(old);
        shows("s-0-1", group(1, "w1", "r"));
        shows("s-0-2", group(2, "w1", "r"));
        go(5);

        goes("s-0");
        goes("s-0-1");
        goes("s-0-2");
        go(1);
        String next = workers("w2");
        shows("s-0", group(0, "leaders", "r"));
        go(1);
        shows("s-0-1", group(1, "w1", "r"));
        shows("s-0-2", group(2, "w1", "r"));
        go(5);
        replica.missing(old);
        go(5);
        assertThat(reason("pod-s-0-1"))
                .isEqualTo("waiting for another generation of its gang to end: 1 of its pods still exist");
        replica.seeing(next);
        go(5);
        assertThat(starts).containsExactly("leaderworkerset-s-0: s-0 s-0-1 s-0-2");

        goes("s-0-1");
        goes("s-0-2");
        shows("s-0-1", group(1, "w2", "r"));
        shows("s-0-2", group(2, "w2", "r"));
        go(5);
        assertThat(starts)
                .containsExactly("leaderworkerset-s-0: s-0 s-0-1 s-0-2", "leaderworkerset-s-0: s-0 s-0-1 s-0-2");
    }

    /** The workers' StatefulSet of the new leader. */
    private String workers(String uid) {
        return """
            {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "s", "namespace": "user", "uid": "%s",
              "labels": {"%sname": "s"}, "ownerReferences": [
                {"apiVersion": "v1", "kind": "Pod", "name": "s-0", "uid": "s-0-%d", "controller": true}]}}
            """.formatted(uid, GROUP, replica.now());
    }

    private void budget(boolean charged) {
        if (charged) {
            replica.seeing("""
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "user",
                  "annotations": {"slotwise.io/budget": "1000/month"}}}""");
        }
    }

    private void nodes(int count) {
        for (int i = 0; i < count; i++) {
            replica.seeing("""
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n%d"},
                 "status": {"allocatable": {"cpu": "1", "memory": "8Gi", "pods": "110"},
                  "conditions": [{"type": "Ready", "status": "True"}]}}""".formatted(i));
        }
    }

    private Phase phase(String gang) {
        return record(gang).phase();
    }

    private String reason(String gang) {
        return record(gang).plannedAspect().message();
    }

    private GangRecord record(String gang) {
        return replica.records().stream()
                .filter(record -> record.gang().name().equals(gang))
                .findFirst()
                .orElseThrow();
    }

    private void go(int seconds) {
        for (int second = 0; second < seconds; second += seconds > 30 ? 5 : 1) {
            replica.cycle();
            for (GangRecord record : replica.opened(this::uids)) {
                List<Placement> places =
                        Objects.requireNonNull(record.promise()).window().placements();
                starts.add(record.gang().name() + ": "
                        + String.join(
                                " ",
                                new TreeSet<>(
                                        places.stream().map(Placement::pod).toList())));
                places.forEach(placement -> see(
                        placement.pod(),
                        Objects.requireNonNull(there.get(placement.pod()))
                                .replace("\"nodeName\": \"\"", "\"nodeName\": \"%s\"".formatted(placement.node()))));
            }
            replica.pass(Duration.ofSeconds(seconds > 30 ? 5 : 1));
        }
        replica.cycle();
    }

    private SortedMap<String, String> uids(GangRecord record) {
        TreeMap<String, String> uids = new TreeMap<>();
        for (Placement placement :
                Objects.requireNonNull(record.promise()).window().placements()) {
            String pod = there.get(placement.pod());
            if (pod == null || !pod.contains("\"nodeName\": \"\"") || pod.contains("deletionTimestamp")) {
                return new TreeMap<>();
            }
            uids.put(placement.pod(), pod.replaceAll("(?s).*\"uid\": \"(" + placement.pod() + "-\\d+)\".*", "$1"));
        }
        return uids;
    }

    private void shows(String pod, String meta) {
        shows(pod, meta, "slotwise", "", 0);
    }

    private void shows(String pod, String meta, String scheduler, String node, int priority) {
        String now = Instant.ofEpochSecond(replica.now()).toString();
        see(pod, """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "user", "uid": "%s-%d",
              "creationTimestamp": "%s", %s},
             "spec": {"schedulerName": "%s", "nodeName": "%s", "priority": %d,
              "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}
            """.formatted(
                        pod,
                        pod,
                        replica.now(),
                        now,
                        meta.replace("POD", pod + "-" + replica.now()),
                        scheduler,
                        node,
                        priority));
    }

    private void dies(String pod, int seconds) {
        String gone = Instant.ofEpochSecond(replica.now() + seconds).toString();
        see(
                pod,
                Objects.requireNonNull(there.get(pod))
                        .replace(
                                "\"creationTimestamp\"",
                                "\"deletionTimestamp\": \"%s\", \"creationTimestamp\"".formatted(gone)));
    }

    private void see(String pod, String json) {
        there.put(pod, json);
        replica.seeing(json);
    }

    private void goes(String pod) {
        replica.missing(Objects.requireNonNull(there.remove(pod)));
    }

    private static String bare(String gang, int size) {
        return """
            "labels": {"slotwise.io/gang": "%s"},
            "annotations": {"slotwise.io/gang-size": "%d", "slotwise.io/runtime": "1h"}""".formatted(gang, size);
    }

    private static String set(int attempt) {
        return """
            "labels": {"jobset.sigs.k8s.io/jobset-name": "js", "jobset.sigs.k8s.io/restart-attempt": "%d"},
            "annotations": {"slotwise.io/gang-size": "2", "slotwise.io/runtime": "1h"}""".formatted(attempt);
    }

    private static String job(int index) {
        return """
            "labels": {"batch.kubernetes.io/job-completion-index": "%d"},
            "ownerReferences": [
              {"apiVersion": "batch/v1", "kind": "Job", "name": "t", "uid": "t-uid", "controller": true}],
            "annotations": {"slotwise.io/gang-size": "2", "slotwise.io/runtime": "1h"}""".formatted(index);
    }

    private static String group(int worker, String set, String revision) {
        return """
            "labels": {"%1$sname": "s", "%1$sgroup-index": "0", "%1$sworker-index": "%2$d",
              "%1$stemplate-revision-hash": "%4$s"},
            "ownerReferences": [
              {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "s", "uid": "%3$s", "controller": true}],
            "annotations": {"%1$ssize": "3", "slotwise.io/runtime": "1h"}""".formatted(GROUP, worker, set, revision);
    }
}
