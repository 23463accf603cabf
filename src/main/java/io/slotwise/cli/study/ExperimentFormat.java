package io.slotwise.cli.study;

import io.slotwise.lab.experiment.ExperimentResults;
import io.slotwise.lab.report.ExperimentCsv;
import io.slotwise.lab.report.ExperimentJson;
import io.slotwise.lab.report.ExperimentMarkdown;
import io.slotwise.lab.report.ExperimentTable;
import io.slotwise.report.Terminal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** How experiments are printed. */
enum ExperimentFormat {
    TABLE,
    MARKDOWN,
    JSON,
    CSV;

    static final String OPTION = "--output";

    /** The option that asks for one. */
    static OptionSpec option() {
        return OptionSpec.builder("-o", OPTION)
                .type(ExperimentFormat.class)
                .paramLabel("FORMAT")
                .converters(new Converter())
                .description("table (default), markdown, json or csv. Several experiments are an array in JSON.")
                .build();
    }

    /** All of these experiments. */
    String write(List<ExperimentResults> experiments, Terminal terminal) {
        return switch (this) {
            case TABLE ->
                experiments.stream()
                        .map(results -> ExperimentTable.write(results, terminal))
                        .collect(Collectors.joining("\n"));
            case MARKDOWN -> experiments.stream().map(ExperimentMarkdown::write).collect(Collectors.joining("\n"));
            case JSON -> array(experiments.stream().map(ExperimentJson::write).toList());
            case CSV -> ExperimentCsv.write(experiments);
        };
    }

    /** One document as it is, several in an array. */
    static String array(List<String> documents) {
        return documents.size() == 1
                ? documents.getFirst()
                : documents.stream().map(String::strip).collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    }

    private static final class Converter implements ITypeConverter<ExperimentFormat> {
        @Override
        public ExperimentFormat convert(String value) {
            return Stream.of(values())
                    .filter(format -> format.name().toLowerCase(Locale.ROOT).equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "'%s' is not an output format; expected table, markdown, json or csv".formatted(value)));
        }
    }
}
