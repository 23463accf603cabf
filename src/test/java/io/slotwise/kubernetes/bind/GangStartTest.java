package io.slotwise.kubernetes.bind;

import static io.slotwise.kubernetes.bind.BarrierScene.START;
import static io.slotwise.kubernetes.bind.BarrierScene.bound;
import static io.slotwise.kubernetes.bind.BarrierScene.notBound;
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

    private final BarrierScene scene = new BarrierScene();
    private CompletableFuture<BindOutcome> first = new CompletableFuture<>();
    private CompletableFuture<BindOutcome> second = new CompletableFuture<>();

    @BeforeEach
    void gather() {
        scene.view.put(new ReservationBuilder().build());
        first = scene.arrive(0);
        second = scene.arrive(1);
    }

    @Test
    void aChangeAfterTheLastLookStillStopsTheStart() {
        scene.time.advanceTo(START.minusMillis(1));
        scene.full.put(ReservationBuilder.node(1), "node n1 is gone");

        scene.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound("node n1 is gone"));
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void noGangStartsWhileTheWatchesAreSilent() {
        scene.current = false;

        scene.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound(Waits.FOR_SIGHT));
        assertThat(second).isCompleted();
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void podsThatTheWindowWasNotPromisedToAreNotStartedInIt() {
        scene.asPromised = false;

        scene.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound(Waits.FOR_A_NEW_LOOK));
        assertThat(second).isCompletedWithValue(notBound(Waits.FOR_A_NEW_LOOK));
        assertThat(scene.api.writes()).isEmpty();
    }

    @Test
    void podsThatTheWindowIsNotPromisedToSinceTheLastLookAreNotStartedInIt() {
        scene.api.marking(() -> {
            scene.asPromised = false;
            return new MarkAnswer.Conflict(new ReservationBuilder().version(2).build());
        });

        scene.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound(CHANGED));
        assertThat(scene.api.bound()).isEmpty();
    }

    @Test
    void anOverloadedApiServerIsSparedForItsRetryAfter() {
        scene.api.marking(() -> new BindApi.TooMany(Duration.ofSeconds(2), "too many requests"));
        scene.api.marking(() -> new BindApi.TooMany(Duration.ofSeconds(1), "too many requests"));

        scene.time.advanceTo(START.plusSeconds(1));

        assertThat(scene.observed).containsExactly("opened user/g after PT3S");
        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
    }

    @Test
    void anApiServerThatAsksForTooLongIsNotWaitedForBeyondTheStartTimeout() {
        for (int i = 0; i < 5; i++) {
            scene.api.marking(() -> new BindApi.TooMany(Duration.ofSeconds(8), "too many requests"));
        }

        scene.time.advanceTo(START.plusSeconds(1));

        assertThat(scene.time.instant()).isEqualTo(START.plusSeconds(10));
        assertThat(first).isCompletedWithValue(notBound("gang user/g could not be started: too many requests"));
        assertThat(scene.api.writes()).hasSize(3);
    }

    @Test
    void bindsNoPodWhenTheWriteConflicts() {
        scene.api.marking(() -> new MarkAnswer.Conflict(
                new ReservationBuilder().phase(Phase.PENDING).version(2).build()));

        scene.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(notBound(CHANGED));
        assertThat(second).isCompletedWithValue(notBound(CHANGED));
        assertThat(scene.api.writes()).hasSize(1);
    }

    @Test
    void bindsNoPodWhenTheReservationIsGone() {
        scene.api.marking(() -> new MarkAnswer.Conflict(null));

        scene.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(notBound(CHANGED));
        assertThat(scene.api.bound()).isEmpty();
    }

    @Test
    void bindsNoPodWhenTheConflictShowsAnotherWindow() {
        scene.api.marking(() -> new MarkAnswer.Conflict(
                new ReservationBuilder().start(START.plusSeconds(60)).version(2).build()));

        scene.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(notBound(CHANGED));
        assertThat(scene.api.bound()).isEmpty();
    }

    @Test
    void writesAgainWhenOnlyTheVersionHasChanged() {
        scene.api.marking(() ->
                new MarkAnswer.Conflict(new ReservationBuilder().version(2).build()));

        scene.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(scene.api.writes())
                .startsWith("mark user/g 1 at 2030-01-01T00:00:00Z", "mark user/g 2 at 2030-01-01T00:00:00Z");
    }

    @Test
    void theBarrierLearnsOfANewLeaderAndWritesInItsEpoch() {
        scene.api.marking(() -> {
            scene.epoch = 4;
            return new MarkAnswer.Conflict(new ReservationBuilder().build());
        });

        scene.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(scene.api.epochs).containsExactly(3L, 4L);
    }

    @Test
    void bindsNoPodWhenTheVersionKeepsChanging() {
        for (int version = 2; version < 8; version++) {
            int current = version;
            scene.api.marking(() -> new MarkAnswer.Conflict(
                    new ReservationBuilder().version(current).build()));
        }

        scene.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(notBound(CHANGED));
        assertThat(scene.api.bound()).isEmpty();
    }

    @Test
    void goesOnWhenTheLostAnswerWasASuccess() {
        scene.api.marking(() -> new BindApi.Unanswered("timeout"));
        scene.api.marking(() -> new MarkAnswer.Conflict(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(START)
                .version(2)
                .build()));

        scene.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
    }

    @Test
    void bindsNoPodBeforeTheDurableWriteAndGivesUpInTime() {
        for (int i = 0; i < 200; i++) {
            scene.api.marking(() -> new BindApi.Unanswered("timeout"));
        }

        scene.time.advanceTo(START.plusSeconds(11));

        assertThat(first).isCompletedWithValue(notBound("gang user/g could not be started: timeout"));
        assertThat(scene.api.bound()).isEmpty();
        // After 0.1, 0.3, 0.7, 1.5, 3.1, 5.1, 7.1, 9.1 and 10 s.
        assertThat(scene.api.writes()).hasSize(10);
    }

    @Test
    void letsTheWriteDecideWhenTheWindowIsWithdrawnAtTheSameMoment() {
        scene.api.marking(() -> {
            scene.view.put(
                    new ReservationBuilder().phase(Phase.PENDING).version(2).build());
            return new MarkAnswer.Conflict(
                    new ReservationBuilder().phase(Phase.PENDING).version(2).build());
        });

        scene.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(notBound(CHANGED));
        assertThat(scene.api.bound()).isEmpty();
    }

    @Test
    void startsWhenItsOwnWriteIsSeenBeforeItIsAnswered() {
        scene.api.marking(() -> {
            scene.view.put(new ReservationBuilder()
                    .phase(Phase.RUNNING)
                    .startedAt(START)
                    .version(2)
                    .build());
            assertThat(scene.api.bound()).isEmpty();
            return new MarkAnswer.Marked();
        });

        scene.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(scene.api.writes()).hasSize(3);
    }

    @Test
    void isNotEndedByTheTimeoutOnceTheWriteIsUnderWay() {
        scene.api.marking(() -> {
            scene.time.advanceTo(START.plusSeconds(12));
            return new MarkAnswer.Marked();
        });

        scene.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
    }

    @Test
    void hasAGangRepairedOfWhichAMemberWasRefused() {
        scene.api.binding("g-1", () -> new BindApi.Refused("forbidden"));

        scene.time.advanceTo(START);

        String refusal = "pod user/g-1 could not be bound on node n01: forbidden";
        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(notBound(refusal));
        assertThat(scene.repairs).containsExactly("user/g: " + refusal);
        assertThat(scene.observed).contains("partial user/g");
    }

    @Test
    void doesNotCountAGangWithoutBoundPodsAsPartial() {
        scene.api.binding("g-0", () -> new BindApi.Refused("forbidden"));

        scene.time.advanceTo(START);

        assertThat(second).isCompletedWithValue(notBound("pod user/g-1 was not bound, because its gang did not start"));
        assertThat(scene.repairs).hasSize(1);
        assertThat(scene.observed).containsExactly("opened user/g after PT0S");
    }

    @Test
    void takesAPodThatIsBoundOnItsNodeAsBoundWhateverTheAnswerWas() {
        scene.api.binding("g-0", () -> {
            scene.api.reallyBind("g-0", "n00");
            return new BindAnswer.Conflict("already assigned");
        });
        scene.api.binding("g-1", () -> {
            scene.api.reallyBind("g-1", "n01");
            return new BindApi.Unanswered("timeout");
        });

        scene.time.advanceTo(START);

        assertThat(first).isCompletedWithValue(bound());
        assertThat(second).isCompletedWithValue(bound());
        assertThat(scene.repairs).isEmpty();
    }

    @Test
    void triesAgainWhileTheApiServerDoesNotAnswer() {
        scene.api.binding("g-0", () -> new BindApi.Unanswered("503"));
        scene.api.binding("g-0", () -> new BindApi.Unanswered("too many requests"));

        scene.time.advanceTo(START.plusSeconds(1));

        assertThat(first).isCompletedWithValue(bound());
        assertThat(scene.repairs).isEmpty();
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
        BarrierScene scene = new BarrierScene();
        scene.view.put(new ReservationBuilder().pods(1).build());
        scene.api.binding("g-0", () -> {
            scene.api.pod("g-0", pod);
            return new BindAnswer.Conflict("conflict");
        });
        CompletableFuture<BindOutcome> call = scene.arrive(0);
        scene.time.advanceTo(START);

        assertThat(scene.repairs).hasSize(1);
        return call.join() instanceof BindOutcome.NotBound refused ? refused.reason() : "bound";
    }
}
