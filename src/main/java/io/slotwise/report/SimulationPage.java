package io.slotwise.report;

import io.slotwise.simulation.Run;
import io.slotwise.simulation.metric.Comparison;
import io.slotwise.simulation.metric.Comparison.Result;
import io.slotwise.simulation.metric.Figure;
import io.slotwise.simulation.metric.History;
import io.slotwise.simulation.metric.History.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A comparison as one HTML page that needs nothing else: the table of means, and of each policy's first replication the runs on the
 * machine, the queue, the load and the price over time. Drawn as SVG, dark where the reader's screen is, as wide as the screen.
 */
public final class SimulationPage {
    private static final int WIDTH = 960;
    private static final int LEFT = 64;
    private static final int BOTTOM = 18;
    private static final int CHART = 120;
    private static final int GANTT = 320;
    private static final int TICKS = 8;
    private static final long DAY = 86_400;

    /** Round numbers of seconds up to a day; beyond it 2, 5 and 10 times the powers of ten in days. */
    private static final List<Long> STEPS = List.of(
            1L, 2L, 5L, 10L, 15L, 30L, 60L, 120L, 300L, 600L, 900L, 1800L, 3600L, 7200L, 10_800L, 21_600L, 43_200L,
            DAY);

    private static final int HUES = 12;
    private static final String STYLE = """
            <style>
            :root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --line: #c9d1d9; --fill: #2f6fde; --light: 55%; }
            @media (prefers-color-scheme: dark) {
              :root { --ink: #e6edf3; --paper: #0d1117; --line: #3d444d; --fill: #6ea8fe; --light: 62%; }
            }
            body { margin: 0 auto; max-width: 64rem; padding: 1rem; background: var(--paper); color: var(--ink);
              font: 16px/1.5 system-ui, sans-serif; }
            h1 { font-size: 1.4rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 1rem 0 0; }
            .wide { overflow-x: auto; }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
            th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
            th:first-child, td:first-child { text-align: left; }
            .warning { border-left: 4px solid #d29922; padding: .4rem .8rem; }
            svg { display: block; width: 100%; height: auto; }
            svg text { fill: var(--ink); font-size: 12px; }
            svg .axis { stroke: var(--line); stroke-width: 1; }
            svg .area { fill: var(--fill); fill-opacity: .35; stroke: var(--fill); stroke-width: 1; }
            svg .bar { stroke: var(--paper); stroke-width: .3; }
            """;

    private final StringBuilder html = new StringBuilder();
    private final Comparison comparison;

    private SimulationPage(Comparison comparison) {
        this.comparison = comparison;
    }

    /**
     * The page.
     *
     * @param histories of the first replication of each policy, in the order of the comparison
     */
    public static String write(Comparison comparison, List<History> histories) {
        SimulationPage page = new SimulationPage(comparison);
        page.head();
        page.table();
        for (int i = 0; i < histories.size(); i++) {
            page.policy(comparison.results().get(i).policy(), histories.get(i));
        }
        return page.html.append("</body>\n</html>\n").toString();
    }

