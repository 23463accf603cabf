package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Windows that move within their promises, on nodes with room for three gangs of two pods that run for 10 s. */
class ShownWindowsTest {
    private static final long RUNTIME = 10;

    private final FakeHost host = new FakeHost().withNodes("a", "b", "c", "d", "e", "f");
    private final ChangingSettings settings = new ChangingSettings(LoopSettings.EXACT.withPolicy(
            Policy.EXACT.withTurnover(2).withSlack(new PromiseSlack(400_000, 200_000, 30, 0, 0))));
    private PlanningLoop loop = host.replica(settings);
    private final GangStarter starter = host.starter(settings);
    private final List<GangId> gangs = new ArrayList<>();
    /** The seconds in which the pods of running gangs end. */
    private final Map<GangId, Long> ends = new HashMap<>();

    private void arrive(int number) {
        host.shows = true;
        host.leastRest = 1;
        for (int i = 0; i < number; i++) {
            GangId gang = host.arrives("g" + i, 2, RUNTIME);
            host.goesDirect(gang);
            gangs.add(gang);
        }
    }

    /** Pods end, a cycle follows, and what is due is bound. */
    private void second() {
        ends.forEach((gang, end) -> {
            if (end == host.second()) {
                pods(gang).forEach(pod -> host.succeed(pod, host.second()));
            }
        });
        loop.cycle();
        starter.look(host.instant());
        for (GangId gang : gangs) {
            GangRecord record = host.records.get(gang);
            boolean due = record != null
                    && record.phase() == Phase.PROMISED
                    && record.windowStart().orElseThrow() <= host.second();
            boolean begun = record != null && record.phase() == Phase.RUNNING && !ends.containsKey(gang);
            if (due || begun) {
                host.openBarrier(gang);
                // Each gang ends a second later than it was to.
                ends.put(gang, host.second() + RUNTIME + 1);
            }
        }
        loop.cycle();
        host.pass(Duration.ofSeconds(1));
    }

    private List<String> pods(GangId gang) {
        return Objects.requireNonNull(host.gangs.get(gang)).pods();
    }

    private boolean isOver() {
        return gangs.stream()
                .allMatch(gang -> pods(gang).stream()
                        .allMatch(pod ->
                                Objects.requireNonNull(host.pods.get(pod)).state() == Member.State.ENDED));
    }

    @Test
    void gangsThatWaitForEachOtherCostAtMostThreeWritesEach() {
        arrive(12);

        for (int i = 0; i < 80 && !isOver(); i++) {
            second();
        }
        second();

        assertThat(isOver()).isTrue();
        assertThat(host.broken).isEmpty();
        assertThat(host.writes).isLessThanOrEqualTo(3 * gangs.size());
        // Four rounds of 11 s each: no room stood empty for the turnover.
        assertThat(ends.values()).allSatisfy(end -> assertThat(end).isLessThanOrEqualTo(FakeHost.BEGIN + 4 * 11 + 4));
    }

    @Test
    void aLeaderThatFindsOlderWindowsBreaksNoPromise() {
        arrive(12);
        for (int i = 0; i < 15; i++) {
            second();
        }

        host.showWritten();
        loop = host.replica(settings);
        for (int i = 0; i < 70 && !isOver(); i++) {
            second();
        }

        assertThat(isOver()).isTrue();
        assertThat(host.broken).isEmpty();
    }

    @Test
    void aPromiseForLaterIsWrittenAtOnceAndASmallMoveIsNot() {
        arrive(9);
        loop.cycle();

        assertThat(host.writes)
                .as("three started at once, and six are promised for later")
                .isEqualTo(6);
        for (int i = 0; i < 9; i++) {
            host.pass(Duration.ofSeconds(1));
            loop.cycle();
        }
        assertThat(host.writes).as("three have started").isEqualTo(9);
    }
}
