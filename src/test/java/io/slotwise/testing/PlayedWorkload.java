package io.slotwise.testing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pods of one gang in a simulated cluster. A person, a Job, a JobSet or a LeaderWorkerSet makes them, and makes
 * them again as the real controllers do, with their delays, a late garbage collector, and pods that take time to end.
 * The workload knows its generations as the owner does, not from labels.
 */
public final class PlayedWorkload {
    /** The maker of the pods. */
    public enum Maker {
        /** A person, who gives each new pod another name. */
        PERSON,
        /** An Indexed Job. */
        JOB,
        /** A JobSet of a leader and workers, which makes new Jobs while old pods still exist. */
        JOB_SET,
        /** A JobSet that waits until all old pods are gone. */
        BLOCKING_JOB_SET,
        /** A group of a LeaderWorkerSet, which is made again when its leader is gone. */
        LEADER_WORKER_SET
    }

    /** The longest time that a pod takes to end, seconds. */
    private static final int GRACE = 30;

    private final WholeReplica replica;
    private final SplittableRandom random;
    private final Maker maker;
    private final String name;
    private final int size;
    private final TreeMap<String, Made> pods = new TreeMap<>();
    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparingLong(Due::second).thenComparingLong(Due::number));
    private int generation;
    private int made;
    private int workers;

    private record Due(long second, long number, Runnable what) {}

    /** A pod with its present state. */
    public static final class Made {
        private final String name;
        private final String uid;
        private final int index;
        private final int generation;
        private final int set;
        private final long created;
        private String node = "";
        private String phase = "Pending";
        private long ended;
        private long goneAt;

        Made(String name, String uid, int index, int generation, int set, long created) {
            this.name = name;
            this.uid = uid;
            this.index = index;
            this.generation = generation;
            this.set = set;
            this.created = created;
        }

        public String uid() {
            return uid;
        }

        /** The pod's node, or empty if it has none. */
        public String node() {
            return node;
        }

        public int generation() {
            return generation;
        }

        /** Returns whether the pod is on a node, has not ended and is not being deleted. */
        public boolean runs() {
            return !node.isEmpty() && isAlive();
        }

        public boolean waits() {
            return node.isEmpty() && isAlive();
        }

        public boolean isDone() {
            return phase.equals("Succeeded");
        }

        private boolean isAlive() {
            return goneAt == 0 && !isDone();
        }
    }

    public PlayedWorkload(WholeReplica replica, SplittableRandom random, Maker maker, String name, int size) {
        this.replica = replica;
        this.random = random;
        this.maker = maker;
        this.name = name;
        this.size = size;
        makeAll();
    }

    public int size() {
        return size;
    }

    public Maker maker() {
        return maker;
    }

    public int generation() {
        return generation;
    }

    public Collection<Made> pods() {
        return pods.values();
    }

    /** Returns a pod by its name, or null if it does not exist. */
    public @Nullable Made pod(String pod) {
        return pods.get(pod);
    }

    public String gang() {
        return switch (maker) {
            case PERSON -> name;
            case JOB -> "job-" + name;
            case JOB_SET, BLOCKING_JOB_SET -> "jobset-" + name;
            case LEADER_WORKER_SET -> "leaderworkerset-" + name + "-0";
        };
    }

    /** Returns whether each index of the current generation runs or has succeeded. */
    public boolean isWhole() {
        return pods.values().stream()
                        .filter(pod -> pod.generation == generation && (pod.runs() || pod.isDone()))
                        .mapToInt(pod -> pod.index)
                        .distinct()
                        .count()
                == size;
    }

    public void bind(String pod, String node) {
        Made bound = Objects.requireNonNull(pods.get(pod));
        bound.node = node;
        bound.phase = "Running";
        show(bound);
    }

    /** Carries out everything that is due by now. */
    public void go() {
        while (!due.isEmpty() && due.peek().second() <= replica.now()) {
            due.poll().what().run();
        }
    }

    /** The seconds until the next event, or a large number if there is none. */
    public long next() {
        return due.isEmpty() ? Long.MAX_VALUE : Math.max(0, due.peek().second() - replica.now());
    }

    /** Evicts or deletes a pod, which takes some time to end. Its owner makes it again. */
    public void lose(Made pod) {
        if (pod.goneAt > 0 || pod.isDone() || pods.get(pod.name) != pod) {
            return;
        }
        if (maker == Maker.LEADER_WORKER_SET && pod.index == 0) {
            restartGroup(pod);
            return;
        }
        long gone = end(pod);
        int of = pod.generation;
        int set = pod.set;
        long made = sameName() ? gone : replica.now() + random.nextInt(GRACE);
        at(made + random.nextInt(3), () -> makeAgain(pod.index, of, set));
    }

    public void succeed(Made pod) {
        if (pod.runs()) {
            pod.phase = "Succeeded";
            pod.ended = replica.now();
            show(pod);
        }
    }

    /** Makes the owner restart all pods. */
    public void restart() {
        switch (maker) {
            case PERSON -> {
                // All pods are deleted before any is made again.
                long last = replica.now();
                for (Made pod : List.copyOf(pods.values())) {
                    last = Math.max(last, end(pod));
                }
                due.clear();
                List.copyOf(pods.values()).forEach(pod -> at(pod.goneAt, () -> remove(pod)));
                int next = ++generation;
                at(last, () -> makePods(next));
            }
            case JOB, JOB_SET, BLOCKING_JOB_SET -> {
                int next = ++generation;
                long last = replica.now();
                for (Made pod : List.copyOf(pods.values())) {
                    long collected = replica.now() + random.nextInt(4);
                    at(collected, () -> collect(pod));
                    last = Math.max(last, collected + GRACE);
                }
                if (maker == Maker.BLOCKING_JOB_SET) {
                    at(last, () -> makePods(next));
                } else {
                    // One Job after another.
                    for (int index = 0; index < size; index++) {
                        int podIndex = index;
                        at(replica.now() + random.nextInt(4), () -> makeAgain(podIndex, next, 0));
                    }
                }
            }
            case LEADER_WORKER_SET ->
                pods.values().stream()
                        .filter(pod -> pod.index == 0 && pod.isAlive())
                        .findFirst()
                        .ifPresent(this::restartGroup);
        }
    }

    public void delete() {
        due.clear();
        List.copyOf(pods.values()).forEach(this::remove);
    }

    /** Replaces the leader as soon as it is gone. The garbage collector removes the workers. */
    private void restartGroup(Made leader) {
        long gone = end(leader);
        int next = ++generation;
        workers++;
        int set = workers;
        for (Made worker : List.copyOf(pods.values())) {
            if (worker != leader) {
                at(Math.max(gone, replica.now()) + random.nextInt(4), () -> collect(worker));
            }
        }
        at(gone, () -> {
            makeAgain(0, next, 0);
            for (int index = 1; index < size; index++) {
                int podIndex = index;
                at(replica.now() + 1, () -> makeWorker(podIndex, next, set));
            }
        });
    }

    /** Makes a worker once the pod of the same name is gone, as a StatefulSet does. */
    private void makeWorker(int index, int of, int set) {
        if (of != generation) {
            return;
        }
        if (pods.containsKey(podName(index))) {
            at(replica.now() + 1, () -> makeWorker(index, of, set));
        } else {
            makeAgain(index, of, set);
        }
    }

    private void collect(Made pod) {
        if (pods.get(pod.name) != pod || pod.goneAt > 0) {
            return;
        }
        if (pod.isDone()) {
            remove(pod);
        } else {
            end(pod);
        }
    }

    private long end(Made pod) {
        if (pod.goneAt == 0) {
            pod.goneAt = replica.now() + (pod.node.isEmpty() ? 1 : 1 + random.nextInt(GRACE));
            show(pod);
            at(pod.goneAt, () -> remove(pod));
        }
        return pod.goneAt;
    }

    private void remove(Made pod) {
        if (pods.remove(pod.name, pod)) {
            replica.missing(json(pod));
        }
    }

    private void makeAll() {
        makePods(generation);
    }

    private void makePods(int of) {
        for (int index = 0; index < size; index++) {
            makeAgain(index, of, 0);
        }
    }

    private boolean sameName() {
        return maker == Maker.LEADER_WORKER_SET;
    }

    private void makeAgain(int index, int of, int set) {
        boolean filled = pods.values().stream()
                .anyMatch(pod -> pod.index == index && pod.generation == of && (pod.isAlive() || pod.isDone()));
        String pod = podName(index);
        if (of != generation || filled || pods.containsKey(pod)) {
            return;
        }
        made++;
        Made fresh = new Made(pod, "uid-" + name + "-" + made, index, of, set, replica.now());
        pods.put(pod, fresh);
        show(fresh);
    }

    private String podName(int index) {
        return switch (maker) {
            case PERSON, JOB, JOB_SET, BLOCKING_JOB_SET -> "%s-%d-%03d".formatted(name, index, made + 1);
            case LEADER_WORKER_SET -> index == 0 ? name + "-0" : "%s-0-%d".formatted(name, index);
        };
    }

    private void at(long second, Runnable what) {
        due.add(new Due(second, made++, what));
    }

    private void show(Made pod) {
        replica.seeing(json(pod));
    }

    private String json(Made pod) {
        List<String> labels = new ArrayList<>();
        String owner = "";
        switch (maker) {
            case PERSON -> labels.add(label("slotwise.io/gang", name));
            case JOB -> {
                labels.add(label("batch.kubernetes.io/job-completion-index", pod.index));
                owner = owner("batch/v1", "Job", name, "job-" + pod.generation);
            }
            case JOB_SET, BLOCKING_JOB_SET -> {
                labels.add(label("jobset.sigs.k8s.io/jobset-name", name));
                labels.add(label("jobset.sigs.k8s.io/jobset-uid", "set-" + name));
                labels.add(label("jobset.sigs.k8s.io/restart-attempt", pod.generation));
                labels.add(label("batch.kubernetes.io/job-completion-index", Math.max(0, pod.index - 1)));
                String role = pod.index == 0 ? "leader" : "workers";
                owner = owner("batch/v1", "Job", name + "-" + role + "-0", role + "-" + pod.generation);
            }
            case LEADER_WORKER_SET -> {
                labels.add(label("leaderworkerset.sigs.k8s.io/name", name));
                labels.add(label("leaderworkerset.sigs.k8s.io/group-index", 0));
                labels.add(label("leaderworkerset.sigs.k8s.io/worker-index", pod.index));
                owner = pod.index == 0
                        ? owner("apps/v1", "StatefulSet", name, "leaders")
                        : owner("apps/v1", "StatefulSet", name + "-0", "workers-" + pod.set);
            }
        }
        String going = pod.goneAt == 0 ? "" : "\"deletionTimestamp\": \"%s\",".formatted(instant(pod.goneAt));
        String bound = pod.node.isEmpty() ? "" : "\"nodeName\": \"%s\",".formatted(pod.node);
        String end = pod.isDone() ? """
                , "containerStatuses": [{"name": "c", "state": {"terminated": {"exitCode": 0, "finishedAt": "%s"}}}]""".formatted(instant(pod.ended)) : "";
        return """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "user", "uid": "%s",
              "creationTimestamp": "%s", %s "labels": {%s}, %s
              "annotations": {"slotwise.io/gang-size": "%d", "slotwise.io/runtime": "20h"}},
             "spec": {"schedulerName": "slotwise", %s "terminationGracePeriodSeconds": %d,
              "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]},
             "status": {"phase": "%s" %s}}
            """.formatted(
                        pod.name,
                        pod.uid,
                        instant(pod.created),
                        going,
                        String.join(", ", labels),
                        owner,
                        size,
                        bound,
                        GRACE,
                        pod.phase,
                        end);
    }

    private static String label(String key, Object value) {
        return "\"%s\": \"%s\"".formatted(key, value);
    }

    private static String owner(String api, String kind, String name, String uid) {
        return """
            "ownerReferences": [{"apiVersion": "%s", "kind": "%s", "name": "%s", "uid": "%s", "controller": true}],""".formatted(api, kind, name, uid);
    }

    private static String instant(long second) {
        return Instant.ofEpochSecond(second).toString();
    }
}
