package io.slotwise.cli;

import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How an answer is printed. */
enum Format {
    TABLE,
    JSON,
    CSV;

    /** Reads a format's name. */
    static final class Converter implements ITypeConverter<Format> {
        @Override
        public Format convert(String value) {
            return Stream.of(values())
                    .filter(format -> format.name().toLowerCase(Locale.ROOT).equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "'%s' is no output format; expected table, json or csv".formatted(value)));
        }
    }
}
