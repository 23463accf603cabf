package io.slotwise.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/** A CSV (RFC 4180) that grows by rows; null is an empty field. */
public final class CsvText {
    private final StringBuilder text = new StringBuilder();
    private final CSVPrinter printer;

    /** One with a heading, its names divided by commas; {@code lineEnd}: of every row. */
    public CsvText(String lineEnd, String heading) {
        CSVFormat format =
                CSVFormat.RFC4180.builder().setRecordSeparator(lineEnd).get();
        try {
            printer = new CSVPrinter(text, format);
        } catch (IOException e) {
            throw new UncheckedIOException("A writer into memory must not fail.", e);
        }
        row((Object[]) heading.split(",", -1));
    }

    public CsvText row(@Nullable Object... cells) {
        try {
            printer.printRecord(cells);
        } catch (IOException e) {
            throw new UncheckedIOException("A writer into memory must not fail.", e);
        }
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
