package io.slotwise.lab.report;

import static io.slotwise.report.StandalonePage.escaped;
import static io.slotwise.report.StandalonePage.number;
import static io.slotwise.report.StandalonePage.text;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.core.money.Currency;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.metric.Comparison;
import io.slotwise.lab.simulation.metric.Comparison.Result;
import io.slotwise.lab.simulation.metric.PolicyMeasure;
import io.slotwise.lab.simulation.metric.PolicyMeasure.Percentiles;
import io.slotwise.lab.simulation.metric.SimulationHistory;
import io.slotwise.lab.simulation.metric.SimulationHistory.Piece;
import io.slotwise.report.StandalonePage;
import io.slotwise.report.TimeText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A comparison as one HTML page without external resources. It has the curves of all policies on one time axis, the
 * tables of means and percentiles, and the runs of each policy's first replication. The curves are drawn by uPlot,
 * which is part of the page. The page follows the reader's dark mode and the width of the screen.
 */
public final class SimulationPage {
    private static final int WIDTH = 1000;
    private static final int GANTT = 320;
    private static final int TICKS = 8;
    private static final int MOST_NAMED = 12;
    private static final String LIBRARY = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
    /** Replaces the library's own first line, which has an address. */
    private static final String NOTICE = "/*! uPlot 1.6.30, Copyright (c) Leon Sorokin, MIT License */";

    /** The golden angle, by which the hues of neighbours differ for any number of colours. */
    private static final double TURN = 137.508;

    private static final long DAY = 86_400;

    /** The possible steps in seconds up to a day; beyond it 2, 5 and 10 times the powers of ten in days. */
    private static final List<Long> STEPS = List.of(
            1L, 2L, 5L, 10L, 15L, 30L, 60L, 120L, 300L, 600L, 900L, 1800L, 3600L, 7200L, 10_800L, 21_600L, 43_200L,
            DAY);

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final StringBuilder html = new StringBuilder();
    private final Comparison comparison;
    private final List<SimulationHistory> histories;
    private final Currency currency;
    private final Map<String, Integer> users;

    private SimulationPage(Comparison comparison, List<SimulationHistory> histories, Currency currency) {
        this.comparison = comparison;
        this.histories = histories;
        this.currency = currency;
        this.users = users(histories);
    }

    private static Map<String, Integer> users(List<SimulationHistory> histories) {
        Map<String, Long> work = new TreeMap<>();
        histories.forEach(history -> history.bars()
                .forEach(run -> work.merge(String.valueOf(run.job().user()), run.work(), Long::sum)));
        Map<String, Integer> places = new LinkedHashMap<>();
        work.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .forEach(entry -> places.put(entry.getKey(), places.size()));
        return places;
    }

    /** Returns the page, with the histories of each policy's first replication in the order of the comparison. */
    public static String write(Comparison comparison, List<SimulationHistory> histories, Currency currency) {
        SimulationPage page = new SimulationPage(comparison, histories, currency);
        page.head();
        page.curves();
        page.means();
        page.percentiles();
        Axis axis = page.axis();
        for (int i = 0; i < histories.size(); i++) {
            page.policy(comparison.results().get(i).policy(), histories.get(i), axis);
        }
        page.scripts(axis);
        return page.html.append(StandalonePage.end()).toString();
    }

    private void head() {
        StringBuilder style =
                new StringBuilder("%s\n%s".formatted(text(LIBRARY + "uPlot.min.css"), text("simulation.css")));
        users.forEach((_, place) -> style.append(".u%d { fill: hsl(%s %d%% var(--light)); }\n"
                .formatted(place, number(place * TURN % 360), place % 2 == 0 ? 62 : 48)));
        html.append(StandalonePage.head(comparison.workload() + " on " + comparison.machine(), style.toString()));
        html.append("<p>%d replication%s from seed %d.</p>\n"
                .formatted(comparison.runs(), comparison.runs() == 1 ? "" : "s", comparison.seed()));
        if (!comparison.complete()) {
            html.append("<p class=\"warning\">Partial: stopped before the end; the figures are of the jobs that "
                    + "had ended by then.</p>\n");
        }
    }

    private Axis axis() {
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        for (SimulationHistory history : histories) {
            List<Piece> pieces = history.pieces();
            if (!pieces.isEmpty()) {
                from = Math.min(from, pieces.getFirst().start());
                to = Math.max(to, pieces.getLast().start() + history.pieceLength());
            }
        }
        return from > to ? new Axis(0, 1) : new Axis(from, to);
    }

    private record Curve(String heading, String unit, ToDoubleFunction<Piece> value) {}

    private static final List<Curve> CURVES = List.of(
            new Curve("Jobs that wait", "", Piece::waiting),
            new Curve(
                    "Utilisation, %", " %", piece -> piece.capacity() == 0 ? 0 : 100 * piece.busy() / piece.capacity()),
            new Curve("Mean price of a processor per hour", "", Piece::price));