    private void head() {
        String title = escaped(comparison.workload() + " on " + comparison.machine());
        html.append("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title>
                """.formatted(title));
        html.append(STYLE);
        for (int hue = 0; hue < HUES; hue++) {
            html.append("svg .u%d { fill: hsl(%d 60%% var(--light)); }\n".formatted(hue, hue * 360 / HUES));
        }
        html.append("</style>\n</head>\n<body>\n<h1>%s</h1>\n".formatted(title));
        html.append("<p>%d replication%s from seed %d.</p>\n"
                .formatted(comparison.runs(), comparison.runs() == 1 ? "" : "s", comparison.seed()));
        if (!comparison.complete()) {
            html.append(
                    "<p class=\"warning\">Partial: stopped before the end; the figures are of the jobs that had ended by"
                            + " then.</p>\n");
        }
    }

    private void table() {
        html.append("<div class=\"wide\"><table>\n<tr><th>metric</th>");
        comparison.results().forEach(result -> html.append("<th>%s</th>".formatted(escaped(result.policy()))));
        html.append("</tr>\n");
        for (String metric : comparison.metrics()) {
            String unit = "";
            StringBuilder cells = new StringBuilder();
            for (Result result : comparison.results()) {
                Figure figure = result.figures().stream()
                        .filter(known -> known.metric().equals(metric))
                        .findFirst()
                        .orElse(null);
                cells.append("<td>%s</td>".formatted(figure == null ? "-" : mean(figure)));
                unit = figure == null ? unit : figure.unit();
            }
            html.append("<tr><td>%s%s</td>%s</tr>\n".formatted(metric, unit.isEmpty() ? "" : ", " + unit, cells));
        }
        html.append("</table></div>\n");
    }

    private static String mean(Figure figure) {
        String mean = ComparisonReport.brief(figure.mean());
        return figure.halfWidth().isPresent()
                ? mean + " ± " + ComparisonReport.brief(figure.halfWidth().getAsDouble())
                : mean;
    }

    private void policy(String policy, History history) {
        html.append("<h2>%s</h2>\n".formatted(escaped(policy)));
        List<Piece> pieces = history.pieces();
        if (pieces.isEmpty()) {
            html.append("<p>Nothing ran.</p>\n");
            return;
        }
        Axis axis = new Axis(pieces.getFirst().start(), pieces.getLast().start() + history.pieceLength());
        runs(history, axis);
        chart("Jobs that wait", pieces, axis, Piece::waiting);
        chart(
                "Utilisation, %",
                pieces, axis, piece -> piece.capacity() == 0 ? 0 : 100 * piece.busy() / piece.capacity());
        chart("Mean price of a processor per hour", pieces, axis, Piece::price);
    }

    /** Seconds to the right. */
    private record Axis(long from, long to) {
        double x(long second) {
            return LEFT + (double) (second - from) / Math.max(1, to - from) * (WIDTH - LEFT);
        }
    }

    private void runs(History history, Axis axis) {
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
        open(GANTT, axis, "");
        for (CapacityLanes.Bar bar : bars) {
            Run run = bar.run();
            double top = GANTT - (double) bar.to() / highest * GANTT;
            html.append(
                    "<rect class=\"bar u%d\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"><title>%s</title></rect>\n"
                            .formatted(
                                    Math.floorMod(run.job().user().hashCode(), HUES),
                                    number(axis.x(run.start())),
                                    number(top),
                                    number(Math.max(0.3, axis.x(run.end()) - axis.x(run.start()))),
                                    number((double) (bar.to() - bar.from()) / highest * GANTT),
                                    escaped(title(run))));
        }
        html.append("</svg>\n");
    }

    /** What the picture's height stands for, where it is not the whole machine. */
    private static String scale(long highest, long capacity) {
        return 2 * highest > capacity
                ? ""
                : " The height is the %s %% of the machine that they had at most."
                        .formatted(ComparisonReport.brief(100.0 * highest / capacity));
    }

    private static String title(Run run) {
        return "job %s of %s, %d tasks, from %d to %d, waited %s, cost %s"
                .formatted(
                        run.job().id(),
                        run.job().user(),
                        run.job().size(),
                        run.start(),
                        run.end(),
                        TimeText.duration(run.waited()),
                        run.cost().roundedUp().brief());
    }

    private void chart(String heading, List<Piece> pieces, Axis axis, ToDoubleFunction<Piece> value) {
        double most = Math.max(1e-9, pieces.stream().mapToDouble(value).max().orElse(0));
        html.append("<h3>%s</h3>\n".formatted(heading));
        open(CHART, axis, ComparisonReport.brief(most));
        List<String> points = new ArrayList<>();
        points.add("%s,%d".formatted(number(LEFT), CHART));
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            String y = number(CHART - value.applyAsDouble(piece) / most * (CHART - 10));
            long end = i + 1 < pieces.size() ? pieces.get(i + 1).start() : axis.to;
            points.add(number(axis.x(piece.start())) + "," + y);
            points.add(number(axis.x(end)) + "," + y);
        }
        points.add("%d,%d".formatted(WIDTH, CHART));
        html.append("<polygon class=\"area\" points=\"%s\"/>\n</svg>\n".formatted(String.join(" ", points)));
    }

    /** A drawing with its axes; {@code most} stands at the top of the upright one. */
    private void open(int height, Axis axis, String most) {
        html.append("<svg viewBox=\"0 0 %d %d\" role=\"img\">\n".formatted(WIDTH, height + BOTTOM));
        html.append("<text x=\"%d\" y=\"14\" text-anchor=\"end\">%s</text>\n".formatted(LEFT - 6, most));
        html.append("<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n"
                .formatted(LEFT, height, WIDTH, height));
        long step = step(axis.to - axis.from);
        for (long elapsed = 0; elapsed < axis.to - axis.from; elapsed += step) {
            html.append("<text x=\"%s\" y=\"%d\">%s</text>\n"
                    .formatted(number(axis.x(axis.from + elapsed)), height + BOTTOM - 4, TimeText.duration(elapsed)));
        }
    }

    /** A round number of seconds from one tick to the next, for at most so many ticks. */
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

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
