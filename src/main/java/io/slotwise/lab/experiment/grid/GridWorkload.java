package io.slotwise.lab.experiment.grid;

import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogFolder;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.format.WorkloadFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of the paper on gangs in queues: {@value #JOBS} consecutive jobs of a real log, none with more tasks than
 * the larger cluster has processors. The paper does not name its log.
 */
public final class GridWorkload {
    private static final String FOLDER = "swf";

    static final int JOBS = 1500;

    private static final int MOST_TASKS = 64;

    private final LogFolder logs;
    private final Stretch stretch;
    private @Nullable List<Job> jobs;

    enum Stretch {
        /**
         * High-Performance Computing Center North, Umeå, 2002. It has the paper's number of tasks, except for two, and
         * enough work to fill the paper's grid for as long as the paper's response times last.
         */
        HPC2N("HPC2N-2002-first3170jobs.swf.gz", 1049),

        /** The first jobs of NASA Ames Research Center's iPSC/860, 1993, whose sizes are powers of two. */
        NASA("NASA-iPSC-1993-3.1-cln.swf.gz", 0);

        private final String log;
        private final int skipped;

        Stretch(String log, int skipped) {
            this.log = log;
            this.skipped = skipped;
        }
    }

    GridWorkload(LogFolder logs, Stretch stretch) {
        this.logs = logs;
        this.stretch = stretch;
    }

    private Optional<Path> file() {
        return logs.file(FOLDER + "/" + stretch.log).or(() -> logs.file(stretch.log));
    }

    Optional<String> missing() {
        return file().isPresent()
                ? Optional.empty()
                : Optional.of(("its log does not exist; expected --data FOLDER with %s (Parallel Workloads Archive) in "
                                + "it or in its %s")
                        .formatted(stretch.log, FOLDER));
    }

    /** Returns the jobs, the first one submitted at 0. Read once. */
    synchronized List<Job> jobs() {
        if (jobs == null) {
            jobs = read(file().orElseThrow(() -> new IllegalStateException("The log is missing.")));
        }
        return jobs;
    }

    private List<Job> read(Path file) {
        try (Stream<Job> log = WorkloadFile.open(file, LogOptions.STRICT).jobs()) {
            List<Job> chosen = log.filter(job -> job.size() <= MOST_TASKS)
                    .skip(stretch.skipped)
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
