package io.slotwise.lab.workload;

import io.slotwise.lab.workload.log.MalformedWorkload;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Jobs in the order of their submission. */
public interface Workload {
    /** What it is called in reports: a file's name, or a model with its parameters. */
    String name();

    /** The processors of the machine that it was recorded on or made for; empty if it does not say. */
    OptionalInt processors();

    /** What a person should know about it, a sentence each: what was left out, skipped or changed when it was read. */
    default List<String> remarks() {
        return List.of();
    }

    /**
     * The jobs, by ascending {@link Job#submit}; those of one second in the order in which they were submitted. Every
     * call begins anew and tells the same jobs. The stream is sequential and read lazily; the caller that opens it
     * closes it.
     *
     * @throws MalformedWorkload while it is read, with file, line and column of what cannot be understood
     */
    Stream<Job> jobs();
}
