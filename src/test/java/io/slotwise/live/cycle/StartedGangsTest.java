package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Started gangs up to their end, including starts in part or on other nodes. */
class StartedGangsTest extends OneReplica {
    @Test
    void aMemberThatAnotherSchedulerBoundElsewhereIsLeftAlone() {
        GangId gang = host.arrives("g", 3, 100);
        host.goesDirect(gang);
        loop.cycle();
        host.openBarrier(gang);
        host.bind("g-0", "elsewhere");
        host.pods.put("g-1", FakeHost.waiting("g-1").byItself());
        host.passTo(host.second() + settings.startTimeout());

        loop.cycle();

        assertThat(host.evicted).containsExactly("g-2");
    }

    @Test
    void aPodFromBeforeLosesItsGateBeforeItsGangStarts() {
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);
        host.pods.put("g-0", FakeHost.waiting("g-0").byItself());

        loop.cycle();

        assertThat(host.released).hasSize(1).first().asString().startsWith("g-0 to ");
        assertThat(host.startedDirectly).containsExactly("g");
    }

    @Test
    void aStartIsRecordedOnceAllPodsAreBound() {
        GangId gang = starts("g");

        loop.cycle();
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);
        assertThat(host.known(gang).startedAspect().holds()).isTrue();
        assertThat(host.started).isEqualTo(1);
        assertThat(host.told)
                .filteredOn(what -> what.startsWith("g GangStarted"))
                .hasSize(1);
    }

    @Test
    void aGangWhosePodsHaveEndedIsCompletedAndForgottenInTime() {
        GangId gang = starts("g");
        loop.cycle();
        host.end("g-0");
        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);

        host.pods.remove("g-1");
        host.pass(Duration.ofSeconds(50));
        long end = host.second();
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(host.known(gang).history().endedAt()).hasValue(end);

        host.passTo(end + settings.reservationTtl());
        loop.cycle();
        assertThat(host.records).isEmpty();
    }

    @Test
    void aGangRemadeInTheCycleThatSeesItsEndIsPlannedAfterTheEndIsWritten() {
        GangId gang = starts("g");
        loop.cycle();
        host.told.clear();
        host.end("g-0");
        host.end("g-1");
        host.whileTaking = () -> {
            host.pods.put("g-0", FakeHost.waiting("g-0"));
            host.pods.put("g-1", FakeHost.waiting("g-1"));
        };

        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(host.known(gang).history().endedAt()).hasValue(host.second());
        assertThat(host.told).isEmpty();

        host.pass(Duration.ofSeconds(20));
        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.told).singleElement().asString().startsWith("g WindowPromised");
    }

    @Test
    void aPartOfAGangIsMadeAgainAfterItsEndAndNothingIsBroken() {
        GangId gang = starts("g");
        loop.cycle();
        host.end("g-0");
        host.end("g-1");
        loop.cycle();
        host.told.clear();
        host.pods.put("g-1", FakeHost.waiting("g-1"));

        loop.cycle();

        GangRecord record = host.known(gang);
        assertThat(record.phase()).isEqualTo(Phase.PENDING);
        assertThat(record.plannedAspect().reason()).isEqualTo("WaitingForMembers");
        assertThat(record.startedAspect().holds()).isFalse();
        assertThat(host.broken).isEmpty();
        assertThat(host.told).noneMatch(what -> what.contains("WindowBroken"));
    }

    @Test
    void aRecordGoesWithItsPods() {
        GangId waiting = host.arrives("g", 2, 100);
        GangId running = starts("h");
        loop.cycle();
        host.pods.clear();

        loop.cycle();
        assertThat(host.records).doesNotContainKey(waiting);
        assertThat(host.known(running).phase()).isEqualTo(Phase.COMPLETED);

        loop.cycle();
        assertThat(host.records).isEmpty();
    }

    @Test
    void aGangThatRunsInPartAfterACrashIsRolledBack() {
        GangId gang = starts("g");
        host.refuse("g-1", "");
        long startedAt = host.known(gang).history().startedAt().orElseThrow();

        host.passTo(startedAt + settings.startTimeout() - 1);
        loop.cycle();
        assertThat(host.evicted).isEmpty();

        host.passTo(startedAt + settings.startTimeout());
        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.known(gang).history().attempts()).isEqualTo(1);
        assertThat(host.known(gang).history().startedAt()).isEmpty();
    }

    @Test
    void aMemberBoundElsewhereIsNotEvictedWithTheOthers() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.openBarrier(gang);
        host.bind("g-1", "c");

        new GangRollback(host, host, host, host, host, host, GangRollback::sleep)
                .takeBack(host.known(gang), "g-1 is bound on node c");

        assertThat(host.evicted).containsExactly("g-0");
    }

    @Test
    void aPodThatIsMadeAgainWhileItsGangIsBeingBoundIsNotPlannedByItself() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.openBarrier(gang);
        host.starting.add(gang);
        host.pods.put("g-1", FakeHost.waiting("g-1"));
        GangId alone = new GangId("user", "pod-g-1");
        host.gangs.put(alone, FakeHost.gang(alone, List.of("g-1"), 100, Budget.UNLIMITED, Criterion.START));

        loop.cycle();

        assertThat(host.records).doesNotContainKey(alone);

        host.starting.clear();
        loop.cycle();
        assertThat(host.records).containsKey(alone);
    }

    @Test
    void aMemberBoundDuringARollbackIsEvictedInTheNextCycle() {
        GangId gang = starts("g");
        String node = place(gang, "g-0");
        takeBackUnbound(gang);
        assertThat(host.evicted).isEmpty();
        host.bind("g-0", node);

        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.known(gang).history().attempts()).isEqualTo(2);
    }

    @Test
    void aDeletedRecordStaysUntilTheMembersOfAnUndoneStartAreGone() {
        GangId gang = starts("g");
        String node = place(gang, "g-0");
        takeBackUnbound(gang);
        assertThat(host.known(gang).isKept()).isTrue();
        host.deletesRecord(gang);
        host.bind("g-0", node);

        loop.cycle();
        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.records).containsKey(gang);

        loop.cycle();
        assertThat(host.records).doesNotContainKey(gang);
    }

    /** The first pod still carries the start, which would count again without a record. */
    @Test
    void theRecordOfARolledBackGangStaysAsLongAsItsPodsTellOfTheStart() {
        GangId gang = starts("g");
        takeBackUnbound(gang);
        host.bind("g-0", "elsewhere");
        host.deleteUntil("g-0", host.second() + 30);
        host.endAt("g-1", host.second());

        loop.cycle();
        assertThat(host.records).containsKey(gang);

        host.endAt("g-0", host.second());
        loop.cycle();
        assertThat(host.records).containsKey(gang);

        host.pass(Duration.ofSeconds(LoopSettings.LEAST_RECORD_TTL));
        loop.cycle();
        assertThat(host.records).doesNotContainKey(gang);
    }

    @Test
    void aGangWhoseBindingsAreUnderWayIsWrittenOnceTheyAreAnswered() {
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);
        loop.cycle();
        host.records.put(gang, host.known(gang).withVersion(""));
        host.starting.add(gang);
        int writes = host.writes;

        loop.cycle();
        assertThat(host.writes).isEqualTo(writes);

        host.starting.clear();
        loop.cycle();
        assertThat(host.writes).isEqualTo(writes + 1);
    }

    @Test
    void aGangThatCannotStartAtOnceMissesItsWindowAndSaysSo() {
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);
        host.startsNothing = true;
        for (int i = 0; i < 3; i++) {
            loop.cycle();
        }
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);

        host.pass(Duration.ofSeconds(settings.tolerance() + 1));
        loop.cycle();

        assertThat(host.told).anyMatch(what -> what.startsWith("g WindowBroken"));
    }

    @Test
    void aGangThatLosesAMemberBeforeItsStartIsRecordedArrivesInTheEnd() {
        GangId gang = starts("g");
        host.pods.remove("g-1");
        loop.cycle();
        assertThat(host.known(gang).isArriving()).isTrue();

        host.pass(Duration.ofSeconds(settings.startTimeout()));
        loop.cycle();

        assertThat(host.known(gang).isArriving()).isFalse();
    }

    @Test
    void aMemberThatIsSeenToBeBoundOnceItsGangIsPromisedAgainIsEvictedToo() {
        GangId gang = starts("g");
        String node = place(gang, "g-0");
        takeBackUnbound(gang);
        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);

        host.bind("g-0", node);
        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.known(gang).promise()).isNull();
    }

    @Test
    void aMemberBoundElsewhereStaysAfterARollback() {
        GangId gang = starts("g");
        String elsewhere = place(gang, "g-0");
        String ours = place(gang, "g-0");
        host.bind("g-1", elsewhere);
        new GangRollback(host, host, host, host, host, host, GangRollback::sleep)
                .takeBack(host.known(gang), "g-1 is bound elsewhere");
        assertThat(host.evicted).containsExactly("g-0");
        host.evicted.clear();

        // Its eviction got no answer.
        host.bind("g-0", ours);
        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
        host.end("g-0");
        host.evicted.clear();

        loop.cycle();

        assertThat(host.evicted).isEmpty();
    }

    /** The API server refuses one member of a gang of two, and the other one is not seen on its node yet. */
    private void takeBackUnbound(GangId gang) {
        host.refuse("g-0", "");
        host.refuse("g-1", "");
        new GangRollback(host, host, host, host, host, host, GangRollback::sleep)
                .takeBack(host.known(gang), "the API server refused g-1");
    }
}
