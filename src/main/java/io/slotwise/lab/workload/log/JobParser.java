package io.slotwise.lab.workload.log;

import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Omission;
import io.slotwise.lab.workload.log.Lines.Line;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Parses the lines of one text in one pass, with state between lines. */
public interface JobParser {
    /** Parses a line. After a MalformedWorkload the parser can continue with the next line. */
    Entry parse(Line line);

    /** Returns the processors of the machine, if the lines so far name them. */
    OptionalInt processors();

    default List<String> remarks() {
        return List.of();
    }

    sealed interface Entry {
        /** A job; {@code cut} tells whether its runtime was cut to its estimate. */
        record Told(Job job, boolean cut) implements Entry {}

        record LeftOut(Omission omission) implements Entry {}

        enum Heading implements Entry {
            LINE
        }
    }

    /** Returns a job with its runtime cut to its estimate, because a longer job is killed. */
    static Entry told(Job job) {
        boolean cut = job.runtime() > job.estimate();
        long runtime = Math.min(job.runtime(), job.estimate());
        return new Entry.Told(new Job(job.id(), job.submit(), job.parts(), runtime, job.user(), job.terms()), cut);
    }

    /**
     * Returns whether a line is a part of a swapped-out job, which has another line for the whole.
     *
     * @param status in the standard workload format: 2 for a part that continues later, 3 and 4 for the last one, which
     *     completed or failed
     */
    static boolean isPart(long status) {
        return status >= 2 && status <= 4;
    }

    /** Returns why a job is left out: never ran, no processors, too wide, or too early. Null if it is not. */
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
