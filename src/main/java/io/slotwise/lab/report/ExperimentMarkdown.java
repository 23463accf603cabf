package io.slotwise.lab.report;

import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.ExperimentResults;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** An experiment that was run as Markdown, for documents. */
public final class ExperimentMarkdown {
    private ExperimentMarkdown() {}

    /** A section of the second level. */
    public static String write(ExperimentResults results) {
        ExperimentProfile profile = results.profile();
        StringBuilder text = new StringBuilder();
        text.append("## `%s`: %s\n\n".formatted(profile.name(), profile.title()));
        text.append(profile.source()).append(".\n\n");
        text.append(("%,d runs (the paper: %,d), seed %d. Cells: ours ± half of the 95 %% confidence interval "
                        + "[the paper's].\n")
                .formatted(results.runs(), profile.runs(), results.seed()));
        text.append("\nReadings:\n\n");
        profile.readings().forEach(reading -> text.append("- ").append(reading).append('\n'));
        if (!profile.second().isEmpty()) {
            text.append("\nWith this reading, the second number of each, on the same seeds:\n\n");
            profile.second()
                    .forEach(reading -> text.append("- ").append(reading).append('\n'));
        }
        for (Figure figure : results.conclusion().figures()) {
            text.append("\n**").append(figure.title()).append("**\n\n");
            FigureGrid grid = FigureGrid.of(figure, "±");
            line(text, grid.headings());
            line(
                    text,
                    Stream.concat(
                                    Collections.nCopies(grid.names(), "---").stream(),
                                    Collections.nCopies(grid.headings().size() - grid.names(), "---:").stream())
                            .toList());
            grid.rows().forEach(row -> line(text, row));
        }
        text.append("\n**Findings**\n\n");
        findings(text, results.conclusion().findings());
        return text.toString();
    }

    private static void findings(StringBuilder text, List<Finding> findings) {
        boolean twice = findings.stream().anyMatch(finding -> finding.second() != null);
        List<String> headings = twice
                ? List.of("Where", "What the paper finds", "Holds", "Here", "With this reading", "There")
                : List.of("Where", "What the paper finds", "Holds", "Here");
        line(text, headings);
        line(text, Collections.nCopies(headings.size(), "---"));
        for (Finding finding : findings) {
            Finding.Second second = finding.second();
            List<String> cells = new ArrayList<>(List.of(
                    finding.place(), finding.statement(), finding.holds().word(), finding.evidence()));
            if (twice) {
                cells.add(second == null ? "" : second.holds().word());
                cells.add(second == null ? "" : second.evidence());
            }
            line(text, cells);
        }
    }

    private static void line(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
