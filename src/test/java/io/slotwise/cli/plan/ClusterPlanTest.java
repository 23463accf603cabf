package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.cycle.PlanningLoop;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.report.JsonReport;
import io.slotwise.report.PlanReport;
import io.slotwise.testing.ListedCluster;
import io.slotwise.testing.WholeReplica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans of a cluster as kubectl's user may read it, and of the objects that kubectl prints. */
class ClusterPlanTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final String BEFORE = "2029-12-31T00:00:00Z";
    private static final String MIDNIGHT = "2030-01-01T00:00:00Z";
    private static final String NODE = """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "labels": {"kubernetes.io/hostname": "n1", "slotwise.io/price": "1"}},
             "spec": {}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}, "conditions": [{"type": "Ready", "status": "True"}]}}
            """;
    private static final String NAMESPACES = """
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "user"}}
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "poor", "annotations": {"slotwise.io/budget": "1.5/month"}}}
            """;

    @TempDir
    Path folder;

    private final ListedCluster cluster = new ListedCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private static String pod(String namespace, String name, String created, String scheduler, String node) {
        return """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "%s", "uid": "uid-%s", "creationTimestamp": "%s",
                  "annotations": {"slotwise.io/runtime": "1h"}},
                 "spec": {"schedulerName": "%s", "priority": 0 %s,
                  "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "4", "memory": "1Gi"}}}]},
                 "status": {"phase": "%s" %s}}
                """.formatted(
                        name,
                        namespace,
                        name,
                        created,
                        scheduler,
                        node.isEmpty() ? "" : ", \"nodeName\": \"%s\"".formatted(node),
                        node.isEmpty() ? "Pending" : "Running",
                        node.isEmpty() ? "" : ", \"startTime\": \"2030-01-01T00:00:00Z\"");
    }

    private static String pod(String namespace, String name, String created) {
        return pod(namespace, name, created, "slotwise", "");
    }

    private CommandLineRun plan(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "plan", "--cluster", "--kubeconfig", cluster.kubeconfig(folder).toString(), "-o", "json"));
        words.addAll(List.of(more));
        return CommandLineRun.of(words.toArray(String[]::new));
    }

    /** The plan without the notes on its input. */
    private static JsonNode json(String text) throws JsonProcessingException {
        ObjectNode plan = (ObjectNode) JSON.readTree(text);
        plan.remove(List.of("inputNotes", "search"));
        return plan;
    }

    private static List<String> starts(JsonNode plan) {
        List<String> starts = new ArrayList<>();
        plan.path("windows")
                .forEach(gang -> starts.add(
                        gang.path("gang").asText() + " " + gang.path("start").asText()));
        return starts;
    }

    /** The node is busy for an hour, then promised to a gang. A gang that was made before is seen later. */
    private String objects(WholeReplica replica) {
        String busy = pod("user", "busy", BEFORE, "default-scheduler", "n1");
        String early = pod("poor", "early", MIDNIGHT);
        replica.seeing(NODE + NAMESPACES + busy + early);
        replica.cycle();
        replica.pass(Duration.ofSeconds(60));
        String late = pod("user", "late", BEFORE) + pod("poor", "more", MIDNIGHT);
        replica.seeing(late);
        replica.cycle();
        return NODE + NAMESPACES + busy + early + late;
    }

    private static String written(WholeReplica replica) {
        return replica.written().stream().map(Serialization::asJson).collect(Collectors.joining("\n"));
    }

    private static JsonNode planned(WholeReplica replica) throws JsonProcessingException {
        PlanningLoop.Latest latest = Objects.requireNonNull(replica.latest());
        return json(JsonReport.write(
                PlanReport.of(
                        latest.carriedOutPlan(),
                        latest.snapshot(),
                        latest.settings().policy(),
                        latest.settings().currency()),
                List.of()));
    }

    @Test
    void aClusterIsPlannedAsItsReplicaPlansIt() throws IOException {
        try (WholeReplica replica = new WholeReplica(LoopSettings.DEFAULT, PriceCatalogue.bundled(), BEGIN)) {
            cluster.having(objects(replica)).having(written(replica));

            CommandLineRun run = plan("--now", "2030-01-01T00:01:00Z");

            assertThat(run.status()).as(run.err()).isZero();
            JsonNode plan = json(run.out());
            assertThat(plan).isEqualTo(planned(replica));
            assertThat(starts(plan))
                    .containsExactlyInAnyOrder(
                            "poor/pod-early 2030-01-01T01:00:05Z", "user/pod-late 2030-01-01T02:00:10Z");
            assertThat(plan.path("pending").path(0).path("gang").asText()).isEqualTo("poor/pod-more");
        }
    }

    @Test
    void filesWithReservationsAndLedgersKeepWhatWasPromised() throws IOException {
        try (WholeReplica replica = new WholeReplica(LoopSettings.DEFAULT, PriceCatalogue.bundled(), BEGIN)) {
            Path file = folder.resolve("objects.json");
            Files.writeString(file, objects(replica) + written(replica));

            CommandLineRun run =
                    CommandLineRun.of("plan", "-f", file.toString(), "-o", "json", "--now", "2030-01-01T00:01:00Z");

            assertThat(run.status()).as(run.err()).isZero();
            assertThat(json(run.out())).isEqualTo(planned(replica));
        }
    }

    @Test
    void unreadableKindsAreNamedWithTheConsequence() throws IOException {
        try (WholeReplica replica = new WholeReplica(LoopSettings.DEFAULT, PriceCatalogue.bundled(), BEGIN)) {
            cluster.having(objects(replica))
                    .having(written(replica))
                    .withholding("/apis/slotwise.io/v1alpha1/reservations");

            CommandLineRun run = plan("--now", "2030-01-01T00:01:00Z");

            assertThat(run.status()).as(run.err()).isZero();
            assertThat(run.err())
                    .contains("Warning: reservations cannot be read (kubectl's user has no right to list them): "
                            + "promised windows are planned again, and no advance reservation keeps room");
            assertThat(starts(json(run.out()))).contains("user/pod-late 2030-01-01T01:00:05Z");
        }
    }

    @Test
    void aReservationThatCannotBeReadIsNamedAndTheOthersStand() throws IOException {
        try (WholeReplica replica = new WholeReplica(LoopSettings.DEFAULT, PriceCatalogue.bundled(), BEGIN)) {
            cluster.having(objects(replica)).having(written(replica)).having("""
                    {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation", "metadata": {"name": "odd", "namespace": "user"},
                     "spec": {"gang": "odd", "budget": "much"}}
                    """);

            CommandLineRun run = plan("--now", "2030-01-01T00:01:00Z");

            assertThat(run.status()).as(run.err()).isZero();
            assertThat(run.err()).contains("Warning: reservation user/odd cannot be read");
            assertThat(json(run.out())).isEqualTo(planned(replica));
        }
    }

    @Test
    void theReleaseSaysByWhichPolicyItIsPlanned() {
        cluster.having(NODE + pod("user", "one", MIDNIGHT)).having("""
                {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "slotwise", "namespace": "slotwise", "labels": {"app.kubernetes.io/name": "slotwise"}},
                 "data": {"policy.yaml": "money.currency: EUR\\n"}}
                """);

        CommandLineRun run = plan("--now", "2030-01-01T00:01:00Z");

        assertThat(run.out()).as(run.err()).contains("EUR");
    }

    @Test
    void aFaultyPolicyOfTheReleaseIsNamedByItsPlace() {
        cluster.having(NODE).having("""
                {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "slotwise", "namespace": "batch", "labels": {"app.kubernetes.io/name": "slotwise"}},
                 "data": {"policy.yaml": "planner.horizon: never\\n"}}
                """);

        CommandLineRun run = plan();

        assertThat(run.status()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains("ConfigMap batch/slotwise, policy.yaml, line 1", "never");
    }

    @Test
    void aWorkerThatAnOldLeadersStatefulSetMadeLateIsNotPlannedWithTheNewLeader() throws IOException {
        cluster.having(NODE
                + NODE.replace("n1", "n2")
                + ofGroup("s-0", 0, "leaders", MIDNIGHT)
                + ofGroup("s-0-1", 1, "s-0", "2030-01-01T00:00:05Z")
                + set("web", "\"app\": \"web\""));

        CommandLineRun before = plan("--now", "2030-01-01T00:01:00Z");
        assertThat(starts(json(before.out()))).hasSize(1);
        assertThat(before.err()).doesNotContain("web");

        cluster.having(set("s-0", "\"leaderworkerset.sigs.k8s.io/name\": \"s\""));
        CommandLineRun run = plan("--now", "2030-01-01T00:01:00Z");
        assertThat(starts(json(run.out()))).as(run.err()).isEmpty();
        assertThat(run.out()).contains("waiting for members: 1 of 2 pods exist");
    }

    private static String ofGroup(String name, int worker, String set, String created) {
        return pod("user", name, created).replace("\"annotations\": {", """
            "labels": {"leaderworkerset.sigs.k8s.io/name": "s", "leaderworkerset.sigs.k8s.io/group-index": "0",
              "leaderworkerset.sigs.k8s.io/worker-index": "%d"},
            "ownerReferences": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "%s", "uid": "uid-StatefulSet-%s", "controller": true}],
            "annotations": {"leaderworkerset.sigs.k8s.io/size": "2", \
            """.formatted(worker, set, set));
    }

    private static String set(String name, String label) {
        return """
            {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "%s", "namespace": "user", "labels": {%s},
              "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "s-0", "uid": "uid-old", "controller": true}]}}
            """.formatted(name, label);
    }

    @Test
    void podsOfEverySchedulerArePlannedAsSlotwises() throws IOException {
        cluster.having(NODE
                + pod("user", "one", MIDNIGHT, "default-scheduler", "")
                + pod("user", "two", MIDNIGHT, "volcano", "")
                + pod("user", "ours", MIDNIGHT));

        assertThat(starts(json(plan("--now", "2030-01-01T00:01:00Z").out()))).hasSize(1);
        CommandLineRun all = plan("--as-if-all", "--now", "2030-01-01T00:01:00Z");
        assertThat(all.status()).as(all.err()).isZero();
        assertThat(starts(json(all.out()))).hasSize(3);
    }

    @Test
    void aClusterThatDoesNotAnswerIsSaidOnce() {
        Path kubeconfig = cluster.kubeconfig(folder);
        cluster.close();

        CommandLineRun run = CommandLineRun.of("plan", "--cluster", "--kubeconfig", kubeconfig.toString());

        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("slotwise: the cluster (http://127.0.0.1:")
                .contains("does not answer");
    }

    @Test
    void aContextThatIsNotInTheKubeconfigIsNamed() {
        CommandLineRun run = plan("--context", "elsewhere");

        assertThat(run.status()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains("The context (elsewhere) is not in the kubeconfig: expected one of test");
    }

    @Test
    void aKubeconfigThatIsNotThereIsNamed() {
        CommandLineRun run = CommandLineRun.of("plan", "--cluster", "--kubeconfig", "/nowhere/config");

        assertThat(run.status()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains("/nowhere/config: cannot be read: expected a kubeconfig");
    }

    @Test
    void withoutFilesAndClusterNothingIsPlanned() {
        CommandLineRun run = CommandLineRun.of("plan");

        assertThat(run.status()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains("No objects are given; expected --file FILE or --cluster");
    }
}