    private void curves() {
        html.append("<h2>Side by side</h2>\n<p>The first replication of each policy; point at a time to read "
                + "all curves, and drag to zoom.</p>\n<noscript><p>The curves need JavaScript; the tables "
                + "do not.</p></noscript>\n");
        for (int i = 0; i < CURVES.size(); i++) {
            html.append("<h3>%s</h3>\n<div class=\"curve\" id=\"curve-%d\"></div>\n"
                    .formatted(CURVES.get(i).heading(), i));
        }
    }

    private void scripts(Axis axis) {
        ObjectNode data = MAPPER.createObjectNode();
        ArrayNode policies = data.putArray("policies");
        comparison.results().forEach(result -> policies.add(result.policy()));
        ArrayNode curves = data.putArray("curves");
        for (Curve curve : CURVES) {
            ObjectNode drawn = curves.addObject().put("unit", curve.unit());
            ArrayNode series = drawn.putArray("series");
            for (SimulationHistory history : histories) {
                ArrayNode points = series.addArray();
                ArrayNode times = points.addArray();
                ArrayNode values = points.addArray();
                for (Piece piece : history.pieces()) {
                    times.add(piece.start() - axis.from);
                    values.add(new BigDecimal(curve.value.applyAsDouble(piece), new MathContext(5)));
                }
            }
        }
        html.append("<script type=\"application/json\" id=\"data\">%s</script>\n"
                .formatted(data.toString().replace("<", "\\u003c")));
        String library = text(LIBRARY + "uPlot.iife.min.js");
        html.append("<script>\n").append(NOTICE).append(library, library.indexOf('\n'), library.length());
        html.append(text("simulation.js")).append("</script>\n");
    }

    private void percentiles() {
        List<List<String>> rows = new ArrayList<>();
        for (String metric : comparison.metrics()) {
            for (Result result : comparison.results()) {
                for (PolicyMeasure measure : result.figures()) {
                    Percentiles percentiles = measure.percentiles();
                    if (measure.metric().equals(metric) && percentiles != null) {
                        rows.add(List.of(
                                named(metric, measure.unit(currency)),
                                result.policy(),
                                ComparisonReport.brief(percentiles.p50()),
                                ComparisonReport.brief(percentiles.p90()),
                                ComparisonReport.brief(percentiles.p99()),
                                ComparisonReport.brief(percentiles.most())));
                    }
                }
            }
        }
        List<String> headings = List.of("metric", "policy", "median", "90 %", "99 %", "most");
        html.append("<h2>How it spreads over the jobs</h2>\n")
                .append(StandalonePage.table("percentiles", headings, rows));
    }

    private void means() {
        List<String> headings = new ArrayList<>(List.of("metric"));
        comparison.results().forEach(result -> headings.add(result.policy()));
        List<List<String>> rows = new ArrayList<>();
        for (String metric : comparison.metrics()) {
            String unit = "";
            List<String> cells = new ArrayList<>();
            for (Result result : comparison.results()) {
                PolicyMeasure figureMeasure = result.figures().stream()
                        .filter(knownMeasure -> knownMeasure.metric().equals(metric))
                        .findFirst()
                        .orElse(null);
                cells.add(figureMeasure == null ? "-" : mean(figureMeasure));
                unit = figureMeasure == null ? unit : figureMeasure.unit(currency);
            }
            cells.addFirst(named(metric, unit));
            rows.add(cells);
        }
        html.append("<h2>Means</h2>\n").append(StandalonePage.table("means", headings, rows));
    }

    private static String named(String metric, String unit) {
        return unit.isEmpty() ? metric : metric + ", " + unit;
    }

    private static String mean(PolicyMeasure measure) {
        String mean = ComparisonReport.brief(measure.mean());
        return measure.halfWidth().isPresent()
                ? mean + " ± " + ComparisonReport.brief(measure.halfWidth().getAsDouble())
                : mean;
    }

    private void policy(String policy, SimulationHistory history, Axis axis) {
        html.append("<h2>%s</h2>\n".formatted(escaped(policy)));
        if (history.pieces().isEmpty()) {
            html.append("<p>Nothing ran.</p>\n");
            return;
        }
        runs(history, axis);
    }

    private record Axis(long from, long to) {
        double x(long second) {
            return (double) (second - from) / Math.max(1, to - from) * WIDTH;
        }
    }

    private void runs(SimulationHistory history, Axis axis) {
        long capacity = (long)
                history.pieces().stream().mapToDouble(Piece::capacity).max().orElse(0);
        List<CapacityLanes.Bar> bars = CapacityLanes.of(history.bars(), capacity);
        long highest = bars.stream().mapToLong(CapacityLanes.Bar::to).max().orElse(Math.max(1, capacity));
        String left = history.dropped() == 0
                ? "all runs"
                : "the %d runs with most work, %d smaller ones are not drawn"
                        .formatted(history.bars().size(), history.dropped());
        html.append("<h3>Runs on the machine</h3>\n<p>A colour for each user; %s.%s</p>\n"
                .formatted(left, scale(highest, capacity)));
        html.append(("<svg class=\"runs\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" "
                        + "aria-label=\"Runs over time\">\n")
                .formatted(WIDTH, GANTT));
        for (CapacityLanes.Bar bar : bars) {
            JobRun run = bar.run();
            double top = GANTT - (double) bar.to() / highest * GANTT;
            html.append("<rect class=\"u%d\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s</title></rect>\n"
                    .formatted(
                            users.getOrDefault(String.valueOf(run.job().user()), 0),
                            number(axis.x(run.start())),
                            number(top),
                            number(Math.max(0.3, axis.x(run.end()) - axis.x(run.start()))),
                            number((double) (bar.to() - bar.from()) / highest * GANTT),
                            escaped(title(run))));
        }
        html.append("</svg>\n");
        ticks(axis);
        named(history);
    }

