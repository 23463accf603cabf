package io.slotwise.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.web.extender.ExtenderPorts;
import io.slotwise.web.extender.PodKeys;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proves that a demo answers like a cluster, without calling an API server. */
@QuarkusTest
@TestProfile(DemoHostTest.Profile.class)
class DemoHostTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final ExtenderPorts doors;

    @TestHTTPResource("/")
    private URI root = URI.create("http://127.0.0.1");

    @Inject
    DemoHostTest(ExtenderPorts doors) {
        this.doors = doors;
    }

    /** A small demo at ten minutes a second, without access to any API server. */
    public static final class Profile implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            Path keys = folder().resolve("slotwise");
            PodKeys.write(keys, keys.resolveSibling("kube-scheduler"));
            return Map.of(
                    "slotwise.extender.pod.tls", keys.toString(),
                    "slotwise.host", "demo",
                    "slotwise.demo.nodes", "12",
                    "slotwise.demo.speed", "600",
                    "quarkus.kubernetes-client.api-server-url", "http://127.0.0.1:1",
                    "quarkus.http.test-port", "0");
        }

        private static Path folder() {
            try {
                return Files.createTempDirectory("slotwise-demo-");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private String text(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                CLIENT.send(HttpRequest.newBuilder(root.resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    private JsonNode json(String path) throws IOException, InterruptedException {
        return JSON.readTree(text(path));
    }

    private boolean anybodyRuns() throws IOException, InterruptedException {
        return json("/api/v1/board").get("totals").get("running").asInt() > 0;
    }

    @Test
    void theBoardMovesAndAllEndpointsAnswer() throws Exception {
        await().until(this::anybodyRuns);
        JsonNode board = json("/api/v1/board");
        assertThat(board.get("speed").asInt()).isEqualTo(600);
        assertThat(board.get("planning").asBoolean()).isTrue();
        assertThat(board.get("nodes")).hasSizeBetween(10, 12);
        long before = board.get("now").asLong();
        await().until(() -> json("/api/v1/board").get("now").asLong() > before + 60);

        assertThat(text("/metrics"))
                .contains("slotwise_leader 1.0", "slotwise_gangs{phase=\"Running\"}", "slotwise_node_busy_share{");
        assertThat(json("/q/health/ready").get("status").asText()).isEqualTo("UP");
        assertThat(json("/q/health/live").get("status").asText()).isEqualTo("UP");
        JsonNode gangs = json("/api/v1/gangs").get("gangs");
        assertThat(gangs).isNotEmpty();
        String gang = StreamSupport.stream(gangs.spliterator(), false)
                .findFirst()
                .orElseThrow()
                .get("gang")
                .asText();
        assertThat(json("/api/v1/gangs/" + gang).get("gang").asText()).isEqualTo(gang);
        assertThat(json("/api/v1/quote?size=2&cpu=2&memory=4Gi&runtime=20m")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 200})
    void noAnswerIsWiderThanTheTerminal(int columns) throws Exception {
        await().until(this::anybodyRuns);
        List<String> gangs = json("/api/v1/gangs").get("gangs").findValuesAsText("gang");
        List<List<String>> commands = new ArrayList<>(List.of(
                List.of("queue", "-A"),
                List.of("queue"),
                List.of("nodes"),
                List.of("diag"),
                List.of("quote", "--size", "2", "--cpu", "2", "--memory", "4Gi", "--runtime", "20m")));
        gangs.stream().limit(5).forEach(gang -> commands.add(List.of("why", gang)));

        for (List<String> command : commands) {
            List<String> words = new ArrayList<>(command);
            words.addAll(List.of("--server", root.toString()));
            CommandLineRun run = CommandLineRun.onScreenOf(columns, words.toArray(String[]::new));

            assertThat(run.out()).as("%s: %s", command, run.err()).isNotBlank();
            assertThat(run.out().lines())
                    .as("%s on a screen of %d columns", command, columns)
                    .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(columns));
        }
    }

    @Test
    void noDoorIsOpenForAKubeScheduler() {
        assertThat(doors.ports()).isEmpty();
    }
}
