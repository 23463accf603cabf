package io.slotwise.cli.study;

import io.slotwise.cli.console.CommonOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** How the answer of a study is printed. */
enum StudyFormat {
    TABLE,
    JSON,
    CSV,
    /** One page with pictures that needs no network. */
    HTML;

    private static final String OUTPUT = "--output";

    private String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The option, with the formats that a command has; the table is the usual one. */
    static OptionSpec option(StudyFormat... formats) {
        List<StudyFormat> known = List.of(formats);
        return OptionSpec.builder("-o", OUTPUT)
                .type(StudyFormat.class)
                .paramLabel("FORMAT")
                .converters((ITypeConverter<StudyFormat>) value -> read(value, known))
                .description(listed(known) + ". Default: table.")
                .build();
    }

    private static StudyFormat read(String value, List<StudyFormat> known) {
        return known.stream()
                .filter(format -> format.key().equals(value))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "'%s' is not an output format; expected %s".formatted(value, listed(known))));
    }

    private static String listed(List<StudyFormat> formats) {
        String[] keys = formats.stream().map(StudyFormat::key).toArray(String[]::new);
        return String.join(", ", Arrays.copyOf(keys, keys.length - 1)) + " or " + keys[keys.length - 1];
    }

    /** What the command line says. */
    static StudyFormat of(CommandSpec spec) {
        return Objects.requireNonNullElse(CommonOptions.given(spec, OUTPUT, StudyFormat.class), TABLE);
    }
}
