package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.WholeReplica;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A JobSet with two pods that come only after the end of the first one, on nodes for two pods. */
class LaterWavesTest {
    private static final String FIRST = "jobset-set";
    private static final String SECOND = "jobset-set.train";
    private static final int RUNTIME = 60;

    private static final String JOB_SET = """
            {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
             "metadata": {"name": "set", "namespace": "user", "uid": "set", "creationTimestamp": "2030-01-01T00:00:00Z"},
             "spec": {"suspend": %1$s, "replicatedJobs": [
               {"name": "load", "template": {"spec": {"parallelism": 1, "completions": 1, "template": %2$s}}},
               {"name": "train", "dependsOn": [{"name": "load", "status": "Complete"}],
                "template": {"spec": {"parallelism": 2, "completions": 2, "template": %2$s}}}]}}
            """;

    private static final String TEMPLATE = """
            {"metadata": {"annotations": {"slotwise.io/runtime": "60s"}},
             "spec": {"schedulerName": "slotwise",
              "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "4", "memory": "1Gi"}}}]}}
            """;

    @AutoClose
    private final WholeReplica replica =
            new WholeReplica(LoopSettings.EXACT, PriceCatalogue.EMPTY, Instant.parse("2030-01-01T00:00:00Z"));

    private final Map<String, String> nodes = new HashMap<>();
    private final List<String> told = new ArrayList<>();

    @BeforeEach
    void firstWaveRuns() {
        for (String node : List.of("n1", "n2")) {
            replica.seeing("""
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s"},
                     "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"},
                      "conditions": [{"type": "Ready", "status": "True"}]}}
                    """.formatted(node));
        }
        replica.seeing(JOB_SET.formatted(false, TEMPLATE));
        show("load", 0, "Pending");
        cycle();
        assertThat(record(FIRST).orElseThrow().phase()).isEqualTo(Phase.RUNNING);
        cycle();
    }

