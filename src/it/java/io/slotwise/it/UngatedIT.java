package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.it.ExtenderRelay.Answer;
import io.slotwise.it.ExtenderRelay.Call;
import io.slotwise.it.RunChecker.Disturbance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The extender without the admission policy, so that only filter holds the pods back. kube-scheduler sends whole nodes
 * here, has another extender before Slotwise, and a relay to Slotwise that simulates faults.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UngatedIT {
    /** Without a gate a start waits for kube-scheduler's own queue: up to a second of backoff, and the attempt. */
    private static final Duration QUEUE = Duration.ofSeconds(5);

    private final Cluster cluster;
    private final SlotwiseProcess slotwise;
    private final KubeScheduler scheduler;
    private final ExtenderRelay relay;
    private final ExtenderRelay other;

    UngatedIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        Installation chart =
                Installation.install(plane, Map.of("policy.running.turnover", "3s", "admission.gate.enabled", "false"));
        slotwise = chart.startSlotwise();
        relay = ExtenderRelay.before(slotwise);
        other = ExtenderRelay.alone(UngatedIT::allNodes);
        var before = new KubeScheduler.Extender(other.url(), List.of("filter"), false, Duration.ofSeconds(5), false);
        scheduler = chart.startScheduler(relay.extender(), false, List.of(before));
    }

    @AfterAll
    void stop() {
        scheduler.close();
        other.close();
        relay.close();
        slotwise.close();
    }

    @Test
    void podsWithoutGatesWaitAtFilterAndStartTogether() {
        Scenario scenario = new Scenario(cluster, "at-filter").withNodes(3);
        GangSpec gang = scenario.gang("g", 3, 3000, 20)
                .throughKubeScheduler()
                .with("earliest-start", Scenario.in(10).toString());

        cluster.submitAsPods(gang);

        Instant start = scenario.awaitPromise(gang);
        assertThat(gang.pods()).isNotEmpty();
        assertThat(cluster.pods(gang))
                .allSatisfy(
                        pod -> assertThat(pod.getSpec().getSchedulingGates()).isEmpty());
        scenario.awaitWhole(gang, 40);
        assertThat(scenario.violations(new Disturbance(start, start))).isEmpty();
        assertThat(last(gang)).isBefore(start.plus(QUEUE));
        assertThat(other.calls("filter")).isNotEmpty();
        assertThat(relay.calls("filter"))
                .anySatisfy(call -> assertThat(call.body()).contains("\"Nodes\":{"));
    }

    @Test
    void anExtenderThatAnswersLateDelaysTheGangAsAWhole() {
        Scenario scenario = new Scenario(cluster, "late").withNodes(2);
        GangSpec gang = scenario.gang("g", 2, 3000, 20).throughKubeScheduler();
        relay.behave((call, onward) -> {
            if (call.verb().equals("filter") && call.body().contains("\"late\"")) {
                LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
            }
            return onward.send();
        });

        cluster.submitAsPods(gang);

        scenario.awaitWhole(gang, 60);
        relay.behaveWell();
        assertThat(scenario.violations(always())).isEmpty();
    }

    @Test
    void aFailingFilterStartsNoPodUntilItAnswersAgain() {
        Scenario scenario = new Scenario(cluster, "filter-fails").withNodes(2);
        GangSpec gang = scenario.gang("g", 2, 3000, 20)
                .throughKubeScheduler()
                .with("earliest-start", Scenario.in(6).toString());
        relay.behave((call, onward) ->
                call.body().contains("\"filter-fails\"") ? new Answer(500, "broken on purpose") : onward.send());
        cluster.submitAsPods(gang);
        Instant start = scenario.awaitPromise(gang);

        Scenario.awaitClock(start.plusSeconds(4));
        assertThat(cluster.boundPods(gang)).isZero();
        relay.behaveWell();

        scenario.awaitWhole(gang, 60);
        assertThat(scenario.violations(always())).isEmpty();
    }

    @Test
    void aFailingBindIsRetriedAndNoPodRunsAlone() {
        Scenario scenario = new Scenario(cluster, "bind-fails").withNodes(3);
        GangSpec gang = scenario.gang("g", 3, 3000, 20).throughKubeScheduler();
        AtomicInteger failures = new AtomicInteger();
        relay.behave((call, onward) -> {
            boolean first = call.verb().equals("bind")
                    && call.body().contains("\"bind-fails\"")
                    && failures.getAndIncrement() == 0;
            return first ? new Answer(200, "{\"Error\":\"refused on purpose\"}") : onward.send();
        });

        cluster.submitAsPods(gang);

        scenario.awaitWhole(gang, 60);
        relay.behaveWell();
        assertThat(failures.get()).isGreaterThan(1);
        assertThat(scenario.violations(always())).isEmpty();
    }

    private Instant last(GangSpec gang) {
        return cluster.record(gang.namespace()).members(gang.name()).stream()
                .map(pod -> java.util.Objects.requireNonNull(pod.binding()).answered())
                .max(java.util.Comparator.naturalOrder())
                .orElseThrow();
    }

    private static Disturbance always() {
        return new Disturbance(Instant.EPOCH, Instant.MAX);
    }

    /** Another extender, which accepts every node. */
    private static Answer allNodes(Call call, ExtenderRelay.Onward onward) {
        String body = call.body();
        int nodes = body.indexOf("\"Nodes\":");
        int names = body.indexOf(",\"NodeNames\":", nodes);
        return new Answer(200, "{" + body.substring(nodes, names) + ",\"FailedNodes\":{},\"Error\":\"\"}");
    }
}
