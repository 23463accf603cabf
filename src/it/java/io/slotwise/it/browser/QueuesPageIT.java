package io.slotwise.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.testing.ExampleDay;
import io.slotwise.testing.ExampleQueues;
import io.slotwise.web.board.BoardFeed;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.WebElement;

@QuarkusTest
@TestProfile(ExampleCluster.Profile.class)
class QueuesPageIT extends ExampleClusterPages {
    private static final String VISION = ".queue:has(a[href='#/gangs/team-vision/foundation-xl'])";

    private final ExampleDay queued = new ExampleDay(ExampleQueues.queues());

    @Inject
    QueuesPageIT(ExampleCluster cluster, BoardFeed feed) {
        super(cluster, feed);
    }

    @BeforeEach
    void beginAnew() {
        cluster.answers(true);
        cluster.showDay(queued, ExampleDay.LOOK);
        feed.changed();
        browser().size(1440, 900, 1).colours("light");
    }

    @AfterEach
    void findNoComplaint() {
        assertThat(browser().complaints()).isEmpty();
    }

    private List<String> gangs() {
        return browser().elements(".gangs > li").stream()
                .map(WebElement::getText)
                .toList();
    }

    @Test
    void theTreeShowsUseOverTimeAndGangsThatWait() {
        Chromium browser = browser().open("/");
        browser.awaitText("#link", "Live");
        browser.element("#nav-queues").click();

        browser.awaitText(".side h1", "Queues");
        browser.awaitText(VISION, "Below research");
        assertThat(browser.elements(".queue h2"))
                .extracting(WebElement::getText)
                .containsExactly("root", "default", "research", "language", "vision", "weather");
        assertThat(browser.text(".queues")).startsWith("root\n3 waiting");
        assertThat(browser.text(VISION))
                .contains("1 waiting", "team-vision/foundation-xl waits", "GPU", "used, 24 guaranteed, limit 80");
        String picture = VISION + " svg[aria-label^='GPU of vision until Wed 16 Jan, 03:40: ']";
        for (String path : List.of("use", "steps", "limit")) {
            assertThat(browser.attribute(picture + " path." + path, "d")).startsWith("M");
        }
        browser.picture("board-queues", false, QueuesPageIT.class);
        browser.element(VISION + " li a").click();
        browser.awaitText(".side h1", "foundation-xl");
        browser.awaitText(".side .facts", "vision");
    }

    @ParameterizedTest
    @CsvSource({"light, 390", "light, 768", "light, 1440", "dark, 390", "dark, 768", "dark, 1440"})
    void axeFindsNoViolationAndNothingIsWiderThanTheScreen(String colours, int width) {
        Chromium browser = browser().colours(colours).size(width, 900, 1).open("/#/queues");

        browser.awaitText(VISION, "GPU");
        BoardIT.assertSound(browser, width);

        browser.open("/?").awaitText(".of-queue", "Queue");
        BoardIT.assertSound(browser, width);
    }

    @Test
    void theListOfGangsIsFilteredByQueue() {
        Chromium browser = browser().open("/#/queues");
        browser.awaitText(VISION, "gangs");

        browser.element(VISION + " .titled a").click();

        browser.await(() -> browser.place().equals("/?show-queue=vision"));
        assertThat(gangs()).isNotEmpty().allMatch(gang -> gang.contains("queue vision"));
        browser.element(".of-queue select").sendKeys("weather");
        browser.await(() -> gangs().stream().allMatch(gang -> gang.contains("queue weather")));
        browser.await(() -> browser.place().equals("/?show-queue=weather"));
        String place = browser.place();
        browser.open("/").awaitText("#link", "Live");
        assertThat(gangs()).anyMatch(gang -> gang.contains("queue vision"));
        browser.open("/#" + place).awaitText("#link", "Live");
        assertThat(gangs()).isNotEmpty().allMatch(gang -> gang.contains("queue weather"));
    }

    @Test
    void aClusterWithoutQueuesHasNoPageAndNoFilter() {
        cluster.showDay(ExampleDay.LOOK);
        feed.changed();
        Chromium browser = browser().open("/#/queues");

        browser.await(() -> browser.place().equals("/"));
        browser.awaitText(".side h1", "Gangs");
        assertThat(browser.element("#nav-queues").isDisplayed()).isFalse();
        assertThat(browser.element(".of-queue").isDisplayed()).isFalse();
    }
}
