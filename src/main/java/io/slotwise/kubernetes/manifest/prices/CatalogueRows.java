package io.slotwise.kubernetes.manifest.prices;

import io.slotwise.core.money.PlainDigits;
import io.slotwise.kubernetes.manifest.field.InvalidManifest;
import io.slotwise.kubernetes.manifest.field.PerformanceText;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a price catalogue. Lines that begin with {@code #} are comments. */
final class CatalogueRows {
    private static final List<String> COLUMNS =
            List.of("instance_type", "region", "capacity_type", "price", "performance", "watts");
    private static final CSVFormat FORMAT = CSVFormat.DEFAULT
            .builder()
            .setCommentMarker('#')
            .setTrim(true)
            .setIgnoreEmptyLines(true)
            .get();
    private static final long MOST_WATTS = 1_000_000;

    private record Key(String instanceType, String region, String capacityType) {}

    private final String file;
    private final CSVParser parser;

    private CatalogueRows(String file, CSVParser parser) {
        this.file = file;
        this.parser = parser;
    }

    static List<PriceCatalogue.Row> read(Reader reader, String file) {
        try (CSVParser parser =
                CSVParser.builder().setReader(reader).setFormat(FORMAT).get()) {
            return new CatalogueRows(file, parser).rows();
        } catch (UncheckedIOException | IOException e) {
            throw new InvalidManifest("%s: cannot be read as CSV: %s".formatted(file, e.getMessage()));
        }
    }

    private List<PriceCatalogue.Row> rows() {
        List<PriceCatalogue.Row> rows = new ArrayList<>();
        Map<Key, Long> lines = new HashMap<>();
        boolean header = false;
        for (CSVRecord csv : parser) {
            if (!header) {
                checkHeader(csv);
                header = true;
                continue;
            }
            PriceCatalogue.Row row = row(csv);
            rows.add(row);
            long line = parser.getCurrentLineNumber();
            Long earlier = lines.putIfAbsent(new Key(row.instanceType(), row.region(), row.capacityType()), line);
            if (earlier != null) {
                throw new InvalidManifest(
                        ("%s, line %d: the same instance type (%s), region (%s) and capacity type (%s) as in line "
                                        + "%d: expected one row")
                                .formatted(file, line, row.instanceType(), row.region(), row.capacityType(), earlier));
            }
        }
        if (!header) {
            throw new InvalidManifest("%s: empty: expected the header %s".formatted(file, String.join(",", COLUMNS)));
        }
        return rows;
    }

    private void checkHeader(CSVRecord csv) {
        if (!csv.toList().equals(COLUMNS)) {
            throw new InvalidManifest("%s, line %d: the header is %s: expected %s"
                    .formatted(
                            file,
                            parser.getCurrentLineNumber(),
                            String.join(",", csv.toList()),
                            String.join(",", COLUMNS)));
        }
    }

    private PriceCatalogue.Row row(CSVRecord csv) {
        if (csv.size() != COLUMNS.size()) {
            throw new InvalidManifest("%s, line %d: %d columns: expected %d (%s)"
                    .formatted(
                            file,
                            parser.getCurrentLineNumber(),
                            csv.size(),
                            COLUMNS.size(),
                            String.join(",", COLUMNS)));
        }
        if (csv.get(0).isEmpty()) {
            throw invalid(csv, 0, "expected an instance type");
        }
        return new PriceCatalogue.Row(
                csv.get(0),
                csv.get(1),
                csv.get(2),
                figure(csv, 3, PriceCalendar::price),
                figure(csv, 4, PerformanceText::parse),
                figure(csv, 5, CatalogueRows::watts));
    }

    private <T> @Nullable T figure(CSVRecord csv, int column, Function<String, T> parse) {
        String text = csv.get(column);
        if (text.isEmpty()) {
            return null;
        }
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw invalid(csv, column, e.getMessage());
        }
    }

    private InvalidManifest invalid(CSVRecord csv, int column, @Nullable String expected) {
        return new InvalidManifest("%s, line %d, column %s: the value (%s) is not valid: %s"
                .formatted(file, parser.getCurrentLineNumber(), COLUMNS.get(column), csv.get(column), expected));
    }

    private static long watts(String text) {
        try {
            long watts = Long.parseLong(PlainDigits.of(text));
            if (watts > 0 && watts <= MOST_WATTS) {
                return watts;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected whole watts", e);
        }
        throw new IllegalArgumentException("expected between 1 and 1000000 watts");
    }
}
