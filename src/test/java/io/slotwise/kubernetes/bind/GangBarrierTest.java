package io.slotwise.kubernetes.bind;

import static io.slotwise.kubernetes.bind.BarrierScene.START;
import static io.slotwise.kubernetes.bind.BarrierScene.bound;
import static io.slotwise.kubernetes.bind.BarrierScene.notBound;
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

    private final BarrierScene scene = new BarrierScene();

    @Test
    void bindsNoPodUntilTheLastMemberHasArrived() {
        scene.view.put(new ReservationBuilder().pods(3).build());
        CompletableFuture<BindOutcome> first = scene.arrive(0);
        CompletableFuture<BindOutcome> second = scene.arrive(1);
        scene.time.advanceTo(START.plusSeconds(3));

        assertThat(scene.api.writes()).isEmpty();
        CompletableFuture<BindOutcome> third = scene.arrive(2);

        assertThat(List.of(first, second, third))
                .allSatisfy(call -> assertThat(call).isCompletedWithValue(bound()));
        assertThat(scene.api.bound()).containsExactlyInAnyOrder("g-0", "g-1", "g-2");
        assertThat(scene.bound).containsExactlyInAnyOrder("g-0 to n00", "g-1 to n01", "g-2 to n02");
    }

    @Test
    void opensAtThePromisedSecondAndNotAMillisecondBefore() {
        scene.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> first = scene.arrive(0);
        CompletableFuture<BindOutcome> second = scene.arrive(1);

        scene.time.advanceTo(START.minusMillis(1));
        assertThat(scene.api.writes()).isEmpty();
        scene.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
        assertThat(scene.observed).containsExactly("opened user/g after PT0S");
    }

    @Test
    void startsInTheSecondInWhichTheLastMemberArrives() {
        scene.view.put(new ReservationBuilder().version(7).build());
        scene.come(0);
        scene.time.advanceTo(START.plusMillis(2700));

        scene.come(1);

        Reservation record = Objects.requireNonNull(scene.api.record("g-0"));
        assertThat(record.getMetadata().getResourceVersion()).isEqualTo("7");
        assertThat(record.getStatus().startedAt()).isEqualTo("2030-01-01T00:00:02Z");
        assertThat(scene.api.writes()).containsExactly("bind g-0 n00", "bind g-1 n01");
        assertThat(scene.observed).containsExactly("opened user/g after PT2.7S");
    }

    @Test
    void startsByTheNewestVersionOfTheSamePromise() {
        scene.view.put(new ReservationBuilder().version(7).build());
        scene.come(0);
        scene.view.put(new ReservationBuilder().version(8).build());
        scene.come(1);

        scene.time.advanceTo(START);

        Reservation record = Objects.requireNonNull(scene.api.record("g-0"));
        assertThat(record.getMetadata().getResourceVersion()).isEqualTo("8");
    }

    @Test
    void bindsNoPodIfTheRoomOnANodeIsTaken() {
        scene.view.put(new ReservationBuilder().build());
        scene.full.put("n01", "the room on node n01 is taken: its cpu is short");
        CompletableFuture<BindOutcome> first = scene.arrive(0);
        CompletableFuture<BindOutcome> second = scene.arrive(1);

        scene.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound("the room on node n01 is taken: its cpu is short"));
        assertThat(second).isCompletedWithValue(notBound("the room on node n01 is taken: its cpu is short"));
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void givesUpStartTimeoutAfterThePromisedStart() {
        scene.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> call = scene.arrive(0);

        scene.time.advanceTo(START.plusSeconds(10).minusMillis(1));
        assertThat(call).isNotDone();
        scene.time.advanceTo(START.plusSeconds(10));

        assertThat(call).isCompletedWithValue(notBound(NOT_WHOLE));
        assertThat(scene.arrive(1)).isCompletedWithValue(notBound(NOT_WHOLE));
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void waitsLongerWhereTheStartTimeoutWasRaisedMeanwhile() {
        scene.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> call = scene.arrive(0);

        scene.timeout = Duration.ofSeconds(20);
        scene.time.advanceTo(START.plusSeconds(19));
        assertThat(call).isNotDone();
        scene.time.advanceTo(START.plusSeconds(20));

        assertThat(call).isCompletedWithValue(notBound(NOT_WHOLE.replace("10 s", "20 s")));
    }

    @Test
    void refusesAllPodsAtOnceWhenTheWindowIsWithdrawn() {
        List<Runnable> withdrawals = List.of(
                () -> scene.view.put(
                        new ReservationBuilder().start(START.plusSeconds(60)).build()),
                () -> scene.view.put(new ReservationBuilder().attempts(1).build()),
                () -> scene.view.put(
                        new ReservationBuilder().phase(Phase.PROMISED).build()),
                () -> scene.view.put(
                        new ReservationBuilder().pendingFor("NoWindow", "none").build()),
                () -> scene.view.put(new ReservationBuilder().deleting().build()),
                () -> scene.view.remove("g"));

        for (Runnable withdrawal : withdrawals) {
            scene.view.put(new ReservationBuilder().build());
            CompletableFuture<BindOutcome> first = scene.arrive(0);
            CompletableFuture<BindOutcome> second = scene.arrive(1);
            withdrawal.run();

            assertThat(first).isCompletedWithValue(notBound(WITHDRAWN));
            assertThat(second).isCompletedWithValue(notBound(WITHDRAWN));
        }
        scene.time.advanceTo(START.plusSeconds(20));
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void startsAgainInTheNextWindow() {
        scene.view.put(new ReservationBuilder().build());
        scene.come(0);
        scene.view.put(new ReservationBuilder()
                .start(START.plusSeconds(60))
                .attempts(1)
                .build());
        CompletableFuture<BindOutcome> first = scene.arrive(0);
        CompletableFuture<BindOutcome> second = scene.arrive(1);

        scene.time.advanceTo(START.plusSeconds(59));
        assertThat(first).isNotDone();
        scene.time.advanceTo(START.plusSeconds(60));

        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
    }

    @Test
    void doesNotMixTwoWindowsWhenTheChangeIsSeenLate() {
        scene.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> early = scene.arrive(0);
        var gang = scene.view.putQuietly(
                new ReservationBuilder().start(START.plusSeconds(60)).build());
        CompletableFuture<BindOutcome> later = scene.arrive(1);

        assertThat(early).isCompletedWithValue(notBound(WITHDRAWN));
        scene.view.notifyOf(gang);
        assertThat(later).isNotDone();
        scene.time.advanceTo(START.plusSeconds(60));

        assertThat(later).isNotDone();
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void answersARepeatedCallLikeTheFirst() {
        scene.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> first = scene.arrive(0);
        CompletableFuture<BindOutcome> again = scene.arrive(0);
        scene.come(1);

        scene.time.advanceTo(START);
        CompletableFuture<BindOutcome> afterwards = scene.arrive(0);

        assertThat(List.of(first, again, afterwards))
                .allSatisfy(call -> assertThat(call).isCompletedWithValue(bound()));
        assertThat(scene.api.writes()).hasSize(3);
    }

    @Test
    void waitsForTheNewPodWhenAMemberIsReplaced() {
        scene.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> old = scene.bind("g-0", "earlier", "n00");
        scene.come(1);
        CompletableFuture<BindOutcome> made = scene.arrive(0);

        assertThat(old).isCompletedWithValue(notBound("another pod of the same name has replaced it"));
        scene.time.advanceTo(START);

        assertThat(made).isCompletedWithValue(bound());
        assertThat(scene.repairs).isEmpty();
    }

    @Test
    void bindsALateMemberOfARunningGangAtOnce() {
        scene.view.put(
                new ReservationBuilder().phase(Phase.RUNNING).startedAt(START).build());
        scene.time.advanceTo(START.plusSeconds(5));

        CompletableFuture<BindOutcome> call = scene.arrive(1);

        assertThat(call).isCompletedWithValue(bound());
        assertThat(scene.api.writes()).containsExactly("bind g-1 n01");
    }

    @Test
    void bindsNoPodThatCameInThePlaceOfAMemberAfterTheStart() {
        scene.view.put(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(START)
                .members("g-0", "g-1")
                .build());
        scene.time.advanceTo(START.plusSeconds(5));

        assertThat(scene.bind("g-1", "another", ReservationBuilder.node(1)))
                .isCompletedWithValue(notBound(Waits.FOR_A_PLAN));
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void bindsNoMorePodsOfAGangThatIsAboutToBeRolledBack() {
        scene.view.put(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(START)
                .opened()
                .build());
        scene.time.advanceTo(START.plus(scene.timeout));

        assertThat(scene.arrive(1))
                .isCompletedWithValue(
                        notBound("not all pods of gang user/g were ready within 10 s of the promised start " + START));
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void bindsWaitingPodsWhenAnotherReplicaHasOpenedTheBarrier() {
        scene.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> call = scene.arrive(1);

        scene.view.put(
                new ReservationBuilder().phase(Phase.RUNNING).startedAt(START).build());

        scene.time.advanceTo(START.minusMillis(1));
        assertThat(scene.api.bound()).isEmpty();

        scene.time.advanceTo(START);
        assertThat(call).isCompletedWithValue(bound());
        assertThat(scene.api.writes()).containsExactly("bind g-1 n01");
        assertThat(scene.observed).isEmpty();
    }

    @Test
    void refusesAnotherNodeThanThePromisedOneAtOnce() {
        scene.view.put(new ReservationBuilder().build());

        CompletableFuture<BindOutcome> call = scene.bind("g-0", "n01");

        assertThat(call).isCompletedWithValue(notBound("promised on node n00 from 2030-01-01T00:00:00Z"));
    }

    @Test
    void refusesAPodBeforeItsGangIsReleased() {
        scene.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());

        CompletableFuture<BindOutcome> call = scene.arrive(0);

        assertThat(call).isCompletedWithValue(notBound("promised on node n00 from 2030-01-01T00:00:00Z"));
    }

    @Test
    void refusesAPodWithoutAPlace() {
        scene.view.put(new ReservationBuilder().build());

        assertThat(scene.bind("g-9", "n00")).isCompletedWithValue(notBound("waits for a plan"));
        assertThat(scene.bind("other-0", "n00")).isCompletedWithValue(notBound("waits for a plan"));
    }

    @Test
    void answersARepeatedCallForABoundPodWhateverHasBecomeOfItsGang() {
        scene.api.pod("g-0", FakeBindApi.boundOn("g-0", "n00"));

        assertThat(scene.arrive(0)).isCompletedWithValue(bound());
        scene.view.put(new ReservationBuilder().phase(Phase.COMPLETED).build());
        assertThat(scene.arrive(0)).isCompletedWithValue(bound());
        assertThat(scene.bind("g-0", "n05"))
                .isCompletedWithValue(notBound("promised on node n00 from 2030-01-01T00:00:00Z"));
    }

    @Test
    void bindsNoPodOfAnotherScheduler() {
        scene.api.pod("web-0", new PodAnswer.Found("uid-of-web-0", null, "default-scheduler", false, false, ""));

        assertThat(scene.bind("web-0", "n05"))
                .isCompletedWithValue(notBound(
                        "pod user/web-0 has schedulerName default-scheduler; expected slotwise or slotwise-extender"));
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void bindsNoPodOfAnotherSchedulerThatHasTheNameOfAMember() {
        scene.view.put(new ReservationBuilder().build());
        scene.others.put("g-0", "default-scheduler");

        assertThat(scene.arrive(0))
                .isCompletedWithValue(notBound(
                        "pod user/g-0 has schedulerName default-scheduler; expected slotwise or slotwise-extender"));
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void answersWaitingCallsWhenItIsClosed() {
        scene.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> call = scene.arrive(0);

        scene.barrier.close();

        assertThat(call).isCompletedWithValue(notBound("Slotwise is stopping"));
        assertThat(scene.arrive(1)).isCompletedWithValue(notBound("Slotwise is stopping"));
    }

    @Test
    void leavesNoCallWaitingWhenAPortFailsUnexpectedly() {
        scene.view.put(new ReservationBuilder().build());
        CompletableFuture<BindOutcome> call = scene.arrive(0);
        scene.come(1);
        scene.api.binding("g-0", () -> {
            throw new IllegalStateException("a bug");
        });

        scene.time.advanceTo(START);

        assertThat(call)
                .isCompletedWithValue(
                        notBound("gang user/g could not be started: java.lang.IllegalStateException: a bug"));
        assertThat(scene.api.bound()).isEmpty();
    }

    @Test
    void keepsGangsApart() {
        scene.view.put(new ReservationBuilder().build());
        scene.view.put(new ReservationBuilder().gang("h").pods(1).build());
        CompletableFuture<BindOutcome> waiting = scene.arrive(0);
        CompletableFuture<BindOutcome> whole = scene.bind("h-0", "n00");

        scene.time.advanceTo(START.plus(Duration.ofSeconds(1)));

        assertThat(whole).isCompletedWithValue(bound());
        assertThat(waiting).isNotDone();
    }

    @Test
    void doesNotEndALongRunningGangForARefusedReplacement() {
        scene.view.put(
                new ReservationBuilder().phase(Phase.RUNNING).startedAt(START).build());
        scene.time.advanceTo(START.plusSeconds(300));
        scene.api.binding("g-0", () -> new BindApi.Refused("forbidden"));

        assertThat(scene.arrive(0))
                .isCompletedWithValue(notBound("pod user/g-0 could not be bound on node n00: forbidden"));
        assertThat(scene.repairs).isEmpty();
    }

    @Test
    void startsAGangThatItBindsItselfWithoutACall() {
        scene.direct.addAll(List.of("g-0", "g-1"));
        scene.view.put(new ReservationBuilder().phase(Phase.PROMISED).version(7).build());
        scene.time.advanceTo(START.plusMillis(30));

        scene.start();

        assertThat(scene.api.writes()).containsExactly("bind g-0 n00", "bind g-1 n01");
        assertThat(Objects.requireNonNull(scene.api.record("g-0")).getStatus().members())
                .containsExactly("uid-of-g-0", "uid-of-g-1");
        assertThat(scene.api.versions).containsEntry("g-0", "v-g-0").containsEntry("g-1", "v-g-1");
        assertThat(scene.isStarting()).isFalse();
    }

    @Test
    void startsAGangWithAWindowWhoseRecordStillSaysWaiting() {
        scene.direct.addAll(List.of("g-0", "g-1"));
        scene.view.put(new ReservationBuilder().phase(Phase.PENDING).version(7).build());
        scene.api.binding("g-0", () -> {
            scene.view.put(
                    new ReservationBuilder().phase(Phase.PENDING).version(8).build());
            return scene.api.reallyBind("g-0", "n00");
        });
        scene.time.advanceTo(START);

        scene.start();

        assertThat(scene.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
    }

    @Test
    void neverBindsAGangBeforeItsSecond() {
        scene.direct.addAll(List.of("g-0", "g-1"));
        scene.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        scene.start();
        scene.start();
        scene.time.advanceTo(START.minusMillis(1));
        assertThat(scene.api.writes()).isEmpty();
        assertThat(scene.isStarting()).isTrue();

        scene.time.advanceTo(START);

        assertThat(scene.api.writes()).hasSize(2);
    }

    @Test
    void startsNoGangWhoseRoomIsTakenInTheLastMoment() {
        scene.direct.addAll(List.of("g-0", "g-1"));
        scene.full.put("n01", "the room on node n01 is taken: its cpu is short");
        scene.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        scene.time.advanceTo(START);

        scene.start();
        assertThat(scene.api.writes()).isEmpty();
        assertThat(scene.isStarting()).isFalse();

        scene.full.clear();
        scene.start();
        assertThat(scene.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
    }

    @Test
    void startsNoGangWhenAnotherReplicaLeads() {
        scene.direct.addAll(List.of("g-0", "g-1"));
        scene.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        scene.start();
        scene.leads = false;

        scene.time.advanceTo(START);

        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void leavesOutAGangWithAPodThatIsNotThere() {
        scene.direct.add("g-0");
        scene.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        scene.time.advanceTo(START);

        scene.start();

        assertThat(scene.api.writes()).isEmpty();
        assertThat(scene.isStarting()).isFalse();
    }

    @Test
    void waitsForTheMembersThatComeThroughKubeSchedulerAndThenBindsAll() {
        scene.direct.add("g-0");
        scene.view.put(new ReservationBuilder().build());
        scene.time.advanceTo(START);
        assertThat(scene.api.writes()).isEmpty();

        CompletableFuture<BindOutcome> call = scene.arrive(1);

        assertThat(call).isCompletedWithValue(bound());
        assertThat(scene.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
    }

    @Test
    void completesTheStartThatAPredecessorLeftUnfinished() {
        scene.direct.add("g-1");
        scene.view.put(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(START)
                .members("g-0", "g-1")
                .build());
        scene.time.advanceTo(START.plusSeconds(60));

        scene.start();

        assertThat(scene.api.writes()).containsExactly("bind g-1 n01");
        assertThat(scene.repairs).isEmpty();
    }

    @Test
    void bindsNoPodOutsideTheStartThatItCompletes() {
        scene.direct.add("g-1");
        scene.view.put(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(START)
                .members("g-0")
                .build());

        scene.start();

        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void rollsBackAnUnfinishedStartWithoutRoomOrMember() {
        scene.direct.add("g-1");
        scene.view.put(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(START)
                .members("g-0", "g-1")
                .build());
        scene.full.put("n01", "the room on node n01 is taken: its cpu is short");
        scene.start();
        scene.full.clear();
        scene.gone.add("g-0");
        scene.start();

        assertThat(scene.repairs)
                .containsExactly(
                        "user/g: the room on node n01 is taken: its cpu is short", "user/g: pod user/g-0 is gone");
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void aLeaderThatWasFollowedDoesNotStartItsGangsInTheEpochOfTheOther() {
        scene.direct.addAll(List.of("g-0", "g-1"));
        scene.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        scene.api.binding("g-0", () -> {
            scene.epoch = 4;
            scene.leads = false;
            return new BindApi.Unanswered("epoch 3, and that of the Lease is 4");
        });
        scene.time.advanceTo(START);

        scene.start();

        assertThat(scene.api.epochs).containsExactly(3L);
        assertThat(scene.repairs).isEmpty();
        assertThat(scene.api.bound()).isEmpty();
    }

    @Test
    void aLeaderThatIsFollowedLeavesTheRestOfAGangThatItHasBegunToStartToTheOther() {
        scene.direct.addAll(List.of("g-0", "g-1"));
        scene.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        scene.api.binding("g-1", () -> {
            scene.leads = false;
            return new BindApi.Unanswered("epoch 3, and that of the Lease is 4");
        });
        scene.time.advanceTo(START);

        scene.start();

        assertThat(scene.api.bound()).containsExactly("g-0");
        assertThat(scene.repairs).isEmpty();
    }

    @Test
    void aGangOfWhichNothingIsWrittenStartsFromItsPromise() {
        scene.direct.addAll(List.of("g-0", "g-1"));
        Reservation promised = new ReservationBuilder().phase(Phase.PROMISED).build();
        GangRecord record = Reservations.record(promised).withVersion("").withUid("");
        scene.time.advanceTo(START);

        CompletableFuture<Optional<GangRecord>> started = scene.barrier.start(record);

        assertThat(scene.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
        assertThat(started.join().orElseThrow().isAhead()).isTrue();
        assertThat(Objects.requireNonNull(scene.api.record("g-0")).getMetadata().getResourceVersion())
                .isNull();
    }

    @Test
    void aGangWhoseRecordHasChangedMeanwhileDoesNotStartByTheOldOne() {
        scene.direct.addAll(List.of("g-0", "g-1"));
        Reservation promised = new ReservationBuilder().phase(Phase.PROMISED).build();
        scene.view.put(new ReservationBuilder()
                .phase(Phase.PROMISED)
                .start(START.plusSeconds(60))
                .version(2)
                .build());
        scene.time.advanceTo(START);

        assertThat(scene.barrier.start(Reservations.record(promised))).isCompletedWithValue(Optional.empty());
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void aConflictingBindingIsRetriedOnlyWhileTheRecordStillAllowsIt() {
        var running = new ReservationBuilder().phase(Phase.RUNNING).startedAt(START);
        scene.direct.addAll(List.of("g-0", "g-1"));
        scene.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        scene.api.binding("g-0", () -> new BindAnswer.Conflict("the object has been modified"));
        scene.api.reading = () -> new BindApi.ReservationAnswer.Found(running.build());
        scene.time.advanceTo(START);

        scene.start();

        assertThat(scene.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
        assertThat(scene.repairs).isEmpty();
    }

    @Test
    void aGangIsNotRolledBackBecauseItsRecordCannotBeReadForAMoment() {
        var running = new ReservationBuilder().phase(Phase.RUNNING).startedAt(START);
        scene.direct.addAll(List.of("g-0", "g-1"));
        scene.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        scene.api.binding("g-0", () -> {
            // The binding went through, another client has written to the pod since, and reads fail for a moment.
            scene.api.reallyBind("g-0", "n00");
            scene.api.pod("g-0", new BindApi.Unanswered("no answer"));
            return new BindAnswer.Conflict("the object has been modified");
        });
        scene.api.binding("g-0", () -> {
            scene.api.reallyBind("g-0", "n00");
            scene.api.reading = () -> new BindApi.ReservationAnswer.Found(running.build());
            return new BindAnswer.Conflict("the object has been modified");
        });
        scene.time.advanceTo(START);

        scene.start();

        assertThat(scene.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
        assertThat(scene.repairs).isEmpty();
        assertThat(scene.api.versions).containsEntry("g-0", "v-g-0");
    }

    @Test
    void aFrozenLeaderBindsNoPodOfARolledBackGang() {
        scene.direct.addAll(List.of("g-0", "g-1"));
        scene.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        scene.api.binding("g-0", () -> new BindAnswer.Conflict("the object has been modified"));
        scene.api.binding("g-1", () -> new BindAnswer.Conflict("the object has been modified"));
        scene.api.reading = () -> new BindApi.ReservationAnswer.Found(
                new ReservationBuilder().phase(Phase.PENDING).attempts(1).build());
        scene.time.advanceTo(START);

        scene.start();

        assertThat(scene.api.bound()).isEmpty();
    }

    @Test
    void aCallThatTheApiServerHasNoTimeForIsMadeAgainWhenItSays() {
        scene.direct.addAll(List.of("g-0", "g-1"));
        scene.view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        for (int i = 0; i < 5; i++) {
            scene.api.binding("g-1", () -> new BindApi.TooMany(Duration.ofSeconds(2), "too many requests"));
        }
        scene.time.advanceTo(START);

        scene.start();

        assertThat(scene.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
        assertThat(scene.time.instant()).isEqualTo(START.plusSeconds(10));
    }

    @Test
    void aGangWithUnansweredBindingsKeepsItsRoom() {
        List<Runnable> calls = new ArrayList<>();
        BarrierScene slow = new BarrierScene(calls::add);
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
