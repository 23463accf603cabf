package io.slotwise.cli.study;

import io.slotwise.cli.console.CommonOptions;
import io.slotwise.lab.experiment.ExperimentResults;
import io.slotwise.lab.report.ExperimentReport;
import io.slotwise.report.Terminal;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;

enum ExperimentFormat {
    TABLE,
    MARKDOWN,
    JSON,
    CSV;

    static OptionSpec option() {
        return CommonOptions.output(
                ExperimentFormat.class,
                List.of(values()),
                "table (default), markdown, json or csv. Several experiments are an array in JSON.");
    }

    String write(List<ExperimentResults> experiments, Terminal terminal) {
        return switch (this) {
            case TABLE ->
                experiments.stream()
                        .map(results -> ExperimentReport.table(results, terminal))
                        .collect(Collectors.joining("\n"));
            case MARKDOWN ->
                experiments.stream().map(ExperimentReport::markdown).collect(Collectors.joining("\n"));
            case JSON -> array(experiments.stream().map(ExperimentReport::json).toList());
            case CSV -> ExperimentReport.csv(experiments);
        };
    }

    /** Returns a single document unchanged, several in an array. */
    static String array(List<String> documents) {
        return documents.size() == 1
                ? documents.getFirst()
                : documents.stream().map(String::strip).collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    }
}
