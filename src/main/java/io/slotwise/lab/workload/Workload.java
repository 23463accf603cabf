package io.slotwise.lab.workload;

import io.slotwise.lab.workload.log.MalformedWorkload;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Jobs in the order of their submission. */
public interface Workload {
    /** Returns the name for reports: that of a file, or of a model with its parameters. */
    String name();

    /** Returns the processors of the machine that the workload was recorded on or made for. Empty if unknown. */
    OptionalInt processors();

    /** Returns one sentence for each fact that a user should know, such as what was left out, skipped or changed. */
    default List<String> remarks() {
        return List.of();
    }

    /**
     * Returns the jobs by ascending {@link Job#submit}, and within a second in the order of submission. Every call
     * returns the same jobs from the beginning. The stream is sequential and lazy; the caller closes it.
     *
     * @throws MalformedWorkload while the stream is read, with file, line and column of the error
     */
    Stream<Job> jobs();
}
