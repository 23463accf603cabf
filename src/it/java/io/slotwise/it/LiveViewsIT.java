package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.it.browser.Chromium;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The views of a real cluster that Slotwise plans: the board, its pages, and the dashboards and alerts on its metrics.
 */
@RealControlPlane
@TestInstance(Lifecycle.PER_CLASS)
class LiveViewsIT {
    /** The dashboards of which the documentation has pictures. */
    private static final Set<String> PICTURED = Set.of("overview", "operations");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NAMESPACE = "on-the-board";

    private final ControlPlane plane;
    private final Cluster cluster;
    private final SlotwiseProcess planner;
    private final KubeScheduler scheduler;
    private final SlotwiseProcess other;
    private final Scraper scraper;

    LiveViewsIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        planner = chart.startSlotwise();
        scheduler = chart.startScheduler(planner.extender());
        other = chart.startSlotwise();
        scraper = new Scraper(List.of(planner, other));
    }

    @AfterAll
    void end() {
        scraper.close();
        other.close();
        scheduler.close();
        planner.close();
    }

    @Test
    void theBoardFollowsAGangFromItsPromiseToItsRunOnEveryReplica() {
        try (Events events = new Events(planner.url())) {
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

    @Test
    void dashboardsAndAlertsAskForWhatIsThere() {
        Scenario scenario = new Scenario(cluster, "on-the-dashboard").withNodes(2);
        new NamespaceLedger(cluster, scenario.namespace()).setBudget("100/month");
        cluster.createQueue(
                "on-the-dashboard",
                "{guarantee: {cpu: 4}, limit: {cpu: 8}, namespaces: [on-the-dashboard], budget: 100/month}");
        GangSpec gang = scenario.gang("g", 2, 3000, 30).with("budget", "5").withLastThroughKubeScheduler(1);
        cluster.submitAsPods(gang);
        scenario.awaitWhole(gang, 60);
        Monitoring monitoring = Monitoring.rendered(plane);
        Prometheus prometheus = new Prometheus(plane.program("promql"));

        Scenario.within("all that dashboards and alerts ask for to be there", 20)
                .untilAsserted(() -> new MonitoringCheck(prometheus, scraper.scrapes()).complete(monitoring));

        MonitoringCheck check = new MonitoringCheck(prometheus, scraper.scrapes());
        assertThat(check.last("Slotwise: operations, Leaders", monitoring)).isEqualTo(1);
        assertThat(check.last("Slotwise: operations, Replicas", monitoring)).isEqualTo(2);
        assertThat(check.last("Slotwise: overview, Income in a day", monitoring))
                .isPositive();
        check.alertsFireWhereTheyShould(monitoring);
    }

    @Test
    void picturesOfTheDashboardsShowThemAsTheyAre() {
        assumeThat(Chromium.isInstalled()).as("a Chromium on this machine").isTrue();
        if (Chromium.renewsPictures()) {
            new BackgroundLoad(cluster).pass();
        }
        Prometheus prometheus = new Prometheus(plane.program("promql"));
        try (Chromium browser = new Chromium(URI.create(planner.url()))) {
            browser.size(1440, 900, 1);
            for (JsonNode dashboard : Monitoring.rendered(plane).dashboards()) {
                DashboardPage page = new DashboardPage(dashboard);
                if (!PICTURED.contains(page.name())) {
                    continue;
                }
                Path file = plane.write(page.name() + ".html", page.html(prometheus, scraper.scrapes()));
                browser.picture("dashboard-" + page.name(), file, page.shows(), LiveViewsIT.class);
            }
        }
    }

    @Test
    void pagesShowWhatThePlannerAnswers() throws JsonProcessingException {
        assumeThat(Chromium.isInstalled()).as("a Chromium on this machine").isTrue();
        Scenario scenario = new Scenario(cluster, "on-a-page").withNodes(2);
        GangSpec gang = scenario.gang("dear", 2, 3000, 600).with("budget", "0.10");
        cluster.submitAsPods(gang);
        scenario.awaitPending(gang, "OverBudget", 20);
        JsonNode advised = JSON.readTree(planner.get("/api/v1/gangs/on-a-page/dear"));
        String needed = StreamSupport.stream(advised.path("advice").spliterator(), false)
                .filter(advice -> advice.path("change").asText().equals("budget"))
                .findFirst()
                .orElseThrow()
                .path("value")
                .asText();

        try (Chromium browser = new Chromium(URI.create(planner.url()))) {
            browser.open("/#/gangs/on-a-page/dear");
            browser.awaitText(".side", "A budget of " + needed);
            assertThat(browser.text(".side")).contains(advised.path("message").asText());

            browser.open("/#/quote");
            browser.fill("#quote-size", "2");
            browser.fill("#quote-cpu", "3");
            browser.fill("#quote-memory", "256Mi");
            browser.fill("#quote-runtime", "10m");
            browser.fill("#quote-budget", "0.10");
            browser.element(".quote button").click();
            browser.awaitText(".result", "None is within the budget of 0.10");
        }
    }

    /** The chart's own pod runs on a node whose kubelet forwards the pod's port to the planner. */
    @Test
    void theBoardCommandLeadsToTheBoard() {
        int port = URI.create(planner.url()).getPort();
        Kubelet kubelet = new Kubelet(plane, Installation.RELEASE, 8080, port);
        kubelet.take(cluster.client()
                .pods()
                .inNamespace(Installation.RELEASE)
                .withLabel("app.kubernetes.io/name", "slotwise")
                .list()
                .getItems()
                .getFirst());

        try (RunningProgram command = boardCommand()) {
            // The command prints its address before the connection to the planner works.
            Scenario.within("the board behind the command's address", 60)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(() -> {
                        command.requireRunning();
                        String url = Files.readString(command.log())
                                .lines()
                                .filter(line -> line.startsWith("http://"))
                                .findFirst()
                                .orElse("none");
                        assertThat(url).startsWith("http://127.0.0.1:").doesNotContain(":" + port);
                        try (InputStream document =
                                URI.create(url + "/api/v1/board").toURL().openStream()) {
                            assertThat(JSON.readTree(document).path("planning").asBoolean())
                                    .isTrue();
                        }
                    });
        }
    }

    private RunningProgram boardCommand() {
        Path jar = ProjectFiles.root().resolve("target/quarkus-app/quarkus-run.jar");
        return plane.run(
                "board",
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-jar",
                        jar.toString(),
                        "board"),
                Map.of("KUBECONFIG", plane.adminKubeconfig().toString()));
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

    /** The event stream of a replica, from its beginning. */
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
