package io.slotwise.lab.workload.log;

import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The jobs of a log.
 *
 * <p>Opening it reads the whole text once, so that whatever is wrong with it is known before anything is made of it.
 * Each {@link #jobs()} then reads it again, one line at a time: time is proportional to the text, space to one line
 * and the jobs' names (a bit for each number), however long the log is. Only where submissions are out of order are
 * all jobs held, to be sorted by submission; those
 * of one second stay in the order of the text.
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

    /**
     * Opens a log.
     *
     * @param parsers a new one for every pass
     * @throws MalformedWorkload if a line cannot be understood and the options are strict
     */
    public static LogWorkload open(TextSource source, LogOptions options, Supplier<JobParser> parsers) {
        try (LogPass pass = new LogPass(source, parsers.get(), options.lenient())) {
            while (pass.next() != null) {
                // The pass counts.
            }
            OptionalInt machine = options.processors().isPresent() ? options.processors() : pass.processors();
            return new LogWorkload(source, options, parsers, machine, pass.reading());
        }
    }

    /** What became of its lines. */
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
}
