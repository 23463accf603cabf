package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.window.Placement;
import io.slotwise.live.port.SchedulerBackoff;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.LastRefusal;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.NodeAvoidance;
import io.slotwise.live.record.Phase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gangs that a kubelet, kube-scheduler or the API server refuses, and the nodes that are therefore left out. */
class RefusedGangsTest extends OneReplica {
    @Test
    void aMemberThatAKubeletRefusesMakesTheStartFail() {
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);
        loop.cycle();
        host.openBarrier(gang);
        host.pods.put(
                "g-1",
                new Member(
                        "g-1",
                        "uid-g-1",
                        Member.State.ENDED,
                        false,
                        "b",
                        "OutOfcpu: Node didn't have enough resource"));

        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.broken).containsExactly(Cause.REFUSED);
        assertThat(host.known(gang).avoided()).containsOnlyKeys("b");
        assertThat(host.told.getLast()).contains("the kubelet refused g-1").contains("OutOfcpu");
    }

    @Test
    void aRefusedReleasedGangIsRolledBackAndAvoidsTheNode() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();
        host.passTo(start);
        starter.look(host.instant());
        host.refuse("g-1", "0/3 nodes are available: 3 node(s) had volume node affinity conflict");

        host.passTo(start + settings.startTimeout() - 1);
        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);

        host.passTo(start + settings.startTimeout());
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.known(gang).history().attempts()).isEqualTo(1);
        assertThat(host.known(gang).history().promisedStart()).hasValue(start);
        assertThat(host.known(gang).avoided())
                .containsExactly(Map.entry(
                        "b", new NodeAvoidance(host.second() + NodeRefusals.AVOIDED_SECONDS, "uid-g-1", "uid-b")));
        assertThat(host.recalled).containsExactly("g");
        assertThat(host.window(gang).placements()).extracting(Placement::node).containsExactly("a", "c");
        assertThat(host.broken).containsExactly(Cause.REFUSED);
        assertThat(host.told).anyMatch(what -> what.contains("refused g-1: 0/3 nodes are available"));
    }

    @Test
    void theCauseOfRefusalsIsToldOnceUntilItIsAnotherOne() {
        GangId gang = host.arrives("g", 1, 100);
        loop.cycle();

        refuse(gang, "0/3 nodes are available: 3 node(s) had volume node affinity conflict");
        refuse(gang, "0/2 nodes are available: 2 node(s) had volume node affinity conflict");

        assertThat(host.known(gang).history().attempts()).isEqualTo(2);
        assertThat(host.broken).containsExactly(Cause.REFUSED, Cause.REFUSED);
        assertThat(host.told.stream().filter(what -> what.contains("refused g-0")))
                .singleElement()
                .asString()
                .contains("0/3 nodes");
        assertThat(host.known(gang).startedAspect().message())
                .isEqualTo("not started: kube-scheduler refused g-0: 0/2 nodes are available: 2 node(s) had volume "
                        + "node affinity conflict");

        passPause(gang);
        refuse(gang, "0/1 nodes are available: 1 cannot allocate all claims");

        assertThat(host.told.stream().filter(what -> what.contains("refused g-0")))
                .hasSize(2);
        // The window after the first refusal is told, but not those of further attempts.
        assertThat(host.told.stream().filter(what -> what.contains("WindowPromised")))
                .hasSize(2);
    }

    @Test
    void whyAGangWasNotStartedIsKnownByItsRecordAndNotByTheSentenceInIt() {
        GangId gang = host.arrives("g", 1, 100);
        loop.cycle();
        refuse(gang, "0/3 nodes are available: 3 too bad");
        refuse(gang, "0/3 nodes are available: 3 too bad");
        GangRecord refused = host.known(gang);
        assertThat(refused.history().lastRefusal())
                .isEqualTo(new LastRefusal(
                        LastRefusal.By.KUBE_SCHEDULER, List.of("g-0"), 1, "0/3 nodes are available: 3 too bad"));

        host.records.put(gang, refused.started(false, "NotStarted", "in other words", host.second()));
        loop.cycle();
        assertThat(host.known(gang).promise()).isNull();

        // As an older version has written it.
        host.records.put(gang, refused.withHistory(refused.history().withLastRefusal(null)));
        loop.cycle();
        assertThat(host.known(gang).promise()).isNotNull();
    }

    @Test
    void aGangThatHasStartedKeepsNoRefusal() {
        GangId gang = host.arrives("g", 1, 100);
        loop.cycle();
        refuse(gang, "0/3 nodes are available: 3 too bad");

        assertThat(host.known(gang).history().released(host.second()).lastRefusal())
                .isNotNull();
        assertThat(host.known(gang)
                        .history()
                        .started(host.second(), new TreeMap<>())
                        .lastRefusal())
                .isNull();
    }

    @Test
    void aGangThatIsRefusedAgainAndAgainTakesNobodysRoomUntilItIsTriedAgain() {
        GangId gang = host.arrives("g", 1, 100);
        loop.cycle();
        refuse(gang, "0/3 nodes are available: 3 too bad");
        assertThat(host.known(gang).promise()).isNotNull();

        refuse(gang, "0/3 nodes are available: 3 too bad");

        long pause = NodeRefusals.AVOIDED_SECONDS;
        for (int attempts = 2; attempts < 6; attempts++) {
            long refusedAt = host.second();
            assertThat(host.known(gang).promise()).isNull();
            assertThat(host.known(gang).plannedAspect().refusal())
                    .isEqualTo(new Refusal.BackingOff(
                            attempts,
                            refusedAt + pause,
                            "kube-scheduler refused g-0: 0/3 nodes are available: 3 too bad"));
            assertThat(loop.deadline()).isEqualTo(Instant.ofEpochSecond(refusedAt + pause));

            host.passTo(refusedAt + pause - 1);
            loop.cycle();
            assertThat(host.known(gang).promise()).isNull();
            GangId other = host.arrives("other-" + attempts, 3, 5);
            loop.cycle();
            assertThat(host.window(other).start()).isEqualTo(host.second());
            host.gangs.remove(other);
            host.records.remove(other);
            host.pods.keySet().removeIf(pod -> pod.startsWith("other"));

            host.passTo(refusedAt + 2 * pause);
            loop.cycle();
            assertThat(host.known(gang).promise()).isNotNull();
            refuse(gang, "0/3 nodes are available: 3 too bad");
            pause *= 2;
        }
    }

    @Test
    void whileAGangIsTriedElsewhereTheNodesThatRefusedItBeforeStayLeftOut() {
        GangId gang = host.arrives("g", 1, 100);
        loop.cycle();
        refuse(gang, "0/3 nodes are available: 3 too bad");
        refuse(gang, "0/3 nodes are available: 3 too bad");

        passPause(gang);

        assertThat(host.known(gang).avoided()).hasSize(2);
        assertThat(host.known(gang).avoided())
                .doesNotContainKey(host.window(gang).placements().getFirst().node());
    }

    @Test
    void aRemadePodIsTriedAtOnceAlthoughTheLastOneWasRefused() {
        GangId gang = host.arrives("g", 1, 100);
        loop.cycle();
        refuse(gang, "0/3 nodes are available: 3 too bad");
        refuse(gang, "0/3 nodes are available: 3 too bad");
        assertThat(host.known(gang).promise()).isNull();

        host.pods.put("g-0", new Member("g-0", "uid-of-another", Member.State.WAITING, true, "", ""));
        loop.cycle();

        assertThat(host.known(gang).promise()).isNotNull();
    }

    private void passPause(GangId gang) {
        host.passTo(NodeRefusals.pauseEnd(host.known(gang)).orElseThrow());
        loop.cycle();
    }

    /** Lets kube-scheduler refuse a gang's only pod until the gang is rolled back and promised another window. */
    private void refuse(GangId gang, String words) {
        long start = host.window(gang).start();
        host.passTo(start);
        starter.look(host.instant());
        host.refuse("g-0", words);
        host.passTo(start + settings.startTimeout());
        loop.cycle();
    }

    @Test
    void aNodeThatRefusedIsLookedAtAgainAfterAWhile() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.records.put(
                gang,
                host.known(gang).withVersion("edited").avoiding(Map.of("c", NodeAvoidance.until(host.second() + 30))));

        host.passTo(host.second() + 1);
        loop.cycle();
        assertThat(host.known(gang).avoided()).containsOnlyKeys("c");

        host.passTo(host.second() + 30);
        loop.cycle();
        assertThat(host.known(gang).avoided()).isEmpty();
    }

    @Test
    void nodesThatRefuseAreLeftOutTwiceAsLongEachTime() {
        assertThat(IntStream.of(0, 1, 2, 3, 6, 7, 1000).mapToLong(NodeRefusals::avoidedFor))
                .containsExactly(30L, 60L, 120L, 240L, 1920L, 3600L, 3600L);
    }

    @ParameterizedTest
    @CsvSource({"uid-g-0, uid-of-the-one-before", "uid-of-the-one-before, uid-c"})
    void aNodeThatRefusedIsLookedAtAgainWhenItOrThePodIsAnotherOne(String pod, String node) {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long until = host.second() + 3600;
        host.records.put(
                gang,
                host.known(gang)
                        .withVersion("edited")
                        .avoiding(Map.of(
                                "b", new NodeAvoidance(until, "uid-g-0", "uid-b"),
                                "c", new NodeAvoidance(until, pod, node))));

        host.passTo(host.second() + 1);
        loop.cycle();

        assertThat(host.known(gang).avoided()).containsOnlyKeys("b");
    }

    @Test
    void aReleasedGangOfWhichKubeSchedulerSaysNothingWasLeftAloneByIt() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();
        host.passTo(start);
        starter.look(host.instant());

        host.passTo(start + settings.startTimeout());
        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.OUTAGE);
        assertThat(host.known(gang).avoided()).isEmpty();
        assertThat(host.window(gang).start()).isGreaterThan(start);
    }

    @Test
    void aGangInKubeSchedulersBackoffDoesNotStartSooner() {
        host.arrives("running", 3, 100);
        loop.cycle();
        GangId gated = host.arrives("gated", 1, 100);
        GangId asleep = host.arrives("asleep", 1, 100);
        host.refuse("asleep-0", "");
        loop.cycle();
        assertThat(host.window(gated).start()).isGreaterThan(host.second() + 100);
        assertThat(host.window(asleep).start()).isGreaterThan(host.second() + 100);

        host.records.remove(new GangId("user", "running"));
        host.pods.keySet().removeIf(pod -> pod.startsWith("running"));
        host.gangs.remove(new GangId("user", "running"));
        host.passTo(host.second() + 1);
        loop.cycle();

        assertThat(host.window(gated).start()).isLessThan(host.second() + 10);
        assertThat(host.window(asleep).start()).isEqualTo(host.second() + SchedulerBackoff.AWAKE.toSeconds());
    }

    @Test
    void aGangRefusedAfterItsBarrierOpenedIsRolledBackAtOnce() {
        GangId gang = starts("g");
        host.refuse("g-1", "");

        new GangRollback(host, host, host, host, host, host, GangRollback::sleep)
                .takeBack(host.known(gang), "the API server refused g-1");

        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.known(gang).promise()).isNull();
        assertThat(host.broken).containsExactly(Cause.REFUSED);
        assertThat(host.told).contains("g WindowBroken: refused: the API server refused g-1");
    }
}
