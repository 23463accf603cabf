package io.slotwise.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Repeats the tables of {@code docs/explanation/performance.md}: all groups, or those that are named. */
public final class Bench {
    private static final int SLOTS_PER_NODE = 20;
    private static final int SLOT_SERIES_NODES = 1000;

    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final StringBuilder report = new StringBuilder();

    private interface Group {
        void run() throws RunnerException;
    }

    private Bench() {
        groups.put("nodes", this::nodes);
        groups.put("slots", this::slots);
        groups.put("value", this::value);
        groups.put("topology", this::topology);
        groups.put("baselines", this::baselines);
        groups.put("batch", this::batch);
        groups.put("change", this::change);
        groups.put("change-small", this::changeOfFew);
        groups.put("queues", this::queues);
        groups.put("large", this::large);
        groups.put("extender", this::extender);
    }

    /**
     * Runs groups and writes the tables.
     *
     * @param args the file to write to, then names of groups; all groups if there are no names
     */
    public static void main(String[] args) throws RunnerException, IOException {
        Bench bench = new Bench();
        List<String> names = args.length < 2
                ? List.copyOf(bench.groups.keySet())
                : Arrays.asList(args).subList(1, args.length);
        for (String name : names) {
            Group group = bench.groups.get(name);
            if (group == null) {
                System.err.printf(
                        "The group of benchmarks (%s) is not known: expected one of %s.%n",
                        name, String.join(", ", bench.groups.keySet()));
                System.exit(2);
            }
        }
        for (String name : names) {
            Objects.requireNonNull(bench.groups.get(name)).run();
        }
        System.out.println(bench.report);
        if (args.length > 0) {
            Files.writeString(Path.of(args[0]), bench.report.toString());
        }
    }

    private void nodes() throws RunnerException {
        nodes("sweep", "100", "400", "1000", "4000", "10000");
        nodes("search", "1000", "4000", "10000");
    }

    private void nodes(String method, String... nodes) throws RunnerException {
        report.append(Series.of(
                        "%s against nodes, %d slots on each".formatted(method, SLOTS_PER_NODE),
                        "nodes",
                        searches(
                                method,
                                options -> options.param("nodes", nodes)
                                        .param("slotsPerNode", Integer.toString(SLOTS_PER_NODE))),
                        List.of("environment", "criterion"),
                        1)
                .markdown());
    }

    private void slots() throws RunnerException {
        Collection<RunResult> results = searches(
                "sweep",
                options -> options.param("nodes", Integer.toString(SLOT_SERIES_NODES))
                        .param("slotsPerNode", "2", "6", "20", "60", "200")
                        .addProfiler(GCProfiler.class));
        report.append(Series.of(
                        "sweep against slots, %d nodes".formatted(SLOT_SERIES_NODES),
                        "slotsPerNode",
                        results,
                        List.of("environment", "criterion"),
                        SLOT_SERIES_NODES)
                .markdown());
        report.append(allocation(results));
    }

    /** The bytes that a sweep allocates for each slot, at the most slots. */
    private static String allocation(Collection<RunResult> results) {
        String most = "200";
        StringBuilder text = new StringBuilder(
                "A sweep over %s slots allocates, in bytes a slot:".formatted(200 * SLOT_SERIES_NODES));
        results.stream()
                .filter(result -> result.getParams().getParam("slotsPerNode").equals(most))
                .forEach(result -> text.append(" %s %s %.0f,"
                        .formatted(
                                result.getParams().getParam("environment").toLowerCase(Locale.ROOT),
                                result.getParams()
                                        .getParam("criterion")
                                        .toLowerCase(Locale.ROOT)
                                        .replace('_', '-'),
                                Objects.requireNonNull(result.getSecondaryResults()
                                                        .get("gc.alloc.rate.norm"))
                                                .getScore()
                                        / (200 * SLOT_SERIES_NODES))));
        text.setCharAt(text.length() - 1, '.');
        return text.append("\n\n").toString();
    }

