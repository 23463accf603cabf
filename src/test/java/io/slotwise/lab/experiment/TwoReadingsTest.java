package io.slotwise.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.lab.experiment.ExperimentProfile.PaperSource;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Replications.Extent;
import io.slotwise.lab.experiment.Replications.Progress;
import io.slotwise.lab.simulation.ReplicationShard;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TwoReadingsTest {
    private static final PaperSource SOURCE = new PaperSource("A. Author", "A Paper", 2020, "table 1");
    private static final String METRIC = "metric";

    /** Observes a value at each of these x, with a small random noise. */
    private record Constant(double value, List<String> xs) implements Experiment {
        @Override
        public ExperimentProfile profile() {
            return new ExperimentProfile(
                    "constant", "a value", SOURCE, List.of("first"), 10, 0, Map.of(), List.of("second"));
        }

        @Override
        public void run(long seed, Tally tally) {
            xs.forEach(x -> tally.add("series", x, METRIC, value + Math.floorMod(seed, 3) - 1));
        }

        @Override
        public Conclusion conclude(Tally all) {
            Figure.Builder figure = new Figure.Builder("Table 1", all);
            for (String x : List.of("1", "2", "3")) {
                figure.mean("series", x, METRIC, x.equals("2") ? null : 100.0);
            }
            boolean large = all.mean("series", "1", METRIC) > 90;
            return new Conclusion(
                    List.of(figure.build()),
                    List.of(new Finding("table 1", "it is large", Verdict.of(large), "it is so")));
        }
    }

    private static ExperimentResults run(Experiment experiment) {
        Tally tally = Replications.run(experiment, new Extent(40, 1, ReplicationShard.WHOLE), 2, Progress.NONE);
        return Replications.conclude(experiment, 40, 1, tally);
    }

    private static ExperimentResults of(double first, double second) {
        List<String> all = List.of("1", "2", "3");
        return run(new TwoReadings(new Constant(first, all), new Constant(second, all)));
    }

    private static ComparedNumber.Verdict verdict(double first, double second) {
        ComparedNumber.Verdict verdict = of(first, second).rows().getFirst().verdict();
        return Objects.requireNonNull(verdict);
    }

    @Test
    void bothReadingsAreShownSideBySide() {
        ExperimentResults results = of(80, 96);

        ComparedNumber row = results.rows().getFirst();
        double value = Objects.requireNonNull(row.value());
        assertThat(value).isCloseTo(80, within(1.0));
        assertThat(Objects.requireNonNull(row.second()).value()).isCloseTo(value + 16, within(1e-6));
        assertThat(results.profile().second()).containsExactly("second");
    }

    @Test
    void deteriorationsAreReportedLikeImprovements() {
        assertThat(verdict(80, 96)).isEqualTo(ComparedNumber.Verdict.NEARER);
        assertThat(verdict(96, 80)).isEqualTo(ComparedNumber.Verdict.FARTHER);
        assertThat(verdict(90, 130)).isEqualTo(ComparedNumber.Verdict.FARTHER);
        assertThat(verdict(95, 95)).isEqualTo(ComparedNumber.Verdict.AS_NEAR);
        assertThat(verdict(90, 110)).isEqualTo(ComparedNumber.Verdict.AS_NEAR);
    }

    @Test
    void withoutANumberOfThePapersThereIsNoVerdict() {
        ComparedNumber row = of(80, 96).rows().get(1);

        assertThat(row.point().x()).isEqualTo("2");
        assertThat(row.second()).isNotNull();
        assertThat(row.verdict()).isNull();
    }

    @Test
    void aFindingIsJudgedByEachReadingForItself() {
        Finding finding = of(80, 96).conclusion().findings().getFirst();

        assertThat(finding.verdict()).isEqualTo(Verdict.NO);
        assertThat(Objects.requireNonNull(finding.second()).verdict()).isEqualTo(Verdict.YES);
    }

    @Test
    void aReadingOfAPartIsShownForThatPartAndJudgedOnTheWhole() {
        ExperimentResults results =
                run(TwoReadings.partly(new Constant(96, List.of("1", "2")), new Constant(80, List.of("3"))));

        assertThat(results.rows().get(0).second()).isNull();
        assertThat(results.rows().get(2).value()).isNull();
        assertThat(results.rows().get(2).second()).isNotNull();
        Finding finding = results.conclusion().findings().getFirst();
        assertThat(Objects.requireNonNull(finding.second()).verdict()).isEqualTo(Verdict.YES);
    }
}
