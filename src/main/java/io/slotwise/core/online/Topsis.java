package io.slotwise.core.online;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * TOPSIS (technique for order preference by similarity to ideal solution): ranks alternatives whose criteria are all to
 * be minimized.
 *
 * <p>The decision matrix f has a row for each alternative and a column for each criterion, in any units: each column is
 * divided by its Euclidean norm (equation 5) and multiplied by its weight (6). A+ holds the greatest and A- the least
 * of each column (7, 8). R+ and R- are a row's Euclidean distances from them (9, 10), C = R- / (R- + R+) (11), and the
 * least C wins.
 *
 * <p>Invariants. A positive factor on a column does not change C. An alternative that is nowhere better than another,
 * and worse in a criterion of positive weight, has the greater C, so it never wins. Both hold up to the rounding of a
 * double. Every sum is taken in the order of the alternatives' names, so the same alternatives give the same bits in
 * any order.
 *
 * <p>O(m n + m log m) time and O(m n) space for m alternatives and n criteria.
 *
 * <p>Source: Bansal and Hota, sections 4.3 and 4.4, Algorithm 2, equations 5 to 11.
 *
 * <p>Readings. Equations and prose of the paper contradict each other. By the equations A+ is the greatest value of
 * each column although all are minimized, so "ideal" and "negative ideal" have exchanged names. C is then a row's
 * relative distance from the least values. The least C is the usual TOPSIS ranking of minimized criteria, 1 - C being
 * its closeness to the ideal. By the prose of section 4.3 the positive ideal is the minimum, which makes (11) the usual
 * closeness, and yet the minimum is returned. That is the usual ranking upside down: with R+ and R- as in the equations
 * its C is R+ / (R- + R+), which is 1 - C of the equations. The prose returns the alternative that the equations rank
 * last (apart from ties). An alternative that is worst in every criterion then always wins. {@link Reading#EQUATIONS}
 * decides; {@link Reading#PROSE} is kept for comparison.
 *
 * <p>The paper leaves three cases open. A column of zeros stays zero. If all rows are alike in every weighted column,
 * as with a single alternative, R- + R+ is 0, and C is 0 for all. Equal C are ordered by the alternative's name.
 */
public final class Topsis {
    private static final double TOLERANCE = 1e-9;

    private Topsis() {}

    /** The followed one of the paper's two accounts of the method. */
    public enum Reading {
        /** Equations 7, 8 and 11: A+ is the greatest value. */
        EQUATIONS,
        /** Section 4.3: the positive ideal is the least value, and the least closeness to it wins. */
        PROSE
    }

    /** A row of the decision matrix. */
    public record Alternative(String name, List<Double> values) {
        public Alternative {
            values = List.copyOf(values);
            if (!values.stream().allMatch(Double::isFinite)) {
                throw new IllegalArgumentException(
                        "The values (%s) of alternative (%s) must be finite.".formatted(values, name));
            }
        }
    }

    /**
     * An alternative in the ranking.
     *
     * @param closeness C of equation 11, in [0, 1]; the least is best
     * @param distance from the least value of every criterion, of the weighted and normalized values
     */
    public record Ranked(String name, double closeness, double distance) {
        private static final Comparator<Ranked> ORDER =
                Comparator.comparingDouble(Ranked::closeness).thenComparing(Ranked::name);
    }

    public static List<Ranked> rank(List<Alternative> alternatives, List<Double> weights, Reading reading) {
        check(alternatives, weights);
        List<Alternative> rows = alternatives.stream()
                .sorted(Comparator.comparing(Alternative::name))
                .toList();
        double[][] x = new double[rows.size()][weights.size()];
        double[] greatest = new double[weights.size()];
        double[] least = new double[weights.size()];
        for (int j = 0; j < weights.size(); j++) {
            weigh(rows, j, weights.get(j), x);
            int column = j;
            greatest[j] = Arrays.stream(x).mapToDouble(row -> row[column]).max().orElse(0);
            least[j] = Arrays.stream(x).mapToDouble(row -> row[column]).min().orElse(0);
        }
        List<Ranked> ranked = new ArrayList<>();
        for (int i = 0; i < x.length; i++) {
            double fromGreatest = separation(x[i], greatest);
            double fromLeast = separation(x[i], least);
            double closeness = switch (reading) {
                case EQUATIONS -> closeness(fromLeast, fromGreatest);
                case PROSE -> closeness(fromGreatest, fromLeast);
            };
            ranked.add(new Ranked(rows.get(i).name(), closeness, fromLeast));
        }
        ranked.sort(Ranked.ORDER);
        return ranked;
    }

    private static void check(List<Alternative> alternatives, List<Double> weights) {
        double sum = 0;
        for (double weight : weights) {
            sum += weight >= 0 ? weight : Double.NaN;
        }
        if (!(Math.abs(sum - 1) <= TOLERANCE)) {
            throw new IllegalArgumentException(
                    "The weights (%s) must not be negative and must sum to 1.".formatted(weights));
        }
        Set<String> names = new HashSet<>();
        for (Alternative alternative : alternatives) {
            if (alternative.values().size() != weights.size() || !names.add(alternative.name())) {
                throw new IllegalArgumentException(
                        "The alternative (%s) with the values %s must appear once, with %d values."
                                .formatted(alternative.name(), alternative.values(), weights.size()));
            }
        }
    }

    /** Equations 5 and 6 for column {@code j}. */
    private static void weigh(List<Alternative> rows, int j, double weight, double[][] x) {
        double squares = 0;
        for (Alternative alternative : rows) {
            double value = alternative.values().get(j);
            squares += value * value;
        }
        double norm = StrictMath.sqrt(squares);
        for (int i = 0; i < x.length; i++) {
            x[i][j] = norm == 0 ? 0 : weight * (rows.get(i).values().get(j) / norm);
        }
    }

    /** Equations 9 and 10. */
    private static double separation(double[] row, double[] ideal) {
        double squares = 0;
        for (int j = 0; j < row.length; j++) {
            squares += (row[j] - ideal[j]) * (row[j] - ideal[j]);
        }
        return StrictMath.sqrt(squares);
    }

    /** Equation 11. */
    private static double closeness(double negative, double positive) {
        return negative + positive == 0 ? 0 : negative / (negative + positive);
    }
}
