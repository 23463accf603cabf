package io.slotwise.web;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.live.Phase;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
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

    private final FakeCluster cluster;

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
    void bindsAGangWhoseCallsComeOneByOne() throws Exception {
        int pods = 200;
        Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        cluster.reservations.put(
                new ReservationBuilder().gang("big").pods(pods).start(start).build());

        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = new ArrayList<>();
            for (int pod = 0; pod < pods; pod++) {
                String body = bindOf("big-" + pod, ReservationBuilder.node(pod));
                answers.add(callers.submit(() -> post("bind", body).asString()));
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

        assertThat(post("bind", bindOf("g-0", "n00")).asString())
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
        given().contentType("application/json")
                .body(body)
                .post("/scheduler/v1/filter")
                .then()
                .statusCode(200)
                .body("Error", startsWith("The "));
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
        given().contentType("application/json")
                .body(body)
                .post("/scheduler/v1/bind")
                .then()
                .statusCode(200)
                .body("Error", startsWith("The "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"prioritize", "preempt"})
    void answersWithAnotherStatusWhereTheFormatHasNoPlaceForAnError(String verb) {
        given().contentType("application/json")
                .body("not json")
                .post("/scheduler/v1/" + verb)
                .then()
                .statusCode(400)
                .body("Error", containsString("The request is no "));
    }

    @Test
    void survivesADeepQuestion() {
        String deep = "{\"Nodes\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";

        assertThat(post("filter", deep).asString()).contains("\"Error\":\"The request is no ExtenderArgs");
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

        String answer = post("filter", body).asString();

        assertThat(JSON.readTree(answer).path("NodeNames")).hasSize(1);
        assertThat(JSON.readTree(answer).path("FailedAndUnresolvableNodes")).hasSize(4_999);
    }

    @Test
    void measuresItsAnswersByVerb() {
        post("filter", "{}");

        given().get("/metrics")
                .then()
                .statusCode(200)
                .body(containsString("slotwise_extender_seconds_count{verb=\"filter\"}"));
        given().get("/metrics").then().body(containsString("slotwise_partial_gangs_total"));
    }

    private static void assertAnswer(String verb, String example) throws IOException {
        Response answer = post(verb, resource(example + ".json"));

        assertThat(answer.contentType()).startsWith("application/json");
        assertThat(JSON.readTree(answer.asString())).isEqualTo(JSON.readTree(resource(example + ".answer.json")));
    }

    private static Response post(String verb, String body) {
        Response answer = given().contentType("application/json").body(body).post("/scheduler/v1/" + verb);
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer;
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
