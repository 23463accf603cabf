package io.slotwise.cli;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** How an answer is printed. */
enum Format {
    TABLE,
    JSON,
    CSV;

    private static final String OPTION = "--output";

    /** The option that says which. */
    static OptionSpec option() {
        return OptionSpec.builder("-o", OPTION)
                .type(Format.class)
                .paramLabel("FORMAT")
                .converters(new Converter())
                .completionCandidates(List.of("table", "json", "csv"))
                .description("table (default), json or csv.")
                .build();
    }

    /** What the command line says, or the table. */
    static Format of(CommandSpec spec) {
        return Objects.requireNonNullElse(Options.given(spec, OPTION, Format.class), TABLE);
    }

    /** Reads a format's name. */
    static final class Converter implements ITypeConverter<Format> {
        @Override
        public Format convert(String value) {
            return Stream.of(values())
                    .filter(format -> format.name().toLowerCase(Locale.ROOT).equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "'%s' is not an output format; expected table, json or csv".formatted(value)));
        }
    }
}
