package io.slotwise.report;

import io.slotwise.experiment.Figure;
import io.slotwise.experiment.Finding;
import io.slotwise.experiment.Profile;
import io.slotwise.experiment.Results;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** An experiment that was run as Markdown, for documents. */
public final class ExperimentMarkdown {
    private ExperimentMarkdown() {}

    /** A section of the second level. */
    public static String write(Results results) {
        Profile profile = results.profile();
        StringBuilder text = new StringBuilder();
        text.append("## `%s`: %s\n\n".formatted(profile.name(), profile.title()));
        text.append(profile.source()).append(".\n\n");
        text.append(
                "%,d runs (the paper: %,d), seed %d. Cells: ours ± half of the 95 %% confidence interval [the paper's].\n"
                        .formatted(results.runs(), profile.runs(), results.seed()));
        text.append("\nReadings:\n\n");
        profile.readings().forEach(reading -> text.append("- ").append(reading).append('\n'));
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
        line(text, List.of("Where", "What the paper finds", "Holds", "Here"));
        line(text, Collections.nCopies(4, "---"));
        for (Finding finding : results.conclusion().findings()) {
            line(
                    text,
                    List.of(
                            finding.place(),
                            finding.statement(),
                            finding.holds().word(),
                            finding.evidence()));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
