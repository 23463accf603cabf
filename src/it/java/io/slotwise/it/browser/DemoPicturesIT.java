package io.slotwise.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.it.ProjectFiles;
import io.slotwise.it.RunningProgram;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Proves that the documentation's pictures of the board show {@code slotwise demo} after some hours. */
@TestInstance(Lifecycle.PER_CLASS)
class DemoPicturesIT {
    private static final List<String> DEMO = List.of("demo", "--headless", "--speed", "0", "--pause-after", "5h");
    private static final Pattern ADDRESS = Pattern.compile("The board: (http://\\S+)");
    private static final int WIDE = 1440;
    private static final int HIGH = 900;

    private final RunningProgram demo;
    private final URI root;
    private final Chromium browser;

    DemoPicturesIT() throws IOException {
        Path project = ProjectFiles.root();
        Path log = ProjectFiles.logs("DemoPicturesIT").resolve("demo.log");
        List<String> java = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + project.resolve("deploy/jvm.options"),
                "-jar",
                project.resolve("target/quarkus-app/quarkus-run.jar").toString());
        demo = RunningProgram.start(
                "demo", Stream.concat(java.stream(), DEMO.stream()).toList(), Map.of(), log);
        Awaitility.await().atMost(Duration.ofMinutes(8)).until(() -> {
            demo.requireRunning();
            return Files.readString(log).contains("paused; the board stays.");
        });
        Matcher address = ADDRESS.matcher(Files.readString(log));
        assertThat(address.find()).as("an address in %s", log).isTrue();
        root = URI.create(address.group(1));
        browser = new Chromium(root);
    }

    @AfterAll
    void end() throws IOException {
        browser.close();
        demo.close();

        assertThat(Files.readString(demo.log()))
                .containsPattern("4h5\\dm of the demo: [1-9]\\d* of [1-9]\\d* gangs started by what was promised; ");
    }

    @BeforeEach
    void beginAnew() {
        browser.size(WIDE, HIGH, 1).colours("light");
    }

    @AfterEach
    void findNoComplaint() {
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void theBoardInLightAndDark() {
        browser.open("/").awaitText("#link", "Live");
        assertThat(browser.elements(".gangs > li")).hasSizeGreaterThan(10);
        assertThat(browser.text(".owners")).contains("compute-east", "gpu-spot");
        browser.picture("board-light", false, DemoPicturesIT.class);

        browser.colours("dark").open("/").awaitText("#link", "Live");
        browser.picture("board-dark", false, DemoPicturesIT.class);
    }

    @Test
    void theBoardOnAPhone() {
        browser.size(390, 844, 1.5).open("/").awaitText("#link", "Live");

        browser.picture("board-phone", false, DemoPicturesIT.class);
    }

    @Test
    void thePageOfAGangThatIsPromisedAStart() throws IOException {
        browser.open("/#/gangs/" + promised()).awaitText(".side", "What happened");

        assertThat(browser.text(".side")).contains("Promised", "Alternatives", "slotwise why");
        browser.picture("board-gang", false, DemoPicturesIT.class);
    }

    /** The first gang of several pods that waits for its promised start and has a budget. */
    private String promised() throws IOException {
        JsonNode board;
        try (InputStream document = root.resolve("/api/v1/board").toURL().openStream()) {
            board = new ObjectMapper().readTree(document);
        }
        return StreamSupport.stream(board.path("gangs").spliterator(), false)
                .filter(gang -> gang.path("phase").asText().equals("Promised"))
                .filter(gang -> gang.path("size").asInt() > 1 && gang.hasNonNull("budget"))
                .map(gang -> gang.path("id").asText())
                .sorted()
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theMenuOfAQuote() {
        browser.open("/#/quote?size=6&cpu=8&memory=16Gi&runtime=2h").awaitText(".result", "starts at");

        assertThat(browser.elements(".result tbody tr").size()).isGreaterThan(1);
        browser.picture("board-quote", false, DemoPicturesIT.class);
    }
}
