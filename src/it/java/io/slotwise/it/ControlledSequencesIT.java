package io.slotwise.it;

import static io.slotwise.it.ControlledWorkload.template;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Random sequences of loss, replacement, restart, drain, suspension and rollout, in parallel, for gangs whose pods are
 * made by a person, by the Job controller, and by the real controllers of JobSets and LeaderWorkerSets. Proves that
 * each gang is whole in the end, and that no start counts a pod of another generation. {@code
 * -Dslotwise.it.sequences=200} runs more sequences, {@code -Dslotwise.faults.seed=7} runs others. An even seed runs
 * them under {@code running.member-loss: restart}. {@code GangSequencesTest} runs such sequences in virtual time.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ControlledSequencesIT {
    private static final List<Maker> MAKERS = List.of(Maker.values());
    private static final int SEQUENCES = Integer.getInteger("slotwise.it.sequences", 10);
    private static final long SEED = Long.getLong("slotwise.faults.seed", 1);
    /** True if Slotwise itself restarts a gang that loses a member. No pod then joins a running gang. */
    private static final boolean RESTARTS = SEED % 2 == 0;

    private static final int AT_ONCE = 10;
    private static final int ACTIONS = 4;
    /**
     * Seconds. A Job waits for 10 s before it replaces a lost pod, and twice as long each further time, up to 600 s.
     */
    private static final int PATIENCE = 660;

    private final Cluster cluster;

    @AutoClose
    private final SeenStarts starts;

    @AutoClose
    @SuppressWarnings("UnusedVariable") // runs until the end of the tests
    private final RunningChart chart;

    /** The maker of a gang's pods. */
    private enum Maker {
        PERSON("gang", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: w}
                data: {size: "%1$d", limit: "%2$d", pod: "%3$s"}
                """),
        JOB("job-w", """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: w}
                spec: {parallelism: %1$d, completions: %1$d, completionMode: Indexed, backoffLimitPerIndex: 20, template: %3$s}
                """),
        JOB_SET("jobset-w", jobSet("Recreate")),
        BLOCKING_JOB_SET("jobset-w", jobSet("BlockingRecreate")),
        GROUP_RESTARTED("leaderworkerset-w-0", group("RecreateGroupOnPodRestart")),
        GROUP("leaderworkerset-w-0", group("None"));

        private final String gang;
        private final String yaml;

        Maker(String gang, String yaml) {
            this.gang = gang;
            this.yaml = yaml;
        }

        private static String jobSet(String strategy) {
            String role = "{name: %1$s, template: {spec: {parallelism: %2$s, completions: %2$s, "
                    + "backoffLimit: %%2$d, template: %%3$s}}}";
            return """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: w}
                spec:
                  failurePolicy: {maxRestarts: 100, restartStrategy: %s}
                  replicatedJobs: [%s, %s]
                """.formatted(strategy, role.formatted("driver", "1"), role.formatted("workers", "%4$d"));
        }

        private static String group(String policy) {
            return """
                apiVersion: leaderworkerset.x-k8s.io/v1
                kind: LeaderWorkerSet
                metadata: {name: w}
                spec: {replicas: 1, leaderWorkerTemplate: {size: %%1$d, restartPolicy: %s, workerTemplate: %%3$s}}
                """.formatted(policy);
        }

        boolean isGroup() {
            return this == GROUP || this == GROUP_RESTARTED;
        }

        boolean maySuspend() {
            return this == JOB || this == JOB_SET || this == BLOCKING_JOB_SET;
        }

        String yaml(int size, int limit, String template) {
            String pod = this == JOB ? template.replace("spec: {", "spec: {restartPolicy: Never, ") : template;
            return yaml.formatted(size, limit, this == PERSON ? "" : pod, size - 1);
        }
    }

    ControlledSequencesIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        WorkloadController.JOB_SET.start(plane);
        WorkloadController.LEADER_WORKER_SET.start(plane);
        chart = RunningChart.install(
                plane,
                Map.of(
                        "policy.running.turnover",
                        "0s",
                        "policy.planner.cycle",
                        "1s",
                        "policy.running.member-loss",
                        RESTARTS ? "restart" : "continue"));
        starts = new SeenStarts(plane.client());
    }

    @Test
    void gangsBecomeWholeAgainAndStartWithPodsOfOneGeneration() throws InterruptedException {
        List<String> failures = new ArrayList<>();
        long whole = 0;
        long single = 0;
        try (ExecutorService sequences = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Sequence> all =
                    IntStream.range(0, SEQUENCES).mapToObj(Sequence::new).toList();
            List<Future<?>> running = new ArrayList<>();
            all.forEach(sequence -> running.add(sequences.submit(sequence::run)));
            for (int i = 0; i < SEQUENCES; i++) {
                try {
                    running.get(i).get();
                } catch (ExecutionException e) {
                    failures.add(all.get(i) + ": " + e.getCause());
                }
                whole += starts.whole(all.get(i).namespace, all.get(i).maker.gang);
                single += starts.single(all.get(i).namespace, all.get(i).maker.gang);
            }
        }

        assertThat(failures).as("of seed %d", SEED).isEmpty();
        assertThat(whole).as("gangs that started again as a whole").isGreaterThan(SEQUENCES);
        if (!RESTARTS) {
            assertThat(single).as("pods that joined gangs that ran").isPositive();
        }
    }

    /** The events of one gang, in a namespace of its own that has one node more than the gang needs. */
    private final class Sequence {
        private final String namespace;
        private final SplittableRandom random;
        private final Maker maker;
        private final int size;
        /** A limit of 0 makes each loss of a member the loss of the whole gang. */
        private final int limit;

        private final List<String> story = new ArrayList<>();

        @SuppressWarnings("NullAway.Init") // set when the sequence begins
        private ControlledWorkload workload;

        private int names;

        Sequence(int number) {
            namespace = "sequence-" + number;
            random = new SplittableRandom(SEED * 1_000_003 + number);
            maker = MAKERS.get(number % MAKERS.size());
            size = 2 + random.nextInt(2);
            limit = random.nextBoolean() ? 0 : 20;
        }

        void run() {
            story.add("limit " + limit);
            workload = ControlledWorkload.create(cluster, namespace, size + 1, yaml(""));
            awaitWhole();
            for (int action = 0; action < ACTIONS; action++) {
                act();
                // The next event often comes before the gang is whole again.
                if (random.nextBoolean()) {
                    awaitWhole();
                }
            }
            uncordon();
            awaitWhole();
            assertThat(starts.violations(namespace, maker.gang, size)).isEmpty();
            workload.delete();
        }

        private String yaml(String annotations) {
            return maker.yaml(size, limit, template(namespace, annotations));
        }

        private void awaitWhole() {
            story.add("whole");
            Scenario.within(toString(), PATIENCE).untilAsserted(() -> {
                replace();
                List<Pod> pods = workload.pods();
                assertThat(pods)
                        .as(() -> workload.story())
                        .hasSize(size)
                        .allMatch(pod -> pod.getSpec().getNodeName() != null);
                assertThat(pods.stream().map(SeenStarts::identity)).doesNotHaveDuplicates();
                assertThat(pods.stream().map(starts::generation).distinct()).hasSize(1);
            });
        }

        private List<Pod> running() {
            // A pod that is bound and does not run yet may be reported as running after it has failed.
            return workload.pods().stream()
                    .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                    .toList();
        }

        private void act() {
            List<Pod> running =
                    Scenario.within("a pod to run; " + this, PATIENCE).until(this::running, pods -> !pods.isEmpty());
            Pod pod = running.get(random.nextInt(running.size()));
            try {
                act(random.nextInt(6), pod);
            } catch (KubernetesClientException e) {
                // The owner was faster.
                story.add("which failed: " + e.getMessage());
            }
            replace();
        }

        private void act(int what, Pod pod) {
            String name = pod.getMetadata().getName();
            switch (what) {
                case 0 -> {
                    story.add("deleted " + name);
                    cluster.client().resource(pod).delete();
                }
                case 1 -> {
                    String node = pod.getSpec().getNodeName();
                    story.add("drained %s from %s".formatted(name, node));
                    uncordon();
                    cordon(node, true);
                    cluster.client()
                            .pods()
                            .inNamespace(namespace)
                            .withName(name)
                            .evict();
                }
                case 2 -> {
                    story.add("failed " + name);
                    workload.fail(pod);
                }
                case 3 -> {
                    story.add("deleted all");
                    workload.pods()
                            .forEach(one -> cluster.client().resource(one).delete());
                }
                case 4 -> restart(pod);
                default -> rollOut(pod);
            }
        }

        /** Restarts the gang as its owner does. A person deletes all pods, and makes them again once they are gone. */
        private void restart(Pod pod) {
            if (maker.isGroup()) {
                story.add("restarted a container of " + pod.getMetadata().getName());
                workload.restart(pod);
                return;
            }
            story.add("restarted");
            if (maker.maySuspend()) {
                workload.patch("spec: {suspend: true}");
            } else {
                workload.pods().forEach(one -> cluster.client().resource(one).delete());
            }
            Scenario.within("no pod; " + this, PATIENCE)
                    .untilAsserted(() -> assertThat(workload.pods()).isEmpty());
            if (maker.maySuspend()) {
                workload.patch("spec: {suspend: false}");
            }
        }

        /**
         * Changes the template, for which a LeaderWorkerSet replaces its group. Gangs of other owners are restarted.
         */
        private void rollOut(Pod pod) {
            if (maker.isGroup()) {
                story.add("rolled out");
                workload.patch(yaml(", it.slotwise.io/version: \"%d\"".formatted(names++)));
            } else {
                restart(pod);
            }
        }

        /** Makes pods with new names in place of the lost pods, as a person does. */
        private void replace() {
            for (int i = workload.pods().size(); maker == Maker.PERSON && i < size; i++) {
                make();
            }
        }

        private void make() {
            Pod pod = Serialization.unmarshal(
                    // Text that begins with a brace would be read as JSON.
                    "---\n{apiVersion: v1, kind: Pod, "
                            + template(namespace, ", slotwise.io/gang-size: \"%d\"".formatted(size))
                                    .substring(1),
                    Pod.class);
            cluster.client()
                    .resource(new PodBuilder(pod)
                            .editMetadata()
                            .withNamespace(namespace)
                            .withName("pod-" + names++)
                            .addToLabels("slotwise.io/gang", maker.gang)
                            .endMetadata()
                            .build())
                    .create();
        }

        private void uncordon() {
            workload.nodes().forEach(node -> cordon(node, false));
        }

        private void cordon(String node, boolean cordoned) {
            cluster.client().nodes().withName(node).edit(known -> {
                known.getSpec().setUnschedulable(cordoned);
                return known;
            });
        }

        @Override
        public String toString() {
            return "%s, %s of %d, %s".formatted(namespace, maker, size, story);
        }
    }
}
