package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.WholeReplica;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A gang that has to make way while disruption budgets keep it for a while. Proves that the gang of higher priority
 * gets its room once the budgets permit.
 */
class RefusedStopsTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    /** The chart's settings with promises that may move, and gangs that may be stopped soon. */
    private static final LoopSettings SETTINGS = LoopSettings.EXACT.withPolicy(Policy.EXACT
            .withTurnover(3)
            .withReplanGain(200_000)
            .withSlack(new PromiseSlack(200_000, 100_000, 0))
            .withMigration(new MigrationPolicy(Reach.NONE, 2, 5, 30)));

    private final WholeReplica replica = new WholeReplica(SETTINGS, PriceCatalogue.EMPTY, BEGIN);
    private final TreeMap<String, Pod> pods = new TreeMap<>();
    /** The seconds at which pods are made again, by the lost pod. */
    private final Map<Pod, Long> again = new HashMap<>();

    private final List<String> log = new ArrayList<>();
    private long second;
    private int made;

    @AfterEach
    void close() {
        replica.close();
    }

    private record Pod(String name, String gang, int size, long runtime, int priority, String node, long started) {
        Pod on(String other, long now) {
            return new Pod(name, gang, size, runtime, priority, other, now);
        }

        String json() {
            return """
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "user", "uid": "uid-%s",
                      "creationTimestamp": "2030-01-01T00:00:00Z", "labels": {"slotwise.io/gang": "%s"},
                      "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "%s", "uid": "job-%s", "controller": true}],
                      "annotations": {"slotwise.io/gang-size": "%d", "slotwise.io/runtime": "%ds"}},
                     "spec": {"schedulerName": "slotwise", "priority": %d, %s
                      "terminationGracePeriodSeconds": 1,
                      "containers": [{"name": "c", "resources": {"requests": {"cpu": "4", "memory": "1Gi"}}}]},
                     "status": {"phase": "%s" %s}}
                    """.formatted(
                            name,
                            name,
                            gang,
                            gang,
                            gang,
                            size,
                            runtime,
                            priority,
                            node.isEmpty() ? "" : "\"nodeName\": \"%s\",".formatted(node),
                            node.isEmpty() ? "Pending" : "Running",
                            node.isEmpty() ? "" : ", \"startTime\": \"%s\"".formatted(BEGIN.plusSeconds(started)));
        }
    }

    private void show(Pod pod) {
        pods.put(pod.name(), pod);
        replica.seeing(pod.json());
    }

    private void arrives(String gang, int size, long runtime, int priority) {
        for (int i = 0; i < size; i++) {
            show(new Pod("%s-%d-%d".formatted(gang, i, made++), gang, size, runtime, priority, "", 0));
        }
    }

    /** A second of the cluster: the plan, the starts that have room, the pods that go and come again. */
    private void passes() {
        replica.cycle();
        replica.opened(this::uids).forEach(record -> {
            for (Placement placement :
                    Objects.requireNonNull(record.promise()).window().placements()) {
                show(Objects.requireNonNull(pods.get(placement.pod())).on(placement.node(), second));
            }
        });
        for (String name : replica.newlyEvicted()) {
            Pod pod = pods.remove(name.substring("user/".length()));
            if (pod != null) {
                replica.missing(pod.json());
                again.put(pod, second + 1);
            }
        }
        again.entrySet().removeIf(entry -> {
            if (entry.getValue() > second) {
                return false;
            }
            Pod gone = entry.getKey();
            show(new Pod(gone.name() + "x", gone.gang(), gone.size(), gone.runtime(), gone.priority(), "", 0));
            return true;
        });
        replica.newlyTold().forEach(words -> log.add(second + " " + words));
        second++;
        replica.pass(Duration.ofSeconds(1));
    }

    private SortedMap<String, String> uids(GangRecord record) {
        TreeMap<String, String> uids = new TreeMap<>();
        for (Placement placement :
                Objects.requireNonNull(record.promise()).window().placements()) {
            boolean free = pods.values().stream().noneMatch(pod -> pod.node().equals(placement.node()));
            if (!free || !pods.containsKey(placement.pod())) {
                return new TreeMap<>();
            }
            uids.put(placement.pod(), "uid-" + placement.pod());
        }
        return uids;
    }

    private long bound(String gang) {
        return pods.values().stream()
                .filter(pod -> pod.gang().equals(gang) && !pod.node().isEmpty())
                .count();
    }

    @ParameterizedTest
    @CsvSource({"2, 0, 1, 20", "3, 0, 2, 20", "2, 1, 2, 20", "2, 0, 2, 40", "3, 0, 3, 10", "2, 1, 1, 50", "3, 0, 1, 3"})
    void theRoomGoesToTheUrgentGangOnceTheBudgetsLetItGo(int size, int filling, int urgent, int refused) {
        for (int i = 0; i < size + filling; i++) {
            replica.seeing("""
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n%d", "labels": {"slotwise.io/price": "1"}},
                     "spec": {}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"},
                      "conditions": [{"type": "Ready", "status": "True"}]}}
                    """.formatted(i));
        }
        if (filling > 0) {
            arrives("filling", filling, 600, 100);
        }
        arrives("low", size, 600, 0);
        for (int i = 0; i < 10; i++) {
            passes();
        }
        assertThat(bound("low")).isEqualTo(size);

        replica.refuseEvictions(true);
        arrives("high", urgent, 20, 100);
        for (int i = 0; i < refused; i++) {
            passes();
        }
        assertThat(bound("low")).as("%s", log).isEqualTo(size);
        replica.refuseEvictions(false);
        long from = second;
        while (bound("high") < urgent && second < from + 90) {
            passes();
        }

        assertThat(bound("high")).as("%s", String.join("\n", log)).isEqualTo(urgent);
        // One event says that the room is not free yet, and none promises too early a start.
        assertThat(log)
                .filteredOn(words -> words.contains("user/high WindowBroken"))
                .hasSizeLessThan(2);
    }
}
