package io.slotwise.cli.study;

import io.slotwise.config.InvalidInput;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Durations;
import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.queues.ClusterQueues;
import io.slotwise.lab.workload.Job;
import java.nio.file.Path;
import java.util.Collections;

/**
 * The queues of a simulation. Values of the log take the place of namespaces: a queue names the values of its jobs.
 * Thread-safe.
 *
 * @param by the column of the log
 */
record SimulatedQueues(ClusterQueues queues, By by) {
    /** The values of a log that queues name. */
    enum By {
        USER,
        GROUP,
        QUEUE;

        private String of(Job job) {
            return switch (this) {
                case USER -> job.user();
                case GROUP -> job.terms().group();
                case QUEUE -> job.terms().queue();
            };
        }
    }

    /**
     * Reads a file of Queue objects.
     *
     * @param capacity the sum of what the nodes have
     * @throws InvalidInput if there is no queue, or if a queue is refused
     */
    static SimulatedQueues read(Path file, By by, Resources capacity) {
        ClusterObjects objects = ManifestFile.read(file);
        ClusterQueues queues =
                new ClusterQueues(objects.optional(), objects.namespaces(), new Interval(0, Durations.LONGEST));
        if (queues.isEmpty()) {
            throw new InvalidInput("%s has no Queue and no ClusterQueue; expected at least one".formatted(file));
        }
        SimulatedQueues simulated = new SimulatedQueues(queues, by);
        queues.problems(simulated.tree(capacity)).stream().findFirst().ifPresent(problem -> {
            throw new InvalidInput("%s: queue %s: %s".formatted(file, problem.queue(), problem.message()));
        });
        return simulated;
    }

    QueueTree tree(Resources capacity) {
        return queues.tree(capacity);
    }

    Job assigned(Job job) {
        synchronized (queues) {
            String queue = queues.of(by.of(job), null, Collections.emptySortedSet());
            return queue == null ? job : job.on(job.terms().in(queue));
        }
    }
}
