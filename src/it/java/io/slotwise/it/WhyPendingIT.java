package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Gangs that wait for each possible reason. Proves the same words in the condition, the event, the API and the
 * terminal.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WhyPendingIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ControlPlane plane;
    private final Cluster cluster;

    @AutoClose
    private final RunningChart chart;

    /** The gangs by the key of their reason. */
    private final Map<String, GangSpec> waiting = new LinkedHashMap<>();

    WhyPendingIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
        chart = RunningChart.install(plane, Map.of("policy.running.turnover", "3s"));
    }

    @Test
    void reasonsThatEveryPolicyKnowsHaveTheSameWordsEverywhere() {
        underPolicy("planner.horizon: 2h\n");
        Scenario spent = spent();
        submitWhoCannotStart(new Scenario(cluster, "why").withNodes(2));
        submitBehind(new Scenario(cluster, "behind").withNodes(2));
        submitBesideLoad(new Scenario(cluster, "full").withNodes(1));
        submitToHeldRoom(new Scenario(cluster, "held").withNodes(1));
        submitWithoutDomain(new Scenario(cluster, "apart"));
        submit("namespace-budget", spent.gang("namespace-budget", 1, 4000, 600));

        assertSameWords();
        assertListed();
        assertReservationsAreReadWithoutSlotwise();
    }

    @Test
    void aTenantIsNotToldWhichGangsItWaitsFor() {
        underPolicy("planner.horizon: 119m\n");
        Scenario others = new Scenario(cluster, "secret").withNodes(1);
        GangSpec first = others.gang("month-end-close", 1, 4000, 6000)
                .with("earliest-start", Scenario.in(600).toString());
        cluster.submitAsPods(first);
        others.awaitPromise(first);
        Scenario tenants = new Scenario(cluster, "tenant");
        GangSpec behind = tenants.gang("train", 1, 4000, 1800).on("it.slotwise.io/pool", "secret");
        submit("behind-promises", behind);

        String hidden = "behind promised gangs: a gang of another namespace, which starts at ";
        Scenario.within("the record of " + behind.name(), 30)
                .untilAsserted(
                        () -> assertThat(cluster.condition(behind, "Planned")).startsWith("False NoWindow: " + hidden));
        assertThat(String.valueOf(cluster.reservation(behind)))
                .contains("key=behind-promises")
                .doesNotContain("month-end-close");
        Scenario.within("the event of " + behind.name(), 10)
                .untilAsserted(() -> assertThat(cluster.events("tenant", "NoWindow"))
                        .anySatisfy(event -> assertThat(event).startsWith("NoWindow Pod/train-0: " + hidden))
                        .noneSatisfy(event -> assertThat(event).contains("month-end-close")));
        assertThat(json(chart.slotwise().get("/api/v1/gangs/tenant/train"))
                        .path("message")
                        .asText())
                .as("who may read all")
                .startsWith("behind promised gangs: secret/month-end-close, which starts at ");
    }

    private void submitWhoCannotStart(Scenario scenario) {
        submit("over-budget", scenario.gang("over-budget", 2, 4000, 600).with("budget", "0.0001"));
        submit(
                "over-slot-price",
                scenario.gang("over-slot-price", 2, 4000, 600)
                        .with("max-price", "0.01")
                        .with("price-limit", "slot"));
        submit(
                "deadline",
                scenario.gang("deadline", 2, 4000, 1800)
                        .with("deadline", Scenario.in(900).toString()));
        submit("no-eligible-node", scenario.gang("no-eligible-node", 1, 500, 60).on("it.slotwise.io/pool", "nowhere"));
        submit("too-large", scenario.gang("too-large", 3, 4000, 60));
        submit("longer-than-horizon", scenario.gang("longer-than-horizon", 1, 500, 3 * 3600));
        submit(
                "beyond-horizon",
                scenario.gang("beyond-horizon", 1, 500, 60)
                        .with("earliest-start", Scenario.in(3 * 3600).toString()));
        GangSpec part = scenario.gang("waiting-for-members", 4, 500, 60);
        create(part.pods().subList(0, 3));
        waiting.put("waiting-for-members", part);
        GangSpec torn = scenario.gang("invalid-request", 2, 500, 60);
        create(List.of(
                torn.with("budget", "5").pods().getFirst(),
                torn.with("budget", "7").pods().getLast()));
        waiting.put("invalid-request", torn);
        GangSpec gated = scenario.gang("foreign-gate", 1, 500, 60);
        create(List.of(new PodBuilder(gated.pods().getFirst())
                .editSpec()
                .addNewSchedulingGate("example.com/quota")
                .endSpec()
                .build()));
        waiting.put("foreign-gate", gated);
        GangSpec groupless = scenario.gang("waiting-for-group", 1, 500, 60);
        create(List.of(new PodBuilder(groupless.pods().getFirst())
                .editMetadata()
                .withAnnotations(Map.of())
                .withLabels(Map.of("scheduling.x-k8s.io/pod-group", groupless.name()))
                .endMetadata()
                .build()));
        waiting.put("waiting-for-group", groupless);
    }

    /**
     * A gang is promised the pool from in ten minutes until almost the horizon. A shorter gang fits neither before nor
     * after it.
     */
    private void submitBehind(Scenario scenario) {
        GangSpec first = scenario.gang("first", 2, 4000, 6000)
                .with("earliest-start", Scenario.in(600).toString());
        cluster.submitAsPods(first);
        scenario.awaitPromise(first);
        submit("behind-promises", scenario.gang("behind-promises", 2, 4000, 1800));
    }

    /** A pod of another scheduler has the pool's node for good. */
    private void submitBesideLoad(Scenario scenario) {
        create(List.of(new PodBuilder(Workload.pod("full", "load", "default-scheduler", 4000, 64))
                .editSpec()
                .withNodeName(scenario.node(1))
                .endSpec()
                .build()));
        submit("no-window", scenario.gang("no-window", 1, 4000, 60));
    }

    /** An advance reservation has one user. */
    private void submitToHeldRoom(Scenario scenario) {
        GangSpec hold = scenario.hold("morning", 1, Scenario.in(600), Scenario.in(1200));
        scenario.awaitPromise(hold);
        GangSpec guest = scenario.gang("guest", 1, 3000, 60).with("reservation", "morning");
        cluster.submitAsPods(guest);
        scenario.awaitPromise(guest);
        submit("awaits-reservation", scenario.gang("late", 1, 3000, 60).with("reservation", "morning"));
    }

    /** Each node is in a zone of its own. In one zone, the nodes would have room for the gang. */
    private void submitWithoutDomain(Scenario scenario) {
        for (int node = 1; node <= 2; node++) {
            cluster.nodeIn("zone-" + node, scenario.node(node), 4, "1." + node, scenario.namespace());
        }
        submit("no-domain", scenario.gang("no-domain", 2, 4000, 60).with("mode", "emct"));
    }

    @Test
    void reasonsOfOnePolicyHaveTheSameWordsEverywhereToo() {
        underPolicy("batch.objective: min-cost\nbatch.limit: {cost: 0.0001}\n");
        submit("batch-limit", new Scenario(cluster, "limit").withNodes(1).gang("batch-limit", 1, 4000, 600));
        assertSameWords();

        underPolicy("study.cyclic-fraction: 0\nstudy.backfill: none\n");
        submit("not-backfilled", new Scenario(cluster, "none").withNodes(1).gang("not-backfilled", 1, 4000, 600));
        assertSameWords();

        underPolicy("study.cyclic-fraction: 0\nstudy.backfill: easy\n");
        submitBehindTheHead(new Scenario(cluster, "easy").withNodes(1));
        assertSameWords();
    }

    /** Installs a policy. Gangs that waited under another policy are deleted before, since this one might plan them. */
    private void underPolicy(String policy) {
        waiting.values()
                .forEach(gang -> cluster.pods(gang)
                        .forEach(pod -> cluster.client()
                                .resource(pod)
                                .withGracePeriod(0)
                                .delete()));
        waiting.clear();
        double before = chart.slotwise().metric("slotwise_policy_reloads_total");
        plane.write("policy.yaml", "preset: paper\nplanner.cycle: 1s\nrunning.turnover: 3s\n" + policy);
        Scenario.within("the new policy to be in force", 20)
                .until(() -> chart.slotwise().metric("slotwise_policy_reloads_total") > before);
    }

    /**
     * The first gang runs. The next gang waits for its end and has the only reservation, and the others must not delay
     * it.
     */
    private void submitBehindTheHead(Scenario scenario) {
        GangSpec first = scenario.gang("first", 1, 4000, 600);
        cluster.submitAsPods(first);
        scenario.awaitWhole(first, 30);
        GangSpec head = scenario.gang("head", 1, 4000, 600);
        cluster.submitAsPods(head);
        scenario.awaitPromise(head);
        submit("behind", scenario.gang("behind", 1, 4000, 600));
        submit(
                "not-before",
                scenario.gang("not-before", 1, 4000, 60)
                        .with("earliest-start", Scenario.in(7200).toString()));
    }

    /** A namespace with almost no budget. */
    private Scenario spent() {
        Scenario scenario = new Scenario(cluster, "spent").withNodes(1);
        cluster.annotateNamespace("spent", "slotwise.io/budget", "0.0001/month");
        return scenario;
    }

    private void submit(String key, GangSpec gang) {
        cluster.submitAsPods(gang);
        waiting.put(key, gang);
    }

    private void create(List<Pod> pods) {
        pods.forEach(pod -> cluster.client().resource(pod).create());
    }

    private void assertSameWords() {
        waiting.forEach(this::assertSameWords);
    }

    private void assertSameWords(String key, GangSpec gang) {
        String path = "/api/v1/gangs/" + gang.namespace() + "/" + gang.name();
        Scenario.within("gang " + gang.name() + " to wait for " + key, 30)
                .untilAsserted(() -> assertThat(
                                json(chart.slotwise().get(path)).path("key").asText())
                        .isEqualTo(key));
        // A cycle answers before its records are written.
        Scenario.within("the record of gang " + gang.name() + " to say the same", 10)
                .untilAsserted(() -> assertThat(cluster.condition(gang, "Planned"))
                        .isEqualTo(condition(json(chart.slotwise().get(path)))));
        JsonNode answer = json(chart.slotwise().get(path));
        String words = answer.path("message").asText();
        String reason = answer.path("reason").asText();

        if (!key.startsWith("waiting-for-")) {
            String event = event(reason);
            Scenario.within("the event of " + gang.name(), 10)
                    .untilAsserted(() -> assertThat(cluster.events(gang.namespace(), event))
                            // A change of figures alone makes no new event.
                            .anySatisfy(told -> assertThat(told.replaceAll("[0-9]+", "#"))
                                    .startsWith(event + " Pod/" + gang.name() + "-")
                                    .endsWith(": " + words.replaceAll("[0-9]+", "#"))));
        }
        assertThat(command(chart.slotwise().url(), "why", gang.namespace() + "/" + gang.name()))
                .startsWith(gang.namespace() + "/" + gang.name() + " is waiting: " + words + ".\n")
                .contains("(" + key + ")");
    }

    private static String condition(JsonNode answer) {
        return "False " + answer.path("reason").asText() + ": "
                + answer.path("message").asText();
    }

    /** The API has fewer kinds of events than reasons. */
    private static String event(String reason) {
        return List.of("OverBudget", "InvalidRequest").contains(reason) ? reason : "NoWindow";
    }

    private void assertListed() {
        JsonNode listed = json(command(chart.slotwise().url(), "queue", "-o", "json"));
        Map<String, String> keys = new LinkedHashMap<>();
        listed.path("gangs")
                .forEach(gang ->
                        keys.put(gang.path("gang").asText(), gang.path("key").asText()));

        waiting.forEach((key, gang) -> assertThat(keys).containsEntry(gang.namespace() + "/" + gang.name(), key));
        assertThat(keys).containsEntry("behind/first", "null");
    }

    private void assertReservationsAreReadWithoutSlotwise() {
        assertThat(command(null, "why", "why/over-budget"))
                .contains(
                        "showing the Reservations instead",
                        "is waiting: no window within budget: the cheapest costs ",
                        "Reason: OverBudget (over-budget).",
                        "Raise slotwise.io/budget to ");
        JsonNode listed = json(command(null, "queue", "-A", "-o", "json").transform(WhyPendingIT::document));
        Map<String, String> keys = new LinkedHashMap<>();
        listed.path("gangs")
                .forEach(gang ->
                        keys.put(gang.path("gang").asText(), gang.path("key").asText()));
        waiting.forEach((key, gang) ->
                assertThat(keys).as("its record").containsEntry(gang.namespace() + "/" + gang.name(), key));
    }

    /** The output of a command without its warnings. */
    private static String document(String output) {
        return output.substring(output.indexOf('{'));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(text, e);
        }
    }

    /** Runs a command of the built program and returns its output. */
    private String command(@Nullable String server, String... words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow",
                "-jar",
                ProjectFiles.root()
                        .resolve("target/quarkus-app/quarkus-run.jar")
                        .toString()));
        command.addAll(List.of(words));
        if (server != null) {
            command.addAll(List.of("--server", server));
        }
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("KUBECONFIG", plane.adminKubeconfig().toString());
            // A width at which no sentence is broken.
            builder.environment().put("COLUMNS", "1000");
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
