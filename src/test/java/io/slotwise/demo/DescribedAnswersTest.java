package io.slotwise.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.testing.ApiDescription;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.annotation.Annotation;
import java.lang.reflect.Parameter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Proves that every endpoint answers as the API's description says, without additional fields, and with all required
 * ones.
 */
@QuarkusTest
@TestProfile(DemoHostTest.Profile.class)
class DescribedAnswersTest {
    private static final String FILE = ApiDescription.FILE;
    private static final String JSON_TYPE = "application/json";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final JsonNode DESCRIPTION = ApiDescription.DOCUMENT;

    private final Set<String> asked = new TreeSet<>();

    @TestHTTPResource("/")
    private URI root = URI.create("http://127.0.0.1");

    private static JsonNode resolved(JsonNode node) {
        JsonNode ref = node.path("$ref");
        return ref.isTextual() ? DESCRIPTION.at(ref.asText().substring(1)) : node;
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(root.resolve(path));
    }

    /** Sends a request, and checks the answer against the description of this operation. */
    private JsonNode ask(String operation, HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = CLIENT.send(request, BodyHandlers.ofString());
        JsonNode described = resolved(operation(operation).path("responses").path("" + answer.statusCode()));
        assertThat(described.isMissingNode())
                .as("%s answers %d, which is not described: %s", operation, answer.statusCode(), answer.body())
                .isFalse();
        asked.add(operation);
        JsonNode content = described.path("content");
        if (content.isMissingNode()) {
            assertThat(answer.body()).as(operation).isEmpty();
            return MissingNode.getInstance();
        }
        JsonNode body = JSON.readTree(answer.body());
        assertThat(ApiDescription.violations(content.path(JSON_TYPE).path("schema"), body))
                .as("%s: %s", operation, answer.body())
                .isEmpty();
        return body;
    }

    private JsonNode get(String operation, String path) throws IOException, InterruptedException {
        return ask(operation, to(path).build());
    }

