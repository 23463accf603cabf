package io.slotwise.testing;

import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.workload.Job;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Records a whole simulation, and checks its capacity without any code of the schedulers. */
public final class Recorded implements SimulationObserver {
    private final List<JobRun> ended = new ArrayList<>();
    private final List<JobRun> interrupted = new ArrayList<>();
    private final List<Why> reasons = new ArrayList<>();
    private final List<Job> refused = new ArrayList<>();
    private Simulation.Ending ending = new Simulation.Ending(false, 0, 0);

    private Recorded() {}

    public static Recorded of(List<Job> jobs, Scheduler scheduler, Disturbance... disturbances) {
        Recorded recorded = new Recorded();
        recorded.ending = new Simulation(jobs.iterator(), List.of(disturbances), scheduler, recorded).run(() -> false);
        return recorded;
    }

    @Override
    public void ended(JobRun run) {
        ended.add(run);
    }

    @Override
    public void interrupted(JobRun run, Why why) {
        interrupted.add(run);
        reasons.add(why);
    }

    @Override
    public void refused(Job job) {
        refused.add(job);
    }

    public Simulation.Ending ending() {
        return ending;
    }

    /** The completed runs, in the order of their ends. */
    public List<JobRun> runs() {
        return List.copyOf(ended);
    }

    public List<JobRun> interruptions() {
        return List.copyOf(interrupted);
    }

    public List<Why> reasons() {
        return List.copyOf(reasons);
    }

    /** The jobs that are too large for the machine. */
    public List<Job> refusals() {
        return List.copyOf(refused);
    }

    public JobRun run(String job) {
        return ended.stream()
                .filter(run -> run.job().id().equals(job))
                .findFirst()
                .orElseThrow(() -> new AssertionError("job " + job + " never ended"));
    }

    /** Returns the largest number of processors in use in one second. */
    public long mostTaken() {
        TreeSet<Long> seconds = new TreeSet<>();
        Stream.concat(ended.stream(), interrupted.stream()).forEach(run -> seconds.add(run.start()));
        return seconds.stream().mapToLong(this::takenAt).max().orElse(0);
    }

    private long takenAt(long second) {
        return Stream.concat(ended.stream(), interrupted.stream())
                .filter(run -> run.start() <= second && second < run.end())
                .mapToLong(JobRun::capacity)
                .sum();
    }

    public List<JobRun> byStart() {
        return ended.stream().sorted(Comparator.comparingLong(JobRun::start)).toList();
    }
}
