package io.slotwise.experiment.grid;

import io.slotwise.workload.Job;
import io.slotwise.workload.LogFolder;
import io.slotwise.workload.LogOptions;
import io.slotwise.workload.format.WorkloadFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of the paper on gangs before queues: {@value #JOBS} jobs of a real log that follow each other, none with
 * more tasks than the larger cluster has processors. The paper does not name its log; of the logs at hand the one below
 * has a stretch with the paper's number of tasks, but for two, and as much work as fills the paper's grid for as long
 * as the paper's response times last.
 */
public final class GridWorkload {
    /** High-Performance Computing Center North, Umeå, 2002, in the Parallel Workloads Archive. */
    private static final String LOG = "HPC2N-2002-first3170jobs.swf.gz";

    private static final String FOLDER = "swf";

    static final int JOBS = 1500;
    static final int TASKS = 24_154;

    private static final int MOST_TASKS = 64;
    private static final int SKIPPED = 1049;

    private final LogFolder logs;
    private @Nullable List<Job> jobs;

    public GridWorkload(LogFolder logs) {
        this.logs = logs;
    }

    private Optional<Path> file() {
        return logs.file(FOLDER + "/" + LOG).or(() -> logs.file(LOG));
    }

    Optional<String> missing() {
        return file().isPresent()
                ? Optional.empty()
                : Optional.of(("its log does not exist; expected --data FOLDER with %s (Parallel Workloads Archive) in "
                                + "it or in its %s")
                        .formatted(LOG, FOLDER));
    }

    /** The jobs, the first one submitted at 0; read once. */
    synchronized List<Job> jobs() {
        if (jobs == null) {
            jobs = read(file().orElseThrow(() -> new IllegalStateException("The log is missing.")));
        }
        return jobs;
    }

    private static List<Job> read(Path file) {
        try (Stream<Job> log = WorkloadFile.open(file, LogOptions.STRICT).jobs()) {
            List<Job> chosen = log.filter(job -> job.size() <= MOST_TASKS)
                    .skip(SKIPPED)
                    .limit(JOBS)
                    .toList();
            long first = chosen.getFirst().submit();
            return chosen.stream()
                    .map(job -> new Job(
                            job.id(), job.submit() - first, job.parts(), job.runtime(), job.user(), job.terms()))
                    .toList();
        }
    }
}
