package io.slotwise.lab.workload.log;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** The numbered lines of a text, without a byte order mark. */
public final class Lines implements AutoCloseable {
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final String file;
    private final BufferedReader reader;
    private long number;

    public Lines(TextSource source) {
        this.file = source.name();
        this.reader = source.open();
    }

    /** A line, counted from 1; {@code file} names the text in messages. */
    public record Line(String file, long number, String text) {
        public boolean isBlank() {
            return text.isBlank();
        }

        public MalformedWorkload malformed(int column, String problem) {
            return new MalformedWorkload("%s:%d:%d".formatted(file, number, column), problem);
        }
    }

    /** Returns the next line, or null at the end. */
    @Nullable
    public Line next() {
        try {
            String text = reader.readLine();
            if (text == null) {
                return null;
            }
            number++;
            boolean marked = number == 1 && !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
            return new Line(file, number, marked ? text.substring(1) : text);
        } catch (EOFException | ZipException e) {
            throw new MalformedWorkload(
                    "%s:%d".formatted(file, number + 1),
                    "the compressed text is damaged or ends early; expected a whole gzip file");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