    /** Searches in each environment. The paper's nodes do not state their power. */
    private static Collection<RunResult> searches(String method, UnaryOperator<ChainedOptionsBuilder> series)
            throws RunnerException {
        List<RunResult> results = new ArrayList<>(run(series.apply(options("SearchBenchmark." + method)
                .param("environment", "PAPER")
                .param("criterion", "START", "COST", "RUNTIME", "FINISH", "PROCESSOR_TIME"))));
        results.addAll(
                run(series.apply(options("SearchBenchmark." + method).param("environment", "SHARED", "CALENDAR"))));
        return results;
    }

    /** Compares the search by the value of time with the search by cost alone. */
    private void value() throws RunnerException {
        Series series = Series.of(
                "value against cost, %d slots on each node".formatted(SLOTS_PER_NODE),
                "nodes",
                run(options("SearchBenchmark.(sweep|search|first)")
                        .param("criterion", "COST", "VALUE")
                        .param("nodes", "1000", "10000")
                        .param("slotsPerNode", Integer.toString(SLOTS_PER_NODE))
                        .forks(3)),
                List.of("environment", "criterion"),
                1);
        report.append(series.markdown()).append("By value it takes");
        series.times().forEach((name, row) -> {
            Map<Long, Double> cost = series.times().get(name.replace("value", "cost"));
            if (name.endsWith("value") && cost != null) {
                row.forEach((nodes, time) -> report.append(String.format(
                        Locale.ROOT,
                        " %.2f (%s, %,d nodes),",
                        time / cost.getOrDefault(nodes, Double.NaN),
                        name.replace(" value", ""),
                        nodes)));
            }
        });
        report.setCharAt(report.length() - 1, ' ');
        report.append("times as long.\n\n");
    }

    /** Compares the search in one of 600 racks, and with a runtime that grows with the distance, with any nodes. */
    private void topology() throws RunnerException {
        report.append(Series.of(
                        "search in racks against any nodes, %d slots on each node".formatted(SLOTS_PER_NODE),
                        "nodes",
                        run(options("SearchBenchmark.search")
                                .param("environment", "SHARED", "CALENDAR")
                                .param("nearness", "NONE", "RACK", "DISTANCE")
                                .param("nodes", "10000")
                                .param("slotsPerNode", Integer.toString(SLOTS_PER_NODE))),
                        List.of("environment", "criterion", "nearness"),
                        1)
                .markdown());
    }

    private static ChainedOptionsBuilder cycle(String alternatives) {
        return options("CycleBenchmark.cycle").param("slotsPerNode", "2").param("alternatives", alternatives);
    }

    private void batch() throws RunnerException {
        List<RunResult> cycles = new ArrayList<>(run(cycle("2").param("threads", "1", "2")));
        cycles.addAll(run(cycle("10").param("threads", "2").warmupIterations(1).measurementIterations(1)));
        cycles.addAll(run(cycle("50").param("threads", "2").warmupIterations(0).measurementIterations(1)));
        report.append(Series.of(
                        "a cycle of 1,000 gangs on 10,000 nodes with 20,000 slots, against alternatives of each gang",
                        "alternatives",
                        cycles,
                        List.of("threads"),
                        1)
                .markdown());
    }

    private void change() throws RunnerException {
        String[] gangs = {"100", "300", "1000", "3000", "10000"};
        List<RunResult> plans = new ArrayList<>(
                run(changes(false, gangs).param("change", "FIRST").param("improveLimit", "2000")));
        plans.addAll(run(changes(false, gangs).param("change", "NOTHING", "END", "ARRIVAL", "LOSS", "EDIT")));
        plans.addAll(run(changes(true, gangs).param("change", "END", "ARRIVAL", "LOSS", "EDIT")));
        report.append(Series.of(
                        "a plan after one change, against gangs that wait on as many full nodes; with or without a "
                                + "search for better windows of promised gangs; once no window moves any more or "
                                + "while some do",
                        "gangs",
                        plans,
                        List.of("change", "improveLimit", "settled"),
                        1)
                .markdown());
    }

