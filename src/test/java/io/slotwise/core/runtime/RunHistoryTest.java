package io.slotwise.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.slotwise.core.runtime.RunHistory.WorkloadRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RunHistoryTest {
    private static final RecurringWorkload TRAIN = new RecurringWorkload("1-a", "Job/train");

    private static WorkloadRun run(RecurringWorkload workload, int number, long seconds) {
        return new WorkloadRun(workload, new PastRun(1000L + number, "run-" + number, seconds));
    }

    private static List<Long> seconds(RunHistory history, RecurringWorkload workload) {
        return Objects.requireNonNull(history.workloads().get(workload.key())).runs().stream()
                .map(PastRun::seconds)
                .toList();
    }

    @Test
    void theRunsThatEndedLastAreKept() {
        RunHistory history = RunHistory.empty("team");

        for (int i = 1; i <= 5; i++) {
            history = history.with(List.of(run(TRAIN, i, i)), 3);
        }

        assertThat(seconds(history, TRAIN)).containsExactly(3L, 4L, 5L);
    }

    @Test
    void theUsedPartIsADecayingMeanThatBeginsWithTheDefault() {
        RunHistory history = RunHistory.empty("team").with(List.of(run(TRAIN, 0, 5)), 50);

        assertThat(history.used(400_000)).isEqualTo(400_000);

        history = history.with(List.of(new WorkloadRun(TRAIN, new PastRun(2_000, "a", 100, 1_000))), 50);

        assertThat(history.used(400_000)).isEqualTo((720_000 + 100_000L) * 10 / 28);

        for (int i = 2; i < 50; i++) {
            history = history.with(List.of(new WorkloadRun(TRAIN, new PastRun(2_000 + i, "r" + i, 900, 300))), 50);
        }

        assertThat(history.used(400_000)).isBetween(990_000, 1_000_000);
        assertThatIllegalArgumentException().isThrownBy(() -> new PastRun(1, "r", 1, -1));
    }

    @Test
    void repeatedRunsInAnyOrderChangeNothing() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            List<WorkloadRun> told = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                told.add(run(new RecurringWorkload("1-" + random.nextInt(3), "w"), random.nextInt(60), 5));
            }
            RunHistory once = RunHistory.empty("team").with(told, 4);
            List<WorkloadRun> again = new ArrayList<>(told);
            Collections.shuffle(again, random);

            assertThat(once.with(again, 4)).isSameAs(once);
            RunHistory oneByOne = RunHistory.empty("team");
            for (WorkloadRun workloadRun : again) {
                oneByOne = oneByOne.with(List.of(workloadRun), 4);
            }
            assertThat(oneByOne).isEqualTo(once);
        }
    }

    @Test
    void theWorkloadThatEndedLongestAgoGoesWhenThereAreTooMany() {
        RunHistory history = RunHistory.empty("team");

        for (int i = 0; i <= RunHistory.MOST_WORKLOADS; i++) {
            history = history.with(List.of(run(new RecurringWorkload("1-" + i, "w" + i), i, 5)), 3);
        }

        assertThat(history.workloads())
                .hasSize(RunHistory.MOST_WORKLOADS)
                .doesNotContainKey("1-0")
                .containsKey("1-1");
    }

    @Test
    void aRunWithAnotherLengthUnderTheSameIdIsTheSameRun() {
        RunHistory history = RunHistory.empty("team").with(List.of(run(TRAIN, 1, 60)), 3);

        assertThat(history.with(List.of(run(TRAIN, 1, 61)), 3)).isSameAs(history);
        assertThat(history.has(TRAIN, "run-1")).isTrue();
        assertThat(history.has(TRAIN, "run-2")).isFalse();
        assertThat(history.has(new RecurringWorkload("1-b", "other"), "run-1")).isFalse();
    }

    @Test
    void impossibleRunsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PastRun(0, "r", 0))
                .withMessageContaining("The seconds (0) of run (r) must be between 1 and 315360000.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PastRun(0, "", 1))
                .withMessageContaining("must have 1 to 64 characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunHistory.Series("w", List.of()))
                .withMessageContaining("must have 1 to 50 runs, not 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunHistory.Series("w", List.of(new PastRun(9, "b", 1), new PastRun(8, "a", 1))))
                .withMessage("The run (a) of workload (w) must end after the one before it.");
        assertThatIllegalArgumentException().isThrownBy(() -> new RecurringWorkload("", "w"));
    }
}
