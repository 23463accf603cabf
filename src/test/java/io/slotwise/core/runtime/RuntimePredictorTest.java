package io.slotwise.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.core.runtime.Prediction.Basis;
import io.slotwise.core.runtime.RunHistory.WorkloadRun;
import io.slotwise.core.runtime.RuntimePredictor.Fallback;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RuntimePredictorTest {
    private static final RecurringWorkload TRAIN = new RecurringWorkload("1-a", "Job/train");
    private static final RecurringWorkload OTHER = new RecurringWorkload("1-b", "Job/other");
    private static final RuntimePredictor USUAL = new RuntimePredictor(900_000, 20, Fallback.NAMESPACE);

    private static RunHistory history(RecurringWorkload workload, long... seconds) {
        return RunHistory.empty("team")
                .with(
                        IntStream.range(0, seconds.length)
                                .mapToObj(i -> new WorkloadRun(workload, new PastRun(i, "run-" + i, seconds[i])))
                                .toList(),
                        RunHistory.MOST_RUNS);
    }

    @Test
    void theLongestOfFourteenRunsIsTheNinetiethPercentile() {
        long[] minutes = {30, 31, 33, 34, 35, 37, 38, 40, 41, 42, 43, 45, 50, 52};
        RunHistory history = history(
                TRAIN,
                IntStream.range(0, 14)
                        .mapToLong(i -> minutes[(i * 5) % 14] * 60)
                        .toArray());

        Prediction prediction = USUAL.of(history, TRAIN).orElseThrow();

        assertThat(prediction).isEqualTo(new Prediction(14, 38 * 60, 900_000, 52 * 60, Basis.WORKLOAD));
        assertThat(prediction.words()).isEqualTo("predicted from 14 runs: 38m, 90 % end within 52m");
    }

    @Test
    void theLongestOfTooFewRunsIsPlanned() {
        assertThat(USUAL.of(history(TRAIN, 100), TRAIN).orElseThrow().within()).isEqualTo(100);
        assertThat(USUAL.of(history(TRAIN, 100, 300, 200), TRAIN).orElseThrow())
                .isEqualTo(new Prediction(3, 200, 900_000, 300, Basis.WORKLOAD));
    }

    @Test
    void aRunCountsForAtMostTwiceTheNextLongest() {
        assertThat(USUAL.of(history(TRAIN, 100, 60_000_000, 110), TRAIN)
                        .orElseThrow()
                        .within())
                .isEqualTo(220);
        assertThat(USUAL.of(history(TRAIN, 100, 200_000, 300_000), TRAIN)
                        .orElseThrow()
                        .within())
                .isEqualTo(300_000);
    }

    @Test
    void onlyTheLastRunsCount() {
        RunHistory history = history(TRAIN, 9000, 9000, 100, 110, 120);

        assertThat(new RuntimePredictor(900_000, 3, Fallback.DEFAULT)
                        .of(history, TRAIN)
                        .orElseThrow())
                .isEqualTo(new Prediction(3, 110, 900_000, 120, Basis.WORKLOAD));
    }

    @Test
    void aWorkloadWithoutARunGoesByItsNamespaceOrByNothing() {
        RunHistory history = history(TRAIN, 100, 200);

        Prediction prediction = USUAL.of(history, OTHER).orElseThrow();
        assertThat(prediction.basis()).isEqualTo(Basis.NAMESPACE);
        assertThat(prediction.words())
                .isEqualTo("predicted from 2 runs of other workloads of its namespace: 1m40s, 90 % end within 3m20s");
        assertThat(USUAL.ofItsOwn(history, OTHER)).isEmpty();
        assertThat(new RuntimePredictor(900_000, 20, Fallback.DEFAULT).of(history, OTHER))
                .isEmpty();
        assertThat(USUAL.of(RunHistory.empty("team"), OTHER)).isEmpty();
        assertThat(RuntimePredictor.OFF.of(history, TRAIN)).isEmpty();
    }

    @Test
    void runsInAnyOrderEndWithinTheQuantileAsOftenAsItSays() {
        Random random = new Random(42);
        for (int quantile : List.of(500_000, 750_000, 900_000)) {
            RuntimePredictor predictor = new RuntimePredictor(quantile, 20, Fallback.DEFAULT);
            int inTime = 0;
            int runs = 4000;
            for (int i = 0; i < runs; i++) {
                long[] seconds = random.longs(21, 1, 100_000).toArray();
                RunHistory history = history(TRAIN, Arrays.copyOf(seconds, 20));
                inTime += seconds[20]
                                <= predictor.of(history, TRAIN).orElseThrow().within()
                        ? 1
                        : 0;
            }
            assertThat(inTime / (double) runs)
                    .isCloseTo(quantile / 1e6, within(0.05))
                    .isGreaterThan(quantile / 1e6 - 0.02);
        }
    }

    @Test
    void aStatedRuntimeIsFarOffIfItIsTwiceTheQuantileOrBelowTheMedian() {
        Prediction prediction = USUAL.of(history(TRAIN, 100, 200, 300), TRAIN).orElseThrow();

        assertThat(prediction.contradicts(600)).isFalse();
        assertThat(prediction.contradicts(601)).isTrue();
        assertThat(prediction.contradicts(200)).isFalse();
        assertThat(prediction.contradicts(199)).isTrue();
        assertThat(USUAL.of(history(TRAIN, 100, 200), TRAIN).orElseThrow().contradicts(9000))
                .as("two runs tell too little")
                .isFalse();
        assertThat(USUAL.of(history(TRAIN, 100, 200, 300), OTHER).orElseThrow().contradicts(9000))
                .as("another workload's runs tell nothing")
                .isFalse();
        assertThat(new RuntimeSource(TRAIN, prediction, true).hint(3600).orElseThrow())
                .isEqualTo("Its runtime is stated as 1h, but of its last 3 runs 90 % ended within 5m, half of them "
                        + "within 3m20s.");
        assertThat(new RuntimeSource(TRAIN, prediction, true).hint(300)).isEmpty();
        assertThat(new RuntimeSource(TRAIN, prediction, false).hint(3600)).isEmpty();
    }

    @Test
    void aQuantileIsSaidWithoutNeedlessDigits() {
        assertThat(new Prediction(1, 1, 950_000, 1, Basis.WORKLOAD).percent()).isEqualTo("95 %");
        assertThat(new Prediction(1, 1, 1_000_000, 1, Basis.WORKLOAD).percent()).isEqualTo("100 %");
        assertThat(new Prediction(1, 1, 995_000, 1, Basis.WORKLOAD).words())
                .isEqualTo("predicted from 1 run: 1s, 99.5 % end within 1s");
    }
}
