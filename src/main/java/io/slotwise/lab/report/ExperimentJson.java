package io.slotwise.lab.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.slotwise.lab.experiment.ComparedNumber;
import io.slotwise.lab.experiment.ExperimentResults;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.report.JsonReport;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An experiment that was run as JSON. {@code x} is a number where it is one, a string otherwise, and null where a
 * series runs over nothing; {@code ci95} and {@code paper} are null where there is none, {@code value} where nothing
 * was observed. Where there is a second reading, {@code reading} and {@code reading95} are its number and interval,
 * {@code verdict} says whether that is nearer to the paper's, and a finding has {@code holdsWithReading} and {@code
 * evidenceWithReading}.
 */
public final class ExperimentJson {
    private ExperimentJson() {}

    /** The document, indented, with a line feed at its end. */
    public static String write(ExperimentResults results) {
        return JsonReport.document(json -> {
            json.writeStringField("experiment", results.profile().name());
            json.writeNumberField("runs", results.runs());
            json.writeNumberField("seed", results.seed());
            json.writeArrayFieldStart("rows");
            for (ComparedNumber row : results.rows()) {
                row(json, row);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("findings");
            for (Finding finding : results.conclusion().findings()) {
                json.writeStartObject();
                json.writeStringField("place", finding.place());
                json.writeStringField("finding", finding.statement());
                json.writeStringField("holds", finding.holds().word());
                json.writeStringField("evidence", finding.evidence());
                Finding.Second second = finding.second();
                if (second != null) {
                    json.writeStringField("holdsWithReading", second.holds().word());
                    json.writeStringField("evidenceWithReading", second.evidence());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private static void row(JsonGenerator json, ComparedNumber row) throws IOException {
        json.writeStartObject();
        json.writeStringField("series", row.point().series());
        String x = row.point().x();
        if (x.isEmpty()) {
            json.writeNullField("x");
        } else if (x.matches("-?\\d+(\\.\\d+)?")) {
            json.writeFieldName("x");
            json.writeNumber(x);
        } else {
            json.writeStringField("x", x);
        }
        json.writeStringField("metric", row.point().metric());
        number(json, "value", row.value());
        number(json, "ci95", row.ci95());
        number(json, "paper", row.paper());
        ComparedNumber.Second second = row.second();
        if (second != null) {
            json.writeNumberField("reading", second.value());
            number(json, "reading95", second.ci95());
            ComparedNumber.Verdict verdict = row.verdict();
            json.writeStringField("verdict", verdict == null ? null : verdict.word());
        }
        json.writeEndObject();
    }

    private static void number(JsonGenerator json, String name, @Nullable Double value) throws IOException {
        if (value == null) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, value);
        }
    }
}
