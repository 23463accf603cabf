package io.slotwise.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.Move;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.RefusalKind;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.testing.EveryRefusal;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reasons as values: the gangs that they name, and their equality. */
class RefusalValueTest {
    private static final long NOW = EveryRefusal.NOW;

    @Test
    void everyKindIsAmongThoseThatAreTested() {
        Set<Class<?>> tested = EveryRefusal.behind(new GangId("secret", "g")).stream()
                .map(Refusal::getClass)
                .collect(Collectors.toSet());

        assertThat(tested).containsExactlyInAnyOrder(Refusal.class.getPermittedSubclasses());
        assertThat(tested).hasSize(RefusalKind.values().length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret/train",
                "secret/week-1",
                "secret/month-end-close",
                "secret/day",
                "geheim/prüfung-ä",
                "秘密/学習",
                "secret/08:00",
                "secret/A.b_c"
            })
    void aReaderOfOneNamespaceLearnsNoNameOfAnotherWhateverItIs(String name) {
        GangId other = new GangId(name.substring(0, name.indexOf('/')), name.substring(name.indexOf('/') + 1));

        for (Refusal refusal : EveryRefusal.behind(other)) {
            Refusal seen = refusal.asSeen("user"::equals);

            assertThat(seen.gangs()).isSubsetOf(new GangId("user", "friday"));
            assertThat(seen.message()).doesNotContain(name).doesNotContain(other.namespace());
            assertThat(refusal.asSeen(_ -> true)).isEqualTo(refusal);
            assertThat(seen.key()).isEqualTo(refusal.key());
        }
        for (ReasonStatement why : List.of(
                new BrokenPromise.Displaced(other, 7, 3),
                new BrokenPromise.Reclaimed(other, "physics"),
                new BrokenPromise.RunsLonger(new BrokenPromise.Holder(name + "-0"), "n1"),
                new BrokenPromise.RoomTaken("n1", new BrokenPromise.Holder(name + "-0")),
                new BrokenPromise.TakenLate("n1", new BrokenPromise.Holder(name + "-0"), 4),
                new BrokenPromise.Account(BrokenPromise.Cause.DISPLACED, new BrokenPromise.Displaced(other, 7, 3)))) {
            assertThat(why.message()).contains(name);
            assertThat(why.asSeen("user"::equals).message())
                    .doesNotContain(name)
                    .contains("of another namespace");
            assertThat(why.asSeen(other.namespace()::equals)).isEqualTo(why);
        }
        for (Move.Purpose purpose : List.of(
                new Move.Start(other, 9, 3), new Move.Interruption(other, 9, 3), new Move.Reclaim(other, 9, 3))) {
            assertThat(purpose.words()).contains(name);
            assertThat(purpose.asSeen("user"::equals).words()).doesNotContain(name);
        }
    }

    @Test
    void redactedReasonsRemainSentences() {
        assertThat(new Refusal.BehindPromises(new GangId("secret", "week-1"), NOW, 1)
                        .asSeen("user"::equals)
                        .message())
                .isEqualTo("behind promised gangs: a gang of another namespace, which starts at "
                        + "2030-01-01T00:00:00Z, and 1 other take the room up to the horizon");
        assertThat(new BrokenPromise.RunsLonger(new BrokenPromise.Holder("secret/p"), "n1")
                        .asSeen("user"::equals)
                        .message())
                .isEqualTo("a pod of another namespace on node n1 runs longer than expected");
    }

    @Test
    void aRedactedNameIsRestoredFromTheFullReason() {
        Refusal whole = new Refusal.BehindPromises(new GangId("secret", "g"), NOW + 5, 1);
        Refusal kept = new Refusal.BehindPromises(null, NOW, 1);

        assertThat(kept.naming(whole)).isEqualTo(new Refusal.BehindPromises(new GangId("secret", "g"), NOW, 1));
        assertThat(kept.naming(new Refusal.NotBackfilled())).isEqualTo(kept);
    }

