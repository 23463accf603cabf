package io.slotwise.report;

import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.Frontier;
import io.slotwise.core.plan.Frontier.Against;
import io.slotwise.core.plan.Frontier.Point;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Planned;
import io.slotwise.report.PlanReport.WindowRow;
import io.slotwise.report.PointChart.Mark;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The trade-offs of a batch between money and its benefits: a numbered row for each plan, from 1, and the plan itself.
 * Means over gangs are rounded half even.
 */
public record FrontierReport(Frontier frontier, String from, Currency currency) {
    private static final BigDecimal MILLIONTHS_PER_PERCENT = BigDecimal.valueOf(10_000);
    private static final int PERCENT_DIGITS = 2;
    private static final int SECOND_DIGITS = 1;
    private static final double SECONDS_PER_HOUR = 3600;

    private String money() {
        return frontier.axes().money().key();
    }

    /** Returns the mean loss of utility, percent. */
    private BigDecimal loss(Point point) {
        return BigDecimal.valueOf(point.loss())
                .divide(MILLIONTHS_PER_PERCENT.multiply(gangs()), PERCENT_DIGITS, RoundingMode.HALF_EVEN);
    }

    /** Returns the mean seconds from arrival to end. */
    private BigDecimal delay(Point point) {
        return BigDecimal.valueOf(point.delay()).divide(gangs(), SECOND_DIGITS, RoundingMode.HALF_EVEN);
    }

    private BigDecimal gangs() {
        return BigDecimal.valueOf(Math.max(1, frontier.gangs()));
    }

    private static long end(Point point) {
        return point.windows().stream()
                .mapToLong(planned -> planned.window().end())
                .max()
                .orElse(0);
    }

    private TextTable<Integer> plans() {
        return new TextTable<Integer>()
                .right("PLAN", i -> Integer.toString(i + 1))
                .right(
                        currency.heading(money().toUpperCase(Locale.ROOT)),
                        i -> point(i).cost().brief())
                .right("MEAN DELAY", i -> TimeText.duration(delay(point(i)).longValue()))
                .right("MEAN LOSS OF UTILITY", i -> loss(point(i)).toPlainString() + " %")
                .left("LAST END", i -> TimeText.instant(end(point(i))))
                .spare(0);
    }

    private List<Integer> indices() {
        return IntStream.range(0, frontier.points().size()).boxed().toList();
    }

    private Point point(int index) {
        return frontier.points().get(index);
    }

    private String summary() {
        return "%d %s, each with windows for %d %s: none is better than another in %s and %s."
                .formatted(
                        frontier.points().size(),
                        frontier.points().size() == 1 ? "plan" : "plans",
                        frontier.gangs(),
                        frontier.gangs() == 1 ? "gang" : "gangs",
                        money(),
                        frontier.axes().against().key());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (frontier.dropped() > 0) {
            notes.add("the set was thinned out: %d plans or parts of plans were left out%s"
                    .formatted(frontier.dropped(), gap()));
        }
        notes.addAll(frontier.notes());
        return notes;
    }

    private String gap() {
        if (frontier.gap().isEmpty()) {
            return "; how much better they are is not known";
        }
        BigDecimal gap = BigDecimal.valueOf(frontier.gap().getAsLong());
        String most = switch (frontier.axes().against()) {
            case UTILITY ->
                gap.divide(MILLIONTHS_PER_PERCENT.multiply(gangs()), PERCENT_DIGITS, RoundingMode.CEILING)
                                .toPlainString()
                        + " % in the mean loss of utility";
            case DELAY -> gap.divide(gangs(), 0, RoundingMode.CEILING).toPlainString() + " s in the mean delay";
        };
        return "; a plan left out is better than one here by at most %s".formatted(most);
    }

