package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The access to a planned cluster, with real service accounts, tokens of the API server, and exactly the rights that
 * are bound to each account.
 */
@RealControlPlane
@TestInstance(Lifecycle.PER_CLASS)
class AccessIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String SEEN = "seen-team";
    private static final String HIDDEN = "hidden-team";
    private static final String PEOPLE = "people";
    /** Longer than Slotwise remembers an answer of the API server. */
    private static final int FORGOTTEN_SECONDS = 60;

    private final ControlPlane plane;
    private final Cluster cluster;
    private final Installation chart;
    private final SlotwiseProcess slotwise;
    private final SlotwiseProcess other;
    private final KubeScheduler scheduler;

    AccessIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
        chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        Map<String, String> guarded = Map.of(
                "SLOTWISE_AUTH",
                "kubernetes",
                "SLOTWISE_AUTH_SESSION_KEY_FILE",
                sessionKey().toString());
        slotwise = chart.startSlotwise(plane.url(), guarded);
        scheduler = chart.startScheduler(slotwise.extender());
        other = chart.startSlotwise(plane.url(), guarded);
        cluster.namespace(PEOPLE);
        for (String team : List.of(SEEN, HIDDEN)) {
            Scenario scenario = new Scenario(cluster, team).withNodes(2);
            GangSpec gang = scenario.gang("work-of-" + team, 2, 3000, 600)
                    .with("earliest-start", Scenario.in(1800).toString());
            cluster.submitAsPods(gang);
            scenario.awaitPromise(gang);
        }
    }

    @AfterAll
    void end() {
        other.close();
        scheduler.close();
        slotwise.close();
    }

    /** The session key as the kubelet mounts the chart's Secret. */
    private Path sessionKey() {
        String key = Objects.requireNonNull(plane.client()
                .secrets()
                .inNamespace(Installation.RELEASE)
                .withName("slotwise-session")
                .get()
                .getData()
                .get("key"));
        return plane.write("session-key", new String(Base64.getDecoder().decode(key), StandardCharsets.UTF_8));
    }

    // ---- people

    private String readerOf(String namespace, String name) {
        String token = Account.create(plane, PEOPLE, name)
                .may("slotwise-view", namespace)
                .token();
        return token;
    }

    private HttpResponse<String> get(SlotwiseProcess replica, String path, String... headers) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(replica.url() + path));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException("Slotwise did not answer " + path + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private int status(String path, String token) {
        return get(slotwise, path, "Authorization", "Bearer " + token).statusCode();
    }

    private String body(String path, String token) {
        return get(slotwise, path, "Authorization", "Bearer " + token).body();
    }

    private void awaitStatus(String path, String token, int status) {
        Scenario.within("the API server's answers to be forgotten", FORGOTTEN_SECONDS)
                .untilAsserted(() -> assertThat(status(path, token)).isEqualTo(status));
    }

    // ---- what they see

    @Test
    void theChartAuthenticatesCallersUnlessDisabled() {
        assertThat(Objects.requireNonNull(plane.client()
                                .apps()
                                .deployments()
                                .inNamespace(Installation.RELEASE)
                                .withName(Installation.RELEASE)
                                .get())
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .stream()
                        .flatMap(container -> container.getEnv().stream())
                        .filter(variable -> variable.getName().startsWith("SLOTWISE_AUTH"))
                        .map(EnvVar::getValue))
                .containsExactly("kubernetes", "kubernetes", "/etc/slotwise-session/key");
        assertThat(Installation.render(plane, Map.of("auth.mode", "none")))
                .contains("SLOTWISE_AUTH, value: none")
                .doesNotContain("tokenreviews");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/board", "/api/v1/board/events", "/api/v1/gangs", "/api/v1/plan", "/metrics"})
    void noCallerIsAnsweredWithoutAToken(String path) {
        assertThat(get(slotwise, path).statusCode()).isEqualTo(401);
        assertThat(status(path, "made-up")).isEqualTo(401);
    }

    @Test
    void aReaderOfOneNamespaceSeesItsGangsAndUsedRoom() throws IOException {
        String token = readerOf(SEEN, "member");

        String text = body("/api/v1/board", token);
        JsonNode board = JSON.readTree(text);
        assertThat(text).contains("work-of-" + SEEN).doesNotContain("work-of-" + HIDDEN, HIDDEN + "/");
        assertThat(StreamSupport.stream(board.path("bars").spliterator(), false)
                        .filter(bar -> bar.path("state").asText().equals("taken"))
                        .map(bar -> bar.path("node").asText()))
                .contains(HIDDEN + "-n1");
        assertThat(board.has("batch")).isFalse();
        assertThat(body("/api/v1/gangs", token)).contains("work-of-" + SEEN).doesNotContain(HIDDEN);
        assertThat(body("/api/v1/plan", token)).contains("work-of-" + SEEN).doesNotContain("work-of-" + HIDDEN);
        assertThat(status("/api/v1/gangs/" + SEEN + "/work-of-" + SEEN, token)).isEqualTo(200);
        assertThat(status("/api/v1/gangs/" + HIDDEN + "/work-of-" + HIDDEN, token))
                .isEqualTo(403);
        assertThat(status("/api/v1/gangs?namespace=" + HIDDEN, token)).isEqualTo(403);
        assertThat(status("/api/v1/quote?gang=" + SEEN + "/work-of-" + SEEN, token))
                .isEqualTo(200);
        assertThat(status("/api/v1/quote?gang=" + HIDDEN + "/work-of-" + HIDDEN, token))
                .isEqualTo(403);
        assertThat(status("/api/v1/quote?size=1&cpu=1&runtime=1h&namespace=" + SEEN, token))
                .isEqualTo(403);
        assertThat(status("/metrics", token)).isEqualTo(403);
    }

    @Test
    void anEditorOfANamespaceGetsQuotesThere() {
        String token = Account.create(plane, PEOPLE, "editor").may("edit", SEEN).token();

        assertThat(status("/api/v1/quote?size=1&cpu=1&runtime=1h&namespace=" + SEEN, token))
                .isEqualTo(200);
        assertThat(status("/api/v1/quote?size=1&cpu=1&runtime=1h&namespace=" + HIDDEN, token))
                .isEqualTo(403);
    }

    @Test
    void aReaderOfAllNamespacesSeesEverything() throws IOException {
        String token = Account.create(plane, PEOPLE, "overseer")
                .mayEverywhere("slotwise-view")
                .token();

        JsonNode board = JSON.readTree(body("/api/v1/board", token));

        assertThat(board.path("gangs").findValuesAsText("id"))
                .contains(SEEN + "/work-of-" + SEEN, HIDDEN + "/work-of-" + HIDDEN);
        assertThat(board.path("batch").path("objective").asText()).isEqualTo("user");
        assertThat(board.path("income")).isNotEmpty();
        assertThat(board.path("bars").findValuesAsText("state")).isNotEmpty().doesNotContain("taken");
    }

    @Test
    void aCallerWithoutRightsIsToldTheMissingOne() {
        String token = Account.create(plane, PEOPLE, "stranger").token();

        assertThat(status("/api/v1/board", token)).isEqualTo(403);
        assertThat(body("/api/v1/gangs", token))
                .contains(
                        "system:serviceaccount:people:stranger may not list reservations.slotwise.io in any namespace");
    }

    @Test
    void metricsRequireTheirRole() {
        Account prometheus = Account.create(plane, PEOPLE, "prometheus");
        String token = prometheus.token();
        assertThat(status("/metrics", token)).isEqualTo(403);
        prometheus.mayEverywhere("slotwise-metrics");

        awaitStatus("/metrics", token, 200);
        assertThat(body("/metrics", token)).contains("slotwise_leader");
        assertThat(status("/api/v1/board", token)).isEqualTo(403);
    }

    // ---- what ends it

    @Test
    void aTokenForAnotherAudienceIsNotAccepted() {
        Account.create(plane, PEOPLE, "confused");
        String token = plane.serviceAccountToken(PEOPLE, "confused", List.of("somebody-else"));

        assertThat(status("/api/v1/gangs", token)).isEqualTo(401);
    }

    @Test
    void aTokenThatIsNotGoodAnyMoreEndsSoonAlsoForAPageThatListens() throws Exception {
        String token = readerOf(SEEN, "leaver");
        HttpResponse<InputStream> events = CLIENT.send(
                HttpRequest.newBuilder(URI.create(slotwise.url() + "/api/v1/board/events"))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("event: beat");

            plane.client()
                    .serviceAccounts()
                    .inNamespace(PEOPLE)
                    .withName("leaver")
                    .delete();

            awaitStatus("/api/v1/gangs", token, 401);
            Scenario.within("the page that listens to be sent away", 2 * FORGOTTEN_SECONDS)
                    .until(() -> lines.readLine() == null);
        }
    }

    @Test
    void aRightThatIsTakenAwayEndsSoon() {
        String token = readerOf(SEEN, "mover");
        assertThat(status("/api/v1/gangs?namespace=" + SEEN, token)).isEqualTo(200);

        new Account(plane, PEOPLE, "mover").mayNot("slotwise-view", SEEN);

        awaitStatus("/api/v1/gangs?namespace=" + SEEN, token, 403);
        awaitStatus("/api/v1/board", token, 403);
    }

    // ---- browser and terminal

    @Test
    void aBrowserThatSignsInAtOneReplicaIsSignedInAtTheOther() throws Exception {
        String token = readerOf(SEEN, "surfer");

        HttpResponse<String> signedIn = CLIENT.send(
                HttpRequest.newBuilder(URI.create(slotwise.url() + "/api/v1/session"))
                        .header("Content-Type", "application/json")
                        .header("Origin", slotwise.url())
                        .POST(BodyPublishers.ofString("{\"token\": \"" + token + "\"}"))
                        .build(),
                BodyHandlers.ofString());

        assertThat(signedIn.body()).isEqualTo("{\"user\":\"system:serviceaccount:people:surfer\"}");
        String cookie =
                signedIn.headers().firstValue("Set-Cookie").orElseThrow().split(";", -1)[0];
        for (SlotwiseProcess replica : List.of(slotwise, other)) {
            assertThat(get(replica, "/api/v1/gangs", "Cookie", cookie).body()).contains("work-of-" + SEEN);
        }
    }

    @Test
    void theTerminalSendsTheTokenOfTheKubeconfigOrOfAFile() throws Exception {
        String token = readerOf(SEEN, "typist");
        Path kubeconfig = plane.kubeconfig("typist", token, plane.url());
        Path file = plane.write("token", token + "\n");

        assertThat(terminal(kubeconfig, "queue", "--server", slotwise.url()))
                .contains("work-of-" + SEEN)
                .doesNotContain(HIDDEN);
        assertThat(terminal(
                        plane.write("empty.yaml", "{}"),
                        "why",
                        SEEN + "/work-of-" + SEEN,
                        "--server",
                        slotwise.url(),
                        "--token-file",
                        file.toString()))
                .contains("work-of-" + SEEN);
        assertThat(terminal(kubeconfig, "quote", HIDDEN + "/work-of-" + HIDDEN, "--server", slotwise.url()))
                .contains("Slotwise denied the request: system:serviceaccount:people:typist may not list "
                        + "reservations.slotwise.io in namespace " + HIDDEN);
        assertThat(terminal(plane.write("empty.yaml", "{}"), "quote", SEEN + "/x", "--server", slotwise.url()))
                .contains("expected --token-file FILE, made by 'kubectl create token SERVICEACCOUNT > FILE'");
    }

    /** All output of a command, including errors. */
    private String terminal(Path kubeconfig, String... words) throws IOException, InterruptedException {
        Path output = Files.createTempFile(plane.folder(), "terminal", ".txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                ProjectFiles.root()
                        .resolve("target/quarkus-app/quarkus-run.jar")
                        .toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        // A width at which no sentence is broken.
        builder.environment().put("COLUMNS", "1000");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("%s ends", command)
                    .isTrue();
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }
}
