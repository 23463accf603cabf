package io.slotwise.kubernetes.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.ResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.slotwise.core.text.SafeText;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the tokens of one OpenID Connect issuer: the signature by the issuer's published keys, issuer, audience and
 * time. The result is a caller in the API server's terms, whose permissions are then asked of the API server.
 *
 * <p>The address of the keys is read once, from {@code /.well-known/openid-configuration}. The keys are read again
 * after {@link #KEYS_HOLD}, and when a token names an unknown one, but at most every {@link #KEYS_APART}. Known keys
 * stay valid for {@link #KEYS_OUTLIVE} while the issuer is unreachable; tokens by other keys cannot be verified then.
 * No caller waits longer than {@link #PATIENCE}. Only signatures by a private key are accepted, neither {@code none}
 * nor shared secrets.
 */
final class OidcIssuer {
    static final Duration PATIENCE = Duration.ofSeconds(5);

    static final Duration KEYS_HOLD = Duration.ofMinutes(5);
    static final Duration KEYS_OUTLIVE = Duration.ofHours(1);
    private static final Duration KEYS_APART = Duration.ofSeconds(10);

    /** Tolerated difference between clocks. */
    private static final int SKEW_SECONDS = 10;

    private static final Logger LOG = Logger.getLogger(OidcIssuer.class);
    private static final int CONNECT_MILLIS = 2000;
    private static final int READ_MILLIS = 3000;
    private static final int LONGEST_ANSWER = 1 << 20;
    private static final String DISCOVERY = "/.well-known/openid-configuration";
    /** The prefix of Kubernetes' own names, which no issuer may give. */
    private static final String RESERVED = "system:";
    /** The group of all users that the API server knows. */
    private static final String KNOWN = "system:authenticated";

    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private final OidcSettings settings;
    private final InstantSource clock;
    private final Executor threads = task -> Thread.ofVirtual().start(task);
    private final ResourceRetriever web = this::retrieve;
    private volatile @Nullable DefaultJWTProcessor<SecurityContext> processor;
    /** True if the issuer did not answer the last request. */
    private volatile boolean silent;

    sealed interface Verdict {
        record Good(Caller caller, Instant until) implements Verdict {}

        /** A rejected token; {@code why} ends a sentence. */
        record Bad(String why) implements Verdict {}
    }

    OidcIssuer(OidcSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
    }

    URI address() {
        return settings.issuer();
    }

    /** Returns whether a token names this issuer, which alone proves nothing. */
    boolean isNamedBy(String token) {
        try {
            return settings.issuer()
                    .toString()
                    .equals(SignedJWT.parse(token).getJWTClaimsSet().getIssuer());
        } catch (ParseException e) {
            return false;
        }
    }

    /**
     * @throws ReviewFailed if the issuer does not answer in time
     */
    Verdict verify(String token) {
        CompletableFuture<Verdict> verdict = CompletableFuture.supplyAsync(() -> verdict(token), threads);
        try {
            return verdict.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw away("no answer within %d s".formatted(PATIENCE.toSeconds()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReviewFailed("authentication was interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ReviewFailed failed) {
                throw failed;
            }
            throw new IllegalStateException("A token could not be verified.", e.getCause());
        }
    }

    private Verdict verdict(String token) {
        try {
            return callerOf(processor().process(token, null));
        } catch (BadJOSEException e) {
            return new Verdict.Bad(String.valueOf(e.getMessage()));
        } catch (ParseException e) {
            return new Verdict.Bad("it is not a signed token");
        } catch (JOSEException e) {
            throw away(String.valueOf(e.getMessage()));
        }
    }

    private ReviewFailed away(String why) {
        LOG.warnf("the issuer %s cannot be used, and requests with its tokens are rejected: %s", address(), why);
        return new ReviewFailed("the issuer %s does not provide its signing keys; try again".formatted(address()));
    }

    private Verdict callerOf(JWTClaimsSet claims) throws ParseException {
        String name = claims.getStringClaim(settings.userClaim().name());
        if (name == null || name.isBlank()) {
            return new Verdict.Bad("its claim `%s` is missing or empty"
                    .formatted(settings.userClaim().name()));
        }
        if (settings.namesByMail() && Boolean.FALSE.equals(claims.getBooleanClaim("email_verified"))) {
            return new Verdict.Bad("the issuer has not verified the address %s".formatted(name));
        }
        List<String> groups = groups(claims.getClaim(settings.groupsClaim().name()));
        if (groups == null) {
            return new Verdict.Bad("its claim `%s` is not a list of names"
                    .formatted(settings.groupsClaim().name()));
        }
        String user = settings.userClaim().prefix() + name;
        List<String> known = new ArrayList<>(groups.stream()
                .map(group -> settings.groupsClaim().prefix() + group)
                .toList());
        if (user.startsWith(RESERVED) || known.stream().anyMatch(group -> group.startsWith(RESERVED))) {
            return new Verdict.Bad(
                    "it names a user or group that begins with %s, which is reserved for Kubernetes; maybe set a prefix"
                            .formatted(RESERVED));
        }
        known.add(KNOWN);
        return new Verdict.Good(
                new Caller(user, "", known, Map.of()),
                claims.getExpirationTime().toInstant());
    }

    /** Reads one name or a list of names; null if the claim is something else. */
    private static @Nullable List<String> groups(@Nullable Object claim) {
        return switch (claim) {
            case null -> List.of();
            case String one -> List.of(one);
            case List<?> many
            when many.stream().allMatch(String.class::isInstance) ->
                many.stream().map(String.class::cast).toList();
            default -> null;
        };
    }

    /** Returns the verifier. The address of the keys is requested if it is unknown. */
    private DefaultJWTProcessor<SecurityContext> processor() {
        DefaultJWTProcessor<SecurityContext> known = processor;
        if (known == null) {
            known = processorOf(keys());
            processor = known;
        }
        return known;
    }

    private DefaultJWTProcessor<SecurityContext> processorOf(JWKSource<SecurityContext> keys) {
        DefaultJWTProcessor<SecurityContext> verifier = new DefaultJWTProcessor<>();
        JWSVerificationKeySelector<SecurityContext> selector = new JWSVerificationKeySelector<>(ALGORITHMS, keys);
        verifier.setJWSKeySelector((header, context) -> {
            List<? extends Key> found = selector.selectJWSKeys(header, context);
            if (found.isEmpty() && silent && ALGORITHMS.contains(header.getAlgorithm())) {
                throw new KeySourceException("none of its known keys is %s, and the keys cannot be reloaded"
                        .formatted(SafeText.value(String.valueOf(header.getKeyID()))));
            }
            return found;
        });
        DefaultJWTClaimsVerifier<SecurityContext> claims =
                new DefaultJWTClaimsVerifier<>(
                        new HashSet<>(settings.audiences()),
                        new JWTClaimsSet.Builder()
                                .issuer(settings.issuer().toString())
                                .build(),
                        Set.of("exp", settings.userClaim().name()),
                        Set.of()) {
                    @Override
                    protected Date currentTime() {
                        return Date.from(clock.instant());
                    }
                };
        claims.setMaxClockSkew(SKEW_SECONDS);
        verifier.setJWTClaimsSetVerifier(claims);
        return verifier;
    }

    private JWKSource<SecurityContext> keys() {
        String address = settings.issuer().toString();
        String base = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
        try {
            Map<String, Object> told = JSONObjectUtils.parse(
                    web.retrieveResource(URI.create(base + DISCOVERY).toURL()).getContent());
            String issuer = JSONObjectUtils.getString(told, "issuer");
            if (!address.equals(issuer)) {
                throw away("it states that its issuer is %s".formatted(issuer));
            }
            URI keys = JSONObjectUtils.getURI(told, "jwks_uri");
            if (keys == null || !isAsSafe(keys)) {
                throw away("its keys are at %s: expected an address of %s".formatted(keys, scheme(settings.issuer())));
            }
            return JWKSourceBuilder.<SecurityContext>create(keys.toURL(), web)
                    .cache(KEYS_HOLD.toMillis(), PATIENCE.toMillis())
                    .refreshAheadCache(false)
                    .rateLimited(KEYS_APART.toMillis())
                    .outageTolerant(KEYS_OUTLIVE.toMillis())
                    .build();
        } catch (ParseException | IOException | IllegalArgumentException e) {
            throw away(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns whether the keys' address is as safe as the issuer's. Keys over plain HTTP can be forged, except on the
     * same host.
     */
    private boolean isAsSafe(URI keys) {
        return scheme(keys).equals("https")
                || (scheme(keys).equals(scheme(settings.issuer()))
                        && Objects.equals(keys.getHost(), settings.issuer().getHost()));
    }

    private static String scheme(URI address) {
        return String.valueOf(address.getScheme());
    }

    /** Reads the certificates again for each request, so that a renewed authority is used at once. */
    private com.nimbusds.jose.util.Resource retrieve(URL address) throws IOException {
        Path authority = settings.authority();
        boolean answered = false;
        try {
            com.nimbusds.jose.util.Resource told = new DefaultResourceRetriever(
                            CONNECT_MILLIS,
                            READ_MILLIS,
                            LONGEST_ANSWER,
                            true,
                            authority == null ? null : trusting(authority))
                    .retrieveResource(address);
            answered = true;
            return told;
        } finally {
            silent = !answered;
        }
    }

    private static SSLSocketFactory trusting(Path authority) throws IOException {
        try (InputStream in = Files.newInputStream(authority)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca" + number++, certificate);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "slotwise.auth.oidc.ca-file (%s) has no certificates: %s".formatted(authority, e.getMessage()), e);
        }
    }
}
