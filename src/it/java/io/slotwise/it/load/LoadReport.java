package io.slotwise.it.load;

import io.slotwise.it.load.OneAfterAnother.Waits;
import io.slotwise.it.load.Trial.Measured;
import io.slotwise.lab.experiment.selection.ScaleExperiment;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** Prints the measurements as Markdown tables. */
final class LoadReport {
    /** Rarer kinds of requests share a row. */
    private static final double RARE = 0.01;

    private final PrintStream out;

    LoadReport(PrintStream out) {
        this.out = out;
    }

    /** Explains the tables. */
    void begin(Course course) {
        line("");
        line(
                "No contender is held back by a limit of calls: kube-scheduler's qps is %,d in each. %s",
                Programs.QPS,
                course.runsBefore()
                        ? "Seconds count from "
                                + (course.creation() == Creation.LIVE
                                        ? "the creation of the first pod, while the programs run already."
                                        : "the moment at which the programs go on, with "
                                                + "all pods created while they stood still.")
                        : "Seconds count from the start of the programs, with all pods created before; the start "
                                + "of work is the first write for one of the pods.");
        if (course.warmUp() != null) {
            line("A first wave of %s warmed them up.", course.warmUp());
        }
    }

    void print(Load load, Map<Contender, Measured> results) {
        line("");
        line("%s", load);
        table(rates(load, results));
        table(gangs(load, results));
        line("");
        line("Requests a pod, leases and watches aside:");
        table(requests(results));
        results.forEach((contender, measured) -> {
            punctuality(contender, load, measured);
            inside(contender, measured);
        });
    }

    private static Table rates(Load load, Map<Contender, Measured> results) {
        Table table = new Table(List.of(
                "pods bound",
                "work s",
                "first start s",
                "last binding s",
                "all written s",
                "pods/s",
                "pods/s written",
                "pods/s of all",
                "gangs/s"));
        results.forEach((contender, measured) -> {
            Outcome outcome = measured.outcome();
            table.row(
                    contender.key(),
                    List.of(
                            outcome.pods() + " of " + load.pods(),
                            two(outcome.work()),
                            two(outcome.first()),
                            two(outcome.last()),
                            two(outcome.written()),
                            whole(outcome.podsPerSecond()),
                            whole(outcome.podsWrittenPerSecond()),
                            whole(outcome.podsPerSecondOfAll()),
                            one(outcome.gangsPerSecond())));
        });
        return table;
    }

    private static Table gangs(Load load, Map<Contender, Measured> results) {
        List<String> headings = new ArrayList<>(
                List.of("API server CPU s", "ms a pod", "own CPU s", "ms a pod", "longest partial s", "partial gangs"));
        if (load.isShort()) {
            headings.addAll(List.of("done s", "first start to done s"));
        }
        Table table = new Table(headings);
        results.forEach((contender, measured) -> {
            Outcome outcome = measured.outcome();
            List<String> cells = new ArrayList<>(List.of(
                    one(measured.cost().server()),
                    two(measured.cost().serverMillisPerPod(outcome.pods())),
                    one(measured.cost().own()),
                    two(measured.cost().ownMillisPerPod(outcome.pods())),
                    three(outcome.partial()),
                    "" + outcome.partials()));
            if (load.isShort()) {
                cells.addAll(List.of(one(outcome.done()), one(outcome.done() - outcome.first())));
            }
            table.row(contender.key(), cells);
        });
        return table;
    }

    private static Table requests(Map<Contender, Measured> results) {
        Collection<Measured> all = results.values();
        Table table = new Table(results.keySet().stream().map(Contender::key).toList());
        TreeSet<String> rare = new TreeSet<>();
        TreeSet<String> kinds = new TreeSet<>();
        all.forEach(measured -> kinds.addAll(measured.requests().counts().keySet()));
        kinds.stream()
                .sorted(Comparator.comparingDouble((String kind) -> -all.stream()
                                .mapToDouble(measured -> perPod(measured, kind))
                                .max()
                                .orElse(0))
                        .thenComparing(Comparator.naturalOrder()))
                .forEach(kind -> {
                    if (all.stream().allMatch(measured -> perPod(measured, kind) < RARE)) {
                        rare.add(kind);
                    } else {
                        table.row(kind, cells(all, measured -> perPod(measured, kind)));
                    }
                });
        if (!rare.isEmpty()) {
            table.row(
                    "others",
                    cells(
                            all,
                            measured -> rare.stream()
                                    .mapToDouble(kind -> perPod(measured, kind))
                                    .sum()));
        }
        table.row(
                "all",
                cells(
                        all,
                        measured -> kinds.stream()
                                .mapToDouble(kind -> perPod(measured, kind))
                                .sum()));
        return table;
    }

