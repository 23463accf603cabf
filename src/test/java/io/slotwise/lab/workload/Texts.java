package io.slotwise.lab.workload;

import io.slotwise.lab.workload.log.TextSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Texts of workloads. */
public final class Texts {
    private Texts() {}

    public static TextSource of(String name, String text) {
        return bytes(name, text.getBytes(StandardCharsets.UTF_8));
    }

    public static TextSource bytes(String name, byte[] bytes) {
        return TextSource.of(name, () -> new ByteArrayInputStream(bytes));
    }

    public static byte[] gzip(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    public static List<Job> jobs(Workload workload) {
        try (Stream<Job> jobs = workload.jobs()) {
            return jobs.toList();
        }
    }

    /** The submission, tasks, run time and estimate of a job. */
    public static String figures(Job job) {
        return "%s: %d %d %d %d".formatted(job.id(), job.submit(), job.size(), job.runtime(), job.estimate());
    }
}
