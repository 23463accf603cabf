package io.slotwise.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/** A builder of CSV (RFC 4180); null is an empty field. */
public final class CsvText {
    private final StringBuilder text = new StringBuilder();
    private final CSVPrinter printer;

    /** Creates a CSV with a comma-separated heading and this end of every row. */
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
