package io.slotwise.lab.workload.log;

import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Omission;
import io.slotwise.lab.workload.log.Lines.Line;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Understands the lines of one text, one after the other; scratch of one pass. */
public interface JobParser {
    /** What a line tells; after a MalformedWorkload the parser can go on with the next line. */
    Entry parse(Line line);

    /** The processors of the machine, as far as the lines so far say. */
    OptionalInt processors();

    default List<String> remarks() {
        return List.of();
    }

    sealed interface Entry {
        /** A job; {@code cut}: whether its run time was cut to its estimate. */
        record Told(Job job, boolean cut) implements Entry {}

        record LeftOut(Omission omission) implements Entry {}

        enum Heading implements Entry {
            LINE
        }
    }

    /** A job, its run time cut to its estimate: a job that runs longer than asked for is killed. */
    static Entry told(Job job) {
        boolean cut = job.runtime() > job.estimate();
        long runtime = Math.min(job.runtime(), job.estimate());
        return new Entry.Told(new Job(job.id(), job.submit(), job.parts(), runtime, job.user(), job.terms()), cut);
    }

    /**
     * Whether a line tells a stretch of a job that was swapped out, which another line tells whole.
     *
     * @param status in the standard workload format: 2 of a stretch that goes on later, 3 and 4 of the last one, which
     *     completed or failed
     */
    static boolean isPart(long status) {
        return status >= 2 && status <= 4;
    }

    /** A job left out that never ran, ran nowhere, is too wide or came too early; null: it is none of these. */
    static @Nullable Entry leftOut(long runtime, int processors, OptionalInt machine, long submit) {
        if (runtime <= 0) {
            return new Entry.LeftOut(Omission.NO_RUNTIME);
        }
        if (processors <= 0) {
            return new Entry.LeftOut(Omission.NO_PROCESSORS);
        }
        if (machine.isPresent() && processors > machine.getAsInt()) {
            return new Entry.LeftOut(Omission.TOO_WIDE);
        }
        return submit < 0 ? new Entry.LeftOut(Omission.EARLY) : null;
    }
}
