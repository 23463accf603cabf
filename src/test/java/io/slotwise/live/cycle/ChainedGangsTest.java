package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The lives of gangs that start after others. */
class ChainedGangsTest {
    private final FakeHost host = new FakeHost().withNodes("a", "b", "c");
    private final ChangingSettings current = new ChangingSettings(
            LoopSettings.EXACT.withPolicy(Policy.EXACT.withTurnover(0).withSlack(PromiseSlack.NONE)));
    private final PlanningLoop loop = host.replica(current);
    private final GangStarter starter = host.starter(current);

    private GangId after(String name, GangId... before) {
        GangId gang = host.arrives(name, 1, 100);
        host.gangs.computeIfPresent(gang, (_, was) -> was.after(new Predecessors(List.of(before), 0, Map.of())));
        host.goesDirect(gang);
        return gang;
    }

    private GangId first() {
        GangId gang = host.arrives("first", 1, 100);
        host.goesDirect(gang);
        return gang;
    }

    /** Starts the first gang and advances to the second's start, which is returned. */
    private long comesToTheStart(GangId first, GangId second) {
        loop.cycle();
        host.openBarrier(first);
        long due = host.window(second).start();
        host.startedDirectly.clear();
        host.passTo(due);
        starter.look(host.instant());
        return due;
    }

    @Test
    void theWholeChainIsPromisedInOneCycleAndItsRecordsNameWhatTheyAreAfter() {
        GangId first = first();
        GangId second = after("second", first);
        GangId third = after("third", second);

        loop.cycle();

        long begin = host.window(first).start();
        assertThat(host.window(second).start()).isEqualTo(begin + 100);
        assertThat(host.window(third).start()).isEqualTo(begin + 200);
        assertThat(host.known(third).terms().predecessors()).containsExactly(second);
    }

    @Test
    void aGangDoesNotStartWhileAPodOfOneBeforeItRunsAndThenMovesForThatCause() {
        GangId first = first();
        GangId second = after("second", first);
        long due = comesToTheStart(first, second);
        assertThat(host.startedDirectly).isEmpty();

        host.passTo(due + 6);
        loop.cycle();
        assertThat(host.broken).containsExactly(Cause.CHAIN);
        assertThat(host.told).anyMatch(told -> told.contains("it starts after user/first, which had not ended"));
        assertThat(host.window(second).start()).isGreaterThan(due + 6);
    }

    @Test
    void aFewSecondsPastTheEndTheGangStartsOnceTheOneBeforeIsOver() {
        GangId first = first();
        GangId second = after("second", first);
        long due = comesToTheStart(first, second);

        host.end("first-0");
        host.passTo(due + 1);
        starter.look(host.instant());

        assertThat(host.startedDirectly).containsExactly("second");
        assertThat(host.broken).isEmpty();
    }

    @Test
    void anEarlyEndPullsTheNextOneForward() {
        GangId first = first();
        GangId second = after("second", first);
        loop.cycle();
        host.openBarrier(first);
        long due = host.window(second).start();

        host.passTo(due - 60);
        host.endAt("first-0", due - 60);
        loop.cycle();

        assertThat(host.window(second).start()).isEqualTo(due - 60);
        assertThat(host.broken).isEmpty();
    }

    @Test
    void aGangRemembersThatTheOneBeforeHadStartedOnceNothingIsLeftOfThat() {
        GangId first = first();
        GangId second = after("second", first);
        loop.cycle();
        host.openBarrier(first);
        loop.cycle();
        assertThat(host.known(second).terms().after())
                .containsExactly(new RecordedTerms.Before(
                        first, OptionalLong.of(host.window(first).end())));

        // The gang is cancelled: its pods and record go at once.
        host.passTo(host.second() + 10);
        host.gangs.remove(first);
        host.pods.remove("first-0");
        host.records.remove(first);
        loop.cycle();

        assertThat(host.known(second).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.window(second).start()).isEqualTo(host.second());
        assertThat(host.broken).isEmpty();
    }

    @Test
    void aGangThatIsCancelledBeforeItsStartTakesThePromiseWithIt() {
        GangId first = first();
        GangId second = after("second", first);
        loop.cycle();

        host.gangs.remove(first);
        host.pods.remove("first-0");
        host.records.remove(first);
        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.CHAIN);
        assertThat(host.known(second).promise()).isNull();
        assertThat(host.known(second).plannedAspect().reason()).isEqualTo("WaitingForPredecessor");
    }

    @Test
    void aGangThatFailsHasEnded() {
        GangId first = first();
        GangId second = after("second", first);
        loop.cycle();
        host.openBarrier(first);

        host.passTo(host.second() + 5);
        host.end("first-0");
        loop.cycle();

        assertThat(host.known(first).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(host.window(second).start()).isEqualTo(host.second());
    }
}
