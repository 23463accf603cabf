package io.slotwise.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.kubernetes.extender.SchedulerJson;
import io.slotwise.testing.ClientKeys;
import io.slotwise.testing.Nonsense;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.handlers.ConsoleHandler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Proves that any request gets an answer or a clear refusal without a stack trace, and that the next request is
 * answered as before.
 */
@QuarkusTest
@TestProfile(FakeCluster.Profile.class)
@Timeout(120)
class HostileRequestsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final List<String> VERBS = List.of("filter", "prioritize", "preempt", "bind");

    private final FakeCluster cluster;

    @TestHTTPResource("/")
    private URI root = URI.create("http://127.0.0.1");

    @Inject
    HostileRequestsTest(FakeCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void releaseAGang() {
        cluster.reservations.clear();
        cluster.reservations.put(new ReservationBuilder().build());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void everyVerbAnswersOrRefuses(long seed) throws Exception {
        Nonsense nonsense = new Nonsense(seed);
        List<String> examples =
                List.of("filter-names", "filter-nodes", "prioritize-names", "preempt-meta", "preempt-pods");
        for (int i = 0; i < 150; i++) {
            String verb = nonsense.pick(VERBS);
            String body = nonsense.number(4) == 0
                    ? JSON.writeValueAsString(nonsense.text())
                    : nonsense.changed(nonsense.changed(example(nonsense.pick(examples))));
            // A complete body for bind would make the call wait for its gang.
            String sent = verb.equals("bind") ? body.replace("PodUID", "podUID") : body;

            HttpResponse<String> answer = post("/scheduler/v1/" + verb, "application/json", sent);

            assertThat(answer.statusCode()).as("%s %s", verb, sent).isIn(200, 400);
            assertRefusalOrAnswer(answer);
        }
        assertStillAnswers();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "filter|text/plain|{}",
                "filter|application/xml|<a/>",
                "bind|application/x-www-form-urlencoded|PodName=g-0",
                "prioritize|multipart/form-data|--x",
                "preempt|nonsense|{}",
                "filter|application/json;charset=utf-16|{}"
            })
    void theContentTypeDoesNotMatterOrIsRefused(String verb, String type, String body) throws Exception {
        HttpResponse<String> answer = post("/scheduler/v1/" + verb, type, body);

        assertThat(answer.statusCode()).isIn(200, 400, 415);
        assertRefusalOrAnswer(answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "prioritize", "preempt"})
    void manySmallThingsAreRefusedBeforeTheyFillTheMemory(String verb) throws Exception {
        String body = "{\"Nodes\":{\"items\":[" + "[],".repeat(4_000_000) + "[]]},\"NodeNames\":["
                + "\"\",".repeat(4_000_000) + "\"\"],\"NodeNameToVictims\":{\"n\":{\"Pods\":["
                + "{},".repeat(4_000_000) + "{}]}}}";

        HttpResponse<String> answer = post("/scheduler/v1/" + verb, "application/json", body);

        assertThat(answer.body()).contains("The request is no Extender");
        assertRefusalOrAnswer(answer);
        assertStillAnswers();
    }

    @Test
    void moreNodesThanAClusterHasAreRefused() throws Exception {
        String body = example("filter-names")
                .replaceFirst("\"NodeNames\": \\[[^]]*]", "\"NodeNames\": [" + "\"n\",".repeat(100_000) + "\"n\"]");

        assertThat(post("/scheduler/v1/filter", "application/json", body).body())
                .contains("The candidates (Nodes, NodeNames) are 100001; expected at most 100000.");
    }

    @Test
    void aBodyDeclaredTooLongIsRefusedUnread() throws Exception {
        assertThat(statusAndBody("/scheduler/v1/filter", SchedulerJson.LONGEST + (2L << 20), false))
                .contains(" 413 ");
        assertStillAnswers();
    }

    @Test
    void aBodyThatTurnsOutTooLongIsRefusedWithoutALoggedFault() throws Exception {
        try (Faults faults = new Faults()) {
            assertThat(statusAndBody("/scheduler/v1/filter", SchedulerJson.LONGEST + 1L, true))
                    .contains(" 200 ", "The request is longer than 67108864 bytes.");
            assertStillAnswers();
            assertThat(faults.logged).isEmpty();
        }
    }

    /** Collects the faults that are logged meanwhile. */
    private static final class Faults extends Handler implements AutoCloseable {
        private final List<String> logged = new CopyOnWriteArrayList<>();

        Faults() {
            Logger.getLogger("").addHandler(this);
        }

        @Override
        public void publish(LogRecord record) {
            if (record.getLevel().intValue() >= Level.SEVERE.intValue()) {
                logged.add(record.getLoggerName() + ": " + record.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            Logger.getLogger("").removeHandler(this);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "\"a\":", "[", "{\"a\":"})
    void aDeepBodyIsRefused(String piece) throws Exception {
        for (String path : List.of("/scheduler/v1/filter", "/scheduler/v1/preempt", "/api/v1/quote")) {
            HttpResponse<String> answer = post(path, "application/json", piece.repeat(200_000));

            assertThat(answer.statusCode()).isIn(200, 400, 413);
            assertRefusalOrAnswer(answer);
        }
    }

    @Test
    void aQuestionForAQuoteHasABound() throws Exception {
        HttpResponse<String> answer =
                post("/api/v1/quote", "application/json", "{\"size\":\"" + "1".repeat(1 << 20) + "\"}");

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("the body is too long: expected at most 65536 bytes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"size\": 1e400}|`size`",
                "{\"size\": 2, \"budget\": 1e400}|`budget`",
                "{\"size\": 2, \"budget\": -1}|`budget` (-1) is not valid: expected a number that is not negative",
                "{\"size\": 2, \"budget\": \"NaN\"}|`budget` (NaN) is not valid",
                "{\"size\": 2, \"max-price\": \"Infinity\"}|`max-price` (Infinity) is not valid",
                "{\"size\": 2, \"cpu\": \"1e999999999\"}|`cpu` (1e999999999) is not valid",
                "{\"size\": 2, \"runtime\": \"a\\nWARN forged\"}|`runtime` (a\\nWARN forged) is not valid",
                "{\"size\": 2, \"node-selector\": \"\\u202ea\"}|`node-selector` (\\u202ea) is not valid",
                "{\"size\": 2, \"\\u001b[2J\": \"1\"}|`\\u001b[2J` (1) is not known"
            })
    void aHostileQuoteIsRefusedByFieldAndValue(String body, String message) throws Exception {
        HttpResponse<String> answer = post("/api/v1/quote", "application/json", body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(answer.body()).path("message").asText()).contains(message);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyQuestionOfTheApiIsAnsweredOrRefused(long seed) throws Exception {
        Nonsense nonsense = new Nonsense(seed);
        List<String> fields =
                List.of("size", "namespace", "name", "node-selector", "runtime", "budget", "deadline", "cpu", "gang");
        for (int i = 0; i < 150; i++) {
            TreeMap<String, String> question = new TreeMap<>();
            for (int k = 0; k < 1 + nonsense.number(4); k++) {
                question.put(nonsense.pick(fields), nonsense.text());
            }
            if (nonsense.number(2) == 0) {
                question.put("size", "2");
            }
            String query = String.join(
                    "&",
                    question.entrySet().stream()
                            .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                            .toList());
            HttpResponse<String> answer = switch (nonsense.number(4)) {
                case 0 -> get("/api/v1/quote?" + query);
                case 1 ->
                    get("/api/v1/gangs/" + encoded(nonsense.text()) + "/" + encoded(nonsense.text()) + "?advice="
                            + encoded(nonsense.text()));
                case 2 -> get("/api/v1/gangs?namespace=" + encoded(nonsense.text()));
                default -> post("/api/v1/quote", "application/json", JSON.writeValueAsString(question));
            };

            assertThat(answer.statusCode()).as("%s", question).isIn(200, 400, 404, 503);
            assertRefusalOrAnswer(answer);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/gangs/%",
                "/api/v1/gangs/%zz/a",
                "/api/v1/gangs/%ff%fe/a",
                "/api/v1/gangs/a/b;c=d",
                "/api/v1/gangs/..%2f..%2fetc/passwd",
                "/api/v1/quote?%",
                "/api/v1/quote?size=%zz",
                "/scheduler/v1/../../q/health/live",
                "/scheduler/v1/%00",
                "/%2e%2e/%2e%2e/etc/passwd"
            })
    void aBrokenPathIsNoFaultOfTheServer(String path) throws Exception {
        String status = rawGet(path);

        assertThat(status).matches("HTTP/1\\.1 (200|400|404|405) .*");
    }

    @Test
    void loggedRequestsAreSanitized() {
        List<Handler> handlers = new ArrayList<>(List.of(Logger.getLogger("").getHandlers()));
        for (int i = 0; i < handlers.size(); i++) {
            if (handlers.get(i) instanceof ExtHandler several) {
                handlers.addAll(List.of(several.getHandlers()));
            }
        }

        assertThat(handlers)
                .filteredOn(handler -> handler instanceof ConsoleHandler)
                .isNotEmpty()
                .allSatisfy(handler -> {
                    ExtLogRecord record = new ExtLogRecord(Level.SEVERE, "a\nforged", "test");

                    assertThat(handler.getFilter().isLoggable(record)).isTrue();
                    assertThat(record.getMessage()).isEqualTo("a\\nforged");
                });
    }

    private void assertStillAnswers() throws Exception {
        assertThat(JSON.readTree(post("/scheduler/v1/filter", "application/json", example("filter-names"))
                        .body()))
                .isEqualTo(JSON.readTree(example("filter-names.answer")));
    }

    private static void assertRefusalOrAnswer(HttpResponse<String> answer) throws IOException {
        assertThat(answer.body())
                .doesNotContain("io.slotwise.", "Exception", "\tat ", "java.lang")
                .hasSizeLessThan(1 << 20);
        boolean json = answer.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
        String message = JSON.readTree(json && !answer.body().isEmpty() ? answer.body() : "{}")
                .path("message")
                .asText();
        assertThat(SafeText.line(message)).isEqualTo(message);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(root.resolve(path)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String type, String body) throws IOException, InterruptedException {
        boolean extender = path.startsWith("/scheduler/");
        return (extender ? cluster.scheduler() : CLIENT)
                .send(
                        HttpRequest.newBuilder((extender ? cluster.extender() : root).resolve(path))
                                .header("Content-Type", type)
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString());
    }

    /** The answer to a body of spaces, of which no more is sent than the server reads. */
    private String statusAndBody(String path, long length, boolean chunked) throws IOException {
        URI extender = cluster.extender();
        try (Socket socket = ClientKeys.in(cluster.schedulerKeys())
                .getSocketFactory()
                .createSocket(extender.getHost(), extender.getPort())) {
            OutputStream out = socket.getOutputStream();
            write(
                    out,
                    "POST %s HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json\r\n%s\r\n\r\n"
                            .formatted(path, chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + length));
            byte[] blanks = " ".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
            InputStream in = socket.getInputStream();
            try {
                for (long sent = 0;
                        chunked && sent < length + blanks.length && in.available() == 0;
                        sent += blanks.length) {
                    write(out, Integer.toHexString(blanks.length) + "\r\n");
                    out.write(blanks);
                    write(out, "\r\n");
                }
                if (chunked) {
                    write(out, "0\r\n\r\n");
                }
            } catch (IOException e) {
                assertThat(e).hasMessageMatching(".*([Bb]roken pipe|reset|closed).*");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String rawGet(String path) throws IOException {
        try (Socket socket = new Socket(root.getHost(), root.getPort())) {
            write(socket.getOutputStream(), "GET %s HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".formatted(path));
            return Objects.requireNonNull(
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                            .readLine());
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String example(String name) throws IOException {
        try (InputStream in = HostileRequestsTest.class.getResourceAsStream("/extender/" + name + ".json")) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
