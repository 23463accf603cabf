package io.slotwise.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.window.Window;
import io.slotwise.testing.ExampleDay;
import io.slotwise.testing.ManyBars;
import io.slotwise.web.board.BoardFeed;
import io.slotwise.web.board.BoardInput;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

@QuarkusTest
@TestProfile(ExampleCluster.Profile.class)
class BoardIT extends ExampleClusterPages {
    private static final Logger LOG = Logger.getLogger(BoardIT.class);
    private static final int WIDE = 1440;
    private static final int HIGH = 900;
    private static final int PHONE = 390;
    private static final int[] WIDTHS = {PHONE, 768, WIDE};
    private static final String GANG = "/#/gangs/team-vision/clip-eval";
    private static final String QUOTE = "/#/quote?size=6&cpu=32&memory=32Gi&runtime=2h50m&budget=9.5";

    @Inject
    BoardIT(ExampleCluster cluster, BoardFeed feed) {
        super(cluster, feed);
    }

    @BeforeEach
    void beginAnew() {
        cluster.answers(true);
        cluster.runs(false);
        cluster.showDay(ExampleDay.LOOK);
        feed.changed();
        browser().online(true);
        browser().size(WIDE, HIGH, 1).colours("light");
    }

    @AfterEach
    void findNoComplaint() {
        assertThat(browser().complaints()).isEmpty();
    }

    @Test
    void theFirstLoadShowsTheClusterAndItsGangs() {
        cluster.runs(true);
        feed.changed();
        Chromium browser = browser().open("/");

        browser.awaitText("#link", "Live");
        assertThat(browser.text("#figures"))
                .contains("Waiting\n3", "Promised\n12", "Running\n6", "min-cost", "average loss ≤ 10 %");
        assertThat(browser.elements(".gangs > li")).hasSize(27);
        assertThat(browser.text(".gangs")).contains("No window within budget: the cheapest costs 74");
        assertThat(browser.text(".owners")).contains("vision-lab", "cloud-spot");
        assertThat(browser.text("#span")).endsWith("4 h 30 min in sight");
        assertThat(browser.text("#figures")).contains("In use now", "CPU", "Memory", "GPU");
        assertThat(browser.text("#namespaces")).contains("team-vision", "team-weather");
        assertThat(browser.text("#legend-price")).isEqualTo("price of a node, 0.50 to 32.77 an hour");
        assertThat(browser.drawn()).isBetween(15, 90);
        assertThat(browser.title()).isEqualTo("6 running, 3 waiting · Slotwise");
    }

    @Test
    void changesAreShownWithoutAReload() {
        Chromium browser = browser().open("/");
        browser.awaitText("#link", "Live");
        browser.script("window.stillHere = true");

        cluster.showDay(ExampleDay.LOOK + 3100);
        feed.changed();

        browser.awaitText("#figures", "Promised\n10");
        assertThat(browser.script("return window.stillHere")).isEqualTo(true);
        assertThat(browser.number("return performance.getEntriesByType('resource').filter(e => "
                        + "e.name.endsWith('/api/v1/board')).length"))
                .isEqualTo(1);
        browser.awaitText("#clock", "11:12:10");
    }

    @Test
    void theWayBackFindsTheBoardLive() {
        Chromium browser = browser().open("/");
        browser.awaitText("#link", "Live");

        browser.leaveAndReturn(() -> {
            cluster.showDay(ExampleDay.LOOK + 3100);
            feed.changed();
        });

        browser.awaitText("#figures", "Promised\n10");
        cluster.showDay(ExampleDay.LOOK);
        feed.changed();
        browser.awaitText("#figures", "Promised\n12");
        browser.awaitText("#link", "Live");
    }

    /** A browser has six connections to a server, and pages that the user has left must not hold them. */
    @Test
    void theBoardCanBeVisitedManyTimes() {
        for (int visit = 0; visit < 10; visit++) {
            browser().open("/").awaitText("#link", "Live");
        }
    }

