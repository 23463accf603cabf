package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.testing.DurableCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests a leader that is killed after each call of a start, and the next leader. In the end the gang runs whole, its
 * record says so, and it is charged once, the same as without a kill.
 */
class KilledLeadersTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final int ROUNDS = 4;

    /** The ways of a gang to its start. */
    enum Kind {
        /** Its window is now when it comes, and Slotwise binds it. */
        DIRECT,
        /** The same, with a member that goes through kube-scheduler. */
        MIXED,
        /** Promised a window that comes later. */
        PROMISED
    }

    @Test
    void aStartWritesNothingBeforeItsFirstBindingAndOneRecordAfterAll() {
        DurableCluster cluster = cluster(Kind.DIRECT);

        run(cluster, cluster.lead(Integer.MAX_VALUE));

        assertThat(cluster.calls)
                .containsExactly("bind g-0", "bind g-1", "bind g-2", "spec of g", "status Running of g");
        assertThat(cluster.isRunning("g")).isTrue();
    }

    @Test
    void aPromisedGangStartsByItsFirstBindingAndItsPhaseFollows() {
        DurableCluster cluster = cluster(Kind.PROMISED);
        promise(cluster);
        cluster.calls.clear();

        run(cluster, cluster.lead(Integer.MAX_VALUE));

        assertThat(cluster.calls).containsExactly("bind g-0", "bind g-1", "bind g-2", "status Running of g");
    }

    @Test
    void aMixedGangIsBoundByItsFirstPodToo() {
        DurableCluster cluster = cluster(Kind.MIXED);

        run(cluster, cluster.lead(Integer.MAX_VALUE));

        assertThat(cluster.calls)
                .containsExactly(
                        "spec of g",
                        "status Starting of g",
                        "release g-1",
                        "release g-2",
                        "bind g-0",
                        "bind g-1",
                        "bind g-2",
                        "status Running of g");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void whoFollowsALeaderThatWasKilledAfterAnyCallCompletesTheStart(Kind kind) {
        Ledger charged = Objects.requireNonNull(ends(started(kind, Integer.MAX_VALUE)));
        int calls = started(kind, Integer.MAX_VALUE).calls.size() + ROUNDS;

        for (int killedAfter = 0; killedAfter <= calls; killedAfter++) {
            DurableCluster cluster = started(kind, killedAfter);
            List<String> before = List.copyOf(cluster.calls);
            DurableCluster.Leader next = cluster.lead(Integer.MAX_VALUE);
            run(cluster, next);
            run(cluster, next);

            String story = kind + " killed after " + before + ", then " + cluster.calls;
            assertThat(cluster.pods().values())
                    .as(story)
                    .hasSize(3)
                    .allSatisfy(pod -> assertThat(pod.getSpec().getNodeName()).isNotNull());
            assertThat(cluster.calls).as(story).noneMatch(call -> call.startsWith("evict"));
            GangRecord record = Objects.requireNonNull(cluster.record("g"), story);
            assertThat(record.phase()).as(story).isEqualTo(Phase.RUNNING);
            assertThat(record.isArriving()).as(story).isFalse();
            assertThat(record.history().members()).as(story).containsOnlyKeys("g-0", "g-1", "g-2");
            assertThat(placed(record)).as(story).isEqualTo(bound(cluster));
            assertThat(total(ends(cluster))).as(story).isEqualTo(total(charged));
        }
    }

    /** A gang that has run for the same time costs the same, whenever it began. */
    private static String total(@Nullable Ledger ledger) {
        return Objects.requireNonNull(ledger).days().toString();
    }

    @Test
    void aRunThatIsOverBeforeTheNextLeaderComesIsRecordedAndChargedAllTheSame() {
        DurableCluster cluster = started(Kind.DIRECT, 3);
        assertThat(cluster.record("g")).isNull();
        cluster.pass(Duration.ofSeconds(5));
        cluster.pods().keySet().forEach(cluster::succeed);
        cluster.pass(Duration.ofSeconds(20));

        run(cluster, cluster.lead(Integer.MAX_VALUE));

        assertThat(Objects.requireNonNull(cluster.record("g")).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(cluster.ledger()).isNotNull();
    }

    @Test
    void aRunWhoseRecordIsOverAndGoneIsNotRecordedAgain() {
        DurableCluster cluster = started(Kind.DIRECT, Integer.MAX_VALUE);
        Ledger charged = ends(cluster);
        cluster.pass(Duration.ofSeconds(3700));
        DurableCluster.Leader next = cluster.lead(Integer.MAX_VALUE);
        run(cluster, next);
        assertThat(cluster.record("g")).isNull();
        cluster.calls.clear();

        run(cluster, cluster.lead(Integer.MAX_VALUE));

        assertThat(cluster.calls).isEmpty();
        assertThat(total(cluster.ledger())).isEqualTo(total(charged));
    }

    /** A gang of three pods on three nodes, in a namespace with a budget. */
    private static DurableCluster cluster(Kind kind) {
        DurableCluster cluster = new DurableCluster(BEGIN);
        cluster.has("""
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "user",
                 "annotations": {"slotwise.io/budget": "1000/day"}}}""");
        for (String node : List.of("a", "b", "c")) {
            cluster.has("""
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s", "labels": {"slotwise.io/price": "1"}},
                     "spec": {}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"},
                      "conditions": [{"type": "Ready", "status": "True"}]}}""".formatted(node));
        }
        for (int pod = 0; pod < 3; pod++) {
            boolean extended = kind == Kind.MIXED && pod == 1;
            boolean gated = kind == Kind.MIXED && pod > 0;
            cluster.has("""
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "g-%d", "namespace": "user",
                      "uid": "uid-%d", "creationTimestamp": "2029-12-31T23:59:00Z",
                      "labels": {"slotwise.io/gang": "g"},
                      "annotations": {"slotwise.io/gang-size": "3", "slotwise.io/runtime": "60s"%s}},
                     "spec": {"schedulerName": "%s", "schedulingGates": [%s],
                      "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "4"}}}]},
                     "status": {"phase": "Pending"}}""".formatted(
                            pod,
                            pod,
                            kind == Kind.PROMISED ? ", \"slotwise.io/earliest-start\": \"2030-01-01T00:01:00Z\"" : "",
                            extended ? "slotwise-extender" : "slotwise",
                            gated ? "{\"name\": \"slotwise.io/window\"}" : ""));
        }
        return cluster;
    }

    private static void promise(DurableCluster cluster) {
        cluster.lead(Integer.MAX_VALUE).round();
        assertThat(Objects.requireNonNull(cluster.record("g")).phase()).isEqualTo(Phase.PROMISED);
        cluster.pass(Duration.ofSeconds(59));
    }

    /** A cluster whose leader was killed after so many calls of the start. */
    private static DurableCluster started(Kind kind, int calls) {
        DurableCluster cluster = cluster(kind);
        if (kind == Kind.PROMISED) {
            promise(cluster);
            cluster.calls.clear();
        }
        run(cluster, cluster.lead(calls));
        return cluster;
    }

    private static void run(DurableCluster cluster, DurableCluster.Leader leader) {
        for (int round = 0; round < ROUNDS; round++) {
            leader.round();
        }
        assertThat(cluster.pods()).hasSize(3);
    }

    /** The gang ends, and is charged. */
    private static @Nullable Ledger ends(DurableCluster cluster) {
        GangRecord record = Objects.requireNonNull(cluster.record("g"));
        long startedAt = record.history().startedAt().orElseThrow();
        cluster.passTo(Instant.ofEpochSecond(startedAt + 60));
        cluster.pods().keySet().forEach(cluster::succeed);
        run(cluster, cluster.lead(Integer.MAX_VALUE));
        assertThat(Objects.requireNonNull(cluster.record("g")).phase()).isEqualTo(Phase.COMPLETED);
        return cluster.ledger();
    }

    private static SortedMap<String, String> placed(GangRecord record) {
        TreeMap<String, String> nodes = new TreeMap<>();
        Objects.requireNonNull(record.promise())
                .window()
                .placements()
                .forEach(placement -> nodes.put(placement.pod(), placement.node()));
        return nodes;
    }

    private static SortedMap<String, String> bound(DurableCluster cluster) {
        TreeMap<String, String> nodes = new TreeMap<>();
        for (Pod pod : cluster.pods().values()) {
            nodes.put(pod.getMetadata().getName(), pod.getSpec().getNodeName());
        }
        return nodes;
    }
}
