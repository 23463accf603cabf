package io.slotwise.lab.experiment;

import io.slotwise.lab.experiment.ComparedNumber.Second;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An experiment with two readings of its paper. Both run on the same seeds, and their numbers are shown next to each
 * other, whichever is nearer to the paper.
 *
 * <p>In a tally the series of the second reading begin with {@value #MARK}, so that shards carry both. Takes as long as
 * both.
 */
public final class TwoReadings implements Experiment {
    static final String MARK = "with this reading: ";

    private final Experiment first;
    private final Experiment second;
    private final boolean part;

    /** Combines two readings with the same figures and findings; the second observes everything itself. */
    public TwoReadings(Experiment first, Experiment second) {
        this(first, second, false);
    }

    private TwoReadings(Experiment first, Experiment second, boolean part) {
        this.first = first;
        this.second = second;
        this.part = part;
    }

    /** Combines a reading with a second one that leaves out identical parts. Its column is empty there. */
    public static TwoReadings partly(Experiment first, Experiment second) {
        return new TwoReadings(first, second, true);
    }

    @Override
    public ExperimentProfile profile() {
        return first.profile();
    }

    @Override
    public Optional<String> missing() {
        return first.missing().or(second::missing);
    }

    @Override
    public void run(long seed, Tally tally) {
        first.run(seed, tally);
        Tally otherTally = new Tally();
        second.run(seed, otherTally);
        otherTally
                .sums()
                .forEach((point, sum) -> tally.add(new Point(MARK + point.series(), point.x(), point.metric()), sum));
    }

    @Override
    public Conclusion conclude(Tally tally) {
        Tally otherTally = new Tally();
        Tally secondsTally = new Tally();
        tally.sums().forEach((point, sum) -> {
            if (point.series().startsWith(MARK)) {
                secondsTally.add(new Point(point.series().substring(MARK.length()), point.x(), point.metric()), sum);
            } else {
                otherTally.add(point, sum);
            }
        });
        Set<Point> own = Set.copyOf(secondsTally.sums().keySet());
        if (part) {
            otherTally.sums().forEach((point, sum) -> {
                if (!own.contains(point)) {
                    secondsTally.add(point, sum);
                }
            });
        }
        Conclusion conclusion = first.conclude(otherTally);
        Conclusion other = second.conclude(secondsTally);
        List<Figure> shown = other.figures().stream()
                .map(figure -> part ? figure.only(own) : figure)
                .toList();
        return new Conclusion(figures(conclusion.figures(), shown), findings(conclusion.findings(), other.findings()));
    }

    private static List<Figure> figures(List<Figure> ones, List<Figure> others) {
        Map<String, Figure> byTitle = by(others, Figure::title);
        return ones.stream()
                .map(figure -> {
                    Figure other = byTitle.get(figure.title());
                    return other == null ? figure : new Figure(figure.title(), rows(figure.rows(), other.rows()));
                })
                .toList();
    }

    /** Returns the rows of the first with those of the second next to them, by the order of the second. */
    private static List<ComparedNumber> rows(List<ComparedNumber> ones, List<ComparedNumber> others) {
        Map<Point, ComparedNumber> first = by(ones, ComparedNumber::point);
        Map<Point, ComparedNumber> second = by(others, ComparedNumber::point);
        Set<Point> points = new LinkedHashSet<>();
        if (second.keySet().containsAll(first.keySet())) {
            points.addAll(second.keySet());
        }
        points.addAll(first.keySet());
        points.addAll(second.keySet());
        List<ComparedNumber> rows = new ArrayList<>();
        for (Point point : points) {
            ComparedNumber other = second.get(point);
            ComparedNumber number = first.get(point);
            if (number != null) {
                rows.add(number.beside(number(other)));
            } else if (other != null) {
                rows.add(new ComparedNumber(point, null, null, other.paper(), number(other)));
            }
        }
        return rows;
    }

    private static @Nullable Second number(@Nullable ComparedNumber number) {
        Double value = number == null ? null : number.value();
        return number == null || value == null ? null : new Second(value, number.ci95());
    }

    private static List<Finding> findings(List<Finding> ones, List<Finding> others) {
        Map<String, Finding> byWords = by(others, finding -> finding.place() + ": " + finding.statement());
        return ones.stream()
                .map(finding -> {
                    Finding other = byWords.get(finding.place() + ": " + finding.statement());
                    return other == null ? finding : finding.beside(other);
                })
                .toList();
    }

    private static <K, T> Map<K, T> by(List<T> all, Function<T, K> key) {
        return all.stream().collect(Collectors.toMap(key, Function.identity(), (a, _) -> a, LinkedHashMap::new));
    }
}
