package io.slotwise.observability;

import io.quarkus.logging.LoggingFilter;
import io.slotwise.core.text.SafeText;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import org.jboss.logmanager.ExtFormatter;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.ExtLogRecord.FormatStyle;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Turns every log record into one line of visible characters, including those of libraries and of exceptions. Names,
 * annotations and paths come from users, who could otherwise forge lines or send commands to a terminal.
 */
@LoggingFilter(name = LogSanitizer.NAME)
public final class LogSanitizer implements Filter {
    static final String NAME = "one-line";
    private static final ExtFormatter MESSAGE = new PatternFormatter("%s");
    private static final int LONGEST = 16_384;
    private static final int DEEPEST = 16;

    @Override
    public boolean isLoggable(LogRecord record) {
        ExtLogRecord extended = ExtLogRecord.wrap(record);
        String message = MESSAGE.format(extended);
        String shown = shown(message);
        if (!shown.equals(message)) {
            extended.setMessage(shown, FormatStyle.NO_FORMAT);
        }
        Throwable thrown = record.getThrown();
        if (thrown != null && !isPlain(thrown, 0)) {
            record.setThrown(new ShownThrowable(thrown, 0));
        }
        return true;
    }

    private static String shown(@Nullable String text) {
        return text == null
                ? ""
                : SafeText.escaped(
                        text.length() <= LONGEST
                                ? text
                                : text.substring(0, LONGEST) + "... (%d characters)".formatted(text.length()));
    }

    private static boolean isPlain(@Nullable Throwable thrown, int depth) {
        if (thrown == null) {
            return true;
        }
        String text = thrown.toString();
        if (depth == DEEPEST || !shown(text).equals(text) || !isPlain(thrown.getCause(), depth + 1)) {
            return false;
        }
        for (Throwable suppressed : thrown.getSuppressed()) {
            if (!isPlain(suppressed, depth + 1)) {
                return false;
            }
        }
        return true;
    }

    /** A copy of another throwable in visible characters. */
    @SuppressWarnings("OverrideThrowableToString") // The class of the original is printed before its message.
    private static final class ShownThrowable extends Throwable {
        private static final long serialVersionUID = 1;

        private final String text;

        ShownThrowable(Throwable original, int depth) {
            super(null, cause(original, depth), true, true);
            text = shown(original.toString());
            setStackTrace(original.getStackTrace());
            if (depth < DEEPEST) {
                for (Throwable suppressed : original.getSuppressed()) {
                    addSuppressed(new ShownThrowable(suppressed, depth + 1));
                }
            }
        }

        private static @Nullable Throwable cause(Throwable original, int depth) {
            Throwable cause = original.getCause();
            return cause == null || depth == DEEPEST ? null : new ShownThrowable(cause, depth + 1);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
