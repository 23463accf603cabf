package io.slotwise.core.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.core.online.Topsis.Alternative;
import io.slotwise.core.online.Topsis.Ranked;
import io.slotwise.core.online.Topsis.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopsisTest {
    private static final int CASES = 1000;

    private static RandomGenerator seeded(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    private static Alternative row(String name, double... values) {
        return new Alternative(name, DoubleStream.of(values).boxed().toList());
    }

    private static List<String> names(List<Ranked> ranked) {
        return ranked.stream().map(Ranked::name).toList();
    }

    private static Map<String, Double> closeness(List<Ranked> ranked) {
        return ranked.stream().collect(Collectors.toMap(Ranked::name, Ranked::closeness));
    }

    /**
     * Columns (3, 4) and (8, 6) have the norms 5 and 10. With the weights 0.5 the rows are p = (0.3, 0.4) and q = (0.4,
     * 0.3). Greatest values (0.4, 0.4), least (0.3, 0.3): for either row R+ = R- = 0.1 and C = 0.5.
     *
     * <p>With the weights 0.75 and 0.25, p = (0.45, 0.2), q = (0.6, 0.15), greatest (0.6, 0.2), least (0.45, 0.15).
     * Then p has R+ = 0.15, R- = 0.05, C = 0.25, and q has R+ = 0.05, R- = 0.15, C = 0.75.
     */
    @Test
    void ranksTheExampleThatWasWorkedOutByHand() {
        List<Alternative> rows = List.of(row("q", 4, 6), row("p", 3, 8));

        List<Ranked> even = Topsis.rank(rows, List.of(0.5, 0.5), Reading.EQUATIONS);
        List<Ranked> mostlyFirst = Topsis.rank(rows, List.of(0.75, 0.25), Reading.EQUATIONS);
        List<Ranked> byProse = Topsis.rank(rows, List.of(0.75, 0.25), Reading.PROSE);

        assertThat(even).allSatisfy(r -> assertThat(r.closeness()).isCloseTo(0.5, within(1e-12)));
        assertThat(names(mostlyFirst)).containsExactly("p", "q");
        assertThat(mostlyFirst.get(0).closeness()).isCloseTo(0.25, within(1e-12));
        assertThat(mostlyFirst.get(1).closeness()).isCloseTo(0.75, within(1e-12));
        assertThat(names(byProse)).containsExactly("q", "p");
        assertThat(byProse.get(0).closeness()).isCloseTo(0.25, within(1e-12));
    }

    @Test
    void agreesWithAnIndependentTranscriptionOfTheEquations() {
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = seeded(seed);
            List<Double> weights = weights(random, 1 + random.nextInt(4));
            List<Alternative> rows = rows(random, 2 + random.nextInt(8), weights.size());

            Map<String, Double> closeness = closeness(Topsis.rank(rows, weights, Reading.EQUATIONS));

            for (Alternative row : rows) {
                assertThat(closeness.getOrDefault(row.name(), Double.NaN))
                        .as("seed %d, %s", seed, row.name())
                        .isCloseTo(transcribed(rows, weights, row), within(1e-9));
            }
        }
    }

    /** Equations 5 to 11 for one row, from the distances of its weighted shares. */
    private static double transcribed(List<Alternative> rows, List<Double> weights, Alternative row) {
        double toGreatest = 0;
        double toLeast = 0;
        for (int j = 0; j < weights.size(); j++) {
            int column = j;
            double norm = Math.sqrt(rows.stream()
                    .mapToDouble(r -> Math.pow(r.values().get(column), 2))
                    .sum());
            double greatest =
                    rows.stream().mapToDouble(r -> r.values().get(column)).max().orElseThrow();
            double least =
                    rows.stream().mapToDouble(r -> r.values().get(column)).min().orElseThrow();
            double unit = norm == 0 ? 0 : weights.get(j) / norm;
            toGreatest += Math.pow(unit * (greatest - row.values().get(j)), 2);
            toLeast += Math.pow(unit * (row.values().get(j) - least), 2);
        }
        return toGreatest + toLeast == 0 ? 0 : Math.sqrt(toLeast) / (Math.sqrt(toLeast) + Math.sqrt(toGreatest));
    }

    @Test
    void scaleOfAColumnDoesNotMatter() {
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = seeded(seed);
            List<Double> weights = weights(random, 3);
            List<Alternative> rows = rows(random, 6, 3);
            double factor = Math.scalb(1.0, random.nextInt(40) - 20);
            List<Alternative> scaled = rows.stream()
                    .map(r -> row(
                            r.name(),
                            r.values().get(0) * factor,
                            r.values().get(1),
                            r.values().get(2)))
                    .toList();

            assertThat(Topsis.rank(scaled, weights, Reading.EQUATIONS))
                    .isEqualTo(Topsis.rank(rows, weights, Reading.EQUATIONS));
        }
    }

    @Test
    void dominatedAlternativeNeverWins() {
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = seeded(seed);
            List<Alternative> rows = new ArrayList<>(rows(random, 5, 3));
            Alternative victor = rows.get(random.nextInt(5));
            // Its name is the first, so that a tie would let it win.
            rows.add(row(
                    "a",
                    victor.values().get(0) + random.nextInt(2),
                    victor.values().get(1) + random.nextInt(2),
                    victor.values().get(2) + 1));
            List<Double> weights = weights(random, 3);

            List<String> ranking = names(Topsis.rank(rows, weights, Reading.EQUATIONS));

            assertThat(ranking.indexOf("a")).as("seed %d", seed).isGreaterThan(ranking.indexOf(victor.name()));
        }
    }

    @Test
    void proseTurnsTheRankingUpsideDown() {
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = seeded(seed);
            List<Double> weights = weights(random, 3);
            List<Alternative> rows = rows(random, 5, 3);

            Map<String, Double> equations = closeness(Topsis.rank(rows, weights, Reading.EQUATIONS));
            List<Ranked> prose = Topsis.rank(rows, weights, Reading.PROSE);

            double worst = equations.values().stream().max(Double::compare).orElseThrow();
            assertThat(equations.get(prose.getFirst().name())).isCloseTo(worst, within(1e-9));
            assertThat(prose)
                    .allSatisfy(r -> assertThat(r.closeness())
                            .isCloseTo(1 - equations.getOrDefault(r.name(), Double.NaN), within(1e-9)));
        }
    }

    @Test
    void proseLetsTheWorstInEverythingWin() {
        List<Alternative> rows = List.of(row("best", 1, 1, 1), row("fair", 2, 3, 1), row("worst", 9, 9, 9));
        List<Double> weights = List.of(0.4, 0.4, 0.2);

        assertThat(names(Topsis.rank(rows, weights, Reading.EQUATIONS))).containsExactly("best", "fair", "worst");
        assertThat(names(Topsis.rank(rows, weights, Reading.PROSE))).containsExactly("worst", "fair", "best");
    }

    @Test
    void orderOfTheAlternativesDoesNotMatter() {
        for (int seed = 0; seed < 100; seed++) {
            RandomGenerator random = seeded(seed);
            List<Double> weights = weights(random, 3);
            List<Alternative> rows = rows(random, 7, 3);

            assertThat(Topsis.rank(rows.reversed(), weights, Reading.EQUATIONS))
                    .isEqualTo(Topsis.rank(rows, weights, Reading.EQUATIONS));
        }
    }

    @Test
    void decidesWhereThereIsNothingToDecide() {
        List<Double> weights = List.of(0.5, 0.5);

        assertThat(Topsis.rank(List.of(), weights, Reading.EQUATIONS)).isEmpty();
        assertThat(Topsis.rank(List.of(row("only", 3, 4)), weights, Reading.EQUATIONS))
                .containsExactly(new Ranked("only", 0, 0));
        assertThat(Topsis.rank(List.of(row("b", 0, 7), row("a", 0, 7)), weights, Reading.EQUATIONS))
                .containsExactly(new Ranked("a", 0, 0), new Ranked("b", 0, 0));
        assertThat(names(Topsis.rank(List.of(row("a", 0, 7), row("b", 0, 6)), weights, Reading.EQUATIONS)))
                .containsExactly("b", "a");
    }

    @Test
    void criterionWithoutWeightDoesNotCount() {
        List<Alternative> rows = List.of(row("a", 1, 9), row("b", 2, 1));

        assertThat(names(Topsis.rank(rows, List.of(1.0, 0.0), Reading.EQUATIONS)))
                .containsExactly("a", "b");
        assertThat(names(Topsis.rank(rows, List.of(0.0, 1.0), Reading.EQUATIONS)))
                .containsExactly("b", "a");
    }

    @Test
    void refusesAnInvalidDecisionMatrix() {
        assertThatThrownBy(() -> Topsis.rank(List.of(row("a", 1, 2)), List.of(0.5, 0.4), Reading.EQUATIONS))
                .hasMessageContaining("sum to 1");
        assertThatThrownBy(() -> Topsis.rank(List.of(row("a", 1, 2)), List.of(1.5, -0.5), Reading.EQUATIONS))
                .hasMessageContaining("must not be negative");
        assertThatThrownBy(() -> Topsis.rank(List.of(row("a", 1)), List.of(0.5, 0.5), Reading.EQUATIONS))
                .hasMessageContaining("with 2 values");
        assertThatThrownBy(() -> Topsis.rank(List.of(row("a", 1), row("a", 2)), List.of(1.0), Reading.EQUATIONS))
                .hasMessageContaining("once");
        assertThatThrownBy(() -> row("a", Double.NaN)).hasMessageContaining("finite");
    }

    private static List<Double> weights(RandomGenerator random, int columns) {
        List<Double> raw = IntStream.range(0, columns)
                .mapToObj(_ -> 1.0 + random.nextInt(9))
                .toList();
        double sum = raw.stream().mapToDouble(Double::doubleValue).sum();
        return raw.stream().map(w -> w / sum).toList();
    }

    /** Small integers including zero, so that ties and equal rows occur. */
    private static List<Alternative> rows(RandomGenerator random, int rows, int columns) {
        return IntStream.range(0, rows)
                .mapToObj(i -> row(
                        "r" + i,
                        IntStream.range(0, columns)
                                .mapToDouble(_ -> random.nextInt(20))
                                .toArray()))
                .toList();
    }
}
