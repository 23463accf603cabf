package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.WindowOwnership;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of advance reservations, on three nodes for one pod each at one unit per hour. */
class AdvanceReservationTest {
    private static final long HOUR = 3600;
    private static final long UNIT = 3_600_000_000L;
    private static final long GRACE = LoopSettings.EXACT.holdGrace();
    private static final long START = FakeHost.BEGIN + HOUR;

    private final FakeHost host = new FakeHost().withNodes("a", "b", "c");
    private final LoopSettings settings = LoopSettings.EXACT.withPolicy(Policy.EXACT.withTurnover(0));
    private final ChangingSettings current = new ChangingSettings(settings);
    private PlanningLoop loop = replica();
    private final GangStarter starter = host.starter(current);

    @Test
    void aReservationIsPromisedItsWindowAndOthersArePlannedAroundIt() {
        GangId hold = host.holds("hold", 2, START, HOUR);
        loop.cycle();
        GangId rival = host.arrives("rival", 2, 2 * HOUR);
        loop.cycle();

        assertThat(host.known(hold).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.window(hold).start()).isEqualTo(START);
        assertThat(host.window(hold).end()).isEqualTo(START + HOUR);
        assertThat(host.told.getFirst()).startsWith("hold WindowPromised: 2030-01-01T01:00:00Z");
        assertThat(host.window(rival).start()).isEqualTo(START + HOUR);
        assertOneOwnerEach();
    }

    @Test
    void aReservationIsNeverReleased() {
        GangId hold = host.holds("hold", 2, START, HOUR);
        loop.cycle();

        host.passTo(START);

        assertThat(starter.look(host.instant())).isNull();
        loop.cycle();
        assertThat(host.released).isEmpty();
        assertThat(host.broken).isEmpty();
        assertThat(host.known(hold).phase()).isEqualTo(Phase.PROMISED);
    }

    @Test
    void aReservationStaysAlthoughEarlierRoomBecomesFree() {
        host.arrives("first", 3, HOUR);
        loop.cycle();
        GangId hold = host.holds("hold", 2, START, HOUR);
        host.gangs.put(
                hold,
                Objects.requireNonNull(host.gangs.get(hold))
                        .startingFrom(Long.MIN_VALUE)
                        .endingBy(START + 9 * HOUR));
        loop.cycle();
        Window promised = host.window(hold);
        assertThat(promised.start()).isGreaterThan(FakeHost.BEGIN + 60);

        Set.of("first-0", "first-1", "first-2").forEach(host.pods::remove);
        loop.cycle();
        loop.cycle();

        assertThat(host.window(hold)).isEqualTo(promised);
    }

    @Test
    void theGangThatNamesItHasItsWindowAndStartsInIt() {
        GangId hold = held(2);
        GangId gang = host.arrivesFor(hold, "gang", 2, 600);
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.known(gang).ownership()).isEqualTo(new WindowOwnership.Part("hold"));
        assertThat(host.window(gang).start()).isEqualTo(START);
        assertThat(nodes(gang)).isEqualTo(nodes(hold));
        assertThat(host.window(gang).cost()).isEqualTo(new Cost(2 * UNIT / 6));
        loop.cycle();
        assertThat(host.known(hold).startedAspect().message())
                .isEqualTo("gang user/gang takes it over at 2030-01-01T01:00:00Z");
        int writes = host.writes;
        loop.cycle();
        assertThat(host.writes).isEqualTo(writes);

        start(gang);
        loop.cycle();
        loop.cycle();

        assertThat(host.known(hold).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(host.known(hold).startedAspect().message())
                .isEqualTo("gang user/gang took it over at 2030-01-01T01:00:00Z");
        assertThat(host.charged).containsExactly("hold until " + HOUR);
        assertThat(host.told).contains("hold HoldEnded: gang user/gang took it over at 2030-01-01T01:00:00Z");
    }

    @Test
    void unusedRoomIsReleasedOnceTheGangHasStarted() {
        GangId hold = held(3);
        GangId gang = host.arrivesFor(hold, "gang", 1, HOUR);
        loop.cycle();
        GangId rival = host.arrives("rival", 2, 2 * HOUR);
        loop.cycle();
        assertThat(host.window(rival).start()).isEqualTo(START + HOUR);

        start(gang);
        loop.cycle();
        loop.cycle();
        loop.cycle();

        assertThat(host.window(rival).start()).isBetween(START, START + 60);
        assertOneOwnerEach();
    }

