package io.slotwise.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.testing.FakeIssuer;
import io.slotwise.testing.FakeReviews;
import io.slotwise.web.FakeCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Board and API for people with tokens of an OpenID Connect issuer. */
@QuarkusTest
@TestProfile(OidcSignInTest.WithIssuer.class)
class OidcSignInTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static @Nullable FakeIssuer running;

    @TestHTTPResource("/")
    private URI root = URI.create("http://127.0.0.1");

    /** A profile with an issuer next to the API server. */
    public static final class WithIssuer implements QuarkusTestProfile {
        private final GuardedCluster guarded = new GuardedCluster();

        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(FakeCluster.class);
        }

        @Override
        public Map<String, String> getConfigOverrides() {
            return guarded.getConfigOverrides();
        }

        @Override
        public List<TestResourceEntry> testResources() {
            List<TestResourceEntry> all = new ArrayList<>(guarded.testResources());
            all.add(new TestResourceEntry(Issuer.class));
            return all;
        }
    }

    /** The issuer. */
    public static final class Issuer implements QuarkusTestResourceLifecycleManager {
        private final FakeIssuer server = new FakeIssuer();

        @Override
        public Map<String, String> start() {
            return Map.of(
                    "slotwise.auth.oidc.issuer",
                    server.url(),
                    "slotwise.auth.oidc.audiences",
                    FakeIssuer.AUDIENCE,
                    "slotwise.auth.oidc.username-prefix",
                    "oidc:",
                    "slotwise.auth.oidc.groups-prefix",
                    "oidc:");
        }

        @Override
        public void inject(Object test) {
            running = server;
        }

        @Override
        public void stop() {
            server.close();
        }
    }

    private static FakeIssuer issuer() {
        return Objects.requireNonNull(running);
    }

    @AfterEach
    void isWellAgain() {
        issuer().away(false);
    }

    private HttpResponse<String> get(String path, String token) throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(root.resolve(path))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void aPersonOfTheIssuerSeesWhatTheirGroupsMay() throws Exception {
        String planner = issuer().token("ann", "planners");
        String member = issuer().token("bea", "vision");

        assertThat(get("/api/v1/session", planner).body()).contains("oidc:ann");
        assertThat(get("/api/v1/gangs", planner).statusCode()).isEqualTo(200);
        assertThat(get("/api/v1/gangs/team-vision/x", member).statusCode()).isEqualTo(404);
        HttpResponse<String> hidden = get("/api/v1/gangs/mine/x", member);
        assertThat(hidden.statusCode()).isEqualTo(403);
        assertThat(hidden.body()).contains("oidc:bea may not list reservations.slotwise.io in namespace mine");
    }

    @Test
    void aPersonWithoutPermissionsIsToldSo() throws Exception {
        HttpResponse<String> gangs = get("/api/v1/gangs", issuer().token("ben", "night"));

        assertThat(gangs.statusCode()).isEqualTo(403);
        assertThat(gangs.body()).contains("oidc:ben may not list reservations.slotwise.io in any namespace");
    }

    @Test
    void aTokenThatIsNotGoodIsRefusedWithTheReason() throws Exception {
        Instant past = Instant.now().minusSeconds(60);
        HttpResponse<String> expired =
                get("/api/v1/gangs", issuer().token(claims -> claims.expirationTime(Date.from(past))));
        HttpResponse<String> forged = get("/api/v1/gangs", issuer().forged(claims -> claims));

        assertThat(expired.statusCode()).isEqualTo(401);
        assertThat(expired.body())
                .containsIgnoringCase("the token of %s is rejected (Expired JWT)".formatted(issuer().url()));
        assertThat(forged.statusCode()).isEqualTo(401);
        assertThat(forged.body()).containsIgnoringCase("invalid signature");
    }

    @Test
    void tokensOfTheClusterCountAsBefore() throws Exception {
        assertThat(get("/api/v1/gangs/mine/x", FakeReviews.ONE).statusCode()).isEqualTo(404);
        HttpResponse<String> unknown = get("/api/v1/gangs", "made-up");

        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(unknown.body()).contains("or one of " + issuer().url());
    }

    @Test
    void aBrowserSignsInWithATokenOfTheIssuer() throws Exception {
        HttpResponse<String> signedIn = CLIENT.send(
                HttpRequest.newBuilder(root.resolve("/api/v1/session"))
                        .header("Content-Type", "application/json")
                        .header("Sec-Fetch-Site", "same-origin")
                        .POST(BodyPublishers.ofString(
                                "{\"token\": \"%s\"}".formatted(issuer().token("ann", "planners"))))
                        .build(),
                BodyHandlers.ofString());

        assertThat(signedIn.statusCode()).isEqualTo(200);
        assertThat(signedIn.body()).contains("oidc:ann");
        assertThat(signedIn.headers().firstValue("set-cookie").orElse("")).contains(SessionCookie.name(false));
    }

    @Test
    void whileTheIssuerIsAwayItsKnownKeysCountAndNoOthers() throws Exception {
        assertThat(get("/api/v1/gangs", issuer().token("ann", "planners")).statusCode())
                .isEqualTo(200);
        issuer().away(true);

        assertThat(get("/api/v1/gangs", issuer().token("eve", "planners")).statusCode())
                .isEqualTo(200);
        HttpResponse<String> unknown = get("/api/v1/gangs", issuer().forged(claims -> claims.subject("mallory")));
        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(unknown.body()).contains(issuer().url());
    }
}
