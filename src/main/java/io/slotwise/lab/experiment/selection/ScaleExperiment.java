package io.slotwise.lab.experiment.selection;

import static io.slotwise.lab.experiment.Numbers.two;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.ALTERNATIVES;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.CRITERIA;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.CSA;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.ENVIRONMENT;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.SLOTS;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.algorithm;
import static io.slotwise.lab.experiment.selection.SlotSelectionPaper.exact;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.baseline.Baseline;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.selection.SlotSelectionPaper.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How long the paper's searches and the exact ones take, against the number of nodes or the length of the interval.
 * Each is timed once in every replication, CSA in one of {@value #ONE_OF}, from the nodes' free capacity of a new
 * environment to the window.
 */
public final class ScaleExperiment implements Experiment {
    private static final String MILLISECONDS = "ms";
    private static final String EACH = "ms per alternative";
    private static final String EXPONENT = "exponent";
    private static final double NANOS = 1e6;
    private static final int ONE_OF = 8;
    private static final int FIXED_NODES = 100;
    private static final long FIXED_INTERVAL = 600;

    private final Axis axis;
    private final LongSupplier clock;

    private enum Axis {
        NODES("scale-nodes", "the number of nodes", "table 1", "Table 1"),
        INTERVAL("scale-interval", "the length of the interval", "table 2", "Table 2");

        private final String experiment;
        private final String words;
        private final String table;
        private final String title;

        Axis(String experiment, String words, String table, String title) {
            this.experiment = experiment;
            this.words = words;
            this.table = table;
            this.title = title;
        }
    }

    /** The paper's tables: their heads, and the row of each series. */
    private static final Map<Axis, List<Integer>> SIZES = Map.of(
            Axis.NODES, List.of(50, 100, 200, 300, 400), Axis.INTERVAL, List.of(600, 1200, 1800, 2400, 3000, 3600));

    private static final Map<Axis, Map<String, List<Double>>> PAPER = Map.of(
            Axis.NODES,
            Map.of(
                    ALTERNATIVES,
                    List.of(25.9, 57.0, 128.4, 187.3, 252.0),
                    EACH,
                    List.of(0.33, 0.99, 3.16, 6.79, 11.83),
                    CSA,
                    List.of(8.5, 56.5, 405.2, 1271.0, 2980.9),
                    "AMP",
                    List.of(0.3, 0.5, 1.1, 1.6, 2.2),
                    "minRuntime",
                    List.of(3.2, 12.0, 45.5, 97.2, 169.2),
                    "minFinish",
                    List.of(3.2, 12.0, 45.1, 96.9, 169.0),
                    "minProcTime",
                    List.of(1.5, 5.2, 19.4, 42.1, 74.1),
                    "minCost",
                    List.of(1.7, 6.3, 23.6, 52.3, 91.5)),
            Axis.INTERVAL,
            Map.of(
                    SLOTS,
                    List.of(472.6, 779.4, 1092.0, 1405.1, 1718.8, 2030.6),
                    ALTERNATIVES,
                    List.of(57.0, 125.4, 196.2, 269.8, 339.7, 412.5),
                    EACH,
                    List.of(0.95, 1.91, 2.88, 3.88, 4.87, 5.88),
                    CSA,
                    List.of(54.2, 239.8, 565.7, 1045.7, 1650.5, 2424.4),
                    "AMP",
                    List.of(0.5, 0.82, 1.1, 1.44, 1.79, 2.14),
                    "minRuntime",
                    List.of(11.7, 26.0, 40.9, 55.5, 69.4, 84.6),
                    "minFinish",
                    List.of(11.6, 25.7, 40.6, 55.3, 69.0, 84.1),
                    "minProcTime",
                    List.of(5.0, 11.1, 17.4, 23.5, 29.5, 35.8),
                    "minCost",
                    List.of(6.1, 13.4, 20.9, 28.5, 35.7, 43.5)));

    private ScaleExperiment(Axis axis, LongSupplier clock) {
        this.axis = axis;
        this.clock = clock;
    }

    /** Table 1, timed by a clock of nanoseconds. */
    public static ScaleExperiment nodes(LongSupplier clock) {
        return new ScaleExperiment(Axis.NODES, clock);
    }

    /** Table 2, timed by a clock of nanoseconds. */
    public static ScaleExperiment interval(LongSupplier clock) {
        return new ScaleExperiment(Axis.INTERVAL, clock);
    }

    @Override
    public ExperimentProfile profile() {
        return ExperimentProfile.named(axis.experiment);
    }

    @Override
    public void run(long seed, Tally tally) {
        for (int size : sizes()) {
            long at = Seeds.of(seed, size);
            Situation situation =
                    axis == Axis.NODES ? Situation.of(size, FIXED_INTERVAL, at) : Situation.of(FIXED_NODES, size, at);
            measure(situation, String.valueOf(size), at, tally);
            if (Math.floorMod(seed, ONE_OF) == 0) {
                measureAlternatives(situation, String.valueOf(size), tally);
            }
        }
    }

    private void measure(Situation situation, String x, long seed, Tally tally) {
        tally.add(ENVIRONMENT, x, SLOTS, situation.slots());
        for (Criterion criterion : CRITERIA) {
            Baseline baseline = Baseline.of(criterion, Seeds.generator(seed));
            timed(tally, algorithm(criterion), x, () -> situation.papers(baseline));
            timed(tally, exact(criterion), x, () -> situation.exact(criterion));
        }
    }

    private void measureAlternatives(Situation situation, String x, Tally tally) {
        long before = clock.getAsLong();
        List<Window> alternatives = situation.alternatives();
        double time = (clock.getAsLong() - before) / NANOS;
        tally.add(CSA, x, MILLISECONDS, time);
        tally.add(CSA, x, ALTERNATIVES, alternatives.size());
        if (!alternatives.isEmpty()) {
            tally.add(CSA, x, EACH, time / alternatives.size());
        }
    }

    private void timed(Tally tally, String series, String x, Supplier<Optional<Window>> searchedWindow) {
        long before = clock.getAsLong();
        Optional<Window> window = searchedWindow.get();
        long after = clock.getAsLong();
        if (window.isPresent()) {
            tally.add(series, x, MILLISECONDS, (after - before) / NANOS);
        }
    }

    private List<Integer> sizes() {
        return SIZES.getOrDefault(axis, List.of());
    }

    private @Nullable List<Double> paper(String row) {
        return PAPER.getOrDefault(axis, Map.of()).get(row);
    }

    private static List<String> series() {
        List<String> series = new ArrayList<>(List.of(CSA));
        CRITERIA.forEach(criterion -> series.add(algorithm(criterion)));
        CRITERIA.forEach(criterion -> series.add(exact(criterion)));
        return series;
    }

    @Override
    public Conclusion conclude(Tally tally) {
        String title = axis.title;
        Figure.Builder countsBuilder = new Figure.Builder(title + ": what there is to search", tally);
        row(countsBuilder, ENVIRONMENT, SLOTS, SLOTS);
        row(countsBuilder, CSA, ALTERNATIVES, ALTERNATIVES);
        Figure.Builder timesBuilder = new Figure.Builder(title + ": milliseconds of one search", tally);
        series().forEach(series -> row(timesBuilder, series, MILLISECONDS, series));
        Figure.Builder each = new Figure.Builder(title + ": milliseconds of CSA for each alternative", tally);
        row(each, CSA, EACH, EACH);
        Figure.Builder growthBuilder = new Figure.Builder(title + ": exponent of the growth with " + axis.words, tally);
        for (String series : series()) {
            List<Double> paper = paper(series);
            growthBuilder.value(
                    series, "", EXPONENT, exponent(tally, series), paper == null ? null : exponent(xs(), paper));
        }
        return new Conclusion(
                List.of(countsBuilder.build(), timesBuilder.build(), each.build(), growthBuilder.build()),
                findings(tally));
    }

    private void row(Figure.Builder builder, String series, String metric, String paperRow) {
        List<Double> paper = paper(paperRow);
        for (int i = 0; i < sizes().size(); i++) {
            builder.mean(series, String.valueOf(sizes().get(i)), metric, paper == null ? null : paper.get(i));
        }
    }

    private List<Double> xs() {
        return sizes().stream().map(Integer::doubleValue).toList();
    }

    private double exponent(Tally tally, String series) {
        return exponent(xs(), means(tally, series, MILLISECONDS));
    }

    private List<Double> means(Tally tally, String series, String metric) {
        return sizes().stream()
                .map(size -> tally.mean(series, String.valueOf(size), metric))
                .toList();
    }

    private List<Finding> findings(Tally tally) {
        return axis == Axis.NODES
                ? List.of(
                        csaNearCubic(tally),
                        atMostQuadratic(tally),
                        ampNearLinear(tally),
                        ampFastest(tally),
                        ratios(tally))
                : List.of(linear(tally), alternativesLinear(tally), ampFastest(tally), ratios(tally));
    }

    private Finding csaNearCubic(Tally tally) {
        double ours = exponent(tally, CSA);
        return new Finding(
                axis.table,
                "CSA's time grows nearly as the cube of the nodes, its alternatives as the nodes",
                Verdict.of(ours > 2.3, Math.abs(exponent(xs(), means(tally, CSA, ALTERNATIVES)) - 1) < 0.25),
                "exponents %s and %s".formatted(two(ours), two(exponent(xs(), means(tally, CSA, ALTERNATIVES)))));
    }

    private Finding atMostQuadratic(Tally tally) {
        List<Criterion> aep = List.of(Criterion.RUNTIME, Criterion.FINISH, Criterion.PROCESSOR_TIME, Criterion.COST);
        return new Finding(
                axis.table,
                "minRuntime, minFinish, minProcTime and minCost grow at most as the square of the nodes",
                Verdict.each(aep, criterion -> exponent(tally, algorithm(criterion)) < 2.3),
                aep.stream()
                        .map(criterion -> "%s %s (exact: %s)"
                                .formatted(
                                        algorithm(criterion),
                                        two(exponent(tally, algorithm(criterion))),
                                        two(exponent(tally, exact(criterion)))))
                        .collect(Collectors.joining(", ", "exponents ", "")));
    }

    private Finding ampNearLinear(Tally tally) {
        double ours = exponent(tally, "AMP");
        return new Finding(
                axis.table,
                "AMP grows nearly as the nodes",
                Verdict.of(ours > 0.5 && ours < 1.4),
                "exponent " + two(ours));
    }

    private Finding linear(Tally tally) {
        return new Finding(
                axis.table,
                "AMP and AEP grow as the length of the interval, and so as the slots",
                Verdict.each(CRITERIA, criterion -> exponent(tally, algorithm(criterion)) < 1.3),
                CRITERIA.stream()
                        .map(criterion -> algorithm(criterion) + " " + two(exponent(tally, algorithm(criterion))))
                        .collect(Collectors.joining(", ", "exponents ", "")));
    }

    private Finding alternativesLinear(Tally tally) {
        double alternatives = exponent(xs(), means(tally, CSA, ALTERNATIVES));
        double csa = exponent(tally, CSA);
        return new Finding(
                axis.table,
                "CSA's alternatives grow as the interval, its time about as the square of it",
                Verdict.of(Math.abs(alternatives - 1) < 0.25, Math.abs(csa - 2) < 0.4),
                "exponents %s and %s".formatted(two(alternatives), two(csa)));
    }

    private Finding ampFastest(Tally tally) {
        double amp = largest(tally, "AMP");
        double time = largest(tally, "minProcTime");
        double cost = largest(tally, "minCost");
        double finish = largest(tally, "minFinish");
        double runtime = largest(tally, "minRuntime");
        double csa = largest(tally, CSA);
        double slowest = Math.max(runtime, finish);
        return new Finding(
                axis.table,
                "AMP is the fastest; minProcTime and minCost come before minRuntime and minFinish; CSA is slower than "
                        + "all by far",
                Verdict.of(amp < Math.min(time, cost), time < slowest, cost < slowest, csa > 5 * slowest),
                "at %d: AMP %s ms, minProcTime %s, minCost %s, minFinish %s, minRuntime %s, CSA %s"
                        .formatted(
                                sizes().getLast(),
                                two(amp),
                                two(time),
                                two(cost),
                                two(finish),
                                two(runtime),
                                two(csa)));
    }

    private double largest(Tally tally, String series) {
        return tally.mean(series, String.valueOf(sizes().getLast()), MILLISECONDS);
    }

    private Finding ratios(Tally tally) {
        return new Finding(
                "ours",
                "the exact search takes less time than the paper's algorithm for the criterion",
                Verdict.each(CRITERIA, criterion -> ratio(tally, criterion) > 1),
                CRITERIA.stream()
                        .map(criterion -> "%s %s times".formatted(criterion.key(), two(ratio(tally, criterion))))
                        .collect(Collectors.joining(
                                ", ",
                                "at %d the paper's takes as long as the exact one for ".formatted(sizes().getLast()),
                                "")));
    }

    private double ratio(Tally tally, Criterion criterion) {
        return largest(tally, algorithm(criterion)) / largest(tally, exact(criterion));
    }

    /**
     * The exponent b of the power law y = a x^b, by least squares on the logarithms. Not a number for fewer than two
     * points or for a quantity that is not positive.
     */
    public static double exponent(List<Double> xs, List<Double> ys) {
        int n = xs.size();
        double meanX = xs.stream().mapToDouble(Math::log).average().orElse(Double.NaN);
        double meanY = ys.stream().mapToDouble(Math::log).average().orElse(Double.NaN);
        double along = 0;
        double square = 0;
        for (int i = 0; i < n; i++) {
            double dx = Math.log(xs.get(i)) - meanX;
            along += dx * (Math.log(ys.get(i)) - meanY);
            square += dx * dx;
        }
        return along / square;
    }
}
