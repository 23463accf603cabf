package io.slotwise.cli.remote;

import io.slotwise.web.GangAnswer;
import io.slotwise.web.GangAnswer.AdviceAnswer;
import io.slotwise.web.GangAnswer.WindowAnswer;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/**
 * An answer about one gang as CSV: a row for the gang as it is, and one for each change that would give it another
 * window.
 */
final class WhyCsv {
    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setRecordSeparator('\n')
            .setHeader(
                    "gang",
                    "phase",
                    "reason",
                    "key",
                    "message",
                    "change",
                    "value",
                    "start",
                    "promisedBy",
                    "end",
                    "cost")
            .get();

    private WhyCsv() {}

    /** All rows under a heading, each ended by a line feed; what is not known is empty. */
    static String of(GangAnswer answer) {
        StringWriter text = new StringWriter();
        WindowAnswer window = answer.window();
        try (CSVPrinter csv = new CSVPrinter(text, FORMAT)) {
            csv.printRecord(
                    answer.gang(),
                    answer.phase(),
                    answer.reason(),
                    known(answer.key()),
                    answer.message(),
                    "",
                    "",
                    window == null ? "" : window.start(),
                    known(answer.promisedBy()),
                    window == null ? "" : window.end(),
                    window == null ? "" : window.cost());
            for (AdviceAnswer advice : Objects.requireNonNullElse(answer.advice(), List.<AdviceAnswer>of())) {
                csv.printRecord(
                        answer.gang(),
                        "",
                        "",
                        "",
                        advice.message(),
                        advice.change(),
                        advice.value(),
                        advice.start(),
                        "",
                        advice.end(),
                        advice.cost());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("A writer into memory must not fail.", e);
        }
        return text.toString();
    }

    private static String known(@Nullable String text) {
        return Objects.requireNonNullElse(text, "");
    }
}