    @Test
    void aGangThatComesLateStartsAtOnceInWhatIsLeft() {
        GangId hold = held(2);
        host.passTo(START + 300);
        GangId gang = host.arrivesFor(hold, "gang", 2, 3000);

        loop.cycle();

        assertThat(host.window(gang).start()).isBetween(START + 300, START + 310);
        long start = start(gang);
        loop.cycle();
        loop.cycle();
        assertThat(host.charged).containsExactly("hold until " + (start - FakeHost.BEGIN));
    }

    @Test
    void aGangThatDoesNotFitIntoWhatIsLeftWaitsAndIsPlannedNowhereElse() {
        GangId hold = held(2);
        host.passTo(START + 300);
        GangId gang = host.arrivesFor(hold, "gang", 2, 3400);

        loop.cycle();
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.known(gang).plannedAspect().reason()).isEqualTo("InvalidRequest");
        assertThat(host.known(gang).plannedAspect().message())
                .isEqualTo(
                        "the runtime (56m40s) of gang user/gang does not fit into what is left of reservation user/hold"
                                + " from 2030-01-01T01:00:00Z on, which ends at 2030-01-01T02:00:00Z");
        assertThat(host.told)
                .containsOnlyOnce("gang InvalidRequest: "
                        + host.known(gang).plannedAspect().message());
    }

    @Test
    void gangsThatCannotHaveItSayWhy() {
        GangId hold = held(2);
        GangId large = host.arrivesFor(hold, "broad", 3, 600);
        GangId astray = host.arrivesFor(new GangId("user", "other"), "astray", 1, 600);
        GangId first = host.arrivesFor(hold, "first", 2, 600);
        GangId second = host.arrivesFor(hold, "second", 1, 600);

        loop.cycle();

        assertThat(host.known(large).plannedAspect().message())
                .isEqualTo("gang user/broad has 3 pods, reservation user/hold has room for 2: expected no more pods");
        assertThat(host.known(astray).plannedAspect().message())
                .isEqualTo("reservation user/other does not exist: expected an advance reservation (spec.hold) of "
                        + "that name");
        assertThat(host.known(first).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.known(second).plannedAspect().reason()).isEqualTo("AwaitsReservation");
        assertThat(host.known(second).plannedAspect().message())
                .isEqualTo("waiting for reservation user/hold: gang user/first already uses it");
        assertOneOwnerEach();
    }

    @Test
    void aGangThatGoesBeforeItsStartLeavesTheReservationToTheNextOne() {
        GangId hold = held(2);
        host.arrivesFor(hold, "gang", 2, 600);
        loop.cycle();
        host.pods.remove("gang-0");
        host.pods.remove("gang-1");
        GangId next = host.arrivesFor(hold, "next", 2, 600);
        GangId rival = host.arrives("rival", 2, 2 * HOUR);

        loop.cycle();
        loop.cycle();

        assertThat(host.window(next).start()).isEqualTo(START);
        assertThat(host.window(rival).start()).isEqualTo(START + HOUR);
        assertOneOwnerEach();
    }

    @Test
    void aRolledBackGangReturnsToItsReservation() {
        GangId hold = held(2);
        GangId gang = host.arrivesFor(hold, "gang", 2, 600);
        loop.cycle();
        host.passTo(START);
        starter.look(host.instant());
        host.openBarrier(gang);
        host.refuse("gang-1", "");
        loop.cycle();
        assertThat(host.known(hold).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.broken).isEmpty();

        new GangRollback(host, host, host, host, host, host, GangRollback::sleep)
                .takeBack(host.known(gang), "the API server refused gang-1");
        host.pods.put("gang-0", FakeHost.waiting("gang-0"));
        loop.cycle();

        assertThat(host.known(hold).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
        assertThat(nodes(gang)).isEqualTo(nodes(hold));
        assertThat(host.window(gang).start()).isBetween(START, START + 10);
    }

    @Test
    void aGangThatNamesItNoLongerIsPlannedAgain() {
        GangId hold = held(2);
        GangId gang = host.arrivesFor(hold, "gang", 1, 600);
        loop.cycle();
        host.named.clear();

        loop.cycle();

        assertThat(host.told).contains("gang WindowBroken: edited: the gang no longer names reservation user/hold");
        assertThat(host.known(gang).ownership()).isEqualTo(WindowOwnership.own());
        assertThat(host.window(gang).start()).isLessThan(START);
        assertThat(host.window(hold).start()).isEqualTo(START);
    }

    @Test
    void aGangThatNamesItOnlyLaterMovesIntoIt() {
        GangId hold = held(2);
        GangId gang = host.arrives("gang", 1, 2 * HOUR);
        loop.cycle();
        host.named.put(gang, hold);
        loop.cycle();
        assertThat(host.known(gang).plannedAspect().message())
                .contains("does not fit into what is left of reservation");

        Gang brief = Objects.requireNonNull(host.gangs.get(gang)).lasting(600);
        host.gangs.put(gang, brief);
        loop.cycle();

        assertThat(host.window(gang).start()).isEqualTo(START);
        assertThat(host.broken).containsExactly(Cause.EDITED);
    }

    @Test
    void aReservationStaysInUseWhileItsGangsPodsAreUnknown() {
        GangId hold = held(2);
        GangId gang = host.arrivesFor(hold, "gang", 2, 600);
        loop.cycle();
        loop.cycle();
        GangRecord claimed = host.known(hold);
        start(gang);
        host.errors.add("pods gang");

        loop.cycle();

        assertThat(host.known(hold)).isEqualTo(claimed);
        assertThat(host.told).contains("gang InternalError").doesNotContain("hold InternalError");

        host.errors.clear();
        loop.cycle();
        loop.cycle();

        assertThat(host.known(hold).phase()).isEqualTo(Phase.COMPLETED);
    }

    @Test
    void aReservationExpiresAfterItsGraceAndItsRoomIsUsed() {
        GangId hold = held(3);
        GangId rival = host.arrives("rival", 3, HOUR);
        loop.cycle();
        assertThat(host.window(rival).start()).isNotEqualTo(START);
        assertThat(loop.deadline()).isNotNull();

        host.passTo(START + GRACE - 1);
        host.end("rival-0");
        loop.cycle();
        assertThat(host.known(hold).phase()).isEqualTo(Phase.PROMISED);
        assertThat(loop.deadline()).isEqualTo(Instant.ofEpochSecond(START + GRACE));

        host.passTo(START + GRACE);
        GangId late = host.arrives("late", 3, HOUR);
        loop.cycle();

        assertThat(host.known(hold).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(host.known(hold).startedAspect().message())
                .isEqualTo("it expired: no gang took it over at 2030-01-01T01:15:00Z");
        assertThat(host.window(late).start()).isBetween(START + GRACE, START + GRACE + 10);
        assertOneOwnerEach();
    }

    @Test
    void aReservationDoesNotExpireWhileAGangIsPromisedAPartOfIt() {
        GangId hold = held(2);
        host.passTo(START + GRACE - 1);
        GangId gang = host.arrivesFor(hold, "gang", 1, 600);
        loop.cycle();
        assertThat(host.window(gang).start()).isGreaterThanOrEqualTo(START + GRACE - 1);

        host.passTo(START + GRACE + 2);
        loop.cycle();

        assertThat(host.known(hold).phase()).isEqualTo(Phase.PROMISED);
        start(gang);
        loop.cycle();
        loop.cycle();
        assertThat(host.known(hold).startedAspect().message()).startsWith("gang user/gang took it over");
    }

    @Test
    void anEndedReservationsRecordStaysAndLaterGangsAreToldItsEnd() {
        GangId hold = held(2);
        host.passTo(START + GRACE);
        loop.cycle();
        GangId gang = host.arrivesFor(hold, "gang", 1, 600);
        loop.cycle();
        assertThat(host.known(gang).plannedAspect().message())
                .isEqualTo("reservation user/hold is over, it expired: no gang took it over at "
                        + "2030-01-01T01:15:00Z: expected one that still keeps its room");

        host.passTo(START + GRACE + settings.reservationTtl());
        loop.cycle();
        loop.cycle();

        assertThat(host.records).doesNotContainKey(hold);
        assertThat(host.known(gang).plannedAspect().message()).contains("does not exist");
    }

    @Test
    void aNodeThatIsLostBreaksItForItsCauseAndItsGangWithIt() {
        GangId hold = host.holds("hold", 2, START, HOUR);
        host.gangs.put(hold, Objects.requireNonNull(host.gangs.get(hold)).endingBy(START + 9 * HOUR));
        loop.cycle();
        GangId gang = host.arrivesFor(hold, "gang", 2, 600);
        loop.cycle();
        host.lostNodes.add(nodes(hold).getFirst());

        loop.cycle();
        assertThat(host.broken).containsExactlyInAnyOrder(Cause.NODE_LOST, Cause.NODE_LOST);
        assertThat(host.known(gang).plannedAspect().message())
                .isEqualTo("waiting for reservation user/hold: its own window was lost");
        loop.cycle();

        assertThat(nodes(hold)).doesNotContainAnyElementsOf(host.lostNodes);
        assertThat(nodes(gang)).isEqualTo(nodes(hold));
        assertOneOwnerEach();
    }

    @Test
    void deletedBeforeItsStartItCostsNothing() {
        budget("9/month");
        GangId hold = held(2);
        host.deletes(hold);
        loop.cycle();
        loop.cycle();

        assertThat(host.records).doesNotContainKey(hold);
        assertThat(spent()).isEqualTo(Charge.NOTHING);
        assertThat(host.charged).isEmpty();
        assertThat(balance()).isEqualTo(new Cost(0));
    }

    @Test
    void deletedAfterItsStartItIsChargedToThatSecond() {
        budget("9/month");
        GangId hold = held(2);
        assertThat(balance()).isEqualTo(new Cost(2 * UNIT));
        host.passTo(START + 90);
        loop.cycle();
        host.deletes(hold);
        host.passTo(START + 100);
        loop.cycle();
        assertThat(host.records).containsKey(hold);
        loop.cycle();
        loop.cycle();

        assertThat(host.records).doesNotContainKey(hold);
        assertThat(spent()).isEqualTo(new Charge(new Cost(2 * UNIT / 40), Cost.ZERO));
        assertThat(balance()).isEqualTo(new Cost(0));
    }

    @Test
    void untakenItIsChargedFromItsStartToItsExpiry() {
        budget("9/month");
        held(2);
        host.passTo(START + GRACE + 40);
        loop.cycle();
        loop.cycle();

        assertThat(spent()).isEqualTo(new Charge(new Cost(2 * UNIT / 4), Cost.ZERO));
        assertThat(balance()).isEqualTo(new Cost(0));
        assertThat(host.charged).containsExactly("hold until " + (HOUR + GRACE));
    }

    @Test
    void takenOverNothingIsChargedTwiceAndNothingIsLost() {
        budget("9/month");
        GangId hold = held(2);
        host.passTo(START + 295);
        GangId gang = host.arrivesFor(hold, "gang", 1, 1800);
        loop.cycle();
        loop.cycle();
        assertThat(balance()).isEqualTo(new Cost(2 * UNIT));

        long start = start(gang);
        for (int i = 0; i < 3; i++) {
            loop.cycle();
        }
        assertThat(spent()).isEqualTo(new Charge(new Cost(2 * UNIT * (start - START) / HOUR), Cost.ZERO));
        assertThat(balance()).isEqualTo(new Cost(UNIT / 2));
        host.passTo(start + 600);
        host.endAt("gang-0", start + 600);
        for (int i = 0; i < 3; i++) {
            loop.cycle();
        }

        Cost both = new Cost(2 * UNIT * (start - START) / HOUR + UNIT / 6);
        assertThat(spent()).isEqualTo(new Charge(both, Cost.ZERO));
        assertThat(balance()).isEqualTo(new Cost(0));
    }

    @Test
    void theMoneyOfAReservationThatEndsIsNotSpentBeforeItIsCharged() {
        budget("2.5/month");
        held(2);
        host.passTo(START + GRACE);
        GangId rival = host.arrives("rival", 3, HOUR);
        loop.cycle();

        assertThat(host.known(rival).plannedAspect().message()).contains("2 is left");
    }

    /** The process dies after each write of the cycle in turn, and another one continues. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8})
    void killedBetweenAnyTwoWritesExactlyOneOwnsTheRoom(int survived) {
        budget("99/month");
        GangId hold = held(2);
        GangId gang = host.arrivesFor(hold, "gang", 1, 600);
        GangId rival = host.arrives("rival", 2, 2 * HOUR);
        dying(survived);
        assertOneOwnerEach();
        loop.cycle();
        assertThat(host.window(gang).start()).isEqualTo(START);
        assertThat(host.window(rival).start()).isEqualTo(START + HOUR);

        start(gang);
        dying(survived);
        assertOneOwnerEach();
        dying(survived);
        assertOneOwnerEach();
        loop.cycle();
        loop.cycle();
        assertThat(host.known(hold).phase()).isEqualTo(Phase.COMPLETED);
        host.passTo(START + 600);
        host.endAt("gang-0", START + 600);
        for (int i = 0; i < 4; i++) {
            dying(survived);
            assertOneOwnerEach();
        }
        host.pods.remove("gang-0");
        for (int i = 0; i < 4; i++) {
            dying(survived);
            loop.cycle();
        }

        assertThat(spent()).isEqualTo(new Charge(new Cost(UNIT / 6), Cost.ZERO));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void killedWhileItExpiresOrIsDeletedItIsChargedOnce(int survived) {
        budget("99/month");
        GangId expiring = held(2);
        GangId deleted = host.holds("other", 1, START, HOUR);
        loop.cycle();
        host.passTo(START + 60);
        host.deletes(deleted);
        host.arrives("rival", 1, HOUR);
        for (int i = 0; i < 3; i++) {
            dying(survived);
            assertOneOwnerEach();
        }
        loop.cycle();
        host.passTo(START + GRACE);
        host.arrives("more", 2, HOUR);
        for (int i = 0; i < 3; i++) {
            dying(survived);
            assertOneOwnerEach();
        }
        for (int i = 0; i < 4; i++) {
            loop.cycle();
        }

        assertThat(host.known(expiring).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(host.records).doesNotContainKey(deleted);
        assertThat(spent()).isEqualTo(new Charge(new Cost(2 * UNIT / 4 + UNIT / 60), Cost.ZERO));
    }

    /** Runs a cycle of a process that dies after this many writes. The next process knows only these writes. */
    private void dying(int writes) {
        host.writesLeft = writes;
        loop.cycle();
        host.writesLeft = Integer.MAX_VALUE;
        loop = replica();
    }

    private GangId held(int size) {
        GangId hold = host.holds("hold", size, START, HOUR);
        loop.cycle();
        loop.cycle();
        return hold;
    }

    private long start(GangId gang) {
        long start = host.window(gang).start();
        if (start > host.second()) {
            host.passTo(start);
        }
        starter.look(host.instant());
        host.openBarrier(gang);
        return host.second();
    }

    private PlanningLoop replica() {
        return host.replica(current);
    }

    private List<String> nodes(GangId gang) {
        return host.window(gang).placements().stream()
                .map(Placement::node)
                .sorted()
                .toList();
    }

    private void budget(String text) {
        host.grants.put("user", new Grant.Given(Allotment.parse(text)));
    }

    /** The charge without the runtimes of pods, which another test checks. */
    private Charge spent() {
        return Objects.requireNonNull(host.ledgers.get("user")).days().values().stream()
                .reduce(Charge.NOTHING, Charge::plus)
                .lasting(0);
    }

    private Cost balance() {
        return Objects.requireNonNull(host.ledgers.get("user"))
                .statement()
                .balances()
                .getFirst()
                .heldCost();
    }

    /**
     * Asserts that no two windows overlap, except a gang's within its reservation, which owns the room until the gang
     * has started.
     */
    private void assertOneOwnerEach() {
        List<Placement> rooms = new ArrayList<>();
        for (GangRecord record : host.records.values()) {
            Promise promise = record.promise();
            if (promise == null || record.phase() == Phase.COMPLETED) {
                continue;
            }
            GangId owner = record.host();
            GangRecord hold = owner == null ? null : host.records.get(owner);
            if (hold != null && hold.promise() != null && hold.phase() != Phase.COMPLETED) {
                Window room = hold.promise().window();
                assertThat(promise.window().placements())
                        .allSatisfy(placement -> assertThat(room.placements())
                                .anyMatch(podPlacement -> podPlacement.node().equals(placement.node())
                                        && podPlacement.start() <= placement.start()
                                        && placement.end() <= podPlacement.end()));
            } else {
                rooms.addAll(promise.window().placements());
            }
        }
        for (int i = 0; i < rooms.size(); i++) {
            Placement one = rooms.get(i);
            assertThat(rooms.subList(i + 1, rooms.size()))
                    .filteredOn(other -> other.node().equals(one.node()))
                    .allMatch(other -> other.end() <= one.start() || one.end() <= other.start());
        }
    }
}
