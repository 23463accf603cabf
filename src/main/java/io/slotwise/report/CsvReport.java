package io.slotwise.report;

import io.slotwise.core.money.Money;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * A plan as CSV (RFC 4180): a header and one row for each pod of each window. Pending gangs have no row; the table and
 * the JSON form have them.
 */
public final class CsvReport {
    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setHeader(
                    "gang",
                    "pod",
                    "node",
                    "start",
                    "end",
                    "runtime_seconds",
                    "cost",
                    "gang_cost",
                    "gang_budget",
                    "criterion",
                    "via")
            .get();

    private CsvReport() {}

    /** The document, its lines ended by CRLF; an unlimited budget is an empty field. */
    public static String write(PlanReport report) {
        StringWriter text = new StringWriter();
        try (CSVPrinter csv = new CSVPrinter(text, FORMAT)) {
            for (WindowRow window : report.windows()) {
                for (WindowRow.PodRow pod : window.placement()) {
                    row(csv, window, pod);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("A writer into memory must not fail.", e);
        }
        return text.toString();
    }

    private static void row(CSVPrinter csv, WindowRow window, WindowRow.PodRow pod) throws IOException {
        Money budget = window.budget();
        csv.printRecord(
                window.gang(),
                pod.pod(),
                pod.node(),
                TimeText.instant(pod.start()),
                TimeText.instant(pod.end()),
                pod.end() - pod.start(),
                pod.cost(),
                window.cost(),
                budget == null ? "" : budget,
                window.criterion(),
                window.via());
    }
}
