package io.slotwise.kubernetes.bind;

import static io.slotwise.kubernetes.bind.BarrierFixture.START;
import static io.slotwise.kubernetes.bind.BarrierFixture.bound;
import static io.slotwise.kubernetes.bind.BarrierFixture.notBound;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.kubernetes.bind.BindApi.BindAnswer;
import io.slotwise.kubernetes.bind.BindApi.PodAnswer;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.start.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class GangBarrierTest {
    private static final String WITHDRAWN = "the window of gang user/g from 2030-01-01T00:00:00Z was withdrawn";
    private static final String NOT_WHOLE =
            "not all pods of gang user/g were ready within 10 s of the promised start 2030-01-01T00:00:00Z";

    private final BarrierFixture fixture = new BarrierFixture();

    @Test
    void bindsNoPodUntilTheLastMemberHasArrived() {
        fixture.view.put(new ReservationBuilder().pods(3).build());
        CompletableFuture<BindOutcome> first = fixture.arrive(0);
        CompletableFuture<BindOutcome> second = fixture.arrive(1);
        fixture.time.advanceTo(START.plusSeconds(3));

        assertThat(fixture.api.writes()).isEmpty();
        CompletableFuture<BindOutcome> third = fixture.arrive(2);

        assertThat(List.of(first, second, third))
                .allSatisfy(call -> assertThat(call).isCompletedWithValue(bound()));
        assertThat(fixture.api.bound()).containsExactlyInAnyOrder("g-0", "g-1", "g-2");
        assertThat(fixture.bound).containsExactlyInAnyOrder("g-0 to n00", "g-1 to n01", "g-2 to n02");
    }

    @Test
    void opensAtThePromisedSecondAndNotAMillisecondBefore() {
        fixture.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> first = fixture.arrive(0);
        CompletableFuture<BindOutcome> second = fixture.arrive(1);

        fixture.time.advanceTo(START.minusMillis(1));
        assertThat(fixture.api.writes()).isEmpty();
        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
        assertThat(fixture.observed).containsExactly("opened user/g after PT0S");
    }

    @Test
    void makesTheStartDurableBeforeTheFirstBinding() {
        fixture.view.put(new ReservationBuilder().version(7).build());
        fixture.come(0);
        fixture.time.advanceTo(START.plusMillis(2700));

        fixture.come(1);

        Reservation record = Objects.requireNonNull(fixture.api.record("g-0"));
        assertThat(record.getMetadata().getResourceVersion()).isEqualTo("7");
        assertThat(record.getStatus().startedAt()).isEqualTo("2030-01-01T00:00:02Z");
        assertThat(fixture.api.writes()).containsExactly("bind g-0 n00", "bind g-1 n01");
        assertThat(fixture.observed).containsExactly("opened user/g after PT2.7S");
    }

    @Test
    void startsByTheNewestVersionOfTheSamePromise() {
        fixture.view.put(new ReservationBuilder().version(7).build());
        fixture.come(0);
        fixture.view.put(new ReservationBuilder().version(8).build());
        fixture.come(1);

        fixture.time.advanceTo(START);

        Reservation record = Objects.requireNonNull(fixture.api.record("g-0"));
        assertThat(record.getMetadata().getResourceVersion()).isEqualTo("8");
    }

    @Test
    void bindsNoPodIfTheRoomOnANodeIsTaken() {
        fixture.view.put(new ReservationBuilder().build());
        fixture.full.put("n01", "the room on node n01 is taken: its cpu is short");
        CompletableFuture<BindOutcome> first = fixture.arrive(0);
        CompletableFuture<BindOutcome> second = fixture.arrive(1);

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound("the room on node n01 is taken: its cpu is short"));
        assertThat(second).isCompletedWithValue(notBound("the room on node n01 is taken: its cpu is short"));
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void givesUpStartTimeoutAfterThePromisedStart() {
        fixture.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> call = fixture.arrive(0);

        fixture.time.advanceTo(START.plusSeconds(10).minusMillis(1));
        assertThat(call).isNotDone();
        fixture.time.advanceTo(START.plusSeconds(10));

        assertThat(call).isCompletedWithValue(notBound(NOT_WHOLE));
        assertThat(fixture.arrive(1)).isCompletedWithValue(notBound(NOT_WHOLE));
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void waitsLongerWhereTheStartTimeoutWasRaisedMeanwhile() {
        fixture.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> call = fixture.arrive(0);

        fixture.timeout = Duration.ofSeconds(20);
        fixture.time.advanceTo(START.plusSeconds(19));
        assertThat(call).isNotDone();
        fixture.time.advanceTo(START.plusSeconds(20));

        assertThat(call).isCompletedWithValue(notBound(NOT_WHOLE.replace("10 s", "20 s")));
    }

    @Test
    void refusesAllPodsAtOnceWhenTheWindowIsWithdrawn() {
        List<Runnable> withdrawals = List.of(
                () -> fixture.view.put(
                        new ReservationBuilder().start(START.plusSeconds(60)).build()),
                () -> fixture.view.put(new ReservationBuilder().attempts(1).build()),
                () -> fixture.view.put(
                        new ReservationBuilder().phase(Phase.PROMISED).build()),
                () -> fixture.view.put(
                        new ReservationBuilder().pendingFor("NoWindow", "none").build()),
                () -> fixture.view.put(new ReservationBuilder().deleting().build()),
                () -> fixture.view.remove("g"));

        for (Runnable withdrawal : withdrawals) {
            fixture.view.put(new ReservationBuilder().build());
            CompletableFuture<BindOutcome> first = fixture.arrive(0);
            CompletableFuture<BindOutcome> second = fixture.arrive(1);
            withdrawal.run();

            assertThat(first).isCompletedWithValue(notBound(WITHDRAWN));
            assertThat(second).isCompletedWithValue(notBound(WITHDRAWN));
        }
        fixture.time.advanceTo(START.plusSeconds(20));
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void startsAgainInTheNextWindow() {
        fixture.view.put(new ReservationBuilder().build());
        fixture.come(0);
        fixture.view.put(new ReservationBuilder()
                .start(START.plusSeconds(60))
                .attempts(1)
                .build());
        CompletableFuture<BindOutcome> first = fixture.arrive(0);
        CompletableFuture<BindOutcome> second = fixture.arrive(1);

        fixture.time.advanceTo(START.plusSeconds(59));
        assertThat(first).isNotDone();
        fixture.time.advanceTo(START.plusSeconds(60));

        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
    }

    @Test
    void doesNotMixTwoWindowsWhenTheChangeIsSeenLate() {
        fixture.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> early = fixture.arrive(0);
        var gang = fixture.view.putQuietly(
                new ReservationBuilder().start(START.plusSeconds(60)).build());
        CompletableFuture<BindOutcome> later = fixture.arrive(1);

        assertThat(early).isCompletedWithValue(notBound(WITHDRAWN));
        fixture.view.notifyOf(gang);
        assertThat(later).isNotDone();
        fixture.time.advanceTo(START.plusSeconds(60));

        assertThat(later).isNotDone();
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void answersARepeatedCallLikeTheFirst() {
        fixture.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> first = fixture.arrive(0);
        CompletableFuture<BindOutcome> again = fixture.arrive(0);
        fixture.come(1);

        fixture.time.advanceTo(START);
        CompletableFuture<BindOutcome> afterwards = fixture.arrive(0);

        assertThat(List.of(first, again, afterwards))
                .allSatisfy(call -> assertThat(call).isCompletedWithValue(bound()));
        assertThat(fixture.api.writes()).hasSize(3);
    }

    @Test
    void waitsForTheNewPodWhenAMemberIsReplaced() {
        fixture.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> old = fixture.bind("g-0", "earlier", "n00");
        fixture.come(1);
        CompletableFuture<BindOutcome> made = fixture.arrive(0);

        assertThat(old).isCompletedWithValue(notBound("another pod of the same name has replaced it"));
        fixture.time.advanceTo(START);

        assertThat(made).isCompletedWithValue(bound());
        assertThat(fixture.repairs).isEmpty();
    }

    @Test
    void bindsALateMemberOfARunningGangAtOnce() {
        fixture.view.put(
                new ReservationBuilder().phase(Phase.RUNNING).startedAt(START).build());
        fixture.time.advanceTo(START.plusSeconds(5));

        CompletableFuture<BindOutcome> call = fixture.arrive(1);

        assertThat(call).isCompletedWithValue(bound());
        assertThat(fixture.api.writes()).containsExactly("bind g-1 n01");
    }

    @Test
    void bindsNoPodThatCameInThePlaceOfAMemberAfterTheStart() {
        fixture.view.put(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(START)
                .members("g-0", "g-1")
                .build());
        fixture.time.advanceTo(START.plusSeconds(5));

        assertThat(fixture.bind("g-1", "another", ReservationBuilder.node(1)))
                .isCompletedWithValue(notBound(Waits.FOR_A_PLAN));
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void bindsNoMorePodsOfAGangThatIsAboutToBeRolledBack() {
        fixture.view.put(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(START)
                .opened()
                .build());
        fixture.time.advanceTo(START.plus(fixture.timeout));

        assertThat(fixture.arrive(1))
                .isCompletedWithValue(
                        notBound("not all pods of gang user/g were ready within 10 s of the promised start " + START));
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void bindsWaitingPodsWhenAnotherReplicaHasOpenedTheBarrier() {
        fixture.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> call = fixture.arrive(1);

        fixture.view.put(
                new ReservationBuilder().phase(Phase.RUNNING).startedAt(START).build());

        fixture.time.advanceTo(START.minusMillis(1));
        assertThat(fixture.api.bound()).isEmpty();

        fixture.time.advanceTo(START);
        assertThat(call).isCompletedWithValue(bound());
        assertThat(fixture.api.writes()).containsExactly("bind g-1 n01");
        assertThat(fixture.observed).isEmpty();
    }

    @Test
    void refusesAnotherNodeThanThePromisedOneAtOnce() {
        fixture.view.put(new ReservationBuilder().build());

        CompletableFuture<BindOutcome> call = fixture.bind("g-0", "n01");

        assertThat(call).isCompletedWithValue(notBound("promised on node n00 from 2030-01-01T00:00:00Z"));
    }

    @Test
    void refusesAPodBeforeItsGangIsReleased() {
        fixture.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());

        CompletableFuture<BindOutcome> call = fixture.arrive(0);

        assertThat(call).isCompletedWithValue(notBound("promised on node n00 from 2030-01-01T00:00:00Z"));
    }

    @Test
    void refusesAPodWithoutAPlace() {
        fixture.view.put(new ReservationBuilder().build());

        assertThat(fixture.bind("g-9", "n00")).isCompletedWithValue(notBound("waits for a plan"));
        assertThat(fixture.bind("other-0", "n00")).isCompletedWithValue(notBound("waits for a plan"));
    }

    @Test
    void answersARepeatedCallForABoundPodWhateverHasBecomeOfItsGang() {
        fixture.api.pod("g-0", FakeBindApi.boundOn("g-0", "n00"));

        assertThat(fixture.arrive(0)).isCompletedWithValue(bound());
        fixture.view.put(new ReservationBuilder().phase(Phase.COMPLETED).build());
        assertThat(fixture.arrive(0)).isCompletedWithValue(bound());
        assertThat(fixture.bind("g-0", "n05"))
                .isCompletedWithValue(notBound("promised on node n00 from 2030-01-01T00:00:00Z"));
    }

    @Test
    void bindsNoPodOfAnotherScheduler() {
        fixture.api.pod("web-0", new PodAnswer.Found("uid-of-web-0", null, "default-scheduler", false, false, ""));

        assertThat(fixture.bind("web-0", "n05"))
                .isCompletedWithValue(notBound(
                        "pod user/web-0 has schedulerName default-scheduler; expected slotwise or slotwise-extender"));
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void bindsNoPodOfAnotherSchedulerThatHasTheNameOfAMember() {
        fixture.view.put(new ReservationBuilder().build());
        fixture.others.put("g-0", "default-scheduler");

        assertThat(fixture.arrive(0))
                .isCompletedWithValue(notBound(
                        "pod user/g-0 has schedulerName default-scheduler; expected slotwise or slotwise-extender"));
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void answersWaitingCallsWhenItIsClosed() {
        fixture.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> call = fixture.arrive(0);

        fixture.barrier.close();

        assertThat(call).isCompletedWithValue(notBound("Slotwise is stopping"));
        assertThat(fixture.arrive(1)).isCompletedWithValue(notBound("Slotwise is stopping"));
    }

    @Test
    void leavesNoCallWaitingWhenAPortFailsUnexpectedly() {
        fixture.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> call = fixture.arrive(0);
        fixture.come(1);
        fixture.api.binding("g-0", () -> {
            throw new IllegalStateException("a bug");
        });

        fixture.time.advanceTo(START);

        assertThat(call)
                .isCompletedWithValue(
                        notBound("gang user/g could not be started: java.lang.IllegalStateException: a bug"));
        assertThat(fixture.api.bound()).isEmpty();
    }

    @Test
    void keepsGangsApart() {
        fixture.view.put(new ReservationBuilder().build());
        fixture.view.put(new ReservationBuilder().gang("h").pods(1).build());
        CompletableFuture<BindOutcome> waiting = fixture.arrive(0);
        CompletableFuture<BindOutcome> whole = fixture.bind("h-0", "n00");

        fixture.time.advanceTo(START.plus(Duration.ofSeconds(1)));

        assertThat(whole).isCompletedWithValue(bound());
        assertThat(waiting).isNotDone();
    }

    @Test
    void doesNotEndALongRunningGangForARefusedReplacement() {
        fixture.view.put(
                new ReservationBuilder().phase(Phase.RUNNING).startedAt(START).build());
        fixture.time.advanceTo(START.plusSeconds(300));
        fixture.api.binding("g-0", () -> new BindApi.Refused("forbidden"));

        assertThat(fixture.arrive(0))
                .isCompletedWithValue(notBound("pod user/g-0 could not be bound on node n00: forbidden"));
        assertThat(fixture.repairs).isEmpty();
    }

    @Test
    void startsAGangThatItBindsItselfWithoutACall() {
        fixture.direct.addAll(List.of("g-0", "g-1"));
        fixture.view.put(
                new ReservationBuilder().phase(Phase.PROMISED).version(7).build());
        fixture.time.advanceTo(START.plusMillis(30));

        fixture.start();

        assertThat(fixture.api.writes()).containsExactly("bind g-0 n00", "bind g-1 n01");
        assertThat(Objects.requireNonNull(fixture.api.record("g-0")).getStatus().members())
                .containsExactly("uid-of-g-0", "uid-of-g-1");
        assertThat(fixture.api.versions).containsEntry("g-0", "v-g-0").containsEntry("g-1", "v-g-1");
        assertThat(fixture.isStarting()).isFalse();
    }

    @Test
    void startsAGangWithAWindowWhoseRecordStillSaysWaiting() {
        fixture.direct.addAll(List.of("g-0", "g-1"));
        fixture.view.put(
                new ReservationBuilder().phase(Phase.PENDING).version(7).build());
        fixture.api.binding("g-0", () -> {
            fixture.view.put(
                    new ReservationBuilder().phase(Phase.PENDING).version(8).build());
            return fixture.api.reallyBind("g-0", "n00");
        });
        fixture.time.advanceTo(START);

        fixture.start();

        assertThat(fixture.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
    }

    @Test
    void neverBindsAGangBeforeItsSecond() {
        fixture.direct.addAll(List.of("g-0", "g-1"));
        fixture.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        fixture.start();
        fixture.start();
        fixture.time.advanceTo(START.minusMillis(1));
        assertThat(fixture.api.writes()).isEmpty();
        assertThat(fixture.isStarting()).isTrue();

        fixture.time.advanceTo(START);

        assertThat(fixture.api.writes()).hasSize(2);
    }

    @Test
    void startsNoGangWhoseRoomIsTakenInTheLastMoment() {
        fixture.direct.addAll(List.of("g-0", "g-1"));
        fixture.full.put("n01", "the room on node n01 is taken: its cpu is short");
        fixture.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        fixture.time.advanceTo(START);

        fixture.start();
        assertThat(fixture.api.writes()).isEmpty();
        assertThat(fixture.isStarting()).isFalse();

        fixture.full.clear();
        fixture.start();
        assertThat(fixture.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
    }

    @Test
    void startsNoGangWhosePodsWereSwappedBehindTheBarrier() {
        fixture.direct.addAll(List.of("g-0", "g-1"));
        fixture.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        fixture.start();
        // One has another UID or another digest.
        fixture.asPromised = false;

        fixture.time.advanceTo(START);
        fixture.start();

        assertThat(fixture.api.writes()).isEmpty();
        assertThat(fixture.isStarting()).isFalse();
    }

    @Test
    void startsNoGangWhenAnotherReplicaLeads() {
        fixture.direct.addAll(List.of("g-0", "g-1"));
        fixture.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        fixture.start();
        fixture.leads = false;

        fixture.time.advanceTo(START);

        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void leavesOutAGangWithAPodThatIsNotThere() {
        fixture.direct.add("g-0");
        fixture.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        fixture.time.advanceTo(START);

        fixture.start();

        assertThat(fixture.api.writes()).isEmpty();
        assertThat(fixture.isStarting()).isFalse();
    }

    @Test
    void waitsForTheMembersThatComeThroughKubeSchedulerAndThenBindsAll() {
        fixture.direct.add("g-0");
        fixture.view.put(new ReservationBuilder().build());
        fixture.time.advanceTo(START);
        assertThat(fixture.api.writes()).isEmpty();

        CompletableFuture<BindOutcome> call = fixture.arrive(1);

        assertThat(call).isCompletedWithValue(bound());
        assertThat(fixture.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
    }

    @Test
    void completesTheStartThatAPredecessorLeftUnfinished() {
        fixture.direct.add("g-1");
        fixture.view.put(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(START)
                .members("g-0", "g-1")
                .build());
        fixture.time.advanceTo(START.plusSeconds(60));

        fixture.start();

        assertThat(fixture.api.writes()).containsExactly("bind g-1 n01");
        assertThat(fixture.repairs).isEmpty();
    }

    @Test
    void bindsNoPodOutsideTheStartThatItCompletes() {
        fixture.direct.add("g-1");
        fixture.view.put(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(START)
                .members("g-0")
                .build());

        fixture.start();

        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void rollsBackAnUnfinishedStartWithoutRoomOrMember() {
        fixture.direct.add("g-1");
        fixture.view.put(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(START)
                .members("g-0", "g-1")
                .build());
        fixture.full.put("n01", "the room on node n01 is taken: its cpu is short");
        fixture.start();
        fixture.full.clear();
        fixture.gone.add("g-0");
        fixture.start();

        assertThat(fixture.repairs)
                .containsExactly(
                        "user/g: the room on node n01 is taken: its cpu is short", "user/g: pod user/g-0 is gone");
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void aLeaderThatWasFollowedDoesNotStartItsGangsInTheEpochOfTheOther() {
        fixture.direct.addAll(List.of("g-0", "g-1"));
        fixture.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        fixture.api.binding("g-0", () -> {
            fixture.epoch = 4;
            fixture.leads = false;
            return new BindApi.Unanswered("epoch 3, and that of the Lease is 4");
        });
        fixture.time.advanceTo(START);

        fixture.start();

        assertThat(fixture.api.epochs).containsExactly(3L);
        assertThat(fixture.repairs).isEmpty();
        assertThat(fixture.api.bound()).isEmpty();
    }

    @Test
    void aLeaderThatIsFollowedLeavesTheRestOfAGangThatItHasBegunToStartToTheOther() {
        fixture.direct.addAll(List.of("g-0", "g-1"));
        fixture.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        fixture.api.binding("g-1", () -> {
            fixture.leads = false;
            return new BindApi.Unanswered("epoch 3, and that of the Lease is 4");
        });
        fixture.time.advanceTo(START);

        fixture.start();

        assertThat(fixture.api.bound()).containsExactly("g-0");
        assertThat(fixture.repairs).isEmpty();
    }

    @Test
    void aGangOfWhichNothingIsWrittenStartsFromItsPromise() {
        fixture.direct.addAll(List.of("g-0", "g-1"));
        Reservation promised = new ReservationBuilder().phase(Phase.PROMISED).build();
        GangRecord record = Reservations.record(promised).withVersion("").withUid("");
        fixture.time.advanceTo(START);

        CompletableFuture<Optional<GangRecord>> started = fixture.barrier.start(record);

        assertThat(fixture.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
        assertThat(started.join().orElseThrow().isArriving()).isTrue();
        assertThat(Objects.requireNonNull(fixture.api.record("g-0"))
                        .getMetadata()
                        .getResourceVersion())
                .isNull();
    }

    @Test
    void aGangWhoseRecordHasChangedMeanwhileDoesNotStartByTheOldOne() {
        fixture.direct.addAll(List.of("g-0", "g-1"));
        Reservation promised = new ReservationBuilder().phase(Phase.PROMISED).build();
        fixture.view.put(new ReservationBuilder()
                .phase(Phase.PROMISED)
                .start(START.plusSeconds(60))
                .version(2)
                .build());
        fixture.time.advanceTo(START);

        assertThat(fixture.barrier.start(Reservations.record(promised))).isCompletedWithValue(Optional.empty());
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void aConflictingBindingIsRetriedOnlyWhileTheRecordStillAllowsIt() {
        var running = new ReservationBuilder().phase(Phase.RUNNING).startedAt(START);
        fixture.direct.addAll(List.of("g-0", "g-1"));
        fixture.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        fixture.api.binding("g-0", () -> new BindAnswer.Conflict("the object has been modified"));
        fixture.api.reading = () -> new BindApi.ReservationAnswer.Found(running.build());
        fixture.time.advanceTo(START);

        fixture.start();

        assertThat(fixture.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
        assertThat(fixture.repairs).isEmpty();
    }

    @Test
    void aGangIsNotRolledBackBecauseItsRecordCannotBeReadForAMoment() {
        var running = new ReservationBuilder().phase(Phase.RUNNING).startedAt(START);
        fixture.direct.addAll(List.of("g-0", "g-1"));
        fixture.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        fixture.api.binding("g-0", () -> {
            // The binding went through, another client has written to the pod since, and reads fail for a moment.
            fixture.api.reallyBind("g-0", "n00");
            fixture.api.pod("g-0", new BindApi.Unanswered("no answer"));
            return new BindAnswer.Conflict("the object has been modified");
        });
        fixture.api.binding("g-0", () -> {
            fixture.api.reallyBind("g-0", "n00");
            fixture.api.reading = () -> new BindApi.ReservationAnswer.Found(running.build());
            return new BindAnswer.Conflict("the object has been modified");
        });
        fixture.time.advanceTo(START);

        fixture.start();

        assertThat(fixture.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
        assertThat(fixture.repairs).isEmpty();
        assertThat(fixture.api.versions).containsEntry("g-0", "v-g-0");
    }

    @Test
    void aFrozenLeaderBindsNoPodOfARolledBackGang() {
        fixture.direct.addAll(List.of("g-0", "g-1"));
        fixture.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        fixture.api.binding("g-0", () -> new BindAnswer.Conflict("the object has been modified"));
        fixture.api.binding("g-1", () -> new BindAnswer.Conflict("the object has been modified"));
        fixture.api.reading = () -> new BindApi.ReservationAnswer.Found(
                new ReservationBuilder().phase(Phase.PENDING).attempts(1).build());
        fixture.time.advanceTo(START);

        fixture.start();

        assertThat(fixture.api.bound()).isEmpty();
    }

    @Test
    void aCallThatTheApiServerHasNoTimeForIsMadeAgainWhenItSays() {
        fixture.direct.addAll(List.of("g-0", "g-1"));
        fixture.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        for (int i = 0; i < 5; i++) {
            fixture.api.binding("g-1", () -> new BindApi.TooMany(Duration.ofSeconds(2), "too many requests"));
        }
        fixture.time.advanceTo(START);

        fixture.start();

        assertThat(fixture.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
        assertThat(fixture.time.instant()).isEqualTo(START.plusSeconds(10));
    }

    @Test
    void aGangWithUnansweredBindingsKeepsItsRoom() {
        List<Runnable> calls = new ArrayList<>();
        BarrierFixture slow = new BarrierFixture(calls::add);
        slow.direct.addAll(List.of("g-0", "g-1", "h-0", "h-1"));
        slow.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        slow.time.advanceTo(START);
        slow.start();
        while (slow.api.writes().isEmpty()) {
            calls.removeFirst().run();
        }
        slow.view.put(new ReservationBuilder().gang("h").phase(Phase.PROMISED).build());

        slow.start("h");
        while (slow.api.writes().size() == 1) {
            calls.removeLast().run();
        }
        assertThat(slow.bound).contains("g-0 to n00");
        assertThat(slow.held).contains("g-1");
        slow.held.clear();
        while (!calls.isEmpty()) {
            calls.removeFirst().run();
        }
        slow.view.put(new ReservationBuilder()
                .gang("h")
                .attempts(1)
                .phase(Phase.PROMISED)
                .build());
        slow.start("h");
        while (!calls.isEmpty()) {
            calls.removeFirst().run();
        }
        assertThat(slow.held).isEmpty();
    }
}
