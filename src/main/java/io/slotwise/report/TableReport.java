package io.slotwise.report;

import io.slotwise.core.money.Money;
import io.slotwise.report.TextTable.Column;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A plan as text for people: its windows, the gangs that wait and why, and the totals. */
public final class TableReport {
    private final Terminal terminal;

    public TableReport(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The text, ended by a line feed. */
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

    private String windows(PlanReport report) {
        List<WindowRow> rows = report.windows();
        boolean valued = rows.stream().anyMatch(row -> row.delayValue() != null);
        List<Column> columns = new ArrayList<>(List.of(
                Column.left(""),
                Column.name("WINDOW"),
                Column.right("IN").spare(4),
                Column.left("START"),
                Column.left("END").spare(2),
                Column.right("RUNTIME"),
                Column.right(report.currency().heading("COST"))));
        if (valued) {
            columns.add(Column.right(report.currency().heading("DELAY")));
        }
        boolean slack = rows.stream().anyMatch(row -> row.promisedBy() != null);
        if (slack) {
            columns.add(Column.left("PROMISED BY"));
        }
        columns.addAll(List.of(
                Column.right(report.currency().heading("BUDGET")).spare(3),
                Column.left("CRITERION").spare(1),
                Column.left("VIA").spare(0),
                Column.left("NODES")));
        TextTable table = new TextTable(columns);
        for (int i = 0; i < rows.size(); i++) {
            WindowRow row = rows.get(i);
            Money budget = row.budget();
            List<String> cells = new ArrayList<>(List.of(
                    String.valueOf(WindowLabels.of(i)),
                    row.gang(),
                    TimeText.relative(report.now(), row.start()),
                    TimeText.instant(row.start()),
                    TimeText.instantAfter(row.start(), row.end()),
                    TimeText.duration(row.end() - row.start()),
                    row.cost().brief()));
            if (valued) {
                Money delay = row.delayValue();
                cells.add(delay == null ? "-" : delay.brief());
            }
            if (slack) {
                cells.add(row.promisedBy() == null ? "-" : TimeText.instantAfter(row.start(), row.promisedBy()));
            }
            cells.addAll(List.of(budget == null ? "-" : budget.brief(), row.criterion(), row.via(), nodes(row)));
            table.row(cells);
        }
        return table.draw(terminal);
    }

    /** The nodes by name, each with the number of its pods where there is more than one. */
    private static String nodes(WindowRow row) {
        Map<String, Integer> pods = new TreeMap<>();
        row.placement().forEach(pod -> pods.merge(pod.node(), 1, Integer::sum));
        return pods.entrySet().stream()
                .map(node -> node.getValue() == 1 ? node.getKey() : node.getKey() + ":" + node.getValue())
                .collect(Collectors.joining(" "));
    }

    private String pending(PlanReport report) {
        TextTable table = new TextTable(List.of(Column.name("WAITING"), Column.left("REASON")));
        report.pending().forEach(row -> table.row(List.of(row.gang(), row.reason())));
        return table.draw(terminal);
    }

    private String moves(PlanReport report) {
        TextTable table = new TextTable(List.of(
                Column.name("MOVED"), Column.left("FROM"), Column.left("TO"), Column.left("KIND"), Column.left("WHY")));
        report.moves()
                .forEach(row -> table.row(List.of(
                        row.gang(),
                        String.join(" ", row.from()),
                        row.to().isEmpty() ? "waits" : String.join(" ", row.to()),
                        row.kind(),
                        row.why())));
        return table.draw(terminal);
    }

    /** What one would buy, and what waiting would be instead. */
    private String buying(PlanReport report) {
        TextTable table = new TextTable(List.of(
                Column.name("BUYING"),
                Column.left("WHAT"),
                Column.left("AT"),
                Column.right("IN").spare(4),
                Column.left("START"),
                Column.left("END"),
                Column.right("COST"),
                Column.left("WAITING INSTEAD")));
        for (BuyingRow row : report.buying()) {
            BuyingRow.WaitingRow waiting = row.waiting();
            table.row(List.of(
                    row.gang(),
                    row.bought(),
                    row.nodes().stream()
                            .map(BuyingRow.NodeRow::bought)
                            .min(Long::compare)
                            .map(TimeText::instant)
                            .orElse("-"),
                    TimeText.relative(report.now(), row.start()),
                    TimeText.instant(row.start()),
                    TimeText.instantAfter(row.start(), row.end()),
                    row.cost().brief()
                            + (row.expected().equals(row.cost())
                                    ? ""
                                    : " (expected " + row.expected().brief() + ")"),
                    waiting == null
                            ? "no window"
                            : "%s, for %s"
                                    .formatted(
                                            TimeText.relative(report.now(), waiting.start()),
                                            waiting.cost().brief())));
        }
        return table.draw(terminal);
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
