package io.slotwise.lab.workload.log;

import io.slotwise.core.text.SafeText;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Omission;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.log.JobParser.Entry;
import io.slotwise.lab.workload.log.Lines.Line;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a log.
 *
 * <p>Opening it reads the whole text once, so that all errors are known before any job is used. Each {@link #jobs()}
 * reads the text again, one line at a time. Time is proportional to the text. Space is one line and the jobs' names (a
 * bit for each number), however long the log is. Only if submissions are out of order are all jobs in memory, to be
 * sorted by submission, and within a second in the order of the text.
 */
public final class LogWorkload implements Workload {
    private final TextSource source;
    private final boolean lenient;
    private final Supplier<JobParser> parsers;
    private final OptionalInt processors;
    private final LogReading reading;

    private LogWorkload(
            TextSource source,
            LogOptions options,
            Supplier<JobParser> parsers,
            OptionalInt processors,
            LogReading reading) {
        this.source = source;
        this.lenient = options.lenient();
        this.parsers = parsers;
        this.processors = processors;
        this.reading = reading;
    }

    /** Opens a log; {@code parsers} returns a new parser for every pass. */
    public static LogWorkload open(TextSource source, LogOptions options, Supplier<JobParser> parsers) {
        try (LogPass pass = new LogPass(source, parsers.get(), options.lenient())) {
            while (pass.next() != null) {
                // The pass itself collects the counts.
            }
            OptionalInt machine = options.processors().isPresent() ? options.processors() : pass.processors();
            return new LogWorkload(source, options, parsers, machine, pass.reading());
        }
    }

    public LogReading reading() {
        return reading;
    }

    @Override
    public String name() {
        return source.name();
    }

    @Override
    public OptionalInt processors() {
        return processors;
    }

    @Override
    public List<String> remarks() {
        return reading.remarks(name());
    }

    @Override
    public Stream<Job> jobs() {
        LogPass pass = new LogPass(source, parsers.get(), lenient);
        Stream<Job> jobs = StreamSupport.stream(new Jobs(pass), false).onClose(pass::close);
        return reading.inOrder() ? jobs : jobs.sorted(Comparator.comparingLong(Job::submit));
    }

    private static final class Jobs extends AbstractSpliterator<Job> {
        private final LogPass pass;

        Jobs(LogPass pass) {
            super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
            this.pass = pass;
        }

        @Override
        public boolean tryAdvance(Consumer<? super Job> action) {
            Job job = pass.next();
            if (job == null) {
                return false;
            }
            action.accept(job);
            return true;
        }
    }

    /** A pass over a log, with one line at a time and the names of the jobs in memory. */
    private static final class LogPass implements AutoCloseable {
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

        /** Returns the next job, or null at the end. */
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
                case Entry.LeftOut(Omission omission) -> {
                    omitted.merge(omission, 1L, Long::sum);
                    yield null;
                }
                case Entry.Heading _ -> null;
            };
        }

        OptionalInt processors() {
            return parser.processors();
        }

        LogReading reading() {
            return new LogReading(jobs, omitted, cut, malformed, firstMalformed, inOrder, parser.remarks());
        }

        @Override
        public void close() {
            lines.close();
        }

        /** The set of job names, with a bit for each small number, which most logs use. */
        private static final class JobNames {
            private static final Pattern SMALL = Pattern.compile("0|[1-9][0-9]{0,7}");

            private final BitSet numbers = new BitSet();
            private final Set<String> others = new HashSet<>();

            boolean add(String name) {
                if (SMALL.matcher(name).matches()) {
                    int number = Integer.parseInt(name);
                    boolean isNew = !numbers.get(number);
                    numbers.set(number);
                    return isNew;
                }
                return others.add(name);
            }
        }
    }

    /**
     * The outcome of reading a log's lines.
     *
     * @param omitted jobs left out, by reason
     * @param cut jobs whose runtime was cut to their estimate
     * @param malformed skipped lines that could not be parsed
     * @param firstMalformed the error of the first of them, with its place; null if there is none
     * @param headings remarks on the headings, a sentence each
     */
    public record LogReading(
            long jobs,
            SortedMap<Omission, Long> omitted,
            long cut,
            long malformed,
            @Nullable String firstMalformed,
            boolean inOrder,
            List<String> headings) {
        public LogReading {
            headings = List.copyOf(headings);
            omitted = Collections.unmodifiableSortedMap(new TreeMap<>(omitted));
        }

        /** Returns the remarks, a sentence each, in which {@code name} is the log. */
        List<String> remarks(String name) {
            List<String> remarks = new ArrayList<>();
            headings.forEach(heading -> remarks.add(name + ": " + heading));
            if (malformed > 0) {
                remarks.add("%s: %s could not be parsed and %s skipped; the first: %s"
                        .formatted(name, counted(malformed, "line"), malformed == 1 ? "was" : "were", firstMalformed));
            }
            if (!omitted.isEmpty()) {
                long all = omitted.values().stream().mapToLong(Long::longValue).sum();
                List<String> reasons = omitted.entrySet().stream()
                        .map(entry -> entry.getValue() + " " + entry.getKey().words())
                        .toList();
                remarks.add("%s: %s left out (%s)".formatted(name, counted(all, "job"), String.join(", ", reasons)));
            }
            if (cut > 0) {
                remarks.add("%s: the run times of %s were cut to the estimates".formatted(name, counted(cut, "job")));
            }
            if (!inOrder) {
                remarks.add("%s: submissions were out of order and have been sorted".formatted(name));
            }
            return remarks;
        }

        private static String counted(long count, String what) {
            return count == 1 ? "1 " + what : count + " " + what + "s";
        }
    }
}
