package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** {@code slotwise plan --cluster} with a replica on the real API server, with the rights of an administrator. */
@RealControlPlane
class PlanClusterIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ControlPlane plane;
    private final Cluster cluster;

    PlanClusterIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    @Test
    void aPlanOfTheClusterHasThePromisesAndBudgetsOfItsReplica() throws IOException {
        Installation chart =
                Installation.install(plane, Map.of("policy.running.turnover", "3s", "policy.planner.horizon", "3h"));
        try (SlotwiseProcess slotwise = chart.startSlotwise();
                KubeScheduler scheduler = chart.startScheduler(slotwise.extender())) {
            assertThat(scheduler).isNotNull();
            chart.awaitGate();
            Scenario scenario = new Scenario(cluster, "foreseen").withNodes(2);
            new NamespaceLedger(cluster, "foreseen").setBudget("0.2/month");
            GangSpec running = scenario.gang("running", 2, 3000, 120);
            cluster.submitAsPods(running);
            scenario.awaitWhole(running, 40);
            GangSpec promised = scenario.gang("promised", 2, 3000, 120)
                    .with("earliest-start", Scenario.in(400).toString());
            cluster.submitAsPods(promised);
            scenario.awaitPromise(promised);
            GangSpec next = scenario.gang("next", 1, 3000, 60);
            cluster.submitAsPods(next);
            scenario.awaitPromise(next);
            GangSpec dear = scenario.gang("dear", 2, 3000, 3600)
                    .with("deadline", Scenario.in(7200).toString());
            cluster.submitAsPods(dear);
            scenario.awaitPending(dear, "OverBudget", "no window within the budget of namespace foreseen", 30);

            JsonNode plan = plan();

            assertThat(plan.path("horizon").asText())
                    .as("of the release's policy")
                    .isEqualTo("PT3H");
            for (GangSpec gang : new GangSpec[] {promised, next}) {
                JsonNode window = find(plan.path("windows"), gang);
                assertThat(window.path("start").asText()).isEqualTo(cluster.promisedStart(gang));
                Map<String, String> nodes = new TreeMap<>();
                window.path("placement")
                        .forEach(placement -> nodes.put(
                                placement.path("pod").asText().substring("foreseen/".length()),
                                placement.path("node").asText()));
                assertThat(nodes).isEqualTo(cluster.promisedNodes(gang));
            }
            assertThat(cluster.condition(dear, "Planned"))
                    .isEqualTo("False OverBudget: "
                            + find(plan.path("pending"), dear).path("reason").asText());
            assertThat(find(plan.path("windows"), running).isMissingNode()).isTrue();
        }
    }

    private JsonNode plan() throws IOException {
        CommandLineRun run = CommandLineRun.of(
                "plan",
                "--cluster",
                "--kubeconfig",
                plane.adminKubeconfig().toString(),
                "--now",
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                "-o",
                "json");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err()).doesNotContain("cannot be read");
        return Objects.requireNonNull(JSON.readTree(run.out()));
    }

    private static JsonNode find(JsonNode gangs, GangSpec gang) {
        for (JsonNode one : gangs) {
            if (one.path("gang").asText().equals(gang.namespace() + "/" + gang.name())) {
                return one;
            }
        }
        return gangs.path(gangs.size());
    }
}
