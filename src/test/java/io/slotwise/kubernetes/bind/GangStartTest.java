package io.slotwise.kubernetes.bind;

import static io.slotwise.kubernetes.bind.BarrierFixture.START;
import static io.slotwise.kubernetes.bind.BarrierFixture.bound;
import static io.slotwise.kubernetes.bind.BarrierFixture.notBound;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.kubernetes.bind.BindApi.BindAnswer;
import io.slotwise.kubernetes.bind.BindApi.MarkAnswer;
import io.slotwise.kubernetes.bind.BindApi.PodAnswer;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.live.record.Phase;
import io.slotwise.live.start.Waits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The start of a gang of two that is complete, from the promised second on. */
class GangStartTest {
    private static final String CHANGED = "the reservation of gang user/g was changed while the gang was starting";

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
    void podsThatTheWindowIsNotPromisedToSinceTheLastLookAreNotStartedInIt() {
        fixture.api.marking(() -> {
            fixture.asPromised = false;
            return new MarkAnswer.Conflict(new ReservationBuilder().version(2).build());
        });

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound(CHANGED));
        assertThat(fixture.api.bound()).isEmpty();
    }

    @Test
    void anOverloadedApiServerIsSparedForItsRetryAfter() {
        fixture.api.marking(() -> new BindApi.TooMany(Duration.ofSeconds(2), "too many requests"));
        fixture.api.marking(() -> new BindApi.TooMany(Duration.ofSeconds(1), "too many requests"));

        fixture.time.advanceTo(START.plusSeconds(1));

        assertThat(fixture.observed).containsExactly("opened user/g after PT3S");
        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
    }

    @Test
    void anApiServerThatAsksForTooLongIsNotWaitedForBeyondTheStartTimeout() {
        for (int i = 0; i < 5; i++) {
            fixture.api.marking(() -> new BindApi.TooMany(Duration.ofSeconds(8), "too many requests"));
        }

        fixture.time.advanceTo(START.plusSeconds(1));

        assertThat(fixture.time.instant()).isEqualTo(START.plusSeconds(10));
        assertThat(first).isCompletedWithValue(notBound("gang user/g could not be started: too many requests"));
        assertThat(fixture.api.writes()).hasSize(3);
    }

    @Test
    void bindsNoPodWhenTheWriteConflicts() {
        fixture.api.marking(() -> new MarkAnswer.Conflict(
                new ReservationBuilder().phase(Phase.PENDING).version(2).build()));

        fixture.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(notBound(CHANGED));
        assertThat(second).isCompletedWithValue(notBound(CHANGED));
        assertThat(fixture.api.writes()).hasSize(1);
    }

    @Test
    void bindsNoPodWhenTheReservationIsGone() {
        fixture.api.marking(() -> new MarkAnswer.Conflict(null));

        fixture.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(notBound(CHANGED));
        assertThat(fixture.api.bound()).isEmpty();
    }

    @Test
    void bindsNoPodWhenTheConflictShowsAnotherWindow() {
        fixture.api.marking(() -> new MarkAnswer.Conflict(
                new ReservationBuilder().start(START.plusSeconds(60)).version(2).build()));

        fixture.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(notBound(CHANGED));
        assertThat(fixture.api.bound()).isEmpty();
    }

    @Test
    void writesAgainWhenOnlyTheVersionHasChanged() {
        fixture.api.marking(() ->
                new MarkAnswer.Conflict(new ReservationBuilder().version(2).build()));

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(fixture.api.writes())
                .startsWith("mark user/g 1 at 2030-01-01T00:00:00Z", "mark user/g 2 at 2030-01-01T00:00:00Z");
    }

    @Test
    void theBarrierLearnsOfANewLeaderAndWritesInItsEpoch() {
        fixture.api.marking(() -> {
            fixture.epoch = 4;
            return new MarkAnswer.Conflict(new ReservationBuilder().build());
        });

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(fixture.api.epochs).containsExactly(3L, 4L);
    }

    @Test
    void bindsNoPodWhenTheVersionKeepsChanging() {
        for (int version = 2; version < 8; version++) {
            int current = version;
            fixture.api.marking(() -> new MarkAnswer.Conflict(
                    new ReservationBuilder().version(current).build()));
        }

        fixture.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(notBound(CHANGED));
        assertThat(fixture.api.bound()).isEmpty();
    }

    @Test
    void goesOnWhenTheLostAnswerWasASuccess() {
        fixture.api.marking(() -> new BindApi.Unanswered("timeout"));
        fixture.api.marking(() -> new MarkAnswer.Conflict(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(START)
                .version(2)
                .build()));

        fixture.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
    }

    @Test
    void bindsNoPodBeforeTheDurableWriteAndGivesUpInTime() {
        for (int i = 0; i < 200; i++) {
            fixture.api.marking(() -> new BindApi.Unanswered("timeout"));
        }

        fixture.time.advanceTo(START.plusSeconds(11));

        assertThat(first).isCompletedWithValue(notBound("gang user/g could not be started: timeout"));
        assertThat(fixture.api.bound()).isEmpty();
        // After 0.1, 0.3, 0.7, 1.5, 3.1, 5.1, 7.1, 9.1 and 10 s.
        assertThat(fixture.api.writes()).hasSize(10);
    }

    @Test
    void letsTheWriteDecideWhenTheWindowIsWithdrawnAtTheSameMoment() {
        fixture.api.marking(() -> {
            fixture.view.put(
                    new ReservationBuilder().phase(Phase.PENDING).version(2).build());
            return new MarkAnswer.Conflict(
                    new ReservationBuilder().phase(Phase.PENDING).version(2).build());
        });

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound(CHANGED));
        assertThat(fixture.api.bound()).isEmpty();
    }

    @Test
    void startsWhenItsOwnWriteIsSeenBeforeItIsAnswered() {
        fixture.api.marking(() -> {
            fixture.view.put(new ReservationBuilder()
                    .phase(Phase.RUNNING)
                    .startedAt(START)
                    .version(2)
                    .build());
            assertThat(fixture.api.bound()).isEmpty();
            return new MarkAnswer.Marked();
        });

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(fixture.api.writes()).hasSize(3);
    }

    @Test
    void isNotEndedByTheTimeoutOnceTheWriteIsUnderWay() {
        fixture.api.marking(() -> {
            fixture.time.advanceTo(START.plusSeconds(12));
            return new MarkAnswer.Marked();
        });

        fixture.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
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

        assertThat(second).isCompletedWithValue(notBound("pod user/g-1 was not bound, because its gang did not start"));
        assertThat(fixture.repairs).hasSize(1);
        assertThat(fixture.observed).containsExactly("opened user/g after PT0S");
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
        assertThat(refusalOf(new PodAnswer.Found("uid-of-g-0", null, "slotwise", true, false)))
                .isEqualTo("pod user/g-0 has a scheduling gate");
        assertThat(refusalOf(new PodAnswer.Found("another", null, "slotwise", false, false)))
                .isEqualTo("pod user/g-0 is another pod of the same name");
        assertThat(refusalOf(new PodAnswer.Found("uid-of-g-0", "n07", "slotwise", false, false)))
                .isEqualTo("pod user/g-0 is bound on node n07 instead of n00");
        assertThat(refusalOf(new PodAnswer.Found("uid-of-g-0", null, "slotwise", false, true)))
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
