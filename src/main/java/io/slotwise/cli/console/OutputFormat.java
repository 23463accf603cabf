package io.slotwise.cli.console;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** How an answer is printed. */
public enum OutputFormat {
    TABLE,
    JSON,
    CSV;

    private static final String OPTION = "--output";

    /** The option that says which. */
    public static OptionSpec option() {
        return OptionSpec.builder("-o", OPTION)
                .type(OutputFormat.class)
                .paramLabel("FORMAT")
                .converters(new Converter())
                .completionCandidates(List.of("table", "json", "csv"))
                .description("table (default), json or csv.")
                .build();
    }

    /** What the command line says, or the table. */
    public static OutputFormat of(CommandSpec spec) {
        return Objects.requireNonNullElse(CommonOptions.given(spec, OPTION, OutputFormat.class), TABLE);
    }

    /** Reads a format's name. */
    static final class Converter implements ITypeConverter<OutputFormat> {
        @Override
        public OutputFormat convert(String value) {
            return Stream.of(values())
                    .filter(format -> format.name().toLowerCase(Locale.ROOT).equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "'%s' is not an output format; expected table, json or csv".formatted(value)));
        }
    }
}
