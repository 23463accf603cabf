package io.slotwise.it.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.testing.ExampleDay;
import io.slotwise.testing.FakeReviews;
import io.slotwise.web.access.GuardedCluster;
import io.slotwise.web.board.BoardFeed;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** The page for signing in, and the board of a user who may see a part of the cluster. */
@QuarkusTest
@TestProfile(SignInIT.Guarded.class)
class SignInIT extends ExampleClusterPages {
    private static final String PAGE = "/sign-in.html";
    private static final int PHONE = 390;

    @Inject
    SignInIT(ExampleCluster cluster, BoardFeed feed) {
        super(cluster, feed);
    }

    /** The example cluster behind an API server that knows users. */
    public static final class Guarded implements QuarkusTestProfile {
        private final GuardedCluster guarded = new GuardedCluster();

        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return new ExampleCluster.Profile().getEnabledAlternatives();
        }

        @Override
        public Map<String, String> getConfigOverrides() {
            return guarded.getConfigOverrides();
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return guarded.testResources();
        }
    }

    @BeforeEach
    void beginAnew() {
        cluster.showDay(ExampleDay.LOOK);
        feed.changed();
        browser().size(1440, 900, 1).colours("light").forgetCookies().visit(PAGE);
        browser().complaints();
    }

    private void signIn(String token) {
        browser().visit(PAGE);
        browser().fill("#token", token);
        browser().press(Keys.ENTER);
    }

    @Test
    void aVisitorWithoutASessionIsLedToThePage() {
        browser().visit("/");

        browser().awaitText("h1", "Sign in");
        assertThat(browser().address()).endsWith(PAGE);
        assertThat(browser().complaints()).isEmpty();
    }

    @Test
    void theKeyboardAloneSignsInAndOut() {
        browser().await(() -> "token".equals(browser().script("return document.activeElement.id")));
        browser().press(FakeReviews.ALL);
        browser().press(Keys.ENTER);

        browser().awaitText("#link", "Live");
        assertThat(browser().text("#figures")).contains("Objective", "Income", "Started by what was promised");
        assertThat(browser().script("return document.cookie")).isEqualTo("");
        browser().await(() -> browser().element("#sign-out").isDisplayed());
        assertThat(browser().attribute("#sign-out", "title")).isEqualTo("Signed in as jane");
        assertThat(browser().complaints()).isEmpty();

        browser().script("document.getElementById('sign-out').focus()");
        browser().press(Keys.ENTER);

        browser().awaitText("h1", "Sign in");
        browser().visit("/");
        browser().awaitText("h1", "Sign in");
    }

    @Test
    void aReaderOfOneNamespaceSeesTheRestAsUsed() {
        signIn(FakeReviews.ONE);

        browser().awaitText("#link", "Live");
        browser().awaitText("#legend", "of a namespace that you cannot see");
        assertThat(browser().text("#figures")).contains("Waiting", "In use now").doesNotContain("Income", "Objective");
        assertThat(browser().text(".gangs")).contains("clip-eval").doesNotContain("long-context");
        browser().element("#fit").click();
        browser().element("#words summary").click();
        browser().awaitText("#words table", "taken");
        assertThat(browser().text("#words table"))
                .contains("of a namespace that you cannot see", "clip-eval")
                .doesNotContain("team-language", "tokenizer");
        browser().assertAccessible();
        browser().colours("dark");
        browser().assertAccessible();
        assertThat(browser().complaints()).isEmpty();
    }

    @Test
    void aReaderOfEverythingSeesNoLegendForHiddenGangs() {
        signIn(FakeReviews.ALL);

        browser().awaitText("#link", "Live");
        assertThat(browser().text("#legend")).doesNotContain("do not see");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "made-up|The token is not valid for this cluster",
                "token-of-nobody|Nobody may not list reservations.slotwise.io in any namespace",
                "token-of-silence|TokenReview or SubjectAccessReview failed"
            })
    void whyThereIsNoWayInIsSaid(String token, String words) {
        signIn(token);

        browser().awaitText("#problem", words);
        assertThat(browser().attribute("#token", "aria-invalid")).isEqualTo("true");
        assertThat(browser().script("return document.activeElement.id")).isEqualTo("token");
        assertThat(browser().address()).endsWith(PAGE);
        browser().assertAccessible();
    }

    @Test
    void anEmptyTokenIsNotSent() {
        browser().element("#submit").click();

        browser().awaitText("#problem", "A token is needed.");
        assertThat(browser().complaints()).isEmpty();
    }

    @Test
    void aSessionThatEndsLeadsBackToThePage() {
        signIn(FakeReviews.ALL);
        browser().awaitText("#link", "Live");

        browser().forgetCookies();
        browser().script("window.dispatchEvent(new Event('offline'))");

        browser().awaitText("h1", "Sign in");
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void axeFindsNoViolation(String colours) {
        browser().colours(colours).visit(PAGE);
        browser().assertAccessible();
        assertThat(browser().number("return Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
                        < 60)
                .isEqualTo(colours.equals("dark"));

        browser().size(PHONE, 844, 2).visit(PAGE);
        browser().assertAccessible();
        assertThat(browser().number("return document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(PHONE);
        assertThat(browser().complaints()).isEmpty();
    }
}
