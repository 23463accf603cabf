package io.slotwise.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gangs and quotes over HTTP on a replica that does not plan. */
@QuarkusTest
@TestProfile(FakeCluster.Profile.class)
class GangsResourceTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TestHTTPResource("/")
    private URI root = URI.create("http://127.0.0.1");

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(root.resolve(path)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String body) throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(root.resolve("/api/v1/quote"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static String message(HttpResponse<String> answer) throws IOException {
        return JSON.readTree(answer.body()).get("message").asText();
    }

    @Test
    void theListIsAnsweredOnEveryReplica() throws Exception {
        HttpResponse<String> answer = get("/api/v1/gangs?namespace=user");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(JSON.readTree(answer.body()).get("gangs").isArray()).isTrue();
    }

    @Test
    void aGangThatIsNotKnownIsNotFound() throws Exception {
        HttpResponse<String> answer = get("/api/v1/gangs/user/nobody");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(message(answer)).isEqualTo("no gang user/nobody is known");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/quote?size=2&cpu=1&runtime=1h", "/api/v1/quote?gang=user/g", "/api/v1/plan"})
    void requestsThatNeedThePlannerAreLeftToTheLeader(String path) throws Exception {
        HttpResponse<String> answer = get(path);

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(message(answer)).isEqualTo("this replica is not the leader and has no plan");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "size=2&budget=much|`budget` (much) is not valid: expected a decimal number such as 1.25",
                "cpu=1|`size` is missing: expected the number of pods",
                "size=2&size=3|`size` is given 2 times: expected it once",
                "size=2&colour=red|`colour` (red) is not known: expected one of"
            })
    void aBadQuestionIsAnsweredWithTheFieldAndWhatWasExpected(String query, String message) throws Exception {
        HttpResponse<String> answer = get("/api/v1/quote?" + query);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(message(answer)).startsWith(message);
    }

    @ParameterizedTest
    @CsvSource({
        "size=2&budget=much, budget",
        "cpu=1, size",
        "size=2&cpu=lots, cpu",
        "size=2&nvidia.com/gpu=x, nvidia.com/gpu",
        "size=2&size=3, size",
        "gang=nobody, gang"
    })
    void anAnswerAboutAFieldCarriesTheField(String query, String field) throws Exception {
        HttpResponse<String> answer = get("/api/v1/quote?" + query);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(answer.body()).get("field").asText()).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{|the body is not JSON",
                "[]|the body is not a JSON object: expected fields such as size and runtime",
                "{\"size\": 2, \"budget\": [1]}|`budget` ([1]) is not valid: expected a text or a number",
                "{\"size\": 2, \"resources\": {\"cpu\": \"lots\"}}|`cpu` (lots) is not valid"
            })
    void aBadBodyIsAnsweredWithWhatIsWrong(String body, String message) throws Exception {
        HttpResponse<String> answer = post(body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(message(answer)).startsWith(message);
    }

    @Test
    void aGoodBodyIsRead() throws Exception {
        HttpResponse<String> answer =
                post("{\"size\": 2, \"resources\": {\"cpu\": 1, \"memory\": \"1Gi\"}, \"runtime\": \"1h\", "
                        + "\"budget\": 1.5, \"lockstep\": true, \"node-selector\": {\"zone\": \"a\"}}");

        assertThat(answer.statusCode()).isEqualTo(503);
    }
}