    /** Returns a table, followed by the plan of this number, from 1; none for 0. */
    public String table(Terminal terminal, int plan) {
        StringBuilder text = new StringBuilder(
                terminal.paragraph("Frontier of %s at %s".formatted(from, TimeText.instant(now()))) + "\n");
        if (frontier.points().isEmpty()) {
            text.append("No gang has a window.\n");
        } else {
            text.append(plans().draw(indices(), terminal)).append('\n').append(terminal.paragraph(summary()));
        }
        if (plan > 0) {
            text.append("\nPlan %d\n".formatted(plan))
                    .append(windows().draw(point(plan - 1).windows(), terminal));
        }
        for (Pending pending : frontier.pending()) {
            text.append(terminal.paragraph("Waiting: %s: %s".formatted(pending.gang(), reason(pending))));
        }
        notes().forEach(note -> text.append(terminal.paragraph("Note: " + note)));
        return text.toString();
    }

    private long now() {
        return frontier.now();
    }

    private String reason(Pending pending) {
        return pending.refusal().message(currency);
    }

    private TextTable<Planned> windows() {
        return new TextTable<Planned>()
                .name("GANG", planned -> planned.gang().id().toString())
                .left("START", planned -> TimeText.instant(planned.window().start()))
                .left("END", planned -> TimeText.instant(planned.window().end()))
                .right(
                        currency.heading("COST"),
                        planned -> planned.window().cost().brief())
                .left(
                        "NODES",
                        planned -> planned.window().placements().stream()
                                .map(placement -> placement.node())
                                .distinct()
                                .sorted()
                                .collect(Collectors.joining(", ")));
    }

    /** Returns indented JSON with a final line feed. */
    public String json() {
        return new JsonObject()
                .put("now", TimeText.instant(now()))
                .putCurrency(currency)
                .put("money", money())
                .put("against", frontier.axes().against().key())
                .put("gangs", frontier.gangs())
                .putEach(
                        "plans",
                        frontier.points(),
                        point -> new JsonObject()
                                .put(money(), point.cost().shown())
                                .put("meanDelaySeconds", delay(point))
                                .put("meanLossPercent", loss(point))
                                .putEach(
                                        "windows",
                                        point.windows(),
                                        planned -> JsonReport.window(WindowRow.of(planned, currency))))
                .putEach(
                        "pending",
                        frontier.pending(),
                        pending -> new JsonObject()
                                .put("gang", pending.gang().toString())
                                .put("reason", reason(pending)))
                .put("leftOut", frontier.dropped())
                .putIfAny("notes", notes())
                .document();
    }

    public String html() {
        StringBuilder html = new StringBuilder(StandalonePage.ofPoints("Frontier of %s".formatted(from)));
        html.append(StandalonePage.paragraph("At %s. %s".formatted(TimeText.instant(now()), summary())));
        notes().forEach(note -> html.append(StandalonePage.warning(note)));
        Against against = frontier.axes().against();
        html.append(PointChart.draw(
                switch (against) {
                    case UTILITY -> "Mean loss of utility, %";
                    case DELAY -> "Mean delay, hours";
                },
                currency.heading(money().substring(0, 1).toUpperCase(Locale.ROOT) + money().substring(1)),
                marks()));
        html.append(StandalonePage.table(plans().headings(), plans().cells(indices())));
        for (int i = 0; i < frontier.points().size(); i++) {
            html.append("<details><summary>Plan %d</summary>\n".formatted(i + 1));
            html.append(StandalonePage.table(
                    List.of("gang", "start", "end", currency.heading("cost"), "nodes"),
                    windows().cells(point(i).windows())));
            html.append("</details>\n");
        }
        frontier.pending()
                .forEach(pending -> html.append(
                        StandalonePage.paragraph("Waiting: %s: %s".formatted(pending.gang(), reason(pending)))));
        return html.append(StandalonePage.end()).toString();
    }

    private List<Mark> marks() {
        return indices().stream()
                .map(i -> {
                    Point point = point(i);
                    double other = switch (frontier.axes().against()) {
                        case UTILITY -> loss(point).doubleValue();
                        case DELAY -> delay(point).doubleValue() / SECONDS_PER_HOUR;
                    };
                    String title = "plan %d: %s %s, mean delay %s, mean loss of utility %s %%"
                            .formatted(
                                    i + 1,
                                    money(),
                                    currency.of(point.cost()),
                                    TimeText.duration(delay(point).longValue()),
                                    loss(point).toPlainString());
                    return Mark.exact(other, new BigDecimal(point.cost().shown()).doubleValue(), title);
                })
                .toList();
    }
}
