package io.slotwise.lab.workload;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PlacementRequest;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;

/**
 * Tasks that start together, from a log or a model.
 *
 * @param id unique in its workload
 * @param submit seconds on the workload's clock
 * @param parts its tasks by request; all parts have the same runtime, the user's estimate
 * @param runtime the real duration of each task on a node of performance 1, seconds, positive; possibly longer than the
 *     estimate
 */
public record Job(String id, long submit, List<Part> parts, long runtime, String user, JobTerms terms) {
    /** A number of tasks with the same request: processors of a machine, or pods of a cluster. */
    public record Part(int tasks, PodRequest request) {
        public Part {
            if (tasks <= 0) {
                throw new IllegalArgumentException("The number of tasks (%d) must be positive.".formatted(tasks));
            }
        }
    }

    public Job {
        parts = List.copyOf(parts);
        if (runtime <= 0) {
            throw new IllegalArgumentException(
                    "The runtime (%d s) of job (%s) must be positive.".formatted(runtime, id));
        }
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("The job (%s) must have a task.".formatted(id));
        }
        long estimate = parts.getFirst().request().runtime();
        for (Part part : parts) {
            if (part.request().runtime() != estimate) {
                throw new IllegalArgumentException(
                        "The tasks of job (%s) must have the same estimate, not %d s and %d s."
                                .formatted(id, estimate, part.request().runtime()));
            }
        }
    }

    public int size() {
        int size = 0;
        for (Part part : parts) {
            size += part.tasks();
        }
        return size;
    }

    /** Returns the user's estimate for each task on a node of performance 1, seconds. */
    public long estimate() {
        return parts.getFirst().request().runtime();
    }

    /** Returns the processors that all tasks request, thousandths of a core. */
    public long cpu() {
        return parts.stream()
                .mapToLong(part -> part.tasks() * part.request().resources().get(Resources.CPU))
                .sum();
    }

    /** Returns the same job with this value of time. A job that minimized its start then minimizes value. */
    public Job valuing(ValueOfTime value) {
        Criterion criterion = terms.criterion() == Criterion.START ? Criterion.VALUE : terms.criterion();
        return on(terms.paying(terms.budget(), criterion).valuing(value));
    }

    public Job on(JobTerms other) {
        return new Job(id, submit, parts, runtime, user, other);
    }

    /** Returns the same job with another estimate, seconds. */
    public Job estimated(long seconds) {
        List<Part> others = parts.stream()
                .map(part -> new Part(part.tasks(), part.request().lasting(seconds)))
                .toList();
        return new Job(id, submit, others, runtime, user, terms);
    }

    /** Returns the gang to plan, in the user's namespace, with the job's id and numbered pods. O(size). */
    public Gang gang() {
        List<Gang.Shape> shapes = new ArrayList<>();
        int pod = 0;
        for (Part part : parts) {
            List<String> pods = new ArrayList<>(part.tasks());
            for (int i = 0; i < part.tasks(); i++) {
                pods.add(id + "-" + pod++);
            }
            shapes.add(new Gang.Shape(pods, part.request()));
        }
        return new Gang(
                new GangId(user, id), shapes, terms.demand(), terms.priority(), submit, PlacementRequest.USUAL, true);
    }
}
