package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.Phase;
import io.slotwise.live.start.GangStarter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The start of promised gangs, and what prevents it. */
class PromisedStartTest extends OneReplica {
    @Test
    void releasesGoByThePolicyInForce() {
        GangId gang = later();
        long start = host.window(gang).start();
        host.passTo(start + LATEST + 1);
        starter.look(host.instant());
        assertThat(host.released).isEmpty();

        current.write(settings.withPolicy(settings.policy().withTurnover(LATEST + 1)));
        current.renewed();
        starter.look(host.instant());

        assertThat(host.released).hasSize(2);
    }

    @Test
    void aGangIsReleasedAHeadStartBeforeItsWindow() {
        GangId gang = later();
        Instant start = Instant.ofEpochSecond(host.window(gang).start());

        Instant next = starter.look(host.instant());

        assertThat(next).isEqualTo(start.minus(GangStarter.HEAD_START));
        assertThat(host.released).isEmpty();

        host.pass(Duration.between(host.instant(), start.minus(GangStarter.HEAD_START)));
        starter.look(host.instant());

        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.released).containsExactly("g-0 to a", "g-1 to b");

        starter.look(host.instant());
        assertThat(host.released).hasSize(2);
    }

    /** Adds a gang that cannot start before some seconds. */
    private GangId later() {
        GangId gang = host.arrivesLater("g", 2, 100);
        loop.cycle();
        assertThat(host.window(gang).start()).isEqualTo(FakeHost.BEGIN + 20);
        return gang;
    }

    @Test
    void aGangThatIsBoundDirectlyStartsInItsSecondAndNotBefore() {
        GangId gang = later();
        host.goesDirect(gang);
        Instant start = Instant.ofEpochSecond(host.window(gang).start());

        host.pass(Duration.between(host.instant(), start.minusMillis(1)));
        assertThat(starter.look(host.instant())).isEqualTo(start);
        assertThat(host.startedDirectly).isEmpty();

        host.pass(Duration.ofMillis(1));
        starter.look(host.instant());
        assertThat(host.startedDirectly).containsExactly("g");
        assertThat(host.released).isEmpty();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
    }

    @Test
    void aGangThatCanStartNowIsHandedOverBeforeAnythingIsWritten() {
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);

        loop.cycle();

        assertThat(host.startedDirectly).containsExactly("g");
        assertThat(host.writes).isZero();
        assertThat(host.told).isEmpty();
    }

    /** Another replica may have started the first gang, and this one does not know yet. */
    @Test
    void aGangThatCanStartNowByThePlanWaitsForTheRoomOfOneThatIsOnItsWayThere() {
        GangId first = host.arrives("first", 3, 5);
        loop.cycle();
        Window before = host.window(first);
        starter.look(host.instant());
        assertThat(host.known(first).phase()).isEqualTo(Phase.STARTING);
        host.passTo(before.end() + settings.policy().turnover());
        GangId next = host.arrives("next", 3, 100);
        host.goesDirect(next);
        host.fullNodes.add("b");

        loop.cycle();
        assertThat(host.window(next).start()).isEqualTo(host.second());
        assertThat(host.beside).containsExactly(before);
        assertThat(host.startedDirectly).isEmpty();

        host.fullNodes.clear();
        host.pass(Duration.ofMillis(100));
        starter.look(host.instant());
        assertThat(host.startedDirectly).containsExactly("next");
    }

    @Test
    void anUnboundStartOfAPredecessorWaitsForKubeSchedulersFirstBinding() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.openBarrier(gang);
        host.pods.put("g-0", FakeHost.waiting("g-0").byItself());
        host.pods.put("g-1", FakeHost.waiting("g-1"));

        starter.look(host.instant());
        assertThat(host.startedDirectly).isEmpty();

        host.bind("g-1", "b");
        starter.look(host.instant());
        assertThat(host.startedDirectly).containsExactly("g");
    }

    @Test
    void aGangDoesNotStartInTheMiddleOfAWriteOfItsRecord() {
        PlanningLoop one = host.replica(
                current, () -> host.leads, starter, PlanPublisher.Writers.all(Runnable::run), Duration.ZERO);
        GangId gang = host.arrives("g", 2, 100);
        Gang asked = Objects.requireNonNull(host.gangs.get(gang));
        host.gangs.put(gang, asked.startingFrom(FakeHost.BEGIN + 20));
        host.goesDirect(gang);
        List<Instant> looks = new ArrayList<>();
        host.whileWriting = () -> {
            host.passTo(FakeHost.BEGIN + 20);
            looks.add(Objects.requireNonNull(starter.look(host.instant())));
        };

        one.cycle();

        assertThat(looks)
                .containsExactly(Instant.ofEpochSecond(FakeHost.BEGIN + 20).plusMillis(100));
        assertThat(host.startedDirectly).isEmpty();

        starter.look(host.instant());
        assertThat(host.startedDirectly).containsExactly("g");
    }

    @Test
    void aGangThatIsBeingStartedIsLeftAlone() {
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);
        loop.cycle();
        host.starting.add(gang);
        host.passTo(host.second() + LATEST + 5);

        loop.cycle();

        assertThat(host.broken).isEmpty();
        assertThat(host.writes).isZero();
        assertThat(host.window(gang).start()).isEqualTo(FakeHost.BEGIN);
    }

    @Test
    void aGangWhoseRoomIsNotFreeIsReleasedAsSoonAsItIs() {
        GangId gang = later();
        long start = host.window(gang).start();
        host.fullNodes.add("b");
        host.passTo(start);

        assertThat(starter.look(host.instant())).isEqualTo(host.instant().plusMillis(100));
        assertThat(host.released).isEmpty();

        host.fullNodes.clear();
        host.passTo(start + 2);
        starter.look(host.instant());
        assertThat(host.released).hasSize(2);
    }

    @Test
    void aGangWhoseRoomStaysTakenIsNotReleasedButPlannedAgain() {
        GangId gang = later();
        long start = host.window(gang).start();
        host.fullNodes.add("b");
        host.passTo(start + LATEST);
        starter.look(host.instant());
        loop.cycle();
        assertThat(host.window(gang).start()).isEqualTo(start);

        host.passTo(start + LATEST + 1);
        starter.look(host.instant());
        loop.cycle();

        assertThat(host.released).isEmpty();
        assertThat(host.broken).containsExactly(Cause.ROOM_TAKEN);
        assertThat(host.told).contains("g WindowBroken: room-taken: its room was not free at its start");
        assertThat(host.window(gang).start()).isGreaterThan(start);
    }

    /** If many gangs start, records change hundreds of times a second, and each change triggers a look. */
    @Test
    void aGangThatWaitsForItsRoomIsLookedAtTenTimesASecond() {
        host.passTo(host.window(later()).start());
        Instant first = host.instant();
        host.fullNodes.add("b");
        starter.look(first);
        host.fullNodes.clear();

        host.pass(Duration.ofMillis(50));
        assertThat(starter.look(host.instant())).isEqualTo(first.plusMillis(100));
        assertThat(host.released).isEmpty();

        host.pass(Duration.ofMillis(50));
        starter.look(host.instant());
        assertThat(host.released).hasSize(2);
    }

    @Test
    void roomIsCheckedTogetherWithGangsReleasedToTheSameNodes() {
        GangId first = host.arrives("first", 3, 10);
        loop.cycle();
        Window before = host.window(first);
        host.passTo(before.start());
        starter.look(host.instant());
        assertThat(host.known(first).phase()).isEqualTo(Phase.STARTING);
        GangId next = host.arrives("next", 3, 10);
        loop.cycle();
        assertThat(host.beside).isEmpty();

        host.passTo(host.window(next).start());
        starter.look(host.instant());

        assertThat(host.beside).containsExactly(before);
    }

    @Test
    void aGangWithANodeThatIsGoneIsNotReleasedButPlannedAgain() {
        GangId gang = later();
        host.lostNodes.add("b");
        host.passTo(host.window(gang).start());

        starter.look(host.instant());
        assertThat(host.released).isEmpty();

        loop.cycle();
        assertThat(host.broken).containsExactly(Cause.NODE_LOST);
        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.window(gang).placements()).extracting(Placement::node).containsExactly("a", "c");
    }

    @Test
    void aGangThatLosesAPodBeforeItsStartIsRolledBack() {
        GangId gang = later();
        host.pods.remove("g-1");
        host.passTo(host.window(gang).start());

        starter.look(host.instant());
        loop.cycle();

        assertThat(host.released).isEmpty();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.known(gang).promise()).isNull();
        assertThat(host.known(gang).plannedAspect().reason()).isEqualTo("WaitingForMembers");
        assertThat(host.broken).containsExactly(Cause.EDITED);
    }

    @Test
    void aReplacementOfAPodBeforeTheStartGetsItsPlace() {
        GangId gang = later();
        long start = host.window(gang).start();
        host.pods.remove("g-1");
        host.pods.put("g-x", FakeHost.waiting("g-x"));
        host.gangs.put(gang, FakeHost.gang(gang, List.of("g-0", "g-x"), 100, Budget.UNLIMITED, Criterion.START));

        loop.cycle();

        assertThat(host.window(gang).start()).isEqualTo(start);
        assertThat(host.window(gang).placements()).extracting(Placement::pod).containsExactly("g-0", "g-x");
        assertThat(host.broken).isEmpty();
    }

    @Test
    void podsOfAGangThatIsNotOnItsWayKeepNoRoomFromOthers() {
        GangId large = host.arrives("large", 9, 100);
        loop.cycle();
        host.nominate("large-0");
        GangId next = host.arrives("next", 2, 100);
        host.passTo(host.second() + 1);
        loop.cycle();
        assertThat(host.known(large).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.recalled).containsExactly("large");

        // The API server did not answer.
        host.passTo(host.second() + 1);
        loop.cycle();
        assertThat(host.recalled).containsExactly("large", "large");

        host.passTo(host.window(next).start());
        starter.look(host.instant());
        host.nominate("next-0");
        loop.cycle();
        assertThat(host.known(next).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.recalled).doesNotContain("next");
    }

    @Test
    void aPromiseWhoseStartPassedWithoutAReleaseIsPlannedAgain() {
        GangId gang = later();
        long start = host.window(gang).start();

        host.passTo(start + LATEST + 1);
        starter.look(host.instant());
        assertThat(host.released).isEmpty();
        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.OUTAGE);
        assertThat(host.known(gang).history().attempts()).isZero();
        assertThat(host.window(gang).start()).isGreaterThan(start);
    }

    /**
     * Many gangs of one second write their records one after another, and the promises of the last ones count as much.
     */
    @Test
    void aLateWrittenWindowStillReleasesAGangForKubeScheduler() {
        PlanningLoop replica = host.replica(
                current, () -> host.leads, starter, PlanPublisher.Writers.all(Runnable::run), Duration.ZERO);
        GangId gang = host.arrives("g", 2, 100);
        long start = host.second();
        host.whileWriting = () -> host.passTo(start + LATEST + 3);
        replica.cycle();
        host.whileWriting = () -> {};
        assertThat(host.window(gang).start()).isEqualTo(start);

        replica.cycle();
        starter.look(host.instant());

        assertThat(host.broken).isEmpty();
        assertThat(host.released).containsExactly("g-0 to a", "g-1 to b");
        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.known(gang).plannedAspect().holds()).isTrue();
        assertThat(host.writes).as("the promise and the release are one write").isEqualTo(1);
    }

    @Test
    void aGangIsNotReleasedWhenItsRecordCannotBeWritten() {
        GangId gang = later();
        host.passTo(host.window(gang).start());
        host.unreachable = true;

        starter.look(host.instant());
        assertThat(host.released).isEmpty();

        host.unreachable = false;
        starter.look(host.instant());
        assertThat(host.released).hasSize(2);
    }

    @Test
    void gatesThatASuccessorFindsClosedAreOpened() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.passTo(host.window(gang).start());
        host.records.put(gang, host.known(gang).withPhase(Phase.STARTING));

        starter.look(host.instant());

        assertThat(host.released).hasSize(2);
    }
}
