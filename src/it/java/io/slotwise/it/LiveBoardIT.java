package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The board's document and events over the real API server, on the replica that plans and on another one. */
@RealControlPlane
class LiveBoardIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NAMESPACE = "on-the-board";

    private final ControlPlane plane;
    private final Cluster cluster;

    LiveBoardIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    @Test
    void theBoardFollowsAGangFromItsPromiseToItsRunOnEveryReplica() {
        Installation chart = Installation.install(plane, Map.of("policy.turnover", "3s"));
        try (SlotwiseProcess planner = chart.startSlotwise();
                KubeScheduler scheduler = chart.startScheduler(planner.url());
                SlotwiseProcess other = chart.startSlotwise();
                Events events = new Events(planner.url())) {
            assertThat(scheduler).isNotNull();
            Scenario scenario = new Scenario(cluster, NAMESPACE).withNodes(3);
            GangSpec gang = scenario.gang("g", 3, 3000, 60)
                    .with("earliest-start", Scenario.in(15).toString())
                    .with("budget", "5");

            cluster.submitAsPods(gang);

            scenario.awaitPromise(gang);
            shows(planner, "promised");
            scenario.awaitWhole(gang, 60);
            shows(planner, "running");
            shows(other, "running");
            assertThat(board(planner).path("planning").asBoolean()).isTrue();
            assertThat(board(other).path("planning").asBoolean()).isFalse();
            assertThat(board(other).path("nodes")).hasSameSizeAs(board(planner).path("nodes"));
            assertThat(events.names()).startsWith("beat").containsAnyOf("change", "state");
        }
    }

    private static void shows(SlotwiseProcess replica, String state) {
        Scenario.within("the board to show the gang as " + state, 20).untilAsserted(() -> {
            JsonNode board = board(replica);
            List<JsonNode> bars = StreamSupport.stream(board.path("bars").spliterator(), false)
                    .filter(bar -> bar.path("gang").asText().equals(NAMESPACE + "/g"))
                    .toList();
            assertThat(bars)
                    .allSatisfy(bar -> assertThat(bar.path("state").asText()).isEqualTo(state));
            assertThat(bars.stream().mapToInt(bar -> bar.path("count").asInt()).sum())
                    .isEqualTo(3);
            assertThat(board.path("gangs"))
                    .filteredOn(row -> row.path("id").asText().equals(NAMESPACE + "/g"))
                    .singleElement()
                    .satisfies(row -> assertThat(row.path("budget").asText()).isEqualTo("5.000000"));
        });
    }

    private static JsonNode board(SlotwiseProcess replica) {
        try {
            return JSON.readTree(replica.get("/api/v1/board"));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The board must be JSON.", e);
        }
    }

    /** The events of a replica, heard from the beginning. */
    private static final class Events implements AutoCloseable {
        private static final String NAME = "event: ";

        private final HttpClient client = HttpClient.newHttpClient();
        private final List<String> names = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Void> hearing;

        private Events(String url) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/board/events"))
                    .build();
            hearing = client.sendAsync(request, BodyHandlers.ofLines())
                    .thenAccept(answer -> answer.body()
                            .filter(line -> line.startsWith(NAME))
                            .forEach(line -> names.add(line.substring(NAME.length()))));
        }

        List<String> names() {
            return List.copyOf(names);
        }

        @Override
        public void close() {
            hearing.cancel(true);
            client.shutdownNow();
        }
    }
}
