package io.slotwise.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.arc.Arc;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.testing.FakeReviews;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.inject.Inject;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(GuardedCluster.class)
class AccessFilterTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final java.nio.file.Path PAGES = java.nio.file.Path.of("src/main/resources/META-INF/resources");

    /** The routes that answer any caller. A new one needs a reason. */
    private static final List<String> OPEN = List.of(
            "[A-Z]+ /q/health(/.*)?",
            "[A-Z]+ /sign-in.html",
            "[A-Z]+ /board/(board.css|dom.js|mark.svg|sign-in.js|theme.js)",
            "(POST|DELETE|PUT) /api/v1/session");

    private final Router router;
    private final CallerTurns turns;

    @TestHTTPResource("/")
    private URI root = URI.create("http://127.0.0.1");

    @Inject
    AccessFilterTest(Router router, CallerTurns turns) {
        this.router = router;
        this.turns = turns;
    }

    private HttpResponse<String> call(String method, String path, String... headers)
            throws IOException, InterruptedException {
        BodyPublisher body =
                method.equals("POST") || method.equals("PUT") ? BodyPublishers.ofString("{}") : BodyPublishers.noBody();
        return send(method, path, body, headers);
    }

    private HttpResponse<String> send(String method, String path, BodyPublisher body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(root.resolve(path))
                .method(method, body)
                .header("Content-Type", "application/json");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path, String token) throws IOException, InterruptedException {
        return call("GET", path, "Authorization", "Bearer " + token);
    }

    private static String message(HttpResponse<String> answer) throws IOException {
        return JSON.readTree(answer.body()).path("message").asText();
    }

    // ---- callers without permission

    @Test
    void noRouteAnswersWithoutLeaveButThoseOfTheList() throws Exception {
        List<String> answered = new ArrayList<>();
        Set<String> paths = paths();
        assertThat(paths)
                .contains(
                        "/api/v1/board",
                        "/api/v1/board/events",
                        "/api/v1/frontier",
                        "/api/v1/gangs",
                        "/api/v1/gangs/x/x",
                        "/api/v1/plan",
                        "/api/v1/queues",
                        "/api/v1/quote",
                        "/api/v1/session",
                        "/board/main.js",
                        "/index.html",
                        "/metrics");

        for (String path : paths) {
            for (String method : List.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS")) {
                String call = method + " " + path;
                if (OPEN.stream().noneMatch(call::matches)) {
                    HttpResponse<String> answer = call(method, path);
                    boolean page = path.equals("/") || path.equals("/index.html");
                    if (answer.statusCode() != 401 && !(page && answer.statusCode() == 302)) {
                        answered.add(call + ": " + answer.statusCode());
                    }
                }
            }
        }

        assertThat(answered).isEmpty();
    }

    /** The paths of the router, of resources and of files. A variable is any word. */
    private Set<String> paths() throws IOException {
        Set<String> paths =
                new TreeSet<>(List.of("/", "/nothing", "/q", "/q/nothing", "/api/v1/nothing", "/scheduler/v1/bind"));
        router.getRoutes().stream()
                .map(Route::getPath)
                .filter(Objects::nonNull)
                .forEach(path -> paths.add(path.replaceAll(":\\w+", "x").replace("*", "")));
        Arc.container().beanManager().getBeans(Object.class, Any.Literal.INSTANCE).stream()
                .map(Bean::getBeanClass)
                .filter(resource -> resource.isAnnotationPresent(Path.class))
                .forEach(resource -> paths.addAll(paths(resource)));
        try (Stream<java.nio.file.Path> files = Files.walk(PAGES)) {
            files.filter(Files::isRegularFile)
                    .forEach(file ->
                            paths.add("/" + PAGES.relativize(file).toString().replace('\\', '/')));
        }
        return paths;
    }

    private static List<String> paths(Class<?> resource) {
        String root = resource.getAnnotation(Path.class).value();
        List<String> paths = new ArrayList<>(List.of(root));
        for (Method method : resource.getMethods()) {
            Path more = method.getAnnotation(Path.class);
            if (more != null) {
                paths.add((root + more.value()).replaceAll("\\{\\w+}", "x"));
            }
        }
        return paths;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//api/v1/plan",
                "/q/health/../../api/v1/plan",
                "/q/health/..%2f..%2fapi/v1/plan",
                "/q/health/%2e%2e/%2e%2e/api/v1/plan",
                "/scheduler/../api/v1/plan",
                "/scheduler/%2e%2e/api/v1/board",
                "/sign-in.html/../index.html",
                "/api/v1/gangs/../session",
                "/api/v1/board;x=/q/health",
                "/api/v1/board/"
            })
    void noSpellingOfAPathGoesRound(String path) throws Exception {
        HttpResponse<String> answer = CLIENT.send(
                HttpRequest.newBuilder(URI.create(root.toString().replaceAll("/$", "") + path))
                        .build(),
                BodyHandlers.ofString());

        assertThat(answer.statusCode()).isIn(302, 401, 404);
        assertThat(answer.body()).doesNotContain("\"planning\"", "\"windows\"", "<main class=\"work\">");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/sign-in.html", "/board/board.css", "/board/sign-in.js", "/board/theme.js", "/board/dom.js"})
    void thePageForSigningInIsThere(String path) throws Exception {
        assertThat(call("GET", path).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/q/health/live", "/q/health/ready", "/q/health"})
    void probesNeedNoToken(String path) throws Exception {
        assertThat(call("GET", path).statusCode()).isIn(200, 503);
        assertThat(call("GET", path).body()).contains("\"checks\"");
    }

    @Test
    void anUnknownCallerIsToldHowToAuthenticate() throws Exception {
        HttpResponse<String> answer = call("GET", "/api/v1/gangs");

        assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer realm=\"slotwise\"");
        assertThat(message(answer)).contains("Authorization: Bearer", "/sign-in.html");
        assertThat(message(get("/api/v1/gangs", "made-up")))
                .contains("not valid for this cluster", "kubectl create token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html"})
    void aBrowserIsLedToThePageForSigningIn(String path) throws Exception {
        HttpResponse<String> answer = call("GET", path);

        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(answer.headers().firstValue("Location")).hasValue("/sign-in.html");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/api/v1/gangs", "/api/v1/board", "/api/v1/board/events", "/metrics", "/api/v1/session"})
    void withoutAnAnswerOfTheApiServerNoCallerPasses(String path) throws Exception {
        HttpResponse<String> answer = get(path, FakeReviews.SILENT);

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(message(answer)).contains("TokenReview or SubjectAccessReview failed");
    }

    // ---- who passes, and where to

    @ParameterizedTest
    @ValueSource(strings = {"Authorization", "Slotwise-Authorization"})
    void aTokenIsSentInEitherHeader(String header) throws Exception {
        assertThat(call("GET", "/api/v1/gangs", header, "Bearer " + FakeReviews.ALL)
                        .statusCode())
                .isEqualTo(200);
        assertThat(call("GET", "/", header, "bearer  " + FakeReviews.ALL).statusCode())
                .isEqualTo(200);
        assertThat(call("GET", "/api/v1/gangs", header, "Basic " + FakeReviews.ALL)
                        .statusCode())
                .isEqualTo(401);
        assertThat(call("GET", "/api/v1/gangs", header, "Bearer ").statusCode()).isEqualTo(401);
    }

    @Test
    void slotwisesHeaderIsReadFirst() throws Exception {
        HttpResponse<String> answer = call(
                "GET",
                "/api/v1/session",
                "Authorization",
                "Bearer " + FakeReviews.ALL,
                "Slotwise-Authorization",
                "Bearer " + FakeReviews.ONE);

        assertThat(JSON.readTree(answer.body()).path("user").asText()).isEqualTo("erin");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/gangs?namespace=mine, 200",
        "/api/v1/gangs?namespace=yours, 403",
        "/api/v1/gangs/mine/g, 404",
        "/api/v1/gangs/yours/g, 403",
        "/api/v1/quote?gang=mine/g, 503",
        "/api/v1/quote?gang=yours/g, 403",
        "/api/v1/quote?size=2&cpu=1&runtime=1h&namespace=mine, 503",
        "/api/v1/quote?size=2&cpu=1&runtime=1h&namespace=yours, 403",
        "/api/v1/quote?size=2&cpu=1&runtime=1h&namespace=mine&after=g, 503",
        "/api/v1/quote?size=2&cpu=1&runtime=1h&namespace=mine&after=yours/g, 403",
        "/api/v1/frontier, 403",
        "/api/v1/queues, 403",
        "/metrics, 403",
        "/metrics/, 403",
        "/metrics/x, 403"
    })
    void aReaderOfOneNamespaceIsAnsweredOnlyThere(String path, int status) throws Exception {
        assertThat(get(path, FakeReviews.ONE).statusCode()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/gangs",
                "/api/v1/board",
                "/api/v1/board/events",
                "/api/v1/plan",
                "/api/v1/quote?size=2&cpu=1"
            })
    void aCallerWithoutANamespaceIsRefused(String path) throws Exception {
        HttpResponse<String> answer = get(path, FakeReviews.NOBODY);

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(message(answer)).isEqualTo("nobody may not list reservations.slotwise.io in any namespace");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/gangs",
                "/api/v1/gangs/mine/g",
                "/api/v1/board",
                "/api/v1/plan",
                "/api/v1/frontier",
                "/api/v1/queues",
                "/api/v1/quote?size=2&cpu=1&runtime=1h&namespace=mine"
            })
    void aCallerWithoutTurnsWaitsAndOthersDoNot(String path) throws Exception {
        HttpResponse<String> answer = inTurns(CallerTurns.AT_ONCE, () -> get(path, FakeReviews.ALL));

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(message(answer)).isEqualTo("4 requests of yours are being answered; try again when they are");
        assertThat(inTurns(CallerTurns.AT_ONCE, () -> get(path, FakeReviews.ONE))
                        .body())
                .doesNotContain("requests of yours");
    }

    /** Asks while this many answers are being computed for jane. */
    private HttpResponse<String> inTurns(int taken, Callable<HttpResponse<String>> question) {
        return turns.take("jane", () -> {
            try {
                return taken > 1 ? inTurns(taken - 1, question) : question.call();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void aRefusalNamesTheRight() throws Exception {
        assertThat(message(get("/api/v1/gangs/yours/g", FakeReviews.ONE)))
                .isEqualTo("erin may not list reservations.slotwise.io in namespace yours");
        assertThat(message(get("/api/v1/quote?size=2&cpu=1&runtime=1h&namespace=yours", FakeReviews.ONE)))
                .isEqualTo("erin may not create pods in namespace yours");
        assertThat(message(get("/api/v1/frontier", FakeReviews.ONE)))
                .isEqualTo("erin may not list reservations.slotwise.io in all namespaces");
        assertThat(message(get("/metrics", FakeReviews.ONE))).isEqualTo("erin may not get /metrics");
    }

    @Test
    void aBodyIsReadAfterTheCallerIsKnown() throws Exception {
        String question = "{\"size\": 2, \"resources\": {\"cpu\": 1}, \"runtime\": \"1h\", \"namespace\": \"mine\"}";

        HttpResponse<String> answer = send(
                "POST",
                "/api/v1/quote",
                BodyPublishers.ofString(question),
                "Authorization",
                "Bearer " + FakeReviews.ONE);

        assertThat(message(answer)).isEqualTo("this replica is not the leader and has no plan");
    }

    @Test
    void metricsRequireTheirPermission() throws Exception {
        assertThat(get("/metrics", FakeReviews.SCRAPER).body()).contains("jvm_memory_used_bytes");
        assertThat(get("/api/v1/board", FakeReviews.SCRAPER).statusCode()).isEqualTo(403);
    }

    @Test
    void eventsAreSentToPermittedCallers() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(root.resolve("/api/v1/board/events"))
                .header("Authorization", "Bearer " + FakeReviews.ALL)
                .build();

        HttpResponse<InputStream> answer = CLIENT.send(request, BodyHandlers.ofInputStream());

        try (InputStream events = answer.body()) {
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(new String(events.readNBytes(11), StandardCharsets.UTF_8))
                    .isEqualTo("event: beat");
        }
    }

    // ---- browsers

    private HttpResponse<String> signIn(String token, String... headers) throws IOException, InterruptedException {
        return send(
                "POST",
                "/api/v1/session",
                BodyPublishers.ofString("{\"token\": \"" + token + "\"}"),
                headers.length == 0 ? new String[] {"Sec-Fetch-Site", "same-origin"} : headers);
    }

    private static String cookie(HttpResponse<String> answer) {
        return answer.headers().firstValue("Set-Cookie").orElse("");
    }

    @Test
    void aBrowserSignsInAndOut() throws Exception {
        HttpResponse<String> signedIn = signIn(FakeReviews.ALL);
        assertThat(signedIn.statusCode()).isEqualTo(200);
        assertThat(cookie(signedIn))
                .startsWith("slotwise-session=")
                .contains("Path=/", "HTTPOnly", "SameSite=Strict", "Max-Age=28800")
                .doesNotContain("Secure", FakeReviews.ALL);
        String cookie = cookie(signedIn).split(";", -1)[0];

        assertThat(call("GET", "/api/v1/gangs", "Cookie", cookie).statusCode()).isEqualTo(200);
        assertThat(call("GET", "/", "Cookie", cookie).body()).contains("<title>Slotwise</title>");
        assertThat(JSON.readTree(
                        call("GET", "/api/v1/session", "Cookie", cookie).body()))
                .isEqualTo(JSON.readTree("{\"auth\": \"kubernetes\", \"user\": \"jane\", \"signedIn\": true}"));

        HttpResponse<String> out = call("DELETE", "/api/v1/session", "Cookie", cookie, "Sec-Fetch-Site", "same-origin");
        assertThat(out.statusCode()).isEqualTo(204);
        assertThat(cookie(out)).startsWith("slotwise-session=;").contains("Max-Age=0");
    }

    @Test
    void aCookieOfTlsIsNeverSentWithoutItAndNoOtherCountsThere() throws Exception {
        String secure = cookie(signIn(FakeReviews.ALL, "Sec-Fetch-Site", "same-origin", "X-Forwarded-Proto", "https"));
        String plain = cookie(signIn(FakeReviews.ALL)).split(";", -1)[0];

        assertThat(secure)
                .startsWith("__Host-slotwise-session=")
                .contains("Secure", "Path=/")
                .doesNotContain("Domain");
        assertThat(call("GET", "/api/v1/gangs", "Cookie", secure.split(";", -1)[0], "X-Forwarded-Proto", "https")
                        .statusCode())
                .isEqualTo(200);
        assertThat(call("GET", "/api/v1/gangs", "Cookie", plain, "X-Forwarded-Proto", "https")
                        .statusCode())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "made-up|401|the token is not valid for this cluster",
                "token-of-nobody|403|nobody may not list reservations.slotwise.io in any namespace",
                "token-of-silence|503|TokenReview or SubjectAccessReview failed",
                "''|400|`token` is missing"
            })
    void aCallerWithoutPermissionGetsNoCookie(String token, int status, String message) throws Exception {
        HttpResponse<String> answer = signIn(token);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(message(answer)).startsWith(message);
        assertThat(cookie(answer)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[", "{}", "{\"token\": 1}", "{\"token\": null}"})
    void aBodyWithoutATokenIsToldWhatIsExpected(String body) throws Exception {
        HttpResponse<String> answer =
                send("POST", "/api/v1/session", BodyPublishers.ofString(body), "Sec-Fetch-Site", "same-origin");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(message(answer)).contains("expected");
    }

    @Test
    void aTokenThatNoCookieHoldsIsToldSo() throws Exception {
        assertThat(message(signIn("x".repeat(2_901)))).startsWith("`token` has 2901 bytes: expected at most 2900");
        assertThat(signIn("x".repeat(20_000)).statusCode()).isEqualTo(400);
    }

    @Test
    void aCookieThatIsNotGoodIsForgotten() throws Exception {
        HttpResponse<String> answer = call("GET", "/", "Cookie", "slotwise-session=old");

        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(cookie(answer)).contains("Max-Age=0");
    }

    @Test
    void anotherSiteCannotWriteThroughABrowserThatIsSignedIn() throws Exception {
        String cookie = cookie(signIn(FakeReviews.ALL)).split(";", -1)[0];

        assertThat(call("POST", "/api/v1/quote", "Cookie", cookie, "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(call("POST", "/api/v1/quote", "Cookie", cookie, "Origin", "https://evil.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(call("POST", "/api/v1/quote", "Cookie", cookie).statusCode()).isEqualTo(403);
        assertThat(call("DELETE", "/api/v1/session", "Cookie", cookie, "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(call("POST", "/api/v1/quote", "Cookie", cookie, "Sec-Fetch-Site", "same-origin")
                        .statusCode())
                .isEqualTo(400);
        assertThat(signIn(FakeReviews.ALL, "Sec-Fetch-Site", "cross-site").statusCode())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/gangs", "/api/v1/board", "/api/v1/session", "/metrics", "/api/v1/nothing"})
    void answersAreNotCached(String path) throws Exception {
        assertThat(get(path, FakeReviews.ALL).headers().allValues("Cache-Control"))
                .containsExactly("no-store");
        assertThat(call("GET", path).headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(call("GET", path).headers().firstValue("Content-Security-Policy"))
                .isPresent();
    }
}
