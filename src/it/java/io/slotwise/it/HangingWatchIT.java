package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.it.ApiProxy.Turn;
import io.slotwise.it.RunChecker.Disturbance;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Two replicas, each behind a proxy of its own, with watches that begin and then deliver nothing. A {@link Seed}
 * selects the kinds.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HangingWatchIT {
    /** The seconds for which a proof of life counts. */
    private static final int UNNOTICED = 36;

    private static final int SLOW_MACHINE = 10;

    private final Cluster cluster;

    @AutoClose
    private final ApiProxy beforeLeader;

    @AutoClose
    private final ApiProxy beforeOther;

    @AutoClose
    private final SlotwiseProcess leader;

    @AutoClose
    private final SlotwiseProcess other;

    HangingWatchIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        chart.awaitGate();
        beforeLeader = new ApiProxy(plane, 1);
        beforeOther = new ApiProxy(plane, 2);
        leader = chart.slotwise(beforeLeader.url(), Map.of(), List.of());
        other = chart.slotwise(beforeOther.url(), Map.of(), List.of());
        leader.start();
        Scenario.within("the first replica to lead", 40).until(() -> leader.metric("slotwise_leader") == 1);
        other.start();
    }

    @Test
    void aGangStartsAlthoughNoWatchOfPodsBringsAnything() {
        Scenario scenario = new Scenario(cluster, "hangs").withNodes(2);
        Seed seed = new Seed("hangs");
        GangSpec gang = scenario.gang("g", seed.from(1, 2), 3000, 30);
        List<String> hanging = seed.from(0, 1) == 0 ? List.of("pods") : seed.shuffled(List.of("pods", "nodes"));
        hanging.forEach(kind -> beforeLeader.hangWatches(kind, true));
        try {
            cluster.submitAsPods(gang);

            scenario.awaitWhole(gang, UNNOTICED + SLOW_MACHINE);

            assertThat(age(leader, "pods")).isLessThan(UNNOTICED);
            assertThat(leader.metric("slotwise_leader")).isEqualTo(1);
            assertThat(scenario.violations()).isEmpty();
        } finally {
            hanging.forEach(beforeLeader::unhangWatches);
        }
    }

    @Test
    void blindReplicasSaySoAndABlindLeaderStartsNoGang() {
        Scenario scenario = new Scenario(cluster, "blind").withNodes(2);
        Seed seed = new Seed("blind");
        GangSpec gang = scenario.gang("g", seed.from(1, 2), 3000, 30);
        List<String> kinds = seed.shuffled(List.of("pods", "nodes"));
        String unseen = kinds.getFirst();
        String seen = kinds.getLast();
        String unseenByOther = seed.pick(List.of("reservations", "pods", "nodes"));
        Instant due = Scenario.in(UNNOTICED + 2 * SLOW_MACHINE);
        cluster.submitAsPods(gang.with("earliest-start", due.toString()));
        assertThat(scenario.awaitPromise(gang)).isEqualTo(due);
        Instant from = Scenario.now();
        blind(beforeLeader, unseen);
        blind(beforeOther, unseenByOther);
        try {
            int patience = UNNOTICED + SLOW_MACHINE;
            Scenario.within("the leader to be not ready", patience).until(() -> !leader.isReady());
            Scenario.within("the other replica to be not ready", patience).until(() -> !other.isReady());

            Scenario.awaitClock(due.plusSeconds(3));

            assertThat(leader.metric("slotwise_leader")).isEqualTo(1);
            assertThat(leader.isReady()).isFalse();
            assertThat(age(leader, unseen)).isGreaterThan(UNNOTICED);
            assertThat(age(leader, seen)).isLessThan(UNNOTICED);
            assertThat(cluster.boundPods(gang)).isZero();
        } finally {
            see(beforeLeader, unseen);
            see(beforeOther, unseenByOther);
        }

        scenario.awaitWhole(gang, 60);
        leader.awaitReady();
        other.awaitReady();
        assertThat(scenario.violations(new Disturbance(from, Scenario.now()))).isEmpty();
    }

    private static void blind(ApiProxy proxy, String resource) {
        String path = (resource.equals("reservations") ? "/apis/slotwise.io/v1alpha1/" : "/api/v1/") + resource;
        proxy.treat((method, asked) -> method.equals("GET") && asked.equals(path) ? Turn.REFUSED : Turn.PASSES);
        proxy.hangWatches(resource, true);
    }

    private static void see(ApiProxy proxy, String resource) {
        proxy.pass();
        proxy.unhangWatches(resource);
    }

    /** The seconds since the last proof of life of a kind's watch. */
    private static double age(SlotwiseProcess replica, String kind) {
        String series = "slotwise_watch_last_proof_timestamp_seconds{kind=\"" + kind + "\"";
        return replica.get("/metrics")
                .lines()
                .filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .map(proof -> Scenario.now().getEpochSecond() - proof)
                .findFirst()
                .orElseThrow();
    }
}
