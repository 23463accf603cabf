package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.config.PolicyFile;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.runtime.PastRun;
import io.slotwise.core.runtime.Prediction;
import io.slotwise.core.runtime.Prediction.Basis;
import io.slotwise.core.runtime.RuntimePredictor;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.WholeReplica;
import io.slotwise.web.GangAnswer;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A whole replica that sees Jobs without a runtime come again and again. */
class PredictedRuntimesTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final List<String> DRAWN = List.of("x7k2p", "b4d9w", "zzq8c", "9fkkt", "m2v5n", "q6hrj");

    private WholeReplica replica = replica(LoopSettings.EXACT);

    private static WholeReplica replica(LoopSettings settings) {
        return new WholeReplica(settings, PriceCatalogue.EMPTY, BEGIN)
                .seeing(node("n1", "1"))
                .seeing(node("n2", "2"));
    }

    @AfterEach
    void close() {
        replica.close();
    }

    private static String node(String name, String performance) {
        return """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s",
              "labels": {"kubernetes.io/hostname": "%s", "slotwise.io/performance": "%s", "slotwise.io/price": "1"}},
             "spec": {}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}, "conditions": [{"type": "Ready", "status": "True"}]}}
            """.formatted(name, name, performance);
    }

    private record Pod(
            String namespace,
            String job,
            String node,
            String phase,
            @Nullable String runtime,
            @Nullable String on) {
        static Pod waiting(String namespace, String job) {
            return new Pod(namespace, job, "", "Pending", null, null);
        }

        Pod stating(String other) {
            return new Pod(namespace, job, node, phase, other, on);
        }

        Pod only(String other) {
            return new Pod(namespace, job, node, phase, runtime, other);
        }

        Pod bound(String other, String now) {
            return new Pod(namespace, job, other, now, runtime, on);
        }

        String name() {
            return job + "-4s9fj";
        }

        String json() {
            return """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "%s", "uid": "uid-%s", "creationTimestamp": "2030-01-01T00:00:00Z",
                  "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "%s", "uid": "job-%s", "controller": true}] %s},
                 "spec": {"schedulerName": "slotwise" %s %s,
                  "containers": [{"name": "c", "image": "registry.example.com:5000/train:v%d", "resources": {"requests": {"cpu": "2", "memory": "1Gi"}}}]},
                 "status": {"phase": "%s"}}
                """.formatted(
                    name(),
                    namespace,
                    name(),
                    job,
                    job,
                    runtime == null ? "" : ", \"annotations\": {\"slotwise.io/runtime\": \"%s\"}".formatted(runtime),
                    node.isEmpty() ? "" : ", \"nodeName\": \"%s\"".formatted(node),
                    on == null ? "" : ", \"nodeSelector\": {\"kubernetes.io/hostname\": \"%s\"}".formatted(on),
                    job.length(),
                    phase);
        }
    }

    private void pass(long seconds) {
        replica.pass(Duration.ofSeconds(seconds));
    }

    /** Plans a pod's gang, starts it if its window is now, and returns its record. */
    private GangRecord plan(Pod pod) {
        replica.seeing(pod.json());
        replica.cycle();
        replica.opened(_ -> new TreeMap<>(Map.of(pod.name(), "uid-" + pod.name())))
                .forEach(record -> replica.seeing(
                        pod.bound(place(record).node(), "Running").json()));
        return replica.records().stream()
                .filter(record -> record.gang().name().equals("pod-" + pod.name())
                        && record.gang().namespace().equals(pod.namespace()))
                .findFirst()
                .orElseThrow();
    }

    private static Placement place(GangRecord record) {
        return Objects.requireNonNull(record.promise()).window().placements().getFirst();
    }

    private void run(Pod pod, long seconds, String end) {
        GangRecord record = plan(pod);
        assertThat(record.phase()).isEqualTo(Phase.RUNNING);
        pass(seconds);
        replica.seeing(pod.bound(place(record).node(), end).json());
        replica.cycle();
        pass(60);
    }

    private static RuntimeSource source(GangRecord record) {
        return Objects.requireNonNull(record.terms().source());
    }

    @Test
    void theFifthRunIsPromisedWithinATenthOfWhatItTakes() {
        assertThat(plan(Pod.waiting("team", "train-" + DRAWN.getFirst()).only("n1"))
                        .terms()
                        .runtime())
                .isEqualTo(LoopSettings.EXACT.defaultRuntime());
        long[] seconds = {2270, 2300, 2250, 2290};
        for (int i = 0; i < 4; i++) {
            run(Pod.waiting("team", "train-" + DRAWN.get(i)).only("n1"), seconds[i], "Succeeded");
        }

        GangRecord fifth = plan(Pod.waiting("team", "train-" + DRAWN.get(4)).only("n1"));

        assertThat(place(fifth).end() - place(fifth).start()).isCloseTo(2280, within(228L));
        assertThat(source(fifth).predicted().orElseThrow().runs()).isEqualTo(4);
        assertThat(source(fifth).workload().name()).isEqualTo("Job/train");
        GangAnswer answer = GangAnswer.of(fifth);
        assertThat(Objects.requireNonNull(answer.runtime()).message())
                .startsWith("predicted from 4 runs: ")
                .contains(", 90 % end within ");
        assertThat(answer.runtime().source()).isEqualTo("predicted");
    }

    @Test
    void aRunOnAFastNodeCountsAsTwiceAsLongOnTheReferenceNode() {
        for (int i = 0; i < 3; i++) {
            run(Pod.waiting("team", "train-" + DRAWN.get(i)).only("n2"), 500, "Succeeded");
        }

        GangRecord slow = plan(Pod.waiting("team", "train-" + DRAWN.get(3)).only("n1"));

        assertThat(source(slow).predicted().orElseThrow())
                .isEqualTo(new Prediction(3, 1000, 900_000, 1000, Basis.WORKLOAD));
        assertThat(place(slow).end() - place(slow).start()).isEqualTo(1000);
    }

    /** An attacker on a node may state a performance of a million. */
    @Test
    void aNodeTeachesNoRuntimeBeyondAHundredTimesWhatARunTook() {
        replica.seeing(node("absurd", "1000000"));

        run(Pod.waiting("team", "train-x7k2p").only("absurd"), 60, "Succeeded");

        assertThat(Objects.requireNonNull(replica.runHistories().get("team"))
                        .workloads()
                        .values())
                .flatExtracting(series -> series.runs())
                .extracting(PastRun::seconds)
                .containsExactly(6000L);
    }

    @Test
    void aRunOfDistantPodsCountsAsLongAsItWouldTakeNearby() {
        Pod pod = Pod.waiting("team", "train-x7k2p")
                .only("n2")
                .stating("1h\", \"slotwise.io/distance-cost\": \"cluster=1.5");

        run(pod, 1500, "Succeeded");

        assertThat(Objects.requireNonNull(replica.runHistories().get("team"))
                        .workloads()
                        .values())
                .flatExtracting(series -> series.runs())
                .extracting(PastRun::seconds)
                .containsExactly(2000L);
    }

    @Test
    void nothingIsKnownOfARunInAnotherNamespace() {
        for (int i = 0; i < 3; i++) {
            run(Pod.waiting("team", "train-" + DRAWN.get(i)), 600, "Succeeded");
        }

        GangRecord other = plan(Pod.waiting("rivals", "train-" + DRAWN.get(3)));

        assertThat(other.terms().runtime()).isEqualTo(LoopSettings.EXACT.defaultRuntime());
        assertThat(source(other).prediction()).isNull();
        assertThat(replica.runHistories()).containsOnlyKeys("team");
    }

    @Test
    void aRunThatFailedTeachesNothing() {
        run(Pod.waiting("team", "train-" + DRAWN.getFirst()), 5, "Failed");

        assertThat(replica.runHistories()).isEmpty();
    }

    @Test
    void aPromiseKeepsItsRuntimeWhileOthersEnd() {
        run(Pod.waiting("team", "train-" + DRAWN.getFirst()), 600, "Succeeded");
        Pod first = Pod.waiting("team", "long-" + DRAWN.getFirst()).stating("2h");
        Pod second = Pod.waiting("team", "long-" + DRAWN.get(1)).stating("2h");
        plan(first.only("n1"));
        plan(second.only("n1"));
        Pod next = Pod.waiting("team", "train-" + DRAWN.get(1)).only("n1");
        GangRecord promised = plan(next);
        assertThat(promised.phase()).isEqualTo(Phase.PROMISED);
        long planned = promised.terms().runtime();
        run(Pod.waiting("team", "train-" + DRAWN.get(2)).only("n2"), 3000, "Succeeded");

        GangRecord later = plan(next);

        assertThat(later.terms().runtime()).isEqualTo(planned);
        assertThat(source(later)).isEqualTo(source(promised));
        assertThat(later.promise()).isEqualTo(promised.promise());
    }

    @Test
    void aStatedRuntimeHoldsAndIsHintedAtWhenItIsFarOff() {
        for (int i = 0; i < 3; i++) {
            run(Pod.waiting("team", "train-" + DRAWN.get(i)), 600, "Succeeded");
        }

        GangRecord stated = plan(Pod.waiting("team", "train-" + DRAWN.get(3)).stating("4h"));

        assertThat(stated.terms().runtime()).isEqualTo(4 * 3600);
        GangAnswer.RuntimeAnswer runtime =
                Objects.requireNonNull(GangAnswer.of(stated).runtime());
        assertThat(runtime.source()).isEqualTo("stated");
        assertThat(runtime.message()).isNull();
        assertThat(runtime.hint())
                .startsWith("Its runtime is stated as 4h, but of its last 3 runs 90 % ended within ")
                .endsWith(".")
                .doesNotContain("Leave");
    }

    @Test
    void aGuessThatIsPassedDoubles() {
        for (int i = 0; i < 3; i++) {
            run(Pod.waiting("team", "train-" + DRAWN.get(i)).only("n1"), 600, "Succeeded");
        }
        Pod slow = Pod.waiting("team", "train-" + DRAWN.get(3)).only("n1");
        plan(slow);
        pass(700);
        replica.cycle();

        assertThat(Objects.requireNonNull(replica.latest()).snapshot().cluster().occupations())
                .singleElement()
                .satisfies(occupation -> assertThat(occupation.interval().end()
                                - occupation.interval().start())
                        .isEqualTo(1200));
    }

    @Test
    void aGangThatPassesItsPredictionIsEvictedLikeAnyOther() {
        replica.close();
        replica = replica(PolicyFile.read(new StringReader("running.overrun.then: evict"), "policy.yaml"));
        for (int i = 0; i < 3; i++) {
            run(Pod.waiting("team", "train-" + DRAWN.get(i)).only("n1"), 600, "Succeeded");
        }
        Pod slow = Pod.waiting("team", "train-" + DRAWN.get(3)).only("n1");
        plan(slow);
        pass(600 + 59);
        replica.cycle();
        assertThat(replica.newlyEvicted()).isEmpty();

        pass(30);
        replica.cycle();
        replica.cycle();

        assertThat(replica.newlyEvicted()).containsExactly(slow.namespace() + "/" + slow.name());
    }

    @ParameterizedTest
    @CsvSource({"n1, 3600", "n2, 1800"})
    void aGangIsNotEvictedBeforeItHasRunAsLongAsTheLongestRunOfItsWorkload(String node, long longest) {
        replica.close();
        replica = replica(PolicyFile.read(new StringReader("running.overrun.then: evict"), "policy.yaml"));
        run(Pod.waiting("team", "train-" + DRAWN.get(0)).only("n1"), 1, "Succeeded");
        run(Pod.waiting("team", "train-" + DRAWN.get(1)).only("n1"), 3600, "Succeeded");
        Pod slow = Pod.waiting("team", "train-" + DRAWN.get(2)).only(node);
        assertThat(plan(slow).terms().runtime()).isEqualTo(2);

        pass(longest + 59);
        replica.cycle();
        replica.cycle();
        assertThat(replica.newlyEvicted()).isEmpty();

        pass(1);
        replica.cycle();
        replica.cycle();
        assertThat(replica.newlyEvicted()).containsExactly(slow.namespace() + "/" + slow.name());
    }

    /** A single run on a node with a stated performance of a hundred looks like a run of two years. */
    @Test
    void aSingleRunOfYearsDelaysNoEvictionBeyondTheHorizon() {
        replica.close();
        replica = replica(PolicyFile.read(new StringReader("running.overrun.then: evict"), "policy.yaml"));
        replica.seeing(node("absurd", "1000000"));
        run(Pod.waiting("team", "train-" + DRAWN.get(0)).only("n1"), 1, "Succeeded");
        run(Pod.waiting("team", "train-" + DRAWN.get(1)).only("absurd"), 600_000, "Succeeded");
        Pod slow = Pod.waiting("team", "train-" + DRAWN.get(2)).only("n1");
        assertThat(plan(slow).terms().runtime()).isEqualTo(2);

        pass(Duration.ofDays(7).toSeconds() + 59);
        replica.cycle();
        replica.cycle();
        assertThat(replica.newlyEvicted()).isEmpty();

        pass(1);
        replica.cycle();
        replica.cycle();
        assertThat(replica.newlyEvicted()).containsExactly(slow.namespace() + "/" + slow.name());
    }

    @Test
    void anUnreadableHistoryDelaysNoGangAndIsReplaced() {
        replica.seeing("""
            {"apiVersion": "slotwise.io/v1alpha1", "kind": "RunHistory", "metadata": {"name": "slotwise", "namespace": "team"},
             "spec": {"workloads": [{"key": "1-a", "name": "x", "runs": [{"id": "a", "endedAt": "soon", "seconds": -5}]}]}}\
            """);

        run(Pod.waiting("team", "train-" + DRAWN.getFirst()), 600, "Succeeded");

        assertThat(Objects.requireNonNull(replica.runHistories().get("team"))
                        .workloads()
                        .values())
                .singleElement()
                .satisfies(series -> assertThat(series.name()).isEqualTo("Job/train"));
    }

    /** The run used a sixth of the default runtime of an hour. A half counts as two runs before it. */
    @Test
    void thePlanUsesTheNamespacesUsedPartIfThePolicySaysSo() {
        replica.close();
        Policy policy = Policy.EXACT.withExpectedUse(500_000);
        replica = replica(LoopSettings.EXACT.withPolicy(policy.withLeastSaving(8_000_000)));

        run(Pod.waiting("team", "train-" + DRAWN.getFirst()).only("n1"), 600, "Succeeded");
        plan(Pod.waiting("team", "train-" + DRAWN.get(1)));

        assertThat(LoopSettings.EXACT.defaultRuntime()).isEqualTo(3_600);
        assertThat(Objects.requireNonNull(replica.latest()).snapshot().uses())
                .isEqualTo(Map.of("team", (int) ((900_000 + 166_666L) * 10 / 28)));
    }

    @Test
    void withoutAHistoryNothingIsPredictedOrRemembered() {
        replica.close();
        replica = replica(LoopSettings.EXACT.withRuntimePrediction(RuntimePredictor.OFF));

        run(Pod.waiting("team", "train-" + DRAWN.getFirst()), 600, "Succeeded");

        assertThat(replica.runHistories()).isEmpty();
        assertThat(plan(Pod.waiting("team", "train-" + DRAWN.get(1))).terms().source())
                .isNull();
    }
}
