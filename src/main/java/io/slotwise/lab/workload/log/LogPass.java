package io.slotwise.lab.workload.log;

import io.slotwise.core.text.SafeText;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Omission;
import io.slotwise.lab.workload.log.JobParser.Entry;
import io.slotwise.lab.workload.log.Lines.Line;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One pass over a log: scratch. Holds one line at a time, and the names of the jobs. */
final class LogPass implements AutoCloseable {
    private final Lines lines;
    private final JobParser parser;
    private final boolean lenient;
    private final JobNames names = new JobNames();

    private final SortedMap<Omission, Long> omitted = new TreeMap<>();
    private long jobs;
    private long cut;
    private long malformed;
    private @Nullable String firstMalformed;
    private long latest = Long.MIN_VALUE;
    private boolean inOrder = true;

    LogPass(TextSource source, JobParser parser, boolean lenient) {
        this.lines = new Lines(source);
        this.parser = parser;
        this.lenient = lenient;
    }

    /** The next job, or null after the last one. */
    @Nullable
    Job next() {
        for (Line line = lines.next(); line != null; line = lines.next()) {
            Job job = line.isBlank() ? null : job(line);
            if (job != null) {
                return job;
            }
        }
        return null;
    }

    private @Nullable Job job(Line line) {
        try {
            return counted(parser.parse(line), line);
        } catch (MalformedWorkload e) {
            if (!lenient) {
                throw e;
            }
            malformed++;
            firstMalformed = firstMalformed == null ? e.getMessage() : firstMalformed;
            return null;
        }
    }

    private @Nullable Job counted(Entry entry, Line line) {
        return switch (entry) {
            case Entry.Told(Job job, boolean wasCut) -> {
                if (!names.add(job.id())) {
                    throw line.malformed(
                            1,
                            "job %s appears twice: expected a number or name of its own"
                                    .formatted(SafeText.value(job.id())));
                }
                jobs++;
                cut += wasCut ? 1 : 0;
                inOrder &= job.submit() >= latest;
                latest = Math.max(latest, job.submit());
                yield job;
            }
            case Entry.LeftOut(Omission why) -> {
                omitted.merge(why, 1L, Long::sum);
                yield null;
            }
            case Entry.Heading _ -> null;
        };
    }

    /** The machine, as far as the lines so far say. */
    OptionalInt processors() {
        return parser.processors();
    }

    /** What became of the lines so far. */
    LogReading reading() {
        return new LogReading(jobs, omitted, cut, malformed, firstMalformed, inOrder, parser.remarks());
    }

    @Override
    public void close() {
        lines.close();
    }
}