    private static JsonNode operation(String id) {
        return operations()
                .filter(operation -> operation.path("operationId").asText().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<JsonNode> operations() {
        return stream(DESCRIPTION.path("paths")).flatMap(DescribedAnswersTest::stream);
    }

    private static Stream<JsonNode> stream(JsonNode members) {
        return StreamSupport.stream(members.spliterator(), false);
    }

    private boolean anybodyRuns() throws IOException, InterruptedException {
        return get("board", "/api/v1/board").get("totals").get("running").asInt() > 0;
    }

    /** Sometimes no gang waits, and there is nothing to choose from. */
    private boolean anyPlansOfThoseThatWait() throws IOException, InterruptedException {
        return !get("frontier", "/api/v1/frontier?promises=open").get("plans").isEmpty();
    }

    @Test
    void everyEndpointAnswersAsItIsDescribed() throws Exception {
        await().until(this::anybodyRuns);

        assertThat(get("plan", "/api/v1/plan").get("windows").isArray()).isTrue();
        JsonNode gangs = get("gangs", "/api/v1/gangs").get("gangs");
        assertThat(gangs).isNotEmpty();
        get("gangs", "/api/v1/gangs?namespace=media");
        for (JsonNode gang : gangs) {
            get("gang", "/api/v1/gangs/" + gang.get("gang").asText());
        }
        get("gang", "/api/v1/gangs/nobody/nothing");
        assertThat(get("quote", "/api/v1/quote?size=2&cpu=2&memory=4Gi&runtime=20m&budget=1000&value-of-time=1")
                        .get("menu"))
                .isNotEmpty();
        get("quote", "/api/v1/quote?size=2&cpu=2000&runtime=20m");
        assertThat(get("quote", "/api/v1/quote?size=2&cpu=2&runtime=20m&preferred-cost=1&preferred-start=" + later())
                        .at("/preferred/message")
                        .asText())
                .startsWith("It prefers to start at ");
        await().until(this::anyPlansOfThoseThatWait);
        get("frontier", "/api/v1/frontier?of=income&against=utility&plans=5");
        assertThat(get("frontier", "/api/v1/frontier?plans=1").get("field").asText())
                .isEqualTo("plans");
        get("queues", "/api/v1/queues");
        get("quote", "/api/v1/quote?size=two");
        get("reservationManifest", "/api/v1/reservation-manifest?name=a&namespace=b&size=2&cpu=1&runtime=1h");
        get("reservationManifest", "/api/v1/reservation-manifest?name=a");
        get("session", "/api/v1/session");
        get("ready", "/q/health/ready");
        get("live", "/q/health/live");
        ask(
                "quoteOfBody",
                post(
                        "/api/v1/quote",
                        operation("quoteOfBody")
                                .at("/requestBody/content/application~1json/example")
                                .toString()));
        ask("quoteOfBody", post("/api/v1/quote", "[]"));
        ask("signIn", post("/api/v1/session", "{\"token\": \"x\"}"));
        ask("signOut", to("/api/v1/session").DELETE().build());
        assertThat(firstEvent()).isEqualTo("event: beat");

        assertThat(asked)
                .containsExactlyElementsOf(operations()
                        .map(operation -> operation.path("operationId").asText())
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static String later() {
        return Instant.now().plusSeconds(86_400).truncatedTo(ChronoUnit.SECONDS) + "";
    }

    private HttpRequest post(String path, String body) {
        return to(path).header("Content-Type", JSON_TYPE)
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private String firstEvent() throws IOException, InterruptedException {
        HttpResponse<InputStream> answer =
                CLIENT.send(to("/api/v1/board/events").build(), BodyHandlers.ofInputStream());
        String type = operation("boardEvents")
                .at("/responses/200/content")
                .fieldNames()
                .next();
        assertThat(answer.headers().firstValue("Content-Type")).contains(type);
        asked.add("boardEvents");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            return lines.readLine();
        }
    }

    @Test
    void theDescriptionIsServedWithTheApi() throws Exception {
        HttpResponse<String> answer = CLIENT.send(to(FILE).build(), BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(new YAMLMapper().readTree(answer.body())).isEqualTo(DESCRIPTION);
    }

    @Test
    void everyResourceIsDescribedWithItsParameters() {
        Set<String> inCode = new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.slotwise.web")
                        .stream()
                        .filter(type -> type.isAnnotatedWith(Path.class))
                        .flatMap(DescribedAnswersTest::endpoints)
                        .collect(Collectors.toCollection(TreeSet::new));
        Set<String> described = new TreeSet<>();
        DESCRIPTION
                .path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation -> described.add(operation.getKey() + " " + path.getKey())));
        described.removeIf(endpoint -> endpoint.contains("/q/") || endpoint.contains("/board"));
        inCode.remove("get /metrics"); // Prometheus defines this format.

        assertThat(inCode).isNotEmpty().isEqualTo(described);
    }

    private static Stream<String> endpoints(JavaClass type) {
        String prefix = type.getAnnotationOfType(Path.class).value();
        return type.getMethods().stream()
                .flatMap(method -> method.getAnnotations().stream()
                        .map(annotation -> annotation.getRawType())
                        .filter(annotation -> annotation.isAnnotatedWith(HttpMethod.class))
                        .map(annotation -> annotation
                                        .getAnnotationOfType(HttpMethod.class)
                                        .value()
                                        .toLowerCase(Locale.ROOT)
                                + " " + described(prefix, method)));
    }

    /** The path of a method, whose parameters must be described. */
    private static String described(String prefix, JavaMethod method) {
        String path = prefix
                + (method.isAnnotatedWith(Path.class)
                        ? method.getAnnotationOfType(Path.class).value()
                        : "");
        Set<String> names = stream(
                        DESCRIPTION.path("paths").path(path).path("get").path("parameters"))
                .map(parameter -> parameter.path("name").asText())
                .collect(Collectors.toSet());
        for (Parameter parameter : method.reflect().getParameters()) {
            for (Annotation annotation : parameter.getAnnotations()) {
                if (annotation instanceof PathParam named) {
                    assertThat(names).as(path).contains(named.value());
                } else if (annotation instanceof QueryParam named) {
                    assertThat(names).as(path).contains(named.value());
                }
            }
        }
        return path;
    }
}