    private static List<String> cells(Collection<Measured> all, ToDoubleFunction<Measured> of) {
        return all.stream().map(measured -> two(of.applyAsDouble(measured))).toList();
    }

    private static double perPod(Measured measured, String kind) {
        int pods = measured.outcome().pods();
        return pods == 0 ? 0 : (double) measured.requests().count(kind) / pods;
    }

    private void punctuality(Contender contender, Load load, Measured measured) {
        Punctuality due = measured.due();
        if (due != null) {
            line("");
            line(
                    "%s: %d of %d gangs were promised the second; the first binding came %.3f s after it, "
                            + "the last %.2f s, %.0f pods/s from it on; %d bindings came before their gang's window.",
                    contender.key(),
                    due.promised(),
                    load.gangs().size(),
                    due.first(),
                    due.last(),
                    due.podsPerSecond(),
                    due.early());
        }
    }

    private void inside(Contender contender, Measured measured) {
        Inside inside = measured.inside();
        if (inside != null) {
            line("");
            line(
                    "%s itself: 99 %% of filter calls within %.1f ms, of prioritize calls within %.1f ms; "
                            + "longest cycle %.2f s; heap %d MiB.",
                    contender.key(),
                    inside.filter() * 1000,
                    inside.prioritize() * 1000,
                    inside.longestCycle(),
                    inside.heap() >> 20);
        }
    }

    /** Prints a scheduler's figures against those of kube-scheduler. */
    void ratio(String which, Contender contender, Contender other, Ratio ratio) {
        line("");
        line(
                "%s: %s binds %.2f times as many pods a second as %s, %.2f times until "
                        + "all is written, %.2f times from the beginning; the API server works %.2f times as long "
                        + "for a pod.",
                which, contender.key(), ratio.bound(), other.key(), ratio.written(), ratio.all(), ratio.server());
    }

    /** Prints the exponents by which times grow with the nodes. {@code sizes} has the nodes of each round. */
    void growth(List<Double> sizes, List<Map<Contender, Measured>> rounds, List<Contender> contenders) {
        line("");
        line("ScaleExperiment: the exponent of the nodes in");
        Table table = new Table(List.of("seconds per pod", "first start", "longest cycle"));
        for (Contender contender : contenders) {
            List<Measured> measured = rounds.stream()
                    .map(round -> Objects.requireNonNull(round.get(contender)))
                    .toList();
            table.row(
                    contender.key(),
                    List.of(
                            exponent(sizes, measured, one -> 1 / one.outcome().podsPerSecond()),
                            exponent(sizes, measured, one -> one.outcome().first()),
                            contender.isSlotwise()
                                    ? exponent(
                                            sizes,
                                            measured,
                                            one -> Objects.requireNonNull(one.inside())
                                                    .longestCycle())
                                    : ""));
        }
        table(table);
    }

    private static String exponent(List<Double> sizes, List<Measured> measured, ToDoubleFunction<Measured> of) {
        return two(ScaleExperiment.exponent(
                sizes, measured.stream().map(one -> of.applyAsDouble(one)).toList()));
    }

    void print(Load load, Map<Contender, Waits> results, int gangs) {
        line("");
        line(
                "%,d nodes of %d cores, %d gangs of %d pods of %d millicores one after another; from the "
                        + "creation of a gang's last pod to its last binding:",
                load.nodes(), load.cores(), gangs, load.shapes().getFirst().size(), load.milliCores());
        Table table = new Table(List.of(
                "gangs bound",
                "median ms",
                "90 % ms",
                "99 % ms",
                "longest ms",
                "windows in the current second",
                "API server CPU s",
                "own CPU s"));
        results.forEach((contender, waits) -> {
            Quantiles quantiles = new Quantiles(waits.waits());
            table.row(
                    contender.key(),
                    List.of(
                            waits.waits().size() + " of " + waits.created(),
                            whole(1000 * quantiles.at(50)),
                            whole(1000 * quantiles.at(90)),
                            whole(1000 * quantiles.at(99)),
                            whole(1000 * quantiles.at(100)),
                            contender.isSlotwise() ? waits.sameSecond() + " of " + waits.windows() : "",
                            one(waits.cost().server()),
                            one(waits.cost().own())));
        });
        table(table);
    }

    private void table(Table table) {
        line("");
        out.print(table);
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private void line(String text, Object... arguments) {
        out.println(String.format(Locale.ROOT, text, arguments));
    }

    private static String whole(double figure) {
        return String.format(Locale.ROOT, "%.0f", figure);
    }

    private static String one(double figure) {
        return String.format(Locale.ROOT, "%.1f", figure);
    }

    private static String two(double figure) {
        return String.format(Locale.ROOT, "%.2f", figure);
    }

    private static String three(double figure) {
        return String.format(Locale.ROOT, "%.3f", figure);
    }
}
