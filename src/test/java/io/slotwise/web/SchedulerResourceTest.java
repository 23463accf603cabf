package io.slotwise.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.live.record.Phase;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(FakeCluster.Profile.class)
class SchedulerResourceTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final FakeCluster cluster;

    @TestHTTPResource("/")
    private URI root = URI.create("http://127.0.0.1");

    @Inject
    SchedulerResourceTest(FakeCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void releaseAGang() {
        cluster.reservations.clear();
        cluster.reservations.put(new ReservationBuilder().build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter-names", "filter-nodes", "filter-foreign", "filter-unknown"})
    void filtersInTheSchedulersOwnWords(String example) throws IOException {
        assertAnswer("filter", example);
    }

    @ParameterizedTest
    @ValueSource(strings = {"prioritize-names", "prioritize-nodes"})
    void prioritizesInTheSchedulersOwnWords(String example) throws IOException {
        assertAnswer("prioritize", example);
    }

    @ParameterizedTest
    @ValueSource(strings = {"preempt-meta", "preempt-pods"})
    void answersForVictimsInTheSchedulersOwnWords(String example) throws IOException {
        assertAnswer("preempt", example);
    }

    @Test
    void bindsAGangOfSuccessiveCalls() throws Exception {
        int pods = 200;
        Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        cluster.reservations.put(
                new ReservationBuilder().gang("big").pods(pods).start(start).build());

        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = new ArrayList<>();
            for (int pod = 0; pod < pods; pod++) {
                String body = bindOf("big-" + pod, ReservationBuilder.node(pod));
                answers.add(callers.submit(() -> post("bind", body)));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo("{\"Error\":\"\"}");
            }
        }

        assertThat(Duration.between(start, Instant.now())).isPositive();
        assertThat(cluster.api.bound())
                .filteredOn(pod -> pod.startsWith("big-"))
                .hasSize(pods);
    }

    @Test
    void tellsWhyAPodIsNotBound() {
        cluster.reservations.put(new ReservationBuilder().phase(Phase.PROMISED).build());

        assertThat(post("bind", bindOf("g-0", "n00")))
                .isEqualTo("{\"Error\":\"promised on node n00 from 2030-01-01T00:00:00Z\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "not json",
                "[]",
                "\"text\"",
                "{\"Pod\":",
                "{\"Pod\":[],\"NodeNames\":[]}",
                "{\"Pod\":{\"metadata\":{\"name\":5}},\"NodeNames\":[]}",
                "{\"NodeNames\":\"n01\"}",
                "{\"NodeNames\":[null]}",
                "{}",
                "{} {}"
            })
    void refusesToFilterWhatItCannotRead(String body) {
        assertThat(post("filter", body)).contains("\"Error\":\"The ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not json",
                "{}",
                "{\"PodName\":5}",
                "{\"PodName\":\"../../../api/v1/nodes/n01\",\"PodNamespace\":\"user\",\"PodUID\":\"u\",\"Node\":\"n01\"}",
                "{\"PodName\":\"g-0\",\"PodNamespace\":\"user\",\"PodUID\":\"\",\"Node\":\"n01\"}"
            })
    void refusesToBindWhatItCannotRead(String body) {
        assertThat(post("bind", body)).contains("\"Error\":\"The ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"prioritize", "preempt"})
    void answersWithAnotherStatusWhereTheFormatHasNoPlaceForAnError(String verb) {
        HttpResponse<String> answer = send(verb, "not json");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("The request is no ");
    }

    @Test
    void survivesADeepQuestion() {
        String deep = "{\"Nodes\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";

        assertThat(post("filter", deep)).contains("\"Error\":\"The request is no ExtenderArgs");
    }

    @Test
    void filtersFiveThousandNamesQuickly() throws IOException {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            names.append(i == 0 ? "" : ",")
                    .append("\"n")
                    .append(i < 10 ? "0" : "")
                    .append(i)
                    .append('"');
        }
        String body = resource("filter-names.json")
                .replaceFirst("\"NodeNames\": \\[[^]]*]", "\"NodeNames\": [" + names + "]");

        String answer = post("filter", body);

        assertThat(JSON.readTree(answer).path("NodeNames")).hasSize(1);
        assertThat(JSON.readTree(answer).path("FailedAndUnresolvableNodes")).isEmpty();
    }

    @Test
    void measuresItsAnswersByVerb() {
        post("filter", "{}");

        HttpResponse<String> metrics = exchange(
                CLIENT, HttpRequest.newBuilder(root.resolve("/metrics")).build());

        assertThat(metrics.body())
                .contains("slotwise_extender_seconds_count{verb=\"filter\"}", "slotwise_partial_gangs_total");
    }

    private void assertAnswer(String verb, String example) throws IOException {
        String answer = post(verb, resource(example + ".json"));

        assertThat(JSON.readTree(answer)).isEqualTo(JSON.readTree(resource(example + ".answer.json")));
    }

    private String post(String verb, String body) {
        HttpResponse<String> answer = send(verb, body);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        return answer.body();
    }

    private HttpResponse<String> send(String verb, String body) {
        return exchange(
                cluster.scheduler(),
                HttpRequest.newBuilder(cluster.extender().resolve("/scheduler/v1/" + verb))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build());
    }

    private static HttpResponse<String> exchange(HttpClient client, HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String bindOf(String pod, String node) {
        return "{\"PodName\":\"%s\",\"PodNamespace\":\"user\",\"PodUID\":\"uid-of-%s\",\"Node\":\"%s\"}"
                .formatted(pod, pod, node);
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = SchedulerResourceTest.class.getResourceAsStream("/extender/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
