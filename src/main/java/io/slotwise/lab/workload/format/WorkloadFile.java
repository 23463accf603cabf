package io.slotwise.lab.workload.format;

import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.log.TextSource;
import io.slotwise.lab.workload.lublin.LublinSettings;
import io.slotwise.lab.workload.lublin.LublinWorkload;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Opens workloads by name: a path, {@code -} for standard input, {@code lublin:KEY=VALUE,...} for a model. */
public final class WorkloadFile {
    private static final String STANDARD_INPUT = "-";

    private WorkloadFile() {}

    /** Opens a workload. A null format is detected by the name, else by the first line. */
    public static Workload open(
            String location, @Nullable WorkloadFormat format, LogOptions options, InputStream standardInput) {
        if (location.startsWith(LublinSettings.PREFIX) && (format == null || format == WorkloadFormat.LUBLIN)) {
            return LublinWorkload.of(location, options);
        }
        TextSource source = location.equals(STANDARD_INPUT) ? held(standardInput) : TextSource.file(Path.of(location));
        return (format == null ? WorkloadFormat.detect(source) : format).open(source, options);
    }

    /** Opens a file, and detects its format by the name, else by the first line. */
    public static Workload open(Path file, LogOptions options) {
        TextSource source = TextSource.file(file);
        return WorkloadFormat.detect(source).open(source, options);
    }

    private static TextSource held(InputStream standardInput) {
        try {
            byte[] bytes = standardInput.readAllBytes();
            return TextSource.of("standard input", () -> new ByteArrayInputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
