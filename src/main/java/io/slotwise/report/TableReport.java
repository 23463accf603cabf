package io.slotwise.report;

import io.slotwise.core.migration.Move;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.PurchaseAdvice;
import io.slotwise.core.provision.Purchase;
import io.slotwise.core.window.Window;
import io.slotwise.report.PlanReport.PlanTotals;
import io.slotwise.report.PlanReport.WindowRow;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A plan as text: its windows, the waiting gangs with their reasons, and the totals. */
public record TableReport(Terminal terminal) {
    public String write(PlanReport report) {
        StringBuilder text = new StringBuilder();
        text.append("Plan of ")
                .append(TimeText.instant(report.now()))
                .append(" for the next ")
                .append(TimeText.duration(report.horizon()))
                .append("\n\n");
        if (report.windows().isEmpty() && report.pending().isEmpty()) {
            return text.append("No gang waits.\n").toString();
        }
        if (!report.windows().isEmpty()) {
            text.append(windows(report)).append('\n');
        }
        if (!report.pending().isEmpty()) {
            text.append(pending(report)).append('\n');
        }
        if (!report.moves().isEmpty()) {
            text.append(moves(report)).append('\n');
        }
        if (!report.buying().isEmpty()) {
            text.append(buying(report)).append('\n');
        }
        totals(text, report);
        for (String note : report.notes()) {
            text.append(terminal.paragraph("Note: " + note));
        }
        return text.toString();
    }

    private record Lettered(char letter, WindowRow row) {}

    private String windows(PlanReport report) {
        List<WindowRow> rows = report.windows();
        Currency currency = report.currency();
        return new TextTable<Lettered>()
                .left("", lettered -> String.valueOf(lettered.letter))
                .name("WINDOW", lettered -> lettered.row.gang())
                .right("IN", lettered -> TimeText.relative(report.now(), lettered.row.start()))
                .spare(4)
                .left("START", lettered -> TimeText.instant(lettered.row.start()))
                .left("END", lettered -> TimeText.instantAfter(lettered.row.start(), lettered.row.end()))
                .spare(2)
                .right("RUNTIME", lettered -> TimeText.duration(lettered.row.end() - lettered.row.start()))
                .right(currency.heading("COST"), lettered -> lettered.row.cost().brief())
                .right(currency.heading("DELAY"), lettered -> brief(lettered.row.delayValue()))
                .when(rows.stream().anyMatch(row -> row.delayValue() != null))
                .left("PROMISED BY", lettered -> promisedBy(lettered.row))
                .when(rows.stream().anyMatch(row -> row.promisedBy() != null))
                .right(currency.heading("BUDGET"), lettered -> brief(lettered.row.budget()))
                .spare(3)
                .left("CRITERION", lettered -> lettered.row.criterion())
                .spare(1)
                .left("VIA", lettered -> lettered.row.via())
                .spare(0)
                .left("NODES", lettered -> nodes(lettered.row))
                .draw(
                        IntStream.range(0, rows.size())
                                .mapToObj(i -> new Lettered(GanttChart.label(i), rows.get(i)))
                                .toList(),
                        terminal);
    }

    private static String brief(@Nullable Money money) {
        return money == null ? "-" : money.brief();
    }

    private static String promisedBy(WindowRow row) {
        return row.promisedBy() == null ? "-" : TimeText.instantAfter(row.start(), row.promisedBy());
    }

    /** Returns the nodes by name, with the number of pods if it is more than one. */
    private static String nodes(WindowRow row) {
        Map<String, Integer> pods = new TreeMap<>();
        row.placement().forEach(pod -> pods.merge(pod.node(), 1, Integer::sum));
        return pods.entrySet().stream()
                .map(entry -> entry.getValue() == 1 ? entry.getKey() : entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    private String pending(PlanReport report) {
        return new TextTable<Pending>()
                .name("WAITING", pending -> pending.gang().toString())
                .left("REASON", pending -> pending.refusal().message(report.currency()))
                .draw(report.pending(), terminal);
    }

    private String moves(PlanReport report) {
        return new TextTable<Move>()
                .name("MOVED", move -> move.gang().id().toString())
                .left("FROM", move -> nodes(move.window()))
                .left("TO", move -> move.targetWindow() == null ? "waits" : nodes(move.targetWindow()))
                .left("KIND", move -> move.reach().key())
                .left("WHY", move -> move.purpose().words())
                .draw(report.moves(), terminal);
    }

    private static String nodes(Window window) {
        return String.join(" ", PlanReport.nodes(window));
    }

    private String buying(PlanReport report) {
        return new TextTable<PurchaseAdvice>()
                .name("BUYING", advice -> advice.gang().id().toString())
                .left("WHAT", PurchaseText::bought)
                .left(
                        "AT",
                        advice -> advice.acquisition().purchases().stream()
                                .map(Purchase::bought)
                                .min(Long::compare)
                                .map(TimeText::instant)
                                .orElse("-"))
                .right(
                        "IN",
                        advice -> TimeText.relative(report.now(), window(advice).start()))
                .spare(4)
                .left("START", advice -> TimeText.instant(window(advice).start()))
                .left(
                        "END",
                        advice -> TimeText.instantAfter(
                                window(advice).start(), window(advice).end()))
                .right("COST", TableReport::cost)
                .left("WAITING INSTEAD", advice -> instead(advice.waitingWindow(), report.now()))
                .draw(report.buying(), terminal);
    }

    private static Window window(PurchaseAdvice advice) {
        return advice.acquisition().window();
    }

    private static String cost(PurchaseAdvice advice) {
        String cost = window(advice).cost().brief();
        String expected = advice.acquisition().expectedCost().brief();
        return cost + (expected.equals(cost) ? "" : " (expected " + expected + ")");
    }

    private static String instead(@Nullable Window waitingWindow, long now) {
        return waitingWindow == null
                ? "no window"
                : "%s, for %s"
                        .formatted(
                                TimeText.relative(now, waitingWindow.start()),
                                waitingWindow.cost().brief());
    }

    private void totals(StringBuilder text, PlanReport report) {
        PlanTotals totals = report.totals();
        String planned = "%d planned for %s, %d waiting"
                .formatted(
                        report.windows().size(),
                        report.currency().of(totals.cost()),
                        report.pending().size());
        text.append(terminal.paragraph(
                report.windows().isEmpty()
                        ? planned
                        : "%s; processor time %s; %s %% of CPU planned until the last end"
                                .formatted(
                                        planned,
                                        TimeText.duration(totals.processorSeconds()),
                                        percent(totals.utilisation()))));
        if (!totals.income().isEmpty()) {
            List<String> owners = new ArrayList<>();
            totals.income()
                    .forEach((owner, income) ->
                            owners.add(owner + " " + report.currency().of(income)));
            text.append(terminal.paragraph("Income from windows of the next %s: %s"
                    .formatted(TimeText.duration(report.horizon()), String.join(", ", owners))));
        }
    }

    private static String percent(BigDecimal share) {
        return share.movePointRight(2).toPlainString();
    }
}
