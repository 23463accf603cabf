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
import io.slotwise.core.window.baseline.Aep;
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
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long the searches of {@link SlotSelectionPaper} and the exact ones take, by the number of nodes (table 1
 * of the paper) or the length of the interval (table 2). Each search is measured once per replication, CSA in one of
 * {@value #ONE_OF}, from the free capacity of a new environment to the window.
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
        NODES("scale-nodes", "the number of nodes", 1, 50, 100, 200, 300, 400),
        INTERVAL("scale-interval", "the length of the interval", 2, 600, 1200, 1800, 2400, 3000, 3600);

        private final String experiment;
        private final String words;
        private final String table;
        private final String title;

        @SuppressWarnings("ImmutableEnumChecker") // made by List.of
        private final List<Integer> sizes;

        Axis(String experiment, String words, int table, Integer... sizes) {
            this.experiment = experiment;
            this.words = words;
            this.table = "table " + table;
            this.title = "Table " + table;
            this.sizes = List.of(sizes);
        }
    }

    private ScaleExperiment(Axis axis, LongSupplier clock) {
        this.axis = axis;
        this.clock = clock;
    }

    /** Returns the experiment of table 1. The clock counts nanoseconds. */
    public static ScaleExperiment nodes(LongSupplier clock) {
        return new ScaleExperiment(Axis.NODES, clock);
    }

    /** Returns the experiment of table 2. The clock counts nanoseconds. */
    public static ScaleExperiment interval(LongSupplier clock) {
        return new ScaleExperiment(Axis.INTERVAL, clock);
    }

    @Override
    public ExperimentProfile profile() {
        return ExperimentProfile.named(axis.experiment);
    }

    @Override
    public void run(long seed, Tally tally) {
        for (int size : axis.sizes) {
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
            Aep aep = Aep.of(criterion, Seeds.generator(seed));
            timed(tally, algorithm(criterion), x, () -> situation.papers(aep));
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

    private void timed(Tally tally, String series, String x, Supplier<Optional<Window>> search) {
        long before = clock.getAsLong();
        Optional<Window> window = search.get();
        long after = clock.getAsLong();
        if (window.isPresent()) {
            tally.add(series, x, MILLISECONDS, (after - before) / NANOS);
        }
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
        Figure.Builder eachBuilder = new Figure.Builder(title + ": milliseconds of CSA for each alternative", tally);
        row(eachBuilder, CSA, EACH, EACH);
        Figure.Builder growthBuilder = new Figure.Builder(title + ": exponent of the growth with " + axis.words, tally);
        for (String series : series()) {
            List<@Nullable Double> paper = profile().row(series);
            growthBuilder.value(
                    series,
                    "",
                    EXPONENT,
                    exponent(tally, series),
                    paper == null
                            ? null
                            : exponent(
                                    xs(),
                                    paper.stream().map(Objects::requireNonNull).toList()));
        }
        return new Conclusion(
                List.of(countsBuilder.build(), timesBuilder.build(), eachBuilder.build(), growthBuilder.build()),
                findings(tally));
    }

    private void row(Figure.Builder builder, String series, String metric, String paperRow) {
        List<@Nullable Double> paper = profile().row(paperRow);
        for (int i = 0; i < axis.sizes.size(); i++) {
            builder.mean(series, String.valueOf(axis.sizes.get(i)), metric, paper == null ? null : paper.get(i));
        }
    }

    private List<Double> xs() {
        return axis.sizes.stream().map(Integer::doubleValue).toList();
    }

    private double exponent(Tally tally, String series) {
        return exponent(xs(), means(tally, series, MILLISECONDS));
    }

    private List<Double> means(Tally tally, String series, String metric) {
        return axis.sizes.stream()
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
                                axis.sizes.getLast(),
                                two(amp),
                                two(time),
                                two(cost),
                                two(finish),
                                two(runtime),
                                two(csa)));
    }

    private double largest(Tally tally, String series) {
        return tally.mean(series, String.valueOf(axis.sizes.getLast()), MILLISECONDS);
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
                                "at %d the paper's takes as long as the exact one for ".formatted(axis.sizes.getLast()),
                                "")));
    }

    private double ratio(Tally tally, Criterion criterion) {
        return largest(tally, algorithm(criterion)) / largest(tally, exact(criterion));
    }

    /**
     * Returns the exponent b of the power law y = a x^b, by least squares on the logarithms. NaN for fewer than two
     * points or a quantity that is not positive.
     */
    public static double exponent(List<Double> xs, List<Double> ys) {
        int n = xs.size();
        double meanX = xs.stream().mapToDouble(Math::log).average().orElse(Double.NaN);
        double meanY = ys.stream().mapToDouble(Math::log).average().orElse(Double.NaN);
        double covariance = 0;
        double variance = 0;
        for (int i = 0; i < n; i++) {
            double dx = Math.log(xs.get(i)) - meanX;
            covariance += dx * (Math.log(ys.get(i)) - meanY);
            variance += dx * dx;
        }
        return covariance / variance;
    }
}
