package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.config.PolicyFile;
import io.slotwise.core.money.Money;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.WholeReplica;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prices that the policy gives to nodes by their labels. */
class NodeTariffsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** From two to six o'clock nodes of the pool cost 0.4 instead of 1. */
    private static final String POLICY = """
        gangs.criterion: cost
        money.tariffs:
        - {nodes: "pool in (batch, spare)", calendar: "0.4@2030-01-01T02:00:00Z/PT4H"}
        - {nodes: pool, calendar: "0.1@2030-01-01T03:00:00Z/PT1H"}
        """;

    @TempDir
    Path folder;

    private static String node(String more) {
        return """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", %s},
             "spec": {}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}, "conditions": [{"type": "Ready", "status": "True"}]}}
            """.formatted(more);
    }

    private static String labels(String more) {
        return "\"labels\": {\"slotwise.io/price\": \"1\" %s}".formatted(more);
    }

    private static final String POD = """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one", "namespace": "user", "uid": "uid-one", "creationTimestamp": "2030-01-01T00:00:00Z",
          "annotations": {"slotwise.io/runtime": "1h"}},
         "spec": {"schedulerName": "slotwise", "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "4", "memory": "1Gi"}}}]},
         "status": {"phase": "Pending"}}
        """;

    /** The start and the cost of the pod's window. */
    private String window(String node) throws IOException {
        Path objects = Files.writeString(folder.resolve("objects.json"), node + POD);
        Path policy = Files.writeString(folder.resolve("policy.yaml"), POLICY);
        CommandLineRun run = CommandLineRun.of(
                "plan",
                "-f",
                objects.toString(),
                "--policy",
                policy.toString(),
                "--now",
                "2030-01-01T00:00:00Z",
                "-o",
                "json");
        assertThat(run.status()).as(run.err()).isZero();
        JsonNode window = JSON.readTree(run.out()).path("windows").path(0);
        return window.path("start").asText() + " " + window.path("cost").asText();
    }

    @Test
    void theFirstTariffThatSelectsANodeCounts() throws IOException {
        assertThat(window(node(labels(", \"pool\": \"batch\"")))).isEqualTo("2030-01-01T02:00:00Z 0.400000");
        assertThat(window(node(labels(", \"pool\": \"web\"")))).isEqualTo("2030-01-01T03:00:00Z 0.100000");
        assertThat(window(node(labels("")))).isEqualTo("2030-01-01T00:00:00Z 1.000000");
    }

    @Test
    void theCalendarOfANodeWinsOverATariff() throws IOException {
        String own = ", \"annotations\": {\"slotwise.io/price-calendar\": \"0.3@2030-01-01T05:00:00Z/PT1H\"}";

        assertThat(window(node(labels(", \"pool\": \"batch\"") + own))).isEqualTo("2030-01-01T05:00:00Z 0.300000");
    }

    @Test
    void aTariffCountsFromTheCycleAfterThePolicyHasIt() {
        LoopSettings settings = PolicyFile.read(new StringReader(POLICY), "policy.yaml");
        try (WholeReplica replica = new WholeReplica(
                settings.withTariffs(List.of()), PriceCatalogue.EMPTY, Instant.parse("2030-01-01T02:00:00Z"))) {
            replica.seeing(node(labels(", \"pool\": \"batch\"")));
            replica.cycle();
            replica.under(settings);
            replica.pass(Duration.ofSeconds(10));
            replica.cycle();

            assertThat(Objects.requireNonNull(replica.latest())
                            .snapshot()
                            .cluster()
                            .inventory()
                            .getFirst()
                            .price()
                            .at(Instant.parse("2030-01-01T03:00:00Z").getEpochSecond()))
                    .isEqualTo(Money.parse("0.4").micros());
        }
    }
}
