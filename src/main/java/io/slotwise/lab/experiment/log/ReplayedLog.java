package io.slotwise.lab.experiment.log;

import io.slotwise.core.money.Money;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.simulation.metric.ReplicationMetrics;
import io.slotwise.lab.simulation.metric.ReplicationOutcome;
import io.slotwise.lab.simulation.planned.ProcessorNodes;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogFolder;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.format.WorkloadFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A log of the Parallel Workloads Archive; {@code unit} processors are only allocated together. */
record ReplayedLog(String name, String file, int processors, int unit) {
    /** The available logs with users and requested times. */
    static final List<ReplayedLog> ALL = List.of(
            new ReplayedLog("KTH-SP2", "KTH-SP2-sc15filter-28481jobs.swf.gz", 100, 1),
            new ReplayedLog("SDSC-SP2", "SDSC-SP2-first4961jobs.swf.gz", 128, 1),
            new ReplayedLog("HPC2N", "HPC2N-2002-first3170jobs.swf.gz", 240, 1),
            new ReplayedLog("LLNL-Atlas", "LLNL-Atlas-2006-2.1-cln.swf.gz", 9216, 8),
            new ReplayedLog("LANL-CM5", "LANL-CM5-1994-4.1-cln.swf.gz", 1024, 32));

    /** An additional log of a large machine. */
    static final ReplayedLog CEA_CURIE = new ReplayedLog("CEA-Curie", "CEA-Curie-9941jobs.swf.gz", 80640, 16);

    private static final String FOLDER = "swf";

    static ReplayedLog named(String name) {
        return ALL.stream()
                .filter(log -> log.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no log (%s).".formatted(name)));
    }

    /** Returns the number of allocation units, each used as one processor. */
    int units() {
        return processors / unit;
    }

    String title() {
        return "%s, %d processors".formatted(name, processors);
    }

    Optional<Path> file(LogFolder logs) {
        return logs.file(FOLDER + "/" + file).or(() -> logs.file(file));
    }

    List<Job> jobs(LogFolder logs) {
        Path path = file(logs).orElseThrow(() -> new IllegalStateException("The log (%s) is missing.".formatted(file)));
        try (Stream<Job> jobs = WorkloadFile.open(path, LogOptions.STRICT).jobs()) {
            return jobs.map(this::inUnits).toList();
        }
    }

    private Job inUnits(Job job) {
        List<Job.Part> parts = List.of(new Job.Part(
                Math.ceilDiv(job.size(), unit), job.parts().getFirst().request()));
        return new Job(job.id(), job.submit(), parts, job.runtime(), job.user(), job.terms());
    }

    /** Returns which logs are needed if none of these exists, in a sentence. Empty if one exists. */
    static Optional<String> missing(Stream<ReplayedLog> needed, LogFolder logs) {
        List<ReplayedLog> all = needed.toList();
        return all.stream().anyMatch(log -> log.file(logs).isPresent())
                ? Optional.empty()
                : Optional.of(
                        ("its logs do not exist; expected --data FOLDER with one of %s (Parallel Workloads Archive) "
                                        + "in it or in its swf")
                                .formatted(all.stream().map(ReplayedLog::file).collect(Collectors.joining(", "))));
    }

    ProcessorNodes machine() {
        return new ProcessorNodes(units(), units(), new Money(Money.MICROS_PER_UNIT), 0);
    }

    static ReplicationOutcome replay(Stream<Job> jobs, Scheduler scheduler, SimulationObserver observer) {
        ReplicationMetrics metrics = new ReplicationMetrics(scheduler::capacityOf);
        Simulation.Ending ending =
                new Simulation(jobs.iterator(), List.of(), scheduler, metrics, observer).run(() -> false);
        return metrics.outcome(0, 0, ending);
    }
}
