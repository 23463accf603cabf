package io.slotwise.lab.experiment.topsis;

import static io.slotwise.lab.experiment.Numbers.change;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.APPLICATIONS;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.COMPARED;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.COST;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.DIFFERENCE;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.EMCT;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.EMET;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.FAILURES;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.LARGEST;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.MCT;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.MET;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.PROSE;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.RESPONSE;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.SATISFACTION;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.intervals;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.peWeights;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.systemWeights;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.users;
import static io.slotwise.lab.experiment.topsis.TopsisExperiment.usualInterval;

import io.slotwise.lab.experiment.ExactSum;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Tally;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The findings of section 5; a smaller user satisfaction is better. */
record TopsisFindings(Tally tally) {
    private static final String OPEN = "; differences within the intervals do not count";

    List<Finding> list() {
        return Stream.of(byApplicationsAndUsers(), byWeights(), byIntervals(), byReadings())
                .flatMap(List::stream)
                .toList();
    }

    private List<Finding> byApplicationsAndUsers() {
        String few = users().getFirst();
        String many = users().getLast();
        return List.of(
                new Finding(
                        "figure 3",
                        "EMCT's user satisfaction is better than EMET's for every number of applications",
                        each(APPLICATIONS, SATISFACTION, (emct, emet) -> emct < emet),
                        both(APPLICATIONS, SATISFACTION)),
                new Finding(
                        "figure 4",
                        "the more applications, the more failures",
                        Verdict.each(
                                List.of(EMCT, EMET),
                                series -> of(series, APPLICATIONS.getFirst(), FAILURES)
                                        < of(series, APPLICATIONS.getLast(), FAILURES)),
                        both(APPLICATIONS, FAILURES)),
                fewerFailures("figure 4", APPLICATIONS, "EMET fails less often than EMCT"),
                new Finding(
                        "figure 5",
                        "the more users, the fewer failures",
                        clearlyLess(FAILURES, many, few),
                        both(users(), FAILURES) + OPEN),
                fewerFailures("figure 5", users(), "EMET fails less often than EMCT, overall by 7.9 %"),
                better("figure 6", users(), "EMCT's user satisfaction is better than EMET's, overall by 19 %"));
    }

    private List<Finding> byWeights() {
        String none = peWeights().getFirst();
        String moderate = peWeights().get(3);
        String most = peWeights().getLast();
        List<String> weights = systemWeights();
        return List.of(
                new Finding(
                        "figure 7",
                        "user satisfaction is worse without a PE weight than with a moderate one",
                        clearlyLess(SATISFACTION, moderate, none),
                        both(peWeights(), SATISFACTION) + OPEN),
                new Finding(
                        "figure 8",
                        "the greater the PE weight, the fewer failures",
                        clearlyLess(FAILURES, most, none),
                        both(peWeights(), FAILURES) + OPEN),
                new Finding(
                        "figure 9",
                        "EMET's failures are least with equal weights",
                        clearlyLess(List.of(EMET), FAILURES, weights.getFirst(), weights),
                        "%s: %s".formatted(String.join(", ", weights), both(weights, FAILURES)) + OPEN),
                new Finding(
                        "figure 10",
                        "with most weight on time user satisfaction is smaller than with other weights",
                        clearlyLess(List.of(EMCT, EMET), SATISFACTION, weights.get(1), weights),
                        "%s: %s".formatted(String.join(", ", weights), both(weights, SATISFACTION)) + OPEN));
    }

    private List<Finding> byIntervals() {
        double emct = of(EMCT, usualInterval(), LARGEST);
        double emet = of(EMET, usualInterval(), LARGEST);
        return List.of(
                better(
                        "figures 11 and 12",
                        intervals(),
                        "EMCT's user satisfaction is better than EMET's, overall by 12 %"),
                fewerFailures("figures 11 and 12", intervals(), "EMET fails less often than EMCT"),
                new Finding(
                        "figures 13 and 14",
                        "EMCT spreads the tasks more evenly: less than 38 % at its busiest site, EMET more than 40 %",
                        Verdict.of(emct < emet, emct < 38, emet > 40),
                        String.format(Locale.ROOT, "busiest site: EMCT %.1f %%, EMET %.1f %%", emct, emet)));
    }

