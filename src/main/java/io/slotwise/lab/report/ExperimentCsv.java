package io.slotwise.lab.report;

import io.slotwise.lab.experiment.ComparedNumber;
import io.slotwise.lab.experiment.ExperimentResults;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Experiments that were run as CSV (RFC 4180): a header and a row for each number; what there is none of is an empty
 * field.
 */
public final class ExperimentCsv {
    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setHeader(
                    "experiment",
                    "runs",
                    "seed",
                    "series",
                    "x",
                    "metric",
                    "value",
                    "ci95",
                    "paper",
                    "reading",
                    "reading95",
                    "verdict")
            .get();

    private ExperimentCsv() {}

    /** The document, its lines ended by CRLF. */
    public static String write(List<ExperimentResults> experiments) {
        StringWriter text = new StringWriter();
        try (CSVPrinter csv = new CSVPrinter(text, FORMAT)) {
            for (ExperimentResults results : experiments) {
                for (ComparedNumber row : results.rows()) {
                    ComparedNumber.Second second = row.second();
                    csv.printRecord(
                            results.profile().name(),
                            results.runs(),
                            results.seed(),
                            row.point().series(),
                            row.point().x(),
                            row.point().metric(),
                            row.value(),
                            row.ci95(),
                            row.paper(),
                            second == null ? null : second.value(),
                            second == null ? null : second.ci95(),
                            row.verdict() == null ? null : row.verdict().word());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("A writer into memory must not fail.", e);
        }
        return text.toString();
    }
}
