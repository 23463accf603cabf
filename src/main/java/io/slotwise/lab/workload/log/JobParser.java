package io.slotwise.lab.workload.log;

import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import io.slotwise.lab.workload.Omission;
import io.slotwise.lab.workload.log.Lines.Line;
import java.util.List;
import java.util.OptionalInt;

/** Understands the lines of one text, one after the other; scratch of one pass. */
public interface JobParser {
    /**
     * What a line tells.
     *
     * @throws MalformedWorkload if it cannot be understood; the parser can go on with the next line
     */
    Entry parse(Line line);

    /** The processors of the machine, as far as the lines so far say. */
    OptionalInt processors();

    /** What a person should know of the lines so far, a sentence each. */
    default List<String> remarks() {
        return List.of();
    }

    /** What a line tells. */
    sealed interface Entry {
        /**
         * A job.
         *
         * @param cut whether its run time was cut to its estimate
         */
        record Told(Job job, boolean cut) implements Entry {}

        /** A job that does not count. */
        record LeftOut(Omission why) implements Entry {}

        /** A heading. */
        enum Heading implements Entry {
            LINE
        }
    }

    /**
     * A job, its run time cut to its estimate: a job that runs longer than asked for is killed. No queue: an empty one.
     */
    static Entry told(String id, long submit, List<Job.Part> parts, long runtime, String user, String queue) {
        return told(id, submit, parts, runtime, user, JobTerms.NONE.withQueue(queue));
    }

    /** The same on these terms. */
    static Entry told(String id, long submit, List<Job.Part> parts, long runtime, String user, JobTerms terms) {
        long estimate = parts.getFirst().request().runtime();
        Job job = new Job(id, submit, parts, Math.min(runtime, estimate), user, terms);
        return new Entry.Told(job, runtime > estimate);
    }
}
