package io.slotwise.kubernetes.bind;

import static io.slotwise.kubernetes.bind.BarrierFixture.START;
import static io.slotwise.kubernetes.bind.BarrierFixture.bound;
import static io.slotwise.kubernetes.bind.BarrierFixture.notBound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.kubernetes.bind.BindApi.BindAnswer;
import io.slotwise.kubernetes.bind.BindApi.PodAnswer;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.live.record.Phase;
import io.slotwise.live.start.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The start of a gang of two that is complete, from the promised second on. */
class GangStartTest {
    private static final String LEFT = "pod user/g-0 was not bound, because its gang did not start";

    private final BarrierFixture fixture = new BarrierFixture();
    private CompletableFuture<BindOutcome> first = new CompletableFuture<>();
    private CompletableFuture<BindOutcome> second = new CompletableFuture<>();

    @BeforeEach
    void gather() {
        fixture.view.put(new ReservationBuilder().build());
        first = fixture.arrive(0);
        second = fixture.arrive(1);
    }

    @Test
    void aChangeAfterTheLastLookStillStopsTheStart() {
        fixture.time.advanceTo(START.minusMillis(1));
        fixture.full.put(ReservationBuilder.node(1), "node n1 is gone");

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound("node n1 is gone"));
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void noGangStartsWhileTheWatchesAreSilent() {
        fixture.current = false;

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound(Waits.FOR_LATEST_CHANGES));
        assertThat(second).isCompleted();
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void podsThatTheWindowWasNotPromisedToAreNotStartedInIt() {
        fixture.asPromised = false;

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound(Waits.FOR_A_NEW_LOOK));
        assertThat(second).isCompletedWithValue(notBound(Waits.FOR_A_NEW_LOOK));
        assertThat(fixture.api.writes()).isEmpty();
    }

    @Test
    void anOverloadedApiServerIsSparedForItsRetryAfter() {
        fixture.api.binding("g-0", () -> new BindApi.TooMany(Duration.ofSeconds(2), "too many requests"));
        fixture.api.binding("g-0", () -> new BindApi.TooMany(Duration.ofSeconds(1), "too many requests"));

        fixture.time.advanceTo(START.plusSeconds(1));

        assertThat(fixture.observed).containsExactly("opened user/g after PT3S");
        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
    }

    @Test
    void theFirstBindingCarriesTheRecordAndEveryBindingTheRun() {
        fixture.time.advanceTo(START);

        String run = "3/2030-01-01T00:00:00Z/g";
        assertThat(fixture.api.writes()).containsExactly("bind g-0 n00", "bind g-1 n01");
        assertThat(fixture.api.annotations.get("g-0")).containsEntry(StartRecord.RUN, run);
        assertThat(fixture.api.annotations.get("g-1")).containsEntry(StartRecord.RUN, run);
        Reservation record = Objects.requireNonNull(fixture.api.record("g-0"));
        assertThat(record.phase()).isEqualTo(Phase.RUNNING);
        assertThat(record.window()).isEqualTo(new ReservationBuilder().build().window());
        assertThat(record.getStatus().startedAt()).isEqualTo("2030-01-01T00:00:00Z");
        assertThat(record.getStatus().members()).containsExactly("uid-of-g-0", "uid-of-g-1");
        assertThat(Objects.requireNonNull(fixture.view.byGang(Objects.requireNonNull(record.gang())))
                        .phase())
                .isEqualTo(Phase.RUNNING);
    }

    @Test
    void theSecondBindingCarriesTheRecordTooAndNoFurtherOne() {
        BarrierFixture fixture = new BarrierFixture();
        fixture.view.put(new ReservationBuilder().pods(3).phase(Phase.PROMISED).build());
        fixture.direct.addAll(List.of("g-0", "g-1", "g-2"));
        fixture.time.advanceTo(START);

        fixture.start();

        assertThat(fixture.api.record("g-1")).isEqualTo(fixture.api.record("g-0"));
        assertThat(fixture.api.record("g-1")).isNotNull();
        assertThat(fixture.api.record("g-2")).isNull();
    }

    @Test
    void nobodyElseIsBoundBeforeTheFirstBindingIsAnswered() {
        fixture.api.binding("g-0", () -> {
            assertThat(fixture.api.writes()).containsExactly("bind g-0 n00");
            return fixture.api.reallyBind("g-0", "n00");
        });

        fixture.time.advanceTo(START);

        assertThat(fixture.api.bound()).containsExactlyInAnyOrder("g-0", "g-1");
    }

    @Test
    void podsThatTheWindowIsNotPromisedToSinceTheLastLookAreNotStartedInIt() {
        fixture.api.binding("g-0", () -> {
            fixture.asPromised = false;
            return new BindApi.Unanswered("timeout");
        });

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound("pod user/g-0 could not be bound on node n00: timeout"));
        assertThat(fixture.api.bound()).isEmpty();
        assertThat(fixture.repairs).hasSize(1);
    }

    @Test
    void anApiServerThatAsksForTooLongIsNotAskedAgainAfterTheStartTimeout() {
        for (int i = 0; i < 5; i++) {
            fixture.api.binding("g-0", () -> new BindApi.TooMany(Duration.ofSeconds(8), "too many requests"));
        }

        fixture.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(notBound(LEFT));
        assertThat(fixture.api.writes()).hasSize(2);
    }

    @Test
    void bindsNobodyWhenSomebodyHasWrittenToTheFirstPodAndItsGangWasRolledBackOrMoved() {
        var rolledBack =
                new ReservationBuilder().phase(Phase.PENDING).attempts(1).version(2);
        var moved = new ReservationBuilder().start(START.plusSeconds(60)).version(2);
        for (BindApi.ReservationAnswer record : List.of(
                new BindApi.ReservationAnswer.Found(rolledBack.build()),
                new BindApi.ReservationAnswer.Found(moved.build()),
                new BindApi.ReservationAnswer.Absent())) {
            BarrierFixture fixture = new BarrierFixture();
            fixture.view.put(new ReservationBuilder().build());
            fixture.api.binding("g-0", () -> new BindAnswer.Conflict("the object has been modified"));
            fixture.api.reading = () -> record;
            CompletableFuture<BindOutcome> call = fixture.arrive(0);
            fixture.come(1);

            fixture.time.advanceTo(START);

            assertThat(call).isCompletedWithValue(notBound(LEFT));
            assertThat(fixture.api.bound()).isEmpty();
            assertThat(fixture.repairs).isEmpty();
        }
    }

    @Test
    void bindsTheFirstPodByItsUidWhenSomebodyHasWrittenToItAndTheRecordStillSaysSo() {
        fixture.api.binding("g-0", () -> new BindAnswer.Conflict("the object has been modified"));
        fixture.api.reading = () -> new BindApi.ReservationAnswer.Found(
                new ReservationBuilder().version(2).build());

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(fixture.api.versions).containsEntry("g-0", "null").containsEntry("g-1", "v-g-1");
    }

    @Test
    void whoHoldsTheBarrierLearnsOfANewLeaderAndBindsInItsEpoch() {
        fixture.api.binding("g-0", () -> {
            fixture.epoch = 4;
            return new BindApi.Outdated("epoch 3, and that of the Lease is 4");
        });

        fixture.time.advanceTo(START);

        assertThat(second).isCompletedWithValue(bound());
        assertThat(fixture.api.epochs).containsExactly(3L, 4L, 4L);
    }

    @Test
    void goesOnWhenTheLostAnswerWasASuccess() {
        fixture.api.binding("g-0", () -> {
            fixture.api.reallyBind("g-0", "n00");
            return new BindApi.Unanswered("timeout");
        });

        fixture.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
    }

    @Test
    void whoFindsTheFirstPodBoundByAnotherStartLeavesTheGangAlone() {
        fixture.api.pod("g-0", FakeBindApi.boundBy("4/2029-12-31T23:59:59Z/g", "g-0", "n00"));

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound("pod user/g-0 was bound by another start of its gang"));
        assertThat(fixture.api.writes()).containsExactly("bind g-0 n00");
        assertThat(fixture.repairs).isEmpty();
    }

    @Test
    void whoFindsTheFirstPodBoundElsewhereByAnotherStartLeavesTheGangAlone() {
        fixture.api.pod("g-0", FakeBindApi.boundBy("4/2029-12-31T23:59:59Z/g", "g-0", "n07"));

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound("pod user/g-0 was bound by another start of its gang"));
        assertThat(fixture.repairs).isEmpty();
    }

    @Test
    void aGangThatStartsBeforeItsPromiseIsBoundWhenSomebodyHasWrittenToAPod() {
        for (String pod : List.of("g-0", "g-1")) {
            BarrierFixture fixture = new BarrierFixture();
            Reservation promisedReservation = new ReservationBuilder()
                    .phase(Phase.PROMISED)
                    .start(START.plusSeconds(600))
                    .build();
            fixture.view.put(promisedReservation);
            fixture.direct.addAll(List.of("g-0", "g-1"));
            fixture.api.binding(pod, () -> new BindAnswer.Conflict("the object has been modified"));
            fixture.api.reading = () -> new BindApi.ReservationAnswer.Found(promisedReservation);
            fixture.time.advanceTo(START);

            var _ = fixture.barrier.start(Reservations.record(
                    new ReservationBuilder().phase(Phase.PROMISED).build()));
            fixture.time.advanceTo(START.plusSeconds(1));

            assertThat(fixture.api.bound()).as(pod).containsExactlyInAnyOrder("g-0", "g-1");
            assertThat(fixture.repairs).as(pod).isEmpty();
        }
    }

    @Test
    void aGangIsRolledBackIfItsFirstBindingHasNoAnswerUntilTheStartTimeout() {
        fixture.timeout = Duration.ofSeconds(1);
        for (int i = 0; i < 200; i++) {
            fixture.api.binding("g-0", () -> new BindApi.Unanswered("timeout"));
        }

        fixture.time.advanceTo(START.plusSeconds(11));

        assertThat(fixture.repairs).containsExactly("user/g: pod user/g-0 could not be bound on node n00: timeout");
    }

    @Test
    void anErrorDuringAStartEndsIt() {
        fixture.api.binding("g-0", () -> {
            throw new AssertionError("a bug");
        });

        assertThatThrownBy(() -> fixture.time.advanceTo(START)).isInstanceOf(AssertionError.class);

        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(fixture.isStarting()).isFalse();
    }

    @Test
    void whoNoLongerLeadsLeavesTheGangToItsSuccessor() {
        for (int i = 0; i < 200; i++) {
            fixture.api.binding("g-0", () -> new BindApi.Outdated("epoch 3, and that of the Lease is 4"));
        }

        fixture.time.advanceTo(START.plusSeconds(11));

        assertThat(first).isCompletedWithValue(notBound(LEFT));
        assertThat(fixture.repairs).isEmpty();
    }

    @Test
    void bindsNobodyWhileTheFirstBindingIsNotAnsweredAndRollsTheGangBackInTime() {
        for (int i = 0; i < 200; i++) {
            fixture.api.binding("g-0", () -> new BindApi.Unanswered("timeout"));
        }

        fixture.time.advanceTo(START.plusSeconds(11));

        String refusal = "pod user/g-0 could not be bound on node n00: timeout";
        assertThat(first).isCompletedWithValue(notBound(refusal));
        assertThat(fixture.api.bound()).isEmpty();
        assertThat(fixture.repairs).containsExactly("user/g: " + refusal);
    }

    @Test
    void startsWhenItsOwnStartIsSeenBeforeItIsAnswered() {
        fixture.api.binding("g-0", () -> {
            fixture.api.reallyBind("g-0", "n00");
            fixture.view.started(Objects.requireNonNull(fixture.api.record("g-0")));
            return new BindAnswer.Bound();
        });

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(fixture.api.writes()).hasSize(2);
    }

    @Test
    void isNotEndedByTheTimeoutOnceTheFirstBindingIsUnderWay() {
        fixture.api.binding("g-0", () -> {
            fixture.time.advanceTo(START.plusSeconds(12));
            return fixture.api.reallyBind("g-0", "n00");
        });

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
    }

    @Test
    void aGangThatIsTooLargeForABindingHasItsRecordWrittenFirst() {
        int pods = StartRecord.MOST_MEMBERS + 1;
        for (boolean reachable : List.of(true, false)) {
            BarrierFixture fixture = new BarrierFixture();
            fixture.reachable = reachable;
            fixture.view.put(
                    new ReservationBuilder().pods(pods).phase(Phase.PROMISED).build());
            for (int i = 0; i < pods; i++) {
                fixture.direct.add("g-" + i);
            }
            fixture.time.advanceTo(START);

            fixture.start();

            assertThat(fixture.recorded.records()).hasSize(reachable ? 1 : 0).allSatisfy(record -> {
                assertThat(record.phase()).isEqualTo(Phase.RUNNING);
                assertThat(record.history().members()).hasSize(pods);
            });
            assertThat(fixture.api.bound()).hasSize(reachable ? pods : 0);
            assertThat(fixture.api.annotations.values())
                    .allSatisfy(carried -> assertThat(carried).containsOnlyKeys(StartRecord.RUN));
        }
    }

    @Test
    void hasAGangRepairedOfWhichAMemberWasRefused() {
        fixture.api.binding("g-1", () -> new BindApi.Refused("forbidden"));

        fixture.time.advanceTo(START);

        String refusal = "pod user/g-1 could not be bound on node n01: forbidden";
        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(notBound(refusal));
        assertThat(fixture.repairs).containsExactly("user/g: " + refusal);
        assertThat(fixture.observed).contains("partial user/g");
    }

    @Test
    void doesNotCountAGangWithoutBoundPodsAsPartial() {
        fixture.api.binding("g-0", () -> new BindApi.Refused("forbidden"));

        fixture.time.advanceTo(START);

        assertThat(second).isCompletedWithValue(notBound("pod user/g-0 could not be bound on node n00: forbidden"));
        assertThat(fixture.repairs).hasSize(1);
        assertThat(fixture.observed).isEmpty();
    }

    @Test
    void takesAPodThatIsBoundOnItsNodeAsBoundWhateverTheAnswerWas() {
        fixture.api.binding("g-0", () -> {
            fixture.api.reallyBind("g-0", "n00");
            return new BindAnswer.Conflict("already assigned");
        });
        fixture.api.binding("g-1", () -> {
            fixture.api.reallyBind("g-1", "n01");
            return new BindApi.Unanswered("timeout");
        });

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
        assertThat(fixture.repairs).isEmpty();
    }

    @Test
    void triesAgainWhileTheApiServerDoesNotAnswer() {
        fixture.api.binding("g-0", () -> new BindApi.Unanswered("503"));
        fixture.api.binding("g-0", () -> new BindApi.Unanswered("too many requests"));

        fixture.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(bound());
        assertThat(fixture.repairs).isEmpty();
    }

    @Test
    void tellsWhatThePodSaysWhenTheBindingConflicts() {
        assertThat(refusalOf(new PodAnswer.Found("uid-of-g-0", null, "slotwise", true, false, "")))
                .isEqualTo("pod user/g-0 has a scheduling gate");
        assertThat(refusalOf(new PodAnswer.Found("another", null, "slotwise", false, false, "")))
                .isEqualTo("pod user/g-0 is another pod of the same name");
        assertThat(refusalOf(new PodAnswer.Found("uid-of-g-0", "n07", "slotwise", false, false, "")))
                .isEqualTo("pod user/g-0 is bound on node n07 instead of n00");
        assertThat(refusalOf(new PodAnswer.Found("uid-of-g-0", null, "slotwise", false, true, "")))
                .isEqualTo("pod user/g-0 is being deleted");
        assertThat(refusalOf(new PodAnswer.Absent())).isEqualTo("pod user/g-0 is gone");
    }

    private static String refusalOf(PodAnswer pod) {
        BarrierFixture fixture = new BarrierFixture();
        fixture.view.put(new ReservationBuilder().pods(1).build());
        fixture.api.binding("g-0", () -> {
            fixture.api.pod("g-0", pod);
            return new BindAnswer.Conflict("conflict");
        });
        CompletableFuture<BindOutcome> call = fixture.arrive(0);
        fixture.time.advanceTo(START);

        assertThat(fixture.repairs).hasSize(1);
        return call.join() instanceof BindOutcome.NotBound refused ? refused.reason() : "bound";
    }
}
