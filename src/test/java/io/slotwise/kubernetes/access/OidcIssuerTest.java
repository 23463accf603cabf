package io.slotwise.kubernetes.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import io.slotwise.kubernetes.access.OidcIssuer.Verdict;
import io.slotwise.kubernetes.publish.FailFastClient;
import io.slotwise.testing.Authority;
import io.slotwise.testing.FakeIssuer;
import io.slotwise.testing.FakeReviews;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OidcIssuerTest {
    private final FakeIssuer server = new FakeIssuer();
    private final Map<String, String> properties = new HashMap<>(Map.of(
            "slotwise.auth.oidc.issuer",
            server.url(),
            "slotwise.auth.oidc.audiences",
            "another, " + FakeIssuer.AUDIENCE,
            "slotwise.auth.oidc.username-prefix",
            "oidc:",
            "slotwise.auth.oidc.groups-prefix",
            "oidc:"));

    @AfterEach
    void stop() {
        server.close();
    }

    private @Nullable OidcSettings settings() {
        return OidcSettings.of(name -> Optional.ofNullable(properties.get(name)));
    }

    private OidcIssuer issuer() {
        return new OidcIssuer(Objects.requireNonNull(settings()), InstantSource.system());
    }

    private Caller good(String token) {
        assertThat(issuer().isNamedBy(token)).isTrue();
        assertThat(issuer().verify(token)).isInstanceOf(Verdict.Good.class);
        return ((Verdict.Good) issuer().verify(token)).caller();
    }

    private String bad(String token) {
        assertThat(issuer().verify(token)).isInstanceOf(Verdict.Bad.class);
        return ((Verdict.Bad) issuer().verify(token)).why();
    }

    private String bad(UnaryOperator<JWTClaimsSet.Builder> change) {
        return bad(server.token(change));
    }

    @Test
    void aTokenIsItsOwnersWithTheirGroupsAndPrefixes() {
        assertThat(good(server.token("ann", "vision", "night")))
                .isEqualTo(new Caller(
                        "oidc:ann", "", List.of("oidc:vision", "oidc:night", "system:authenticated"), Map.of()));
    }

    @Test
    void groupsMayBeOneNameOrNone() {
        assertThat(good(server.token(claims -> claims.claim("groups", "vision")))
                        .groups())
                .containsExactly("oidc:vision", "system:authenticated");
        assertThat(good(server.token(claims -> claims)).groups()).containsExactly("system:authenticated");
        assertThat(bad(claims -> claims.claim("groups", List.of("vision", 7)))).contains("`groups` is not a list");
        assertThat(bad(claims -> claims.claim("groups", Map.of("vision", true))))
                .contains("`groups` is not a list");
    }

    @Test
    void withoutAPrefixTheIssuerPrefixesTheNameAsInTheApiServer() {
        properties.remove("slotwise.auth.oidc.username-prefix");
        assertThat(good(server.token("ann")).name()).isEqualTo(server.url() + "#ann");

        properties.put("slotwise.auth.oidc.username-prefix", "-");
        assertThat(good(server.token("ann")).name()).isEqualTo("ann");
    }

    @Test
    void anAddressOfMailCountsOnceTheIssuerHasVerifiedIt() {
        properties.put("slotwise.auth.oidc.username-claim", "email");
        properties.remove("slotwise.auth.oidc.username-prefix");

        assertThat(good(server.token(claims -> claims.claim("email", "ann@example.org")))
                        .name())
                .isEqualTo("ann@example.org");
        assertThat(bad(claims -> claims.claim("email", "ann@example.org").claim("email_verified", false)))
                .isEqualTo("the issuer has not verified the address ann@example.org");
    }

    @Test
    void tokensOfOtherAudiencesTimesOrKeysAreRefused() {
        Instant now = Instant.now();

        assertThat(bad(claims -> claims.audience("vault"))).contains("aud");
        assertThat(bad(claims -> claims.audience((String) null))).contains("aud");
        assertThat(bad(claims -> claims.expirationTime(Date.from(now.minusSeconds(60)))))
                .containsIgnoringCase("expired");
        assertThat(bad(claims -> claims.expirationTime(null))).contains("exp");
        assertThat(bad(claims -> claims.notBeforeTime(Date.from(now.plusSeconds(600)))))
                .containsIgnoringCase("before");
        assertThat(bad(claims -> claims.issuer("https://elsewhere.example"))).contains("iss");
        assertThat(bad(server.forged(claims -> claims))).containsIgnoringCase("signature");
        assertThat(bad(server.signedByThePublicKey(claims -> claims))).isNotEmpty();
        assertThat(bad(claims -> claims.subject(null))).contains("sub");
        assertThat(bad(claims -> claims.subject(" "))).isEqualTo("its claim `sub` is missing or empty");
        assertThat(issuer().isNamedBy(server.unsigned(claims -> claims))).isFalse();
        assertThat(issuer().isNamedBy("made.up.token")).isFalse();
        assertThat(issuer().isNamedBy(FakeReviews.ONE)).isFalse();
    }

    @Test
    void noIssuerGivesAwayNamesOfKubernetesOwn() {
        properties.put("slotwise.auth.oidc.username-prefix", "-");
        properties.remove("slotwise.auth.oidc.groups-prefix");

        assertThat(bad(server.token("system:admin"))).contains("begins with system:");
        assertThat(bad(server.token("ann", "system:masters"))).contains("begins with system:");
    }

    @Test
    void aKeyThatIsNewIsReadOnceATokenNamesIt() {
        OidcIssuer issuer = issuer();
        assertThat(issuer.verify(server.token("ann"))).isInstanceOf(Verdict.Good.class);

        server.rotate("two");

        assertThat(issuer.verify(server.token("ann"))).isInstanceOf(Verdict.Good.class);
        assertThat(server.asked()).containsExactly("/.well-known/openid-configuration", "/keys", "/keys");
    }

    @Test
    void keysThatAreKnownCountWhileTheIssuerIsAway() {
        OidcIssuer issuer = issuer();
        assertThat(issuer.verify(server.token("ann"))).isInstanceOf(Verdict.Good.class);

        server.away(true);

        assertThat(issuer.verify(server.token("ben"))).isInstanceOf(Verdict.Good.class);
    }

    @Test
    void aTokenByAnUnknownKeyIsUndecidedWhileTheIssuerIsAway() {
        OidcIssuer issuer = issuer();
        assertThat(issuer.verify(server.token("ann"))).isInstanceOf(Verdict.Good.class);
        server.rotate("two");
        server.away(true);
        String token = server.token("ben");

        assertThatThrownBy(() -> issuer.verify(token)).isInstanceOf(ReviewFailed.class);
    }

    @Test
    void aTokenByAKeyThatTheIssuerDoesNotHaveIsRefused() {
        OidcIssuer issuer = issuer();
        String before = server.token("ben");
        server.rotate("two");
        assertThat(issuer.verify(server.token("ann"))).isInstanceOf(Verdict.Good.class);

        assertThat(issuer.verify(before))
                .isInstanceOfSatisfying(
                        Verdict.Bad.class, bad -> assertThat(bad.why()).contains("no matching key"));
    }

    @Test
    void anUnavailableIssuerIsReportedAndRetried() {
        OidcIssuer issuer = issuer();
        String token = server.token("ann");
        server.away(true);

        assertThatThrownBy(() -> issuer.verify(token))
                .isInstanceOf(ReviewFailed.class)
                .hasMessage("the issuer %s does not provide its signing keys; try again".formatted(server.url()));

        server.away(false);
        assertThat(issuer.verify(token)).isInstanceOf(Verdict.Good.class);
    }

    @Test
    void noCallerWaitsLongForASilentIssuer() {
        String token = server.token("ann");
        server.silent();
        long before = System.nanoTime();

        assertThatThrownBy(() -> issuer().verify(token)).isInstanceOf(ReviewFailed.class);

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(OidcIssuer.PATIENCE.plusSeconds(3));
    }

    @Test
    void anIssuerThatSaysItIsAnotherOneIsNotBelieved() {
        server.says("https://elsewhere.example");

        String token = server.token("ann");
        assertThatThrownBy(() -> issuer().verify(token)).isInstanceOf(ReviewFailed.class);
    }

    @Test
    void keysThatComeOverPlainHttpFromElsewhereAreNotRead() {
        server.keysAt("http://keys.example/keys");

        String token = server.token("ann");
        assertThatThrownBy(() -> issuer().verify(token)).isInstanceOf(ReviewFailed.class);
        assertThat(server.asked()).containsExactly("/.well-known/openid-configuration");
    }

    @Test
    void anIssuerWithAnAuthorityOfItsOwnIsBelievedByThatAlone(@TempDir Path folder) throws Exception {
        Authority authority = Authority.in(folder, "issuer");
        Authority.Holder holder = authority.issue("CN=issuer");
        Path file = folder.resolve("issuer-ca.crt");
        authority.write(Files.createDirectory(folder.resolve("server")), holder);
        Files.copy(folder.resolve("server/ca.crt"), file);
        try (FakeIssuer secure = new FakeIssuer(context(holder))) {
            properties.put("slotwise.auth.oidc.issuer", secure.url());
            String token = secure.token("ann");
            assertThatThrownBy(() -> issuer().verify(token)).isInstanceOf(ReviewFailed.class);

            properties.put("slotwise.auth.oidc.ca-file", file.toString());

            assertThat(good(token).name()).isEqualTo("oidc:ann");
            properties.put("slotwise.auth.oidc.ca-file", folder.resolve("none").toString());
            assertThatThrownBy(() -> issuer().verify(token)).isInstanceOf(ReviewFailed.class);
        }
    }

    private static SSLContext context(Authority.Holder holder) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore store = holder.store();
        keys.init(store, holder.password());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    @Test
    void rightsAreReviewedByTheApiServerForNameAndGroups() {
        AtomicLong nanos = new AtomicLong();
        try (FakeReviews reviews = new FakeReviews()) {
            CallerReview access = new CallerReview(
                    FailFastClient.of(reviews.url()), List.of(), settings(), nanos::get, InstantSource.system());
            Caller ann = Objects.requireNonNull(access.caller(server.token("ann", "vision")));

            assertThat(access.may(ann, AccessRight.readIn("team-vision"))).isTrue();
            assertThat(access.may(ann, AccessRight.readIn("mine"))).isFalse();
            assertThat(reviews.questions())
                    .containsExactly(
                            "oidc:ann list reservations slotwise.io team-vision",
                            "oidc:ann list reservations slotwise.io mine");
            assertThat(access.caller(FakeReviews.ONE))
                    .as("tokens of the cluster count as before")
                    .isNotNull();
        }
    }

    @Test
    void anAnswerHoldsNoLongerThanItsToken() {
        AtomicLong nanos = new AtomicLong();
        long[] ahead = {0};
        InstantSource clock = () -> Instant.now().plusSeconds(ahead[0]);
        try (FakeReviews reviews = new FakeReviews()) {
            CallerReview access =
                    new CallerReview(FailFastClient.of(reviews.url()), List.of(), settings(), nanos::get, clock);
            String token = server.token(
                    claims -> claims.expirationTime(Date.from(Instant.now().plusSeconds(10))));
            assertThat(access.caller(token)).isNotNull();
            assertThat(access.problem(token)).isEmpty();

            ahead[0] = 25;
            nanos.addAndGet(Duration.ofSeconds(25).toNanos());

            assertThat(access.caller(token)).isNull();
            assertThat(access.problem(token)).containsIgnoringCase("expired");
        }
    }

    @Test
    void withoutAnIssuerNothingIsSet() {
        properties.remove("slotwise.auth.oidc.issuer");
        assertThat(settings()).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            issuer         | http://issuer.example      | slotwise.auth.oidc.issuer (http://issuer.example) is not an issuer: expected an address https://HOST/PATH
            issuer         | https://issuer.example?a=b | slotwise.auth.oidc.issuer (https://issuer.example?a=b) is not an issuer
            issuer         | issuer.example             | slotwise.auth.oidc.issuer (issuer.example) is not an issuer
            issuer         | https://issuer .example    | slotwise.auth.oidc.issuer (https://issuer .example) is not an address
            audiences      | ''                         | slotwise.auth.oidc.audiences () names no audience for
            audiences      | a,,b                       | slotwise.auth.oidc.audiences (a,,b) names no audience for
            """)
    void unusableSettingsAreRefusedByName(String name, String value, String message) {
        properties.put("slotwise.auth.oidc." + name, value);

        assertThatThrownBy(this::settings)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
