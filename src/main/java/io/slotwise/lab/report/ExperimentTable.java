package io.slotwise.lab.report;

import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.ExperimentResults;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.report.Terminal;
import io.slotwise.report.TextTable;
import io.slotwise.report.TextTable.Column;
import java.util.ArrayList;
import java.util.List;

/** Experiments as text: one table for each figure of the paper, then what holds of its findings. */
public final class ExperimentTable {
    private ExperimentTable() {}

    /** A line for each experiment. */
    public static String list(List<ExperimentProfile> experiments, Terminal terminal) {
        TextTable table = new TextTable(List.of(
                Column.left("EXPERIMENT"),
                Column.right("RUNS"),
                Column.name("SOURCE"),
                Column.left("WHAT IT COMPARES")));
        for (ExperimentProfile profile : experiments) {
            table.row(List.of(
                    profile.name(),
                    "%,d".formatted(profile.runs()),
                    profile.source().year() + ", " + profile.source().place(),
                    profile.title()));
        }
        return table.draw(terminal);
    }

    /** Everything about an experiment that was run. */
    public static String write(ExperimentResults results, Terminal terminal) {
        ExperimentProfile profile = results.profile();
        StringBuilder text = new StringBuilder();
        text.append(terminal.styled("1", profile.name() + ": " + profile.title()))
                .append('\n');
        paragraph(text, profile.source().toString(), terminal);
        paragraph(
                text,
                ("%,d runs (the paper: %,d), seed %d. Cells: ours %s half of the 95 %% confidence "
                                + "interval [the paper's].")
                        .formatted(results.runs(), profile.runs(), results.seed(), plusMinus(terminal)),
                terminal);
        for (Figure figure : results.conclusion().figures()) {
            text.append('\n').append(figure.title()).append('\n').append(table(figure, terminal));
        }
        text.append("\nFindings\n").append(findings(results.conclusion().findings(), terminal));
        text.append("\nReadings\n");
        profile.readings().forEach(reading -> paragraph(text, "- " + reading, terminal));
        if (!profile.second().isEmpty()) {
            text.append("\nWith this reading\n");
            profile.second().forEach(reading -> paragraph(text, "- " + reading, terminal));
        }
        return text.toString();
    }

    private static void paragraph(StringBuilder text, String words, Terminal terminal) {
        TextTable.wrap(words, terminal.columns())
                .forEach(line -> text.append(line).append('\n'));
    }

    static String plusMinus(Terminal terminal) {
        return String.valueOf(terminal.glyph('±', '~'));
    }

    private static String table(Figure figure, Terminal terminal) {
        FigureGrid grid = FigureGrid.of(figure, plusMinus(terminal));
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < grid.headings().size(); i++) {
            String heading = grid.headings().get(i);
            columns.add(i < grid.names() ? Column.left(heading) : Column.right(heading));
        }
        TextTable table = new TextTable(columns);
        grid.rows().forEach(table::row);
        return table.draw(terminal);
    }

    private static String findings(List<Finding> findings, Terminal terminal) {
        TextTable table = new TextTable(List.of(Column.left("WHERE"), Column.left("HOLDS"), Column.left("FINDING")));
        for (Finding finding : findings) {
            table.row(List.of(
                    finding.place(),
                    finding.holds().word(),
                    finding.statement() + ". Here: " + finding.evidence() + "." + second(finding)));
        }
        return table.draw(terminal);
    }

    private static String second(Finding finding) {
        Finding.Second second = finding.second();
        return second == null
                ? ""
                : " With this reading: %s: %s.".formatted(second.holds().word(), second.evidence());
    }
}