    /** Shows a pod as the API server has made it from its template. */
    private void show(String role, int index, String phase) {
        String name = "set-%s-0-%d-x7k2p".formatted(role, index);
        String node = nodes.get(name);
        replica.seeing("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%1$s", "namespace": "user", "uid": "uid-%1$s",
                  "creationTimestamp": "%2$s", "labels": {"jobset.sigs.k8s.io/jobset-name": "set",
                   "jobset.sigs.k8s.io/replicatedjob-name": "%3$s", "batch.kubernetes.io/job-completion-index": "%6$d"},
                  "annotations": {"slotwise.io/runtime": "60s"},
                  "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "set-%3$s-0", "uid": "j-%3$s",
                    "controller": true}]},
                 "spec": {"schedulerName": "slotwise", "priority": 0, %4$s
                  "tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute",
                    "tolerationSeconds": 300}],
                  "containers": [{"name": "c", "resources": {"requests": {"cpu": "4", "memory": "1Gi"}}}]},
                 "status": {"phase": "%5$s"}}
                """.formatted(
                        name,
                        Instant.ofEpochSecond(replica.now()),
                        role,
                        node == null ? "" : "\"nodeName\": \"%s\",".formatted(node),
                        phase,
                        index));
    }

    private void secondWaveComes() {
        show("train", 0, "Pending");
        show("train", 1, "Pending");
    }

    /** Runs a cycle. Due gangs start. */
    private void cycle() {
        replica.cycle();
        told.addAll(replica.newlyTold());
        for (GangRecord started : replica.opened(LaterWavesTest::uids)) {
            Objects.requireNonNull(started.promise()).window().placements().forEach(placement -> {
                nodes.put(placement.pod(), placement.node());
                String[] words = placement.pod().split("-", -1);
                show(words[1], Integer.parseInt(words[3]), "Running");
            });
        }
    }

    private static SortedMap<String, String> uids(GangRecord record) {
        TreeMap<String, String> uids = new TreeMap<>();
        Objects.requireNonNull(record.promise()).window().pods().forEach(pod -> uids.put(pod, "uid-" + pod));
        return uids;
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            replica.pass(Duration.ofSeconds(1));
            cycle();
        }
    }

    private Optional<GangRecord> record(String gang) {
        return replica.records().stream()
                .filter(record -> record.gang().name().equals(gang))
                .findFirst();
    }

    private long start() {
        return record(SECOND).orElseThrow().windowStart().orElseThrow();
    }

    private boolean isBroken() {
        return told.stream().anyMatch(words -> words.contains("WindowBroken"));
    }

    @Test
    void theSecondWaveHasAWindowBehindTheFirstAndStartsInItWhenItsPodsCome() {
        long promised = replica.now() + RUNTIME;
        assertThat(record(SECOND).orElseThrow().phase()).isEqualTo(Phase.PROMISED);
        assertThat(start()).isEqualTo(promised);

        pass(RUNTIME - 1);
        replica.pass(Duration.ofSeconds(1));
        show("load", 0, "Succeeded");
        cycle();
        pass(2);
        assertThat(record(SECOND).orElseThrow().phase()).isEqualTo(Phase.PROMISED);
        secondWaveComes();
        cycle();

        GangRecord second = record(SECOND).orElseThrow();
        assertThat(second.phase()).isEqualTo(Phase.RUNNING);
        assertThat(second.windowStart()).hasValue(promised);
        assertThat(second.startedMembers().uids()).containsOnlyKeys("set-train-0-0-x7k2p", "set-train-0-1-x7k2p");
        assertThat(isBroken()).as("%s", told).isFalse();
    }

    @Test
    void theWindowMovesForwardWhenTheFirstWaveEndsEarly() {
        long promised = start();
        pass(20);
        show("load", 0, "Succeeded");
        cycle();
        cycle();

        assertThat(start()).isLessThan(promised);
        secondWaveComes();
        pass((int) (start() - replica.now()));
        assertThat(record(SECOND).orElseThrow().phase()).isEqualTo(Phase.RUNNING);
        assertThat(isBroken()).as("%s", told).isFalse();
    }

    /** No other gang gets the room meanwhile. */
    @Test
    void theRoomOfTheSecondWaveIsKept() {
        replica.seeing("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "other", "namespace": "user", "uid": "other",
                  "creationTimestamp": "2030-01-01T00:00:01Z", "annotations": {"slotwise.io/runtime": "2h"}},
                 "spec": {"schedulerName": "slotwise",
                  "containers": [{"name": "c", "resources": {"requests": {"cpu": "4", "memory": "1Gi"}}}]}}
                """);
        cycle();

        assertThat(record("pod-other").orElseThrow().windowStart()).hasValue(start() + RUNTIME);
    }

    @Test
    void podsThatDoNotComeLoseTheirWindowOnceAndAreWaitedFor() {
        pass(RUNTIME - 1);
        show("load", 0, "Succeeded");
        pass(60);

        assertThat(told)
                .filteredOn(words -> words.contains("WindowBroken"))
                .singleElement()
                .asString()
                .contains("waiting for members: 0 of 2 pods exist");
        assertThat(record(SECOND).orElseThrow().phase()).isEqualTo(Phase.PENDING);

        secondWaveComes();
        cycle();
        assertThat(record(SECOND).orElseThrow().phase()).isEqualTo(Phase.RUNNING);
    }

    /** A controller makes the pods one after another, and a cycle may come between. */
    @Test
    void theWindowIsKeptWhileThePodsComeOneByOne() {
        long promised = start();
        pass(RUNTIME - 5);
        show("load", 0, "Succeeded");
        cycle();
        show("train", 0, "Pending");
        cycle();
        pass(2);
        assertThat(record(SECOND).map(GangRecord::phase)).hasValue(Phase.PROMISED);

        show("train", 1, "Pending");
        pass((int) (promised - replica.now()));
        assertThat(record(SECOND).orElseThrow().phase()).isEqualTo(Phase.RUNNING);
        assertThat(isBroken()).as("%s", told).isFalse();
    }

    @Test
    void podsOfWhichSomeDoNotComeLoseTheirWindowAtItsStart() {
        long promised = start();
        pass(RUNTIME - 5);
        show("load", 0, "Succeeded");
        show("train", 0, "Pending");
        pass((int) (promised - replica.now()));
        assertThat(isBroken()).as("%s", told).isFalse();
        pass(60);

        assertThat(told)
                .filteredOn(words -> words.contains("WindowBroken"))
                .singleElement()
                .asString()
                .contains("waiting for members: 1 of 2 pods exist");
        assertThat(record(SECOND).orElseThrow().phase()).isEqualTo(Phase.PENDING);
    }

    @Test
    void aWindowThatIsNotNeededAnyMoreIsGivenBackAndNotBroken() {
        replica.seeing(JOB_SET.formatted(true, TEMPLATE));
        cycle();

        assertThat(record(SECOND)).isEmpty();
        assertThat(isBroken()).isFalse();
    }

    /** The JobSet and its pods have separate watches, so the JobSet's status may come first. */
    @Test
    void theWindowIsKeptIfTheJobSetReportsPodsBeforeTheirWatch() {
        long promised = start();
        pass(RUNTIME - 1);
        replica.pass(Duration.ofSeconds(1));
        show("load", 0, "Succeeded");
        replica.seeing(JOB_SET.formatted(false, TEMPLATE)
                .replaceFirst(
                        "\\}\\s*$",
                        ", \"status\": {\"replicatedJobsStatus\": [{\"name\": \"train\", \"active\": 1}]}}"));
        cycle();
        cycle();
        assertThat(record(SECOND).map(GangRecord::phase)).hasValue(Phase.PROMISED);

        secondWaveComes();
        cycle();
        assertThat(record(SECOND).orElseThrow().phase()).isEqualTo(Phase.RUNNING);
        assertThat(record(SECOND).orElseThrow().windowStart()).hasValue(promised);
        assertThat(isBroken()).as("%s", told).isFalse();
    }

    /** A gang that has run and has no pod left is completed, whatever events are still to come. */
    @Test
    void aWaveOfWhichAllPodsAreGoneIsNotToComeAgainWhileItsJobsAreActive() {
        pass(RUNTIME - 1);
        replica.pass(Duration.ofSeconds(1));
        show("load", 0, "Succeeded");
        secondWaveComes();
        cycle();
        assertThat(record(SECOND).orElseThrow().phase()).isEqualTo(Phase.RUNNING);
        replica.seeing(JOB_SET.formatted(false, TEMPLATE)
                .replaceFirst(
                        "\\}\\s*$",
                        ", \"status\": {\"replicatedJobsStatus\": [{\"name\": \"train\", \"active\": 1}]}}"));
        for (int i = 0; i < 2; i++) {
            replica.missing("""
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "set-train-0-%d-x7k2p", "namespace": "user"}}
                    """.formatted(i));
        }
        cycle();
        cycle();

        assertThat(record(SECOND).map(GangRecord::phase)).isNotEqualTo(Optional.of(Phase.PROMISED));
    }
}
