package io.slotwise.report;

import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.report.PlanReport.BuyingRow;
import io.slotwise.report.PlanReport.MoveRow;
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
        return new TextTable<PlanReport.PendingRow>()
                .name("WAITING", PlanReport.PendingRow::gang)
                .left("REASON", PlanReport.PendingRow::reason)
                .draw(report.pending(), terminal);
    }

    private String moves(PlanReport report) {
        return new TextTable<MoveRow>()
                .name("MOVED", MoveRow::gang)
                .left("FROM", row -> String.join(" ", row.from()))
                .left("TO", row -> row.to().isEmpty() ? "waits" : String.join(" ", row.to()))
                .left("KIND", MoveRow::kind)
                .left("WHY", MoveRow::why)
                .draw(report.moves(), terminal);
    }

    private String buying(PlanReport report) {
        return new TextTable<BuyingRow>()
                .name("BUYING", BuyingRow::gang)
                .left("WHAT", BuyingRow::bought)
                .left(
                        "AT",
                        row -> row.nodes().stream()
                                .map(BuyingRow.NodeRow::bought)
                                .min(Long::compare)
                                .map(TimeText::instant)
                                .orElse("-"))
                .right("IN", row -> TimeText.relative(report.now(), row.start()))
                .spare(4)
                .left("START", row -> TimeText.instant(row.start()))
                .left("END", row -> TimeText.instantAfter(row.start(), row.end()))
                .right(
                        "COST",
                        row -> row.cost().brief()
                                + (row.expectedMoney().equals(row.cost())
                                        ? ""
                                        : " (expected " + row.expectedMoney().brief() + ")"))
                .left("WAITING INSTEAD", row -> instead(row.waiting(), report.now()))
                .draw(report.buying(), terminal);
    }

    private static String instead(BuyingRow.@Nullable WaitingRow waiting, long now) {
        return waiting == null
                ? "no window"
                : "%s, for %s"
                        .formatted(
                                TimeText.relative(now, waiting.start()),
                                waiting.cost().brief());
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