    private void ticks(Axis axis) {
        html.append("<div class=\"ticks\">");
        long step = step(axis.to - axis.from);
        // No tick at the end, where its label would leave the page.
        for (long elapsed = 0; elapsed < (axis.to - axis.from) * 0.93; elapsed += step) {
            html.append("<span style=\"left:%s%%\">%s</span>"
                    .formatted(number(100 * axis.x(axis.from + elapsed) / WIDTH), TimeText.duration(elapsed)));
        }
        html.append("</div>\n");
    }

    /** Adds the colours of the users with most work. */
    private void named(SimulationHistory history) {
        Set<String> drawn = history.bars().stream()
                .map(run -> String.valueOf(run.job().user()))
                .collect(Collectors.toSet());
        List<Map.Entry<String, Integer>> shown = users.entrySet().stream()
                .filter(entry -> drawn.contains(entry.getKey()))
                .toList();
        html.append("<ul class=\"users\">");
        shown.stream()
                .limit(MOST_NAMED)
                .forEach(entry -> html.append(
                        ("<li><svg viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"u%d\" width=\"1\" "
                                        + "height=\"1\"/></svg>%s</li>")
                                .formatted(entry.getValue(), escaped(entry.getKey()))));
        if (shown.size() > MOST_NAMED) {
            html.append("<li>and %d more</li>".formatted(shown.size() - MOST_NAMED));
        }
        html.append("</ul>\n");
    }

    private static String scale(long highest, long capacity) {
        return 2 * highest > capacity
                ? ""
                : " The height is the %s %% of the machine that they had at most."
                        .formatted(ComparisonReport.brief(100.0 * highest / capacity));
    }

    private String title(JobRun run) {
        return "job %s of %s, %d tasks, from %d to %d, waited %s, cost %s"
                .formatted(
                        run.job().id(),
                        run.job().user(),
                        run.job().size(),
                        run.start(),
                        run.end(),
                        TimeText.duration(run.waited()),
                        currency.of(run.cost().roundedUp()));
    }

    /** Returns a round number of seconds between ticks, so that there are not too many ticks. */
    private static long step(long span) {
        long unit = DAY;
        for (long step : STEPS) {
            if (span <= step * TICKS) {
                return step;
            }
        }
        while (span > unit * 10 * TICKS) {
            unit *= 10;
        }
        return span <= unit * 2 * TICKS ? unit * 2 : span <= unit * 5 * TICKS ? unit * 5 : unit * 10;
    }

    /**
     * Places runs on the axis of a machine's capacity for a chart: at the lowest free position at their start, in
     * several pieces if necessary. The real processors of a run are not known, only their number. O(n (log n + p)) for
     * n runs and p free pieces.
     */
    private static final class CapacityLanes {
        private final TreeMap<Long, Long> free = new TreeMap<>();
        private final PriorityQueue<Bar> taken = new PriorityQueue<>(Comparator.comparingLong(bar -> bar.run.end()));
        private final List<Bar> bars = new ArrayList<>();

        private CapacityLanes(long capacity) {
            free.put(0L, capacity);
        }

        /** A piece of a run's place. */
        record Bar(JobRun run, long from, long to) {}

        /** Returns the places of runs, by start, on a machine of this capacity. Runs that do not fit are left out. */
        static List<Bar> of(List<JobRun> runs, long capacity) {
            CapacityLanes lanes = new CapacityLanes(capacity);
            runs.forEach(lanes::place);
            return lanes.bars;
        }

        private void place(JobRun run) {
            while (!taken.isEmpty() && taken.peek().run.end() <= run.start()) {
                give(taken.remove());
            }
            long left = run.capacity();
            while (left > 0) {
                Map.Entry<Long, Long> lowestEntry = free.pollFirstEntry();
                if (lowestEntry == null) {
                    return;
                }
                long until = Math.min(lowestEntry.getValue(), lowestEntry.getKey() + left);
                if (until < lowestEntry.getValue()) {
                    free.put(until, lowestEntry.getValue());
                }
                Bar bar = new Bar(run, lowestEntry.getKey(), until);
                bars.add(bar);
                taken.add(bar);
                left -= until - lowestEntry.getKey();
            }
        }

        private void give(Bar bar) {
            long from = bar.from;
            long to = bar.to;
            Long joined = free.remove(to);
            if (joined != null) {
                to = joined;
            }
            Map.Entry<Long, Long> entry = free.floorEntry(from);
            if (entry != null && entry.getValue() == from) {
                from = entry.getKey();
            }
            free.put(from, to);
        }
    }
}
