package io.slotwise.cli.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedQueuesTest {
    private static final String LOG = """
            ; MaxProcs: 4
            1 0 -1 100 3 -1 -1 3 100 -1 1 1 -1 -1 1 -1 -1 -1
            2 10 -1 20 4 -1 -1 4 20 -1 1 2 -1 -1 2 -1 -1 -1
            3 20 -1 5 1 -1 -1 1 5 -1 1 1 -1 -1 2 -1 -1 -1
            """;

    @TempDir
    private Path folder;

    private CommandLineRun simulate(String... more) throws IOException {
        Path log = Files.writeString(folder.resolve("log.swf"), LOG);
        List<String> all = new ArrayList<>(List.of("study", "simulate", "--workload", log.toString()));
        all.addAll(List.of(more));
        return CommandLineRun.of(all.toArray(String[]::new));
    }

    private Path queues(String text) throws IOException {
        return Files.writeString(folder.resolve("queues.yaml"), text);
    }

    @Test
    void queuesBoundPlannedJobsAndMeasureEveryPolicy() throws IOException {
        Path file = queues("""
                {apiVersion: slotwise.io/v1alpha1, kind: Queue, metadata: {name: a},
                 spec: {namespaces: [user-1], guarantee: {cpu: "1"}}}
                ---
                {apiVersion: slotwise.io/v1alpha1, kind: Queue, metadata: {name: b},
                 spec: {namespaces: [user-2], limit: {cpu: "3"}}}
                """);

        CommandLineRun run = simulate("--queues", file.toString(), "--policy", "fcfs", "slotwise", "-o", "csv");

        assertThat(run.err()).contains("Warning: 1 jobs never started under slotwise");
        assertThat(run.out())
                .contains("fcfs,queue-a-used,,0.61,", "fcfs,queue-b-received,,", "slotwise,queue-b-received,,0.0,")
                .contains("slotwise,worst-queue,,0.0,", "slotwise,queues-jain-index,,0.5,");
    }

    @Test
    void queuesAreOfUsersGroupsOrQueuesOfTheLog() throws IOException {
        Path file = queues("""
                {apiVersion: slotwise.io/v1alpha1, kind: Queue, metadata: {name: second}, spec: {namespaces: ["2"]}}
                """);

        CommandLineRun run =
                simulate("--queues", file.toString(), "--queue-by", "queue", "--policy", "slotwise", "-o", "csv");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("queue-second-used", "queue-default-used");
        assertThat(simulate("--queue-by", "queue", "--policy", "easy").err())
                .contains("--queue-by is given without --queues; expected both");
        assertThat(simulate("--queues", file.toString(), "--queue-by", "team", "--policy", "easy")
                        .err())
                .contains("'team' is not a column; expected user, group or queue");
    }

    @Test
    void kueuesQueuesAreTriedAsTheyAre() throws IOException {
        Path file = queues("""
                {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: a},
                 spec: {namespaceSelector: {}, resourceGroups: [{flavors: [
                   {name: any, resources: [{name: cpu, nominalQuota: 2}]}]}]}}
                ---
                {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: user-1},
                 spec: {clusterQueue: a}}
                """);

        CommandLineRun run = simulate("--queues", file.toString(), "--policy", "slotwise", "-o", "csv");

        assertThat(run.err()).contains("Warning: ResourceFlavor any is not in the input");
        assertThat(run.out()).contains("slotwise,queue-a-used,,");
    }

    @Test
    void queuesThatAreRefusedAreNamed() throws IOException {
        Path file = queues("""
                {apiVersion: slotwise.io/v1alpha1, kind: Queue, metadata: {name: a}, spec: {parent: science}}
                """);

        assertThat(simulate("--queues", file.toString(), "--policy", "easy").err())
                .contains("queues.yaml: queue a: its parent science does not exist");
    }

    @Test
    void aQueueWhoseBudgetIsSpentWaitsForTheNextPeriod() throws IOException {
        Path file = queues("""
                {apiVersion: slotwise.io/v1alpha1, kind: Queue, metadata: {name: a},
                 spec: {namespaces: [user-1], budget: 3/day}}
                """);
        Path starts = folder.resolve("starts.csv");

        CommandLineRun run = simulate(
                "--queues", file.toString(), "--price", "36", "--policy", "slotwise", "--starts", starts.toString());

        assertThat(run.err()).isEmpty();
        assertThat(starts).hasContent("job_id,submit,start,end\n1,0,0,100\n2,10,105,125\n3,20,86400,86405\n");
    }

    @Test
    void queuesThatNoJobIsInAreRefused() throws IOException {
        Path file = queues("""
                {apiVersion: slotwise.io/v1alpha1, kind: Queue, metadata: {name: a}, spec: {namespaces: [physics]}}
                """);

        assertThat(simulate("--queues", file.toString(), "--policy", "easy").err())
                .contains("queues.yaml names no user of the log: expected namespaces such as user-1, user-2");
    }

    @Test
    void jobsOfUsersWithoutALocalQueueAreCounted() throws IOException {
        Path file = queues("""
                {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: a},
                 spec: {namespaceSelector: {}}}
                ---
                {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: user-1},
                 spec: {clusterQueue: a}}
                """);

        assertThat(simulate("--queues", file.toString(), "--policy", "easy").err())
                .contains("Warning: 1 of 3 jobs are in no queue, those of user-2: expected a LocalQueue for each user");
    }
}