    private List<Finding> byReadings() {
        return List.of(
                new Finding(
                        "ours, section 4.3",
                        "applications that are placed by the equations end earlier and cost less than by the prose",
                        Verdict.of(
                                less(EMCT, EMCT + PROSE, RESPONSE),
                                less(EMCT, EMCT + PROSE, COST),
                                less(EMET, EMET + PROSE, RESPONSE),
                                less(EMET, EMET + PROSE, COST)),
                        compared(EMCT, EMCT + PROSE, EMET, EMET + PROSE)),
                new Finding(
                        "ours, equation 12",
                        "their user satisfaction is better, too",
                        Verdict.of(less(EMCT, EMCT + PROSE, SATISFACTION), less(EMET, EMET + PROSE, SATISFACTION)),
                        "%s, %s; equation 12 divides by the weights: what a user cares least for counts most"
                                .formatted(satisfactions(EMCT, EMCT + PROSE), satisfactions(EMET, EMET + PROSE))),
                new Finding(
                        "ours, section 4",
                        "EMCT and EMET cost less than MCT and MET, which ignore cost",
                        Verdict.of(less(EMCT, MCT, COST), less(EMET, MET, COST)),
                        compared(EMCT, MCT, EMET, MET)));
    }

    private double of(String series, String x, String metric) {
        return tally.mean(series, x, metric);
    }

    private double total(String series, List<String> xs, String metric) {
        return xs.stream().mapToDouble(x -> of(series, x, metric)).sum();
    }

    private String numbers(String series, List<String> xs, String metric) {
        return xs.stream()
                .map(x -> String.format(Locale.ROOT, "%.0f", of(series, x, metric)))
                .collect(Collectors.joining(", ", series + " ", ""));
    }

    private String both(List<String> xs, String metric) {
        return "%s; %s".formatted(numbers(EMCT, xs, metric), numbers(EMET, xs, metric));
    }

    private Verdict each(List<String> xs, String metric, BiPredicate<Double, Double> holds) {
        return Verdict.each(xs, x -> holds.test(of(EMCT, x, metric), of(EMET, x, metric)));
    }

    private Finding fewerFailures(String place, List<String> xs, String statement) {
        return compared(place, statement, xs, FAILURES, (emct, emet) -> emet < emct);
    }

    private Finding better(String place, List<String> xs, String statement) {
        return compared(place, statement, xs, SATISFACTION, (emct, emet) -> emct < emet);
    }

    private Finding compared(
            String place, String statement, List<String> xs, String metric, BiPredicate<Double, Double> holds) {
        return new Finding(
                place,
                statement,
                each(xs, metric, holds),
                "%s; EMET against EMCT %s%s"
                        .formatted(
                                both(xs, metric),
                                change(total(EMCT, xs, metric), total(EMET, xs, metric)),
                                clear(xs, metric)));
    }

    /**
     * Returns whether the mean at {@code x} is less than at {@code than} by more than the uncertainty. Settings have
     * independent trials, so the half-widths of the two intervals add up as squares.
     */
    private boolean clearlyLess(String series, String metric, String x, String than) {
        ExactSum sum = tally.at(series, x, metric);
        ExactSum other = tally.at(series, than, metric);
        Double width = sum.halfWidth();
        Double otherWidth = other.halfWidth();
        return width != null && otherWidth != null && sum.mean() + Math.hypot(width, otherWidth) < other.mean();
    }

    /** Returns how many differences on the same applications are clear: the interval of the mean excludes 0. */
    private String clear(List<String> xs, String metric) {
        int more = 0;
        int less = 0;
        for (String x : xs) {
            ExactSum sum = tally.at(DIFFERENCE, x, metric);
            Double width = sum.halfWidth();
            if (width != null && Math.abs(sum.mean()) > width) {
                more += sum.mean() > 0 ? 1 : 0;
                less += sum.mean() < 0 ? 1 : 0;
            }
        }
        return more + less == 0
                ? "; on the same applications none of these differences is clear: noise"
                : "; on the same applications EMET's is clearly greater at %d and clearly less at %d of %d"
                        .formatted(more, less, xs.size());
    }

    private Verdict clearlyLess(String metric, String x, String than) {
        return Verdict.of(clearlyLess(EMCT, metric, x, than), clearlyLess(EMET, metric, x, than));
    }

    /** Returns the same for one or both modes, against each of the others. */
    private Verdict clearlyLess(List<String> modes, String metric, String x, List<String> others) {
        return Verdict.each(
                modes.stream()
                        .flatMap(mode -> others.stream()
                                .filter(other -> !other.equals(x))
                                .map(other -> clearlyLess(mode, metric, x, other)))
                        .toList(),
                less -> less);
    }

    private boolean less(String series, String than, String metric) {
        return of(series, COMPARED, metric) < of(than, COMPARED, metric);
    }

    private String satisfactions(String one, String other) {
        return String.format(
                Locale.ROOT,
                "%s %.0f, %s %.0f",
                one,
                of(one, COMPARED, SATISFACTION),
                other,
                of(other, COMPARED, SATISFACTION));
    }

    private String compared(String... series) {
        return Stream.of(series)
                .map(one -> String.format(
                        Locale.ROOT,
                        "%s %.0f s for %.0f G$, %.0f failures",
                        one,
                        of(one, COMPARED, RESPONSE),
                        of(one, COMPARED, COST),
                        of(one, COMPARED, FAILURES)))
                .collect(Collectors.joining(", "));
    }
}
