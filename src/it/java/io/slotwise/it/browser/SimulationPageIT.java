package io.slotwise.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page that {@code slotwise study simulate -o html} writes, opened as a file in a browser. */
class SimulationPageIT {
    private static final List<String> NIGHTS = List.of(
            "--policy",
            "easy",
            "conservative",
            "slotwise",
            "--draw-deadlines",
            "50",
            "--price-calendar",
            "0.5@0 20 * * */PT12H",
            "-o",
            "html");
    /** The README's example. */
    private static final List<String> EXAMPLE = List.of(
            "--workload",
            "lublin:machine=32,jobs=200,load=20",
            "--price-calendar",
            "0.5@0 20 * * */PT12H",
            "--draw-deadlines",
            "33",
            "--value-of-time",
            "0.3",
            "--policy",
            "easy",
            "easy-value",
            "conservative",
            "docs/examples/night.yaml",
            "-o",
            "html");

    private static final int USERS = 6;
    private static final int PHONE = 390;
    private static final int WIDE = 1440;
    private static final SharedChromium BROWSER = new SharedChromium();

    @TempDir
    private static Path folder;

    @BeforeAll
    static void simulate() throws IOException {
        Path file = Files.writeString(folder.resolve("three-days.swf"), log());
        List<String> words = new ArrayList<>(List.of("--workload", file.toString()));
        words.addAll(NIGHTS);
        write("page.html", words);
        write("example.html", EXAMPLE);
    }

    private static void write(String page, List<String> options) throws IOException {
        List<String> words = new ArrayList<>(List.of("study", "simulate"));
        words.addAll(options);
        Files.writeString(
                folder.resolve(page),
                CommandLineRun.of(words.toArray(String[]::new)).out());
    }

    /** A log of three days with a job an hour, each of one to seven of eight processors for one to five hours. */
    private static String log() {
        StringBuilder log = new StringBuilder("; MaxProcs: 8\n");
        for (int i = 0; i < 72; i++) {
            int hours = 1 + i % 5;
            log.append("%d %d -1 %d %d -1 -1 %d %d -1 1 %d -1 -1 1 -1 -1 -1\n"
                    .formatted(i + 1, i * 3600, hours * 1800, 1 + i % 7, 1 + i % 7, hours * 3600, 1 + i % USERS));
        }
        return log.toString();
    }

    @AfterAll
    static void close() {
        BROWSER.close();
    }

    private static Chromium browser() {
        return BROWSER.on(folder.toUri());
    }

    private static Chromium page(String colours, int width) {
        return page("page.html", colours, width);
    }

    private static Chromium page(String page, String colours, int width) {
        Chromium browser = browser()
                .colours(colours)
                .size(width, width == PHONE ? 844 : 1024, 1)
                .visit(page);
        browser.await(() -> browser.attribute("html", "data-drawn").equals("3"));
        return browser;
    }

    @AfterEach
    void findNoComplaint() {
        assertThat(browser().complaints()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"light, 390", "light, 768", "light, 1440", "dark, 390", "dark, 768", "dark, 1440"})
    void axeFindsNoViolationAndNothingIsWiderThanTheScreen(String colours, int width) {
        Chromium browser = page(colours, width);

        browser.assertAccessible();
        assertThat(browser.number("return document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(width);
        assertThat(browser.number("return Math.max(...[...document.querySelectorAll('canvas')]"
                        + ".map(one => Math.ceil(one.getBoundingClientRect().right)))"))
                .isLessThanOrEqualTo(width);
    }

    @Test
    void thePoliciesStandOnOneAxisAndThePointerReadsAllOfThem() {
        Chromium browser = page("light", WIDE);
        assertThat(browser.elements(".curve canvas")).hasSize(3);
        assertThat(browser.text("#curve-0 .u-legend")).contains("easy", "conservative", "slotwise");

        browser.point("#curve-0 .u-over");

        browser.await(() -> browser.text("#curve-1 .u-legend").contains("%"));
        assertThat(browser.text("#curve-2 .u-legend")).containsPattern("easy:?\\s*[0-9.]+");
    }

    @Test
    void aRunSaysWhatItIsAndEveryUserHasAColour() {
        Chromium browser = page("light", WIDE);

        browser.point(".runs rect");

        browser.await(() -> browser.text(".tip").startsWith("job "));
        assertThat(browser.text(".tip")).contains("tasks", "waited", "cost");
        assertThat(browser.number("return new Set([...document.querySelectorAll('.runs + .ticks + .users li rect')]"
                        + ".map(one => getComputedStyle(one).fill)).size"))
                .isEqualTo(USERS);
    }

    @Test
    void theDocumentationsPictureShowsIt() {
        Chromium browser = page("example.html", "light", 1100);
        String shows = new Contents()
                .andFiles(Path.of("src/main/resources/io/slotwise/report"), _ -> true)
                .andFiles(Path.of("docs/examples"), file -> file.endsWith("night.yaml"))
                .and(String.join(" ", EXAMPLE))
                .digest();

        browser.picture("simulation", false, shows, SimulationPageIT.class);
    }
}