    /** Measures a small part of the changes, in some minutes. */
    private void changeOfFew() throws RunnerException {
        report.append(Series.of(
                        "a plan after one change, against few gangs that wait on as many full nodes",
                        "gangs",
                        run(changes(false, "100", "300", "1000")),
                        List.of("change", "improveLimit"),
                        1)
                .markdown());
    }

    /** Compares plans under 1,000 queues with plans without queues. */
    private void queues() throws RunnerException {
        report.append(Series.of(
                        "a plan of 10,000 gangs on as many full nodes, against queues",
                        "queues",
                        run(changes(false, "10000")
                                .param("change", "FIRST", "ARRIVAL", "END")
                                .param("improveLimit", "2000")
                                .param("queues", "0", "1000")
                                .forks(2)),
                        List.of("change"),
                        1)
                .markdown());
    }

    private static ChainedOptionsBuilder changes(boolean settled, String... gangs) {
        return options("ChangeBenchmark.plan").param("gangs", gangs).param("settled", Boolean.toString(settled));
    }

    private void large() {
        LargeCluster cycles = new LargeCluster();
        for (int nodes : new int[] {5_000, 10_000, 50_000}) {
            cycles.run(nodes, 3);
        }
        cycles.run(50_000, 2);
        report.append(cycles.markdown());
    }

    private void extender() throws RunnerException {
        report.append("### a call of the extender with the names of all nodes\n\n| ms | nodes | mean | 99 % within |\n")
                .append("|---|---:|---:|---:|\n");
        for (RunResult result : run(options("ExtenderBenchmark.*"))) {
            Result<?> calls = result.getPrimaryResult();
            report.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %.2f | %.2f |%n",
                    calls.getLabel(),
                    result.getParams().getParam("nodes"),
                    calls.getScore() / 1000,
                    calls.getStatistics().getPercentile(99) / 1000));
        }
        report.append('\n');
    }

    private void baselines() throws RunnerException {
        Collection<RunResult> nodes = new ArrayList<>(
                run(options("BaselineBenchmark.(paper|exact)").param("nodes", "50", "100", "200", "300", "400")));
        nodes.addAll(run(options("BaselineBenchmark.csa")
                .param("criterion", "START")
                .param("nodes", "50", "100", "200", "300", "400")));
        Series byNodes =
                Series.of("the paper's Table 1: interval 600, against nodes", "nodes", nodes, List.of("criterion"), 1);
        report.append(byNodes.markdown());
        report.append(ratios(byNodes, 400));
        Collection<RunResult> intervals = new ArrayList<>(run(options("BaselineBenchmark.(paper|exact)")
                .param("interval", "600", "1200", "1800", "2400", "3000", "3600")));
        intervals.addAll(run(options("BaselineBenchmark.csa")
                .param("criterion", "START")
                .param("interval", "600", "1200", "1800", "2400", "3000", "3600")));
        report.append(Series.of(
                        "the paper's Table 2: 100 nodes, against the interval",
                        "interval",
                        intervals,
                        List.of("criterion"),
                        1)
                .markdown());
    }

    /** The time of the paper's algorithm as a multiple of that of the exact search. */
    private static String ratios(Series series, long size) {
        StringBuilder text = new StringBuilder("At %d nodes the paper's algorithm takes".formatted(size));
        series.times().forEach((name, row) -> {
            Map<Long, Double> exact = series.times().get(name.replace("paper", "exact"));
            if (name.startsWith("paper") && exact != null) {
                text.append(" %.0f times as long as the exact search for %s,"
                        .formatted(
                                row.getOrDefault(size, Double.NaN) / exact.getOrDefault(size, Double.NaN),
                                name.substring("paper ".length())));
            }
        });
        text.setCharAt(text.length() - 1, '.');
        return text.append("\n\n").toString();
    }

    private static ChainedOptionsBuilder options(String include) {
        return new OptionsBuilder().include("\\." + include + "$").jvmArgs("-Xms4g", "-Xmx4g");
    }

    private static Collection<RunResult> run(ChainedOptionsBuilder options) throws RunnerException {
        return new Runner(options.verbosity(VerboseMode.NORMAL).build()).run();
    }
}
