package io.slotwise.lab.workload.swf;

import io.slotwise.core.resource.Resources;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Processor;
import io.slotwise.lab.workload.UserName;
import io.slotwise.lab.workload.Workload;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Writes a workload in the standard workload format, version 2.2.
 *
 * <p>A line has a job's number, submission, runtime, processors, estimate, memory, user and group; other data is lost.
 * A task counts as its cores, rounded up, and at least as one processor; memory is per processor, KiB. Jobs keep their
 * numbers if all have one, and are counted from 1 otherwise. The same holds for users, whose names are then in the
 * headings. {@code MaxProcs} is written if the workload has it.
 *
 * <p>Reads the workload twice. O(n) time, space in proportion to the users.
 */
public final class SwfWriter {
    private static final long BYTES_PER_KIB = 1024;
    private static final long UNKNOWN = -1;

    private final Workload workload;
    private final Writer out;

    private final Map<String, Long> users = new LinkedHashMap<>();
    private boolean numberedJobs = true;
    private boolean numberedUsers = true;
    private long jobs;

    private SwfWriter(Workload workload, Writer out) {
        this.workload = workload;
        this.out = out;
    }

    public static void write(Workload workload, Writer out) throws IOException {
        SwfWriter writer = new SwfWriter(workload, out);
        writer.survey();
        writer.headings();
        writer.lines();
    }

    private void survey() {
        try (Stream<Job> all = workload.jobs()) {
            all.forEach(job -> {
                jobs++;
                numberedJobs &= job.id().matches("\\d{1,15}");
                numberedUsers &= job.user().equals(UserName.UNKNOWN)
                        || UserName.number(job.user()).isPresent();
                if (!job.user().equals(UserName.UNKNOWN)) {
                    users.putIfAbsent(job.user(), users.size() + 1L);
                }
            });
        }
    }

    private void headings() throws IOException {
        heading("Version: 2.2");
        heading("Conversion: slotwise study convert");
        heading("MaxJobs: " + jobs);
        heading("MaxRecords: " + jobs);
        if (workload.processors().isPresent()) {
            heading("MaxProcs: " + workload.processors().getAsInt());
        }
        heading("Note: converted from " + workload.name().replaceAll("\\R", " "));
        if (!numberedUsers) {
            for (Map.Entry<String, Long> entry : users.entrySet()) {
                heading("Note: user %d is %s".formatted(entry.getValue(), entry.getKey()));
            }
        }
        heading("");
    }

    private void heading(String text) throws IOException {
        out.write(("; " + text).stripTrailing() + "\n");
    }

    private void lines() throws IOException {
        long number = 0;
        try (Stream<Job> all = workload.jobs()) {
            for (Job job : (Iterable<Job>) all::iterator) {
                number++;
                out.write(line(job, numberedJobs ? job.id() : String.valueOf(number)));
            }
        }
    }

    private String line(Job job, String number) {
        long processors = processors(job);
        return "%s %d -1 %d %d -1 -1 %d %d %d -1 %d %d -1 -1 -1 -1 -1\n"
                .formatted(
                        number,
                        job.submit(),
                        job.runtime(),
                        processors,
                        processors,
                        job.estimate(),
                        memory(job, processors),
                        user(job.user()),
                        group(job.terms().group()));
    }

    private static long processors(Job job) {
        long processors = 0;
        for (Job.Part part : job.parts()) {
            long cores = Math.ceilDiv(part.request().resources().get(Resources.CPU), Processor.MILLI_CORES);
            processors += part.tasks() * Math.max(1, cores);
        }
        return processors;
    }

    private static long memory(Job job, long processors) {
        long bytes = 0;
        for (Job.Part part : job.parts()) {
            bytes += part.tasks() * part.request().resources().get(Resources.MEMORY);
        }
        return bytes == 0 ? UNKNOWN : Math.ceilDiv(Math.ceilDiv(bytes, processors), BYTES_PER_KIB);
    }

    private static long group(String name) {
        return name.startsWith(SwfReader.GROUP_PREFIX)
                ? Long.parseLong(name.substring(SwfReader.GROUP_PREFIX.length()))
                : UNKNOWN;
    }

    private long user(String name) {
        if (name.equals(UserName.UNKNOWN)) {
            return UNKNOWN;
        }
        OptionalLong number = UserName.number(name);
        return numberedUsers && number.isPresent() ? number.getAsLong() : users.getOrDefault(name, UNKNOWN);
    }
}