    @Test
    void aGangHasAPageThatCanBeLinked() {
        cluster.runs(true);
        feed.changed();
        Chromium browser = browser().open(GANG);

        browser.awaitText(".side", "Alternatives");
        assertThat(browser.text(".side h1")).isEqualTo("clip-eval");
        assertThat(browser.text(".side"))
                .contains("Promised", "of 150.00", "Why this one", "It is the gang's best alternative", "this one")
                .contains("What would make it start earlier", "The criterion start", "gpu-")
                .contains("What happened", "06:00:00", "Seen", "06:00:02", "Promised")
                .contains("3 pods", "slotwise why -n team-vision clip-eval");
        assertThat(browser.title()).startsWith("team-vision/clip-eval");
    }

    @Test
    void aGangThatHasNotItsBestAlternativeIsToldWhy() {
        Chromium browser = browser().open("/#/gangs/team-language/moe-ablation");

        browser.awaitText(".side", "The policy's objective (min-cost) prefers it");
    }

    @Test
    void aGangThatWaitsIsToldWhatWouldMakeItStart() {
        for (int width : WIDTHS) {
            Chromium browser = browser().size(width, HIGH, 1).open("/#/gangs/team-language/long-context");

            browser.awaitText(".side", "What would make it start");
            assertThat(browser.text(".side"))
                    .contains("A budget of 131.08", "1 pod", "A runtime of 1h4m51s")
                    .containsPattern("A budget of 74\\.00 starts it at [A-Za-z0-9 :,]+ \\([^)]+\\), for 74\\.00\\.");
            assertThat(browser.elements(".advice .copy")).isNotEmpty();
            assertThat(browser.script("return document.querySelector('.advice .copy').title"))
                    .isEqualTo("slotwise.io/budget: \"74\"");
            assertThat(browser.number("return document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(width);
        }
    }

    @Test
    void theChartIsNotSeenBeforeSomethingIsDrawn() {
        Chromium browser = browser().open("/");
        browser.awaitText("#link", "Live");
        String visibility = "return getComputedStyle(document.getElementById('canvas')).visibility";

        assertThat(browser.script(visibility)).isEqualTo("visible");
        assertThat(browser.script("delete document.getElementById('canvas').dataset.drawn; " + visibility))
                .isEqualTo("hidden");
    }

    @Test
    void aGangWithoutAnswersStillShowsWhatTheBoardKnows() {
        cluster.answers(false);

        Chromium browser = browser().open("/#/gangs/team-vision/foundation-xl");

        browser.awaitText(".failed", "This Slotwise does not provide");
        assertThat(browser.text(".side")).contains("too large for the cluster: 24 pods");
        assertThat(browser.complaints()).allMatch(line -> line.contains("404"));
    }

    @Test
    void aGangThatIsNotThereIsSaidToBe() {
        Chromium browser = browser().open("/#/gangs/nobody/nothing");

        browser.awaitText(".side", "No gang nobody/nothing is known.");
    }

    @Test
    void aClickOnABarOpensItsGang() {
        Chromium browser = browser().open("/");
        browser.awaitText("#link", "Live");

        browser.click("#scroll", 420, 52);

        browser.await(() -> browser.place().startsWith("/gangs/team-genomics/assembly"));
        browser.awaitText(".side h1", "assembly");
    }

    @Test
    void aQuoteIsAMenuOfStartsAndCosts() {
        Chromium browser = browser().open("/#/quote");

        browser.fill("#quote-size", "6");
        browser.fill("#quote-cpu", "32");
        browser.fill("#quote-memory", "32Gi");
        browser.fill("#quote-runtime", "2h50m");
        browser.fill("#quote-budget", "9.5");
        browser.element(".quote > button").click();

        browser.awaitText(".result", "The first within the budget starts at");
        assertThat(browser.elements(".result tbody tr").size()).isGreaterThan(1);
        assertThat(browser.text(".result")).contains("over budget");
        assertThat(browser.elements("svg.pareto circle")).hasSameSizeAs(browser.elements(".result tbody tr"));
        assertThat(browser.place()).contains("size=6").contains("budget=9.5");
    }

    @Test
    void theAddressNamesWhatIsSearchedForListedGroupedAndSeen() {
        Chromium browser = browser().open("/");
        browser.awaitText("#link", "Live");
        browser.element(".tabs button:nth-child(3)").click();
        browser.element("#group").sendKeys("domain");
        browser.element("#zoom-in").click();
        browser.drag("#scroll", 900, 470, -200);
        browser.fill("#search", "team-vision");
        String span = browser.text("#span");
        browser.await(() -> browser.place().contains("q=team-vision"));
        String place = browser.place();

        browser.open("/#/quote").awaitText("#link", "Live");
        browser.open("/").awaitText("#link", "Live");
        browser.open("/#" + place).awaitText("#link", "Live");

        assertThat(place).contains("show=promised", "group=domain", "span=", "from=2030-");
        browser.awaitText("#span", span);
        assertThat(browser.attribute(".tabs button:nth-child(3)", "aria-pressed"))
                .isEqualTo("true");
        assertThat(browser.script("return document.getElementById('group').value"))
                .isEqualTo("domain");
        assertThat(browser.text(".gangs")).contains("clip-eval").doesNotContain("reanalysis");
    }

    @Test
    void theViewStaysFromPageToPageAndComesBack() {
        Chromium browser = browser().open("/");
        browser.awaitText("#link", "Live");
        browser.fill("#search", "clip");
        browser.await(() -> browser.place().equals("/?q=clip"));

        browser.element(".gangs a").click();
        browser.awaitText(".side h1", "clip-eval");

        browser.await(() -> browser.place().startsWith("/gangs/team-vision/clip-eval?q=clip"));
        browser.script("history.back()");
        browser.await(() -> browser.place().equals("/?q=clip"));
    }

    @Test
    void aClickOnANodeOpensItsPage() {
        Chromium browser = browser().open("/");
        browser.awaitText("#link", "Live");

        browser.click("#scroll", 40, 56);

        browser.awaitText(".side h1", "cpu-a-1");
        assertThat(browser.place()).isEqualTo("/nodes/cpu-a-1");
        assertThat(browser.text(".side"))
                .contains("m6i.16xlarge", "In use now", "of 64", "kubectl describe node cpu-a-1")
                .contains("Running and promised there");
        browser.open("/#/nodes/nothing").awaitText(".side", "There is no node nothing.");
    }

    @Test
    void advanceReservationsAreListedAndWritten() {
        Chromium browser = browser().open("/#/reservations");
        browser.await(() -> written(browser, ".side .gangs").contains("conference-demo"));

        browser.fill("#reserve-name", "demo");
        browser.fill("#reserve-runtime", "2h");
        browser.fill("#reserve-start", "2030-01-20T08:00:00Z");
        browser.element(".quote > button").click();

        browser.awaitText(".manifest", "kind: \"Reservation\"");
        assertThat(browser.text(".manifest")).contains("end: \"2030-01-20T10:00:00Z\"");
        assertThat(browser.text(".commands"))
                .contains("slotwise reserve demo --namespace default --size 4 --runtime 2h --cpu 4");
        browser.assertAccessible();
    }

    @Test
    void aReservationThatCannotBeReadMarksItsField() {
        Chromium browser = browser().open("/#/reservations");

        browser.fill("#reserve-name", "demo");
        browser.fill("#reserve-runtime", "long");
        browser.element(".quote > button").click();

        browser.awaitText(".result", "runtime");
        assertThat(browser.attribute("#reserve-name", "aria-invalid")).isEqualTo("false");
        assertThat(browser.complaints()).allMatch(line -> line.contains("400"));
    }

    @Test
    void aQuoteKnowsWhatTheCommandKnows() {
        Chromium browser =
                browser().open("/#/quote?size=2&cpu=4&runtime=1h&criterion=cost&deadline=2030-01-15T18:00:00Z");

        browser.awaitText(".result", "starts");
        assertThat(browser.script("return document.querySelector('.more-fields').open"))
                .isEqualTo(true);
        browser.fill("#quote-deadline", "soon");
        browser.element(".quote > button").click();
        browser.awaitText(".result", "`deadline` (soon) is not valid");
        assertThat(browser.attribute("#quote-deadline", "aria-invalid")).isEqualTo("true");
        assertThat(browser.complaints()).allMatch(line -> line.contains("400"));
    }

    @Test
    void theFrontierShowsThePlanBehindEachPoint() {
        Chromium browser = browser().open("/");
        browser.awaitText("#link", "Live");
        browser.element("#nav-frontier").click();
        browser.awaitText(".side h1", "Frontier");
        assertThat(browser.elements(".result table")).isEmpty();

        browser.element("#frontier-promises").sendKeys("open");
        browser.element(".quote > button").sendKeys(Keys.ENTER);

        browser.awaitText(".side [role=status]", "plans for");
        assertThat(browser.elements("svg.points circle")).hasSameSizeAs(browser.elements(".result tbody tr"));
        assertThat(browser.place()).contains("promises=open");
        browser.element(".result tbody tr:nth-child(2) button").sendKeys(Keys.SPACE);
        browser.awaitText(".result h2", "Plan 2");
        assertThat(browser.attribute(".result tbody tr:nth-child(2) button", "aria-pressed"))
                .isEqualTo("true");
        assertThat(browser.text(".side [role=status]")).startsWith("Plan 2 of ");
        assertThat(browser.elements(".result section tbody tr")).isNotEmpty();
        for (String colours : List.of("dark", "light")) {
            for (int width : WIDTHS) {
                assertSound(browser.colours(colours).size(width, HIGH, 1), width);
            }
        }
        browser.fill("#frontier-plans", "1");
        browser.element(".quote > button").click();
        browser.awaitText(".quote", "Expected a number from 2 to 50.");
    }

    @Test
    void aQuoteThatCannotBeAskedForSaysWhatIsExpected() {
        Chromium browser = browser().open("/#/quote");

        browser.element("#quote-size").clear();
        browser.element(".quote > button").click();

        browser.awaitText(".quote", "Required.");
        assertThat(browser.attribute("#quote-size", "aria-invalid")).isEqualTo("true");
    }

    @Test
    void theFieldThatARefusedQuoteIsAboutIsMarked() {
        Chromium browser = browser().open("/#/quote");

        browser.fill("#quote-size", "2");
        browser.fill("#quote-budget", "much");
        browser.element(".quote > button").click();

        browser.awaitText(".result", "`budget` (much) is not valid");
        assertThat(browser.attribute("#quote-budget", "aria-invalid")).isEqualTo("true");
        assertThat(browser.attribute("#quote-size", "aria-invalid")).isEqualTo("false");
        assertThat(browser.complaints()).allMatch(line -> line.contains("400"));
    }

    @Test
    void theViewZoomsAndPansByButtonsWheelKeysAndMouse() {
        Chromium browser = browser().open("/");
        List<String> views = new ArrayList<>(List.of(browser.text("#span")));
        List<Runnable> actions = List.of(
                () -> browser.element("#zoom-in").click(),
                () -> browser.wheel("#scroll", 800, 300, -120, true),
                () -> browser.wheel("#scroll", 800, 10, -120, false),
                () -> browser.drag("#scroll", 900, 470, -200),
                () -> {
                    browser.script("document.getElementById('scroll').focus()");
                    browser.press("+");
                },
                () -> browser.pressWithShift(Keys.ARROW_RIGHT),
                () -> browser.element("#zoom-out").click());
        for (Runnable action : actions) {
            String before = views.getLast();
            action.run();
            browser.await(() -> !browser.text("#span").equals(before));
            views.add(browser.text("#span"));
        }

        assertThat(browser.attribute("#follow", "aria-pressed")).isEqualTo("false");
        browser.element("#usual").click();
        browser.awaitText("#span", views.getFirst());
        assertThat(browser.attribute("#follow", "aria-pressed")).isEqualTo("true");
    }

    @Test
    void theSearchLeavesWhatMatches() {
        Chromium browser = browser().open("/");

        browser.press("/");
        browser.press("spot-b");

        browser.await(() -> browser.number("return document.getElementById('spacer').offsetHeight") == 0);
        assertThat(browser.text(".gangs")).contains("downscaling").doesNotContain("llama-finetune");
        browser.press(Keys.ESCAPE);
        browser.await(() -> browser.elements(".gangs > li").size() == 27);
    }

    @Test
    void nodesAreGroupedByTheirDomain() {
        Chromium browser = browser().open("/");
        long before = browser.number("return document.getElementById('spacer').offsetHeight");

        browser.element("#group").sendKeys("domain");

        browser.await(() -> browser.number("return document.getElementById('spacer').offsetHeight") > before);
    }

    /** Asserts how much is drawn, which holds on any machine. The time is printed. */
    @Test
    void twoThousandNodesWithTenThousandBarsStaySmooth() {
        cluster.show(ManyBars.input(2000, 5));
        feed.changed();
        Chromium browser = browser().open("/");
        browser.awaitText("#link", "Live");
        long loaded = browser.number("return Math.round(performance.now())");
        long drawnAfter = browser.number("return Math.round(performance.getEntriesByType('resource').find(e => "
                + "e.name.endsWith('/api/v1/board')).responseEnd)");
        long bytes = browser.number("return performance.getEntriesByType('resource').find(e => "
                + "e.name.endsWith('/api/v1/board')).transferSize");

        Map<?, ?> frames = (Map<?, ?>) browser.scriptThatTakesTime(FRAMES);

        LOG.infof(
                "2000 nodes, 10000 bars: document of %d KiB there after %d ms, live within %d ms; %s "
                        + "frames while scrolling and zooming: median %s ms, p95 %s ms, longest %s ms; drawing "
                        + "itself: median %s ms, longest %s ms; longest task %s ms; most bars in a frame %s",
                bytes / 1024,
                drawnAfter,
                loaded,
                frames.get("count"),
                frames.get("median"),
                frames.get("p95"),
                frames.get("longest"),
                frames.get("drawMedian"),
                frames.get("drawLongest"),
                frames.get("task"),
                frames.get("drawn"));
        assertThat(((Number) require(frames, "drawn")).intValue()).isBetween(20, 400);
        assertThat(((Number) require(frames, "drawLongest")).doubleValue()).isLessThan(500);
        assertThat(((Number) require(frames, "task")).doubleValue()).isLessThan(2000);
        assertThat(browser.elements(".gangs > li")).hasSize(100);
    }

    private static Object require(Map<?, ?> frames, String key) {
        Object value = frames.get(key);
        assertThat(value).as(key).isNotNull();
        return value == null ? 0 : value;
    }

    /** Scrolls, zooms and pans for 240 frames. */
    private static final String FRAMES = """
            const done = arguments[arguments.length - 1];
            const scroll = document.getElementById('scroll');
            const chart = document.getElementById('chart');
            const box = scroll.getBoundingClientRect();
            const gaps = [], draws = [], drawn = [];
            let task = 0, last = performance.now(), frame = 0;
            new PerformanceObserver(list => list.getEntries().forEach(entry => (task = Math.max(task, entry.duration))))
              .observe({ type: 'longtask' });
            const wheel = options => scroll.dispatchEvent(new WheelEvent('wheel', { clientX: box.left + 700, clientY: box.top + 200,
              bubbles: true, cancelable: true, ...options }));
            const step = now => {
              gaps.push(now - last);
              last = now;
              draws.push(Number(chart.dataset.frame));
              drawn.push(Number(chart.dataset.drawn));
              frame++;
              if (frame < 100) scroll.scrollTop += 400;
              else if (frame < 140) wheel({ ctrlKey: true, deltaY: 40 });
              else if (frame < 180) wheel({ ctrlKey: true, deltaY: -60 });
              else wheel({ shiftKey: true, deltaX: 60 });
              if (frame < 240) return requestAnimationFrame(step);
              const sorted = list => [...list].sort((a, b) => a - b);
              const at = (list, part) => Math.round(sorted(list)[Math.floor((list.length - 1) * part)] * 10) / 10;
              setTimeout(() => done({ count: frame, median: at(gaps, 0.5), p95: at(gaps, 0.95), longest: at(gaps, 1),
                drawMedian: at(draws, 0.5), drawLongest: at(draws, 1), drawn: Math.max(...drawn), task: Math.round(task) }), 100);
            };
            requestAnimationFrame(step);
            """;

    @Test
    void darkColoursFollowTheSystemAndTheSwitch() {
        cluster.runs(true);
        feed.changed();
        Chromium browser = browser().colours("dark").open("/");
        assertThat(brightness(browser)).isLessThan(60);
        assertThat(canvasBrightness(browser)).isLessThan(60);

        browser.element("#theme").click();

        assertThat(browser.text("#theme")).isEqualTo("Light");
        assertThat(brightness(browser)).isGreaterThan(200);
        browser.await(() -> canvasBrightness(browser) > 200);
        browser.element("#theme").click();
        assertThat(browser.text("#theme")).isEqualTo("Dark");
        browser.element("#theme").click();
        assertThat(browser.text("#theme")).isEqualTo("Auto");
    }

    private static long brightness(Chromium browser) {
        return browser.number("return Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])");
    }

    private static long canvasBrightness(Chromium browser) {
        return browser.number("""
                const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
                pixel.drawImage(document.getElementById('canvas'), 3, 3, 1, 1, 0, 0, 1, 1);
                return pixel.getImageData(0, 0, 1, 1).data[0];
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", GANG, QUOTE})
    void aPhoneNeedsNoSidewaysScrolling(String page) {
        cluster.runs(true);
        feed.changed();
        Chromium browser = browser().size(PHONE, 844, 1.5).open(page);
        browser.awaitText("#link", "Live");

        assertThat(browser.number("return document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(PHONE);
        assertThat(browser.number("return document.getElementById('side').getBoundingClientRect().bottom"))
                .isLessThanOrEqualTo(browser.number(
                        "return Math.ceil(document.getElementById('chart').getBoundingClientRect().top)"));
    }

    @Test
    void promisesAreOneFigureNextToTheirMovesAtEveryWidth() {
        for (int width : WIDTHS) {
            Chromium browser = browser().size(width, HIGH, 1).open("/");

            browser.awaitText("#figures .promises", "29 of 30");
            assertThat(browser.text("#figures .promises"))
                    .contains("Started by what was promised", "1 moved: 1 node-lost");
            assertThat(browser.text("#figures")).doesNotContain("kept", "broken");
            // Narrow screens have no room for notes.
            assertThat(browser.text("#figures").contains("windows until ")).isEqualTo(width == WIDE);
        }
    }

    @Test
    void theLatestStartThatIsPromisedStandsInTheListAtEveryWidth() {
        long start = window(ExampleDay.SLACK).start();
        String by = Instant.ofEpochSecond(start + ExampleDay.SLACK_SECONDS).toString();
        for (int width : WIDTHS) {
            Chromium browser = browser().size(width, HIGH, 1).open("/");
            browser.awaitText("#link", "Live");
            browser.fill("#search", "clip-eval");
            browser.await(() -> browser.elements(".gangs > li").size() == 1);

            assertThat(browser.text(".gangs"))
                    .containsPattern("starts in .*, promised by " + by.substring(11, 16) + " ")
                    .doesNotContain("at the latest");
            assertThat(browser.number("return document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(width);
        }
    }

    @Test
    void costAndBudgetOfAGangHaveOnePrecision() {
        Chromium browser = browser().open("/");
        browser.awaitText("#link", "Live");

        assertThat(browser.text(".gangs"))
                .contains(
                        window(new GangId("team-weather", "postprocess")).cost().shown() + " of 4.000001",
                        " of 150.00");
    }

    private static Window window(GangId gang) {
        return new ExampleDay()
                .plan().windows().stream()
                        .filter(planned -> planned.gang().id().equals(gang))
                        .findFirst()
                        .orElseThrow()
                        .window();
    }

    @Test
    void aNoteThatIsCutIsReadWholeUnderThePointer() {
        Chromium browser = browser().open("/");
        browser.awaitText("#figures .word", "Objective");
        browser.script("document.styleSheets[0].insertRule('#figures .word .note { display: block !important;"
                + " max-width: 40px !important; overflow: hidden !important; text-overflow: ellipsis !important;"
                + " white-space: nowrap !important; }')");

        // The board may redraw the note under the pointer.
        browser.await(() -> {
            browser.point("#figures .waiting .note");
            browser.point("#figures .word .note");
            return !browser.attribute("#figures .word .note", "title").isEmpty();
        });
        assertThat(browser.attribute("#figures .word .note", "title")).isEqualTo(browser.text("#figures .word .note"));
        browser.point("#figures .waiting .note");
        assertThat(browser.attribute("#figures .waiting .note", "title")).isEmpty();
    }

    @Test
    void aTabletShowsTheChartFirst() {
        Chromium browser = browser().size(768, 1024, 1).open("/");
        browser.awaitText("#link", "Live");

        assertThat(browser.number("return document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(768);
        assertThat(browser.number("return document.getElementById('side').getBoundingClientRect().top"))
                .isGreaterThanOrEqualTo(browser.number(
                        "return Math.floor(document.getElementById('chart').getBoundingClientRect().bottom)"));
    }

    @Test
    void namesKeepTheirEndWhereThereIsLittleRoom() {
        Chromium browser = browser().size(PHONE, 844, 1).open("/");
        browser.awaitText("#link", "Live");

        assertThat(browser.number("return Math.max(...[...document.querySelectorAll('.gangs .tail')]"
                        + ".map(tail => tail.scrollWidth - tail.clientWidth))"))
                .isLessThanOrEqualTo(0);
        assertThat(written(browser, ".gangs")).contains("variant-call-a");
    }

    @Test
    void theNotesOfAPlanAreBelowTheListAtEveryWidth() {
        BoardInput day = new ExampleDay().at(ExampleDay.LOOK);
        String note = "queue.order: fair counts processor time, a pod of any size alike, because no node has a price";
        cluster.show(new BoardInput(
                day.now(), day.policy(), day.snapshot(), day.records(), new BoardInput.Planner(true, List.of(note))));
        feed.changed();
        for (int width : WIDTHS) {
            Chromium browser = browser().size(width, HIGH, 1).open("/");

            browser.awaitText(".notes", note);
            assertThat(browser.number("return document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(width);
        }
    }

    @Test
    void theCurrencyIsShownNextToMoney() {
        cluster.show(new ExampleDay().at(ExampleDay.LOOK).in(new Currency("EUR")));
        feed.changed();

        Chromium browser = browser().open("/");

        browser.awaitText("#figures", "EUR");
        assertThat(browser.text(".gangs").replace('\u00a0', ' ')).contains("of 150.00 EUR");
    }

    @Test
    void theKeyboardAloneIsEnough() {
        Chromium browser = browser().open("/");
        browser.press(Keys.TAB);
        assertThat(focused(browser)).isEqualTo("skip");
        browser.press(Keys.ENTER);
        assertThat(focused(browser)).isEqualTo("scroll");

        browser.press(Keys.ARROW_RIGHT);
        browser.press(Keys.ARROW_DOWN);
        browser.press(Keys.ARROW_RIGHT);

        browser.await(() -> spoken(browser).contains("State"));
        String before = spoken(browser);
        browser.press(Keys.ARROW_DOWN);
        browser.await(() -> !spoken(browser).equals(before));
        browser.press(Keys.ENTER);
        browser.await(() -> browser.place().startsWith("/gangs/"));
        browser.press(Keys.ESCAPE);
        browser.await(() -> browser.place().equals("/") || browser.place().startsWith("/?"));
        browser.press("?");
        assertThat(browser.text("dialog")).contains("the bar before, the bar after");
        browser.press(Keys.ESCAPE);
        assertThat(browser.elements("dialog[open]")).isEmpty();
    }

    @Test
    void aGangOfTheListIsReachedByTabAndOpenedByEnter() {
        Chromium browser = browser().open("/");
        String reached = "";
        for (int i = 0; i < 30 && !reached.startsWith("#/gangs/"); i++) {
            browser.press(Keys.TAB);
            reached = String.valueOf(browser.script("return document.activeElement.getAttribute('href')"));
        }

        browser.press(Keys.ENTER);

        browser.awaitText(".side h1", "long-context");
    }

    /** The whole text of an element, including parts cut off for lack of room. */
    private static String written(Chromium browser, String selector) {
        return String.valueOf(browser.script("return document.querySelector('%s').textContent".formatted(selector)));
    }

    private static String focused(Chromium browser) {
        return String.valueOf(browser.script("return document.activeElement.id"));
    }

    private static String spoken(Chromium browser) {
        return String.valueOf(browser.script("return document.getElementById('announcer').textContent"));
    }

    @Test
    void theBarsInSightAreToldInWords() {
        Chromium browser = browser().open("/");

        browser.element("#words summary").click();

        browser.awaitText("#words table", "tokenizer");
        assertThat(browser.text("#words table")).contains("running", "gpu-a-5", "06:00 – 10:21:30");
    }

    @ParameterizedTest
    @CsvSource({"light, 390", "light, 768", "light, 1440", "dark, 390", "dark, 768", "dark, 1440"})
    void axeFindsNoViolationAndNothingIsWiderThanTheScreen(String colours, int width) {
        cluster.runs(true);
        feed.changed();
        Chromium browser = browser()
                .colours(colours)
                .size(width, width == PHONE ? 844 : 1024, 1)
                .open("/");
        browser.element("#words summary").click();
        browser.awaitText("#words table", "tokenizer");
        assertSound(browser, width);

        browser.open(GANG).awaitText(".side", "Alternatives");
        assertSound(browser, width);

        browser.open(QUOTE).awaitText(".result", "over budget");
        assertSound(browser, width);

        browser.open("/#/nodes/gpu-a-1").awaitText(".side", "In use now");
        assertSound(browser, width);

        browser.open("/#/reservations").await(() -> written(browser, ".side").contains("conference-demo"));
        assertSound(browser, width);

        browser.press("?");
        browser.awaitText("dialog", "the bar before, the bar after");
        assertSound(browser, width);
    }

    static void assertSound(Chromium browser, int width) {
        browser.assertAccessible();
        assertThat(browser.number("return document.documentElement.scrollWidth"))
                .as("%s at %d", browser.place(), width)
                .isLessThanOrEqualTo(width);
    }

    @Test
    void aLostConnectionIsSaidAndFoundAgain() {
        Chromium browser = browser().open("/");
        browser.awaitText("#link", "Live");

        browser.online(false);
        browser.script("window.dispatchEvent(new Event('offline'))");

        browser.awaitText("#link", "Not connected");
        browser.awaitText("#banner", "the board shows the data of that time");
        browser.assertAccessible();
        browser.online(true);
        browser.awaitText("#link", "Live");
        assertThat(browser.elements("#banner:not([hidden])")).isEmpty();
        assertThat(browser.complaints()).allMatch(line -> line.contains("ERR_INTERNET_DISCONNECTED"));
    }

    @Test
    void anEmptyClusterSaysThatItIsEmpty() {
        cluster.show(new BoardInput(
                ExampleDay.LOOK,
                Policy.EXACT,
                new Snapshot(ExampleDay.LOOK, new Cluster(List.of(), List.of()), List.of(), List.of()),
                List.of(),
                new BoardInput.Planner(true, List.of())));
        feed.changed();

        Chromium browser = browser().open("/");

        browser.awaitText("#state", "The cluster has no nodes yet.");
        assertThat(browser.text(".none")).startsWith("No gangs yet.");
    }
}
