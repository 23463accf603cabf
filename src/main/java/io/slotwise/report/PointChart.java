package io.slotwise.report;

import static io.slotwise.report.StandalonePage.escaped;
import static io.slotwise.report.StandalonePage.number;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * A chart (SVG) of points over two axes that scales with the page. A point can have a range, and its text appears under
 * the pointer. Lines join neighbours.
 */
public final class PointChart {
    /** The style of the chart, in addition to the page's colours. */
    static final String STYLE = """
        .points { display: block; width: 100%; height: auto; }
        .points text { fill: var(--ink-2); font: 13px system-ui, sans-serif; }
        .points .grid { stroke: var(--line); }
        .points .path { fill: none; stroke: var(--ink-2); }
        .points .range { stroke: var(--ink-2); stroke-width: 1.5; }
        .points circle { fill: #2f81f7; stroke: var(--paper); }
        .points circle.best { fill: #d29922; }
        """;

    private static final int WIDTH = 1000;
    private static final int HEIGHT = 440;
    private static final int LEFT = 90;
    private static final int RIGHT = 25;
    private static final int TOP = 25;
    private static final int BOTTOM = 55;
    private static final int TICKS = 8;

    private final Axis xAxis;
    private final Axis yAxis;

    private PointChart(Axis xAxis, Axis yAxis) {
        this.xAxis = xAxis;
        this.yAxis = yAxis;
    }

    /** A point; y may be from {@code low} to {@code high}, and {@code best} highlights it. */
    public record Mark(double x, double y, double low, double high, String title, boolean best) {
        static Mark exact(double x, double y, String title) {
            return new Mark(x, y, y, y, title, false);
        }
    }

    private record Spot(double x, double y) {}

    private record Axis(double from, double to, double step, int pixels) {
        static Axis over(double least, double most, int pixels) {
            double span = most > least ? most - least : Math.max(1, Math.abs(most));
            double unit = Math.pow(10, Math.floor(Math.log10(span / TICKS)));
            double step = unit;
            for (double times : new double[] {2, 5, 10}) {
                if (span / step > TICKS) {
                    step = unit * times;
                }
            }
            double from = Math.floor(least / step) * step;
            double to = Math.max(from + step, Math.ceil(most / step) * step);
            return new Axis(from, to, step, pixels);
        }

        double place(double value) {
            return (value - from) / (to - from) * pixels;
        }

        List<Double> ticks() {
            List<Double> ticks = new ArrayList<>();
            for (int i = 0; from + i * step <= to + step / 2; i++) {
                ticks.add(from + i * step);
            }
            return ticks;
        }

        String words(double tick) {
            return BigDecimal.valueOf(tick)
                    .setScale(Math.max(0, (int) -Math.floor(Math.log10(step))), RoundingMode.HALF_EVEN)
                    .round(MathContext.DECIMAL64)
                    .toPlainString();
        }
    }

    /** Returns the chart; empty without points. */
    public static String draw(String acrossName, String upName, List<Mark> marks) {
        if (marks.isEmpty()) {
            return "";
        }
        Axis xAxis = Axis.over(
                marks.stream().mapToDouble(Mark::x).min().orElse(0),
                marks.stream().mapToDouble(Mark::x).max().orElse(1),
                WIDTH - LEFT - RIGHT);
        Axis yAxis = Axis.over(
                marks.stream().mapToDouble(Mark::low).min().orElse(0),
                marks.stream().mapToDouble(Mark::high).max().orElse(1),
                HEIGHT - TOP - BOTTOM);
        return new PointChart(xAxis, yAxis).svg(acrossName, upName, marks);
    }

    private double x(double value) {
        return LEFT + xAxis.place(value);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - yAxis.place(value);
    }

    private String svg(String acrossName, String upName, List<Mark> marks) {
        StringBuilder svg = new StringBuilder();
        svg.append("<svg class=\"points\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s by %s\">\n"
                .formatted(WIDTH, HEIGHT, escaped(upName), escaped(acrossName)));
        for (double tick : xAxis.ticks()) {
            line(svg, "grid", new Spot(x(tick), TOP), new Spot(x(tick), HEIGHT - BOTTOM));
            text(svg, x(tick), HEIGHT - BOTTOM + 18, "middle", xAxis.words(tick));
        }
        for (double tick : yAxis.ticks()) {
            line(svg, "grid", new Spot(LEFT, y(tick)), new Spot(WIDTH - RIGHT, y(tick)));
            text(svg, LEFT - 8, y(tick) + 4, "end", yAxis.words(tick));
        }
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", acrossName);
        text(svg, 8, 15, "start", upName);
        svg.append("<polyline class=\"path\" points=\"");
        marks.forEach(mark -> svg.append("%s,%s ".formatted(number(x(mark.x)), number(y(mark.y)))));
        svg.append("\"/>\n");
        for (Mark mark : marks) {
            if (mark.high > mark.low) {
                line(svg, "range", new Spot(x(mark.x), y(mark.low)), new Spot(x(mark.x), y(mark.high)));
            }
            svg.append("<circle%s cx=\"%s\" cy=\"%s\" r=\"5\"><title>%s</title></circle>\n"
                    .formatted(
                            mark.best ? " class=\"best\"" : "",
                            number(x(mark.x)),
                            number(y(mark.y)),
                            escaped(mark.title)));
        }
        return svg.append("</svg>\n").toString();
    }

    private static void line(StringBuilder svg, String kind, Spot from, Spot to) {
        svg.append("<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n"
                .formatted(kind, number(from.x), number(from.y), number(to.x), number(to.y)));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String words) {
        svg.append("<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
                .formatted(number(x), number(y), anchor, escaped(words)));
    }
}
