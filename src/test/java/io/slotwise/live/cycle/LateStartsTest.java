package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.window.Placement;
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
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The promises after a gang whose start becomes durable some seconds after its window's second. */
class LateStartsTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final long RUNTIME = 60;

    private final Map<String, String> nodes = new HashMap<>();
    private final List<String> told = new ArrayList<>();
    private WholeReplica replica = new WholeReplica(LoopSettings.EXACT, PriceCatalogue.EMPTY, BEGIN);

    /** The program's defaults, a turnover of some seconds, and one with slack as in the chart. */
    enum Rules {
        DEFAULTS,
        TURNOVER,
        SLACK;

        LoopSettings settings() {
            return LoopSettings.EXACT.withPolicy(
                    switch (this) {
                        case DEFAULTS -> Policy.EXACT;
                        case TURNOVER -> Policy.EXACT.withTurnover(3);
                        case SLACK -> Policy.EXACT.withTurnover(5).withSlack(new PromiseSlack(200_000, 100_000, 0));
                    });
        }
    }

    @AfterEach
    void close() {
        replica.close();
    }

    private void begin(LoopSettings settings, int nodeCount) {
        replica.close();
        replica = new WholeReplica(settings, PriceCatalogue.EMPTY, BEGIN);
        for (int i = 0; i < nodeCount; i++) {
            replica.seeing("""
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n%d"},
                     "spec": {}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"},
                      "conditions": [{"type": "Ready", "status": "True"}]}}
                    """.formatted(i));
        }
    }

    private void show(String gang, String annotation, String phase) {
        String node = nodes.get(gang);
        replica.seeing("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s-0", "namespace": "user", "uid": "uid-%s-0",
                  "creationTimestamp": "2030-01-01T00:00:00Z", "labels": {"slotwise.io/gang": "%s"},
                  "annotations": {"slotwise.io/gang-size": "1", "slotwise.io/runtime": "%ds" %s}},
                 "spec": {"schedulerName": "slotwise", %s
                  "containers": [{"name": "c", "resources": {"requests": {"cpu": "4", "memory": "1Gi"}}}]},
                 "status": {"phase": "%s"}}
                """.formatted(
                        gang,
                        gang,
                        gang,
                        RUNTIME,
                        annotation,
                        node == null ? "" : "\"nodeName\": \"%s\",".formatted(node),
                        phase));
    }

    private void cycle() {
        replica.cycle();
        told.addAll(replica.newlyTold());
    }

    /** Makes the due starts durable, and lets their pods run. */
    private void open() {
        for (GangRecord started : replica.opened(LateStartsTest::uids)) {
            Placement placement = Objects.requireNonNull(started.promise())
                    .window()
                    .placements()
                    .getFirst();
            nodes.put(started.gang().name(), placement.node());
            show(started.gang().name(), "", "Running");
        }
    }

    private static SortedMap<String, String> uids(GangRecord record) {
        TreeMap<String, String> uids = new TreeMap<>();
        Objects.requireNonNull(record.promise())
                .window()
                .placements()
                .forEach(placement -> uids.put(placement.pod(), "uid-" + placement.pod()));
        return uids;
    }

    private GangRecord record(String gang) {
        return replica.records().stream()
                .filter(record -> record.gang().name().equals(gang))
                .findFirst()
                .orElseThrow();
    }

    private long start(String gang) {
        return record(gang).windowStart().orElseThrow();
    }

    private void pass(long seconds) {
        replica.pass(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @EnumSource
    void aPromiseInTheSameRoomHoldsAlthoughTheGangBeforeStartsLate(Rules rules) {
        begin(rules.settings(), 1);
        show("first", "", "Pending");
        show("second", "", "Pending");
        cycle();
        long promised = start("second");
        assertThat(promised)
                .isEqualTo(replica.now() + RUNTIME + rules.settings().policy().turnover());

        firstStartsLateAndTakesItsWholeRuntime(promised);
    }

    /** The first gang is a second late. The second gang starts by then, and keeps its promise. */
    private void firstStartsLateAndTakesItsWholeRuntime(long promised) {
        pass(1);
        open();
        long end = replica.now() + RUNTIME;
        while (replica.now() < Math.max(promised, end)) {
            cycle();
            assertThat(start("second")).as("%s", told).isLessThanOrEqualTo(promised);
            open();
            pass(1);
            if (replica.now() == end) {
                show("first", "", "Succeeded");
            }
        }
        cycle();
        open();

        assertThat(record("second").phase()).isEqualTo(Phase.RUNNING);
        assertThat(record("second").history().startedAt().orElseThrow()).isLessThanOrEqualTo(Math.max(promised, end));
        assertThat(told).noneMatch(words -> words.contains("WindowBroken") || words.contains("WindowMoved"));
    }

    @ParameterizedTest
    @EnumSource
    void aPromiseOfASuccessorHoldsAlthoughItsPredecessorStartsLate(Rules rules) {
        begin(rules.settings(), 2);
        show("first", "", "Pending");
        show("second", ", \"slotwise.io/after\": \"first\"", "Pending");
        cycle();
        long promised = start("second");
        assertThat(promised).isEqualTo(replica.now() + RUNTIME);

        firstStartsLateAndTakesItsWholeRuntime(promised);
    }

    @Test
    void aPromiseBehindAGangThatStartsLaterThanAPromiseMayIsBroken() {
        LoopSettings settings = Rules.DEFAULTS.settings();
        begin(settings, 1);
        show("first", "", "Pending");
        show("second", "", "Pending");
        cycle();
        long promised = start("second");

        pass(settings.tolerance() + 1);
        open();
        cycle();

        assertThat(told)
                .anyMatch(words -> words.contains("user/second WindowBroken")
                        && words.contains("room-taken")
                        && words.contains("started 6s after its promised start"));
        assertThat(start("second")).isEqualTo(promised + settings.tolerance() + 1);
    }

    private void beginWithQueue(String limit) {
        begin(Rules.DEFAULTS.settings(), 0);
        replica.seeing("""
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "large"},
                 "spec": {}, "status": {"allocatable": {"cpu": "12", "memory": "12Gi", "pods": "10"},
                  "conditions": [{"type": "Ready", "status": "True"}]}}
                """);
        limit(limit);
    }

    private void limit(String limit) {
        replica.seeing("""
                {"apiVersion": "slotwise.io/v1alpha1", "kind": "Queue", "metadata": {"name": "team", "uid": "team"},
                 "spec": {"namespaces": ["user"], "limit": {"cpu": "%s"}}}
                """.formatted(limit));
    }

    @Test
    void aGangWaitsWhileOneOfItsQueueRunsBeyondItsWindow() {
        beginWithQueue("4");
        show("first", "", "Pending");
        show("second", "", "Pending");
        cycle();
        assertThat(start("second")).isEqualTo(replica.now() + RUNTIME);
        open();
        cycle();

        pass(RUNTIME);
        assertThat(replica.starting()).isEmpty();

        show("first", "", "Succeeded");
        pass(1);
        assertThat(replica.starting()).containsExactly("second");
    }

    @Test
    void aGangWaitsForOneThatBeganAfterTheLastCycleAndRunsBeyondItsWindow() {
        beginWithQueue("4");
        show("first", "", "Pending");
        show("second", "", "Pending");
        cycle();
        open();

        pass(RUNTIME);
        assertThat(replica.starting()).isEmpty();

        show("first", "", "Succeeded");
        pass(1);
        assertThat(replica.starting()).containsExactly("second");
    }

    @Test
    void ofTwoGangsThatAreDueTheFirstTakesTheRoomThatALateGangLeaves() {
        beginWithQueue("8");
        show("first", "", "Pending");
        cycle();
        open();
        cycle();
        String later =
                ", \"slotwise.io/earliest-start\": \"%s\"".formatted(Instant.ofEpochSecond(replica.now() + RUNTIME));
        show("second", later, "Pending");
        show("third", later, "Pending");
        cycle();

        pass(RUNTIME);
        assertThat(replica.starting()).containsExactly("second");
    }

    @Test
    void aPromiseHoldsAlthoughTheLimitOfItsQueueIsLowered() {
        beginWithQueue("8");
        show("first", "", "Pending");
        cycle();
        open();
        cycle();
        show(
                "second",
                ", \"slotwise.io/earliest-start\": \"%s\"".formatted(Instant.ofEpochSecond(replica.now() + RUNTIME)),
                "Pending");
        cycle();
        limit("1");
        cycle();

        pass(RUNTIME);
        assertThat(replica.starting()).containsExactly("second");
    }

    @Test
    void twoPlannedGangsOfOneNameDoNotEndACycle() {
        beginWithQueue("8");
        List.of("a g", "b g", "c pod-b").forEach(pod -> replica.seeing("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%1$s", "namespace": "user", "uid": "uid-%1$s",
                  "creationTimestamp": "2030-01-01T00:00:00Z", "labels": {"slotwise.io/gang": "%2$s"},
                  "annotations": {"slotwise.io/gang-size": "1", "slotwise.io/runtime": "60s"}},
                 "spec": {"schedulerName": "slotwise",
                  "containers": [{"name": "c", "resources": {"requests": {"cpu": "4"}}}]},
                 "status": {"phase": "Pending"}}
                """.formatted((Object[]) pod.split(" "))));
        cycle();

        assertThat(replica.records()).isNotEmpty();
    }
}
