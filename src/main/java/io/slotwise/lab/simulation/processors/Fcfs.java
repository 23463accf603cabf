package io.slotwise.lab.simulation.processors;

import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.workload.Job;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * First come, first served: the head of the queue starts as soon as its processors are free, and no job starts before
 * it.
 *
 * <p>Jobs are ordered by submission. Invariant after every pass: the queue is empty, or its head does not fit. A pass
 * takes O(started jobs) time and O(waiting jobs) memory.
 */
public final class Fcfs extends Discipline {
    private final Deque<Job> queue = new ArrayDeque<>();

    public Fcfs(ProcessorMachine processors) {
        super(processors);
    }

    @Override
    void queue(Job job, long now) {
        queue.add(job);
    }

    @Override
    public List<JobRun> pass(long now) {
        List<JobRun> starts = new ArrayList<>();
        for (Job headJob = queue.peek(); headJob != null && processors.fits(headJob); headJob = queue.peek()) {
            starts.add(processors.start(queue.remove(), now));
        }
        return starts;
    }
}
