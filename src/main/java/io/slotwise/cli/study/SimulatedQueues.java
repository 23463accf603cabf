package io.slotwise.cli.study;

import io.slotwise.config.InvalidInput;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Durations;
import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.queues.ClusterQueues;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a simulation. Values of the log take the place of namespaces: a queue names the values of its jobs.
 * Thread-safe.
 *
 * @param by the column of the log
 * @param budgets of queues that have one, by name
 */
record SimulatedQueues(Path file, ClusterQueues queues, By by, Map<String, Allotment> budgets) {
    /** The most values of a log in a message. */
    private static final int LISTED = 3;

    /** The queues that exist without an object. */
    private static final Set<String> SHARED = Set.of(Queue.ROOT, Queue.DEFAULT);

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

        String word() {
            return name().toLowerCase(Locale.ROOT);
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
        QueueTree tree = queues.tree(capacity);
        queues.problems(tree).stream().findFirst().ifPresent(problem -> {
            throw new InvalidInput("%s: queue %s: %s".formatted(file, problem.queue(), problem.message()));
        });
        return new SimulatedQueues(file, queues, by, queues.budgets(tree));
    }

    /**
     * Returns notes on the queues, and on the jobs of a workload that are in no queue.
     *
     * @throws InvalidInput if the queues name no value of the log
     */
    List<String> notes(Workload workload) {
        SortedSet<String> values = new TreeSet<>();
        SortedSet<String> outside = new TreeSet<>();
        long[] counts = new long[2];
        boolean named = queues.queues().stream().allMatch(queue -> SHARED.contains(queue.name()));
        try (Stream<Job> jobs = workload.jobs()) {
            for (Iterator<Job> each = jobs.iterator(); each.hasNext(); ) {
                String value = by.of(each.next());
                String queue = queue(value);
                values.add(value);
                counts[0]++;
                if (queue == null) {
                    outside.add(value);
                    counts[1]++;
                }
                named |= queue != null && !SHARED.contains(queue);
            }
        }
        if (!named && !values.isEmpty()) {
            throw new InvalidInput("%s names no %s of the log: expected namespaces such as %s"
                    .formatted(file, by.word(), listed(values)));
        }
        Stream<String> outsideNotes = outside.isEmpty()
                ? Stream.empty()
                : Stream.of("%d of %d jobs are in no queue, those of %s: expected a LocalQueue for each %s"
                        .formatted(counts[1], counts[0], listed(outside), by.word()));
        return Stream.concat(queues.notes().stream().map(IntakeWarning::message), outsideNotes)
                .toList();
    }

    private static String listed(SortedSet<String> values) {
        String first = values.stream().limit(LISTED).collect(Collectors.joining(", "));
        return values.size() <= LISTED ? first : "%s and %d more".formatted(first, values.size() - LISTED);
    }

    QueueTree tree(Resources capacity) {
        return queues.tree(capacity);
    }

    Job assigned(Job job) {
        String queue = queue(by.of(job));
        return queue == null ? job : job.on(job.terms().in(queue));
    }

    private @Nullable String queue(String value) {
        synchronized (queues) {
            return queues.of(value, null, Collections.emptySortedSet());
        }
    }
}