    @Test
    void twoReasonsAreAboutTheSameWhenOnlyFiguresOfTheClusterDiffer() {
        GangId first = new GangId("user", "a");
        Refusal reason = new Refusal.BehindPromises(first, NOW, 1);

        assertThat(reason.isLike(new Refusal.BehindPromises(first, NOW + 9000, 1)))
                .isTrue();
        assertThat(reason.isNear(new Refusal.BehindPromises(first, NOW + 59, 1), 60))
                .isTrue();
        assertThat(reason.isNear(new Refusal.BehindPromises(first, NOW - 60, 1), 60))
                .isFalse();
        assertThat(reason.isLike(new Refusal.BehindPromises(new GangId("user", "b"), NOW, 2)))
                .isTrue();
        assertThat(new Refusal.AfterPending(first).isLike(new Refusal.AfterPending(new GangId("user", "b"))))
                .isFalse();
        assertThat(new Refusal.TooLarge(4, 2).isLike(new Refusal.TooLarge(4, 3)))
                .isTrue();
        assertThat(new Refusal.TooLarge(4, 2).isLike(new Refusal.TooLarge(5, 2)))
                .isFalse();
        assertThat(reason.isLike(new Refusal.Behind(first, NOW))).isFalse();
    }

    @Test
    void aReasonAboutAnImmediateStartStaysEqualOverTime() {
        Refusal.OverBudget dear = overBudget(0, true);
        Refusal.Deadline late = new Refusal.Deadline(NOW + 60, NOW, NOW + 90, true);

        assertThat(dear.isNear(overBudget(7200, true), 60)).isTrue();
        assertThat(dear.isNear(overBudget(0, false), 60)).isFalse();
        assertThat(late.isNear(new Refusal.Deadline(NOW + 60, NOW + 7200, NOW + 7290, true), 60))
                .isTrue();
        assertThat(late.isNear(new Refusal.Deadline(NOW + 60, NOW, NOW + 91, true), 60))
                .isFalse();
    }

    @Test
    void textOfUsersIsEqualOnlyWordForWord() {
        Refusal told = new Refusal.InvalidRequest("`deadline` (2030-01-01T99:00:00Z)");

        assertThat(told.isNear(new Refusal.InvalidRequest("`deadline` (2030-01-01T99:00:00Z)"), 60))
                .isTrue();
        assertThat(told.isLike(new Refusal.InvalidRequest("`deadline` (2030-01-01T99:00:01Z)")))
                .isFalse();
    }

    @Test
    void instantsBeyondAllMeasureAreFarApart() {
        assertThat(new Refusal.NotBefore(Long.MIN_VALUE).isNear(new Refusal.NotBefore(Long.MAX_VALUE), 60))
                .isFalse();
    }

    @Test
    void theTableOfReasonsHasEachKeyOnceAndTheEventsThatThereAre() {
        assertThat(Arrays.stream(RefusalKind.values()).map(RefusalKind::key)).doesNotHaveDuplicates();
        assertThat(Arrays.stream(RefusalKind.values())
                        .map(RefusalKind::event)
                        .filter(event -> event != null)
                        .distinct())
                .containsExactlyInAnyOrder("InvalidRequest", "OverBudget", "NoWindow", "WriteRefused", "InternalError");
    }

    private static Refusal.OverBudget overBudget(long later, boolean atOnce) {
        return (Refusal.OverBudget) EveryRefusal.behind(new GangId("user", "a")).stream()
                .filter(refusal -> refusal instanceof Refusal.OverBudget over && over.atOnce() == atOnce)
                .map(refusal -> later((Refusal.OverBudget) refusal, later))
                .findFirst()
                .orElseThrow();
    }

    private static Refusal later(Refusal.OverBudget over, long seconds) {
        return new Refusal.OverBudget(over.cheapest(), over.start() + seconds, over.budget(), over.atOnce());
    }
}
