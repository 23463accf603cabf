package io.slotwise.observability;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.text.SafeText;
import io.slotwise.testing.Nonsense;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Level;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogSanitizerTest {
    private static final String FORGED = "g\n2030-01-01 INFO forged\u001b[2J";

    /** The record as the console shows it. */
    private static String logged(ExtLogRecord record) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = LogSanitizerTest.class.getResourceAsStream("/application.properties")) {
            properties.load(Objects.requireNonNull(in));
        }
        assertThat(properties.getProperty("quarkus.log.console.filter")).isEqualTo(LogSanitizer.NAME);
        assertThat(new LogSanitizer().isLoggable(record)).isTrue();
        return new PatternFormatter(properties.getProperty("quarkus.log.console.format")).format(record);
    }

    @Test
    void aValueCannotForgeALine() throws IOException {
        ExtLogRecord record = new ExtLogRecord(
                Level.WARN, "gang %s waits", ExtLogRecord.FormatStyle.PRINTF, LogSanitizerTest.class.getName());
        record.setParameters(new Object[] {FORGED});

        String text = logged(record);

        assertThat(text.lines()).hasSize(1);
        assertThat(text).contains("gang g\\n2030-01-01 INFO forged\\u001b[2J waits");
    }

    @Test
    void anExceptionCannotEither() throws IOException {
        ExtLogRecord record = new ExtLogRecord(Level.ERROR, "it failed", LogSanitizerTest.class.getName());
        IllegalStateException thrown =
                new IllegalStateException(FORGED, new IllegalArgumentException("inner " + FORGED));
        thrown.addSuppressed(new IOException("beside " + FORGED));
        record.setThrown(thrown);

        String text = logged(record);

        assertThat(text)
                .contains(
                        "IllegalStateException: g\\n2030-01-01 INFO forged\\u001b[2J",
                        "Caused by: java.lang.IllegalArgumentException: inner g\\n",
                        "Suppressed: java.io.IOException: beside g\\n",
                        "at io.slotwise.observability.LogSanitizerTest.anExceptionCannotEither");
        assertThat(text.lines()).noneMatch(line -> line.startsWith("2030-01-01 INFO"));
        assertThat(text).doesNotContain("\u001b");
    }

    @Test
    void readableTextStaysUnchanged() throws IOException {
        ExtLogRecord record = new ExtLogRecord(Level.INFO, "größe 100% {0}", LogSanitizerTest.class.getName());
        IllegalStateException thrown = new IllegalStateException("plain");
        record.setThrown(thrown);

        String text = logged(record);

        assertThat(text).contains("größe 100% {0}");
        assertThat(record.getThrown()).isSameAs(thrown);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyMessageIsOneLine(long seed) throws IOException {
        Nonsense nonsense = new Nonsense(seed);
        for (int i = 0; i < 500; i++) {
            ExtLogRecord record = new ExtLogRecord(
                    Level.INFO, nonsense.text(), ExtLogRecord.FormatStyle.NO_FORMAT, LogSanitizerTest.class.getName());

            String text = logged(record);

            assertThat(text.stripTrailing().lines()).hasSize(1);
            assertThat(SafeText.escaped(text.stripTrailing())).isEqualTo(text.stripTrailing());
        }
    }

    @Test
    void aRecordHasABound() throws IOException {
        ExtLogRecord record = new ExtLogRecord(Level.INFO, "x".repeat(10_000_000), LogSanitizerTest.class.getName());

        assertThat(logged(record)).hasSizeLessThan(20_000).contains("... (10000000 characters)");
    }
}
