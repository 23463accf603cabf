package io.slotwise.web.access;

import io.slotwise.kubernetes.access.CallerReview;
import io.slotwise.live.cycle.Replica;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Authenticates callers as configured, and determines what they may see. */
@Singleton
final class Authenticator {
    private static final Logger LOG = Logger.getLogger(Authenticator.class);
    private static final String KEY = "slotwise.auth";
    private static final String METRICS = "slotwise.auth.metrics";
    private static final String SESSION_KEY = "slotwise.auth.session-key-file";
    private static final int MOST_WAITING = 1024;

    private final Instance<CallerReview> review;
    private final Replica replica;
    private final boolean guarded;
    private final boolean guardsMetrics;
    private final SessionCookie sessions;
    /** Limits all callers, including those who sign in. */
    private final Semaphore waiting = new Semaphore(MOST_WAITING);

    Authenticator(
            Instance<CallerReview> review,
            Replica replica,
            @ConfigProperty(name = KEY) String mode,
            @ConfigProperty(name = METRICS) String metrics,
            @ConfigProperty(name = SESSION_KEY) Optional<Path> sessionKey) {
        this.review = review;
        this.replica = replica;
        this.guarded = isKubernetes(KEY, mode);
        this.guardsMetrics = isKubernetes(METRICS, metrics);
        if (guarded) {
            // Fails at startup if the settings are wrong.
            var _ = review.get().audiences();
        }
        // Real time, even if the host's clock is simulated.
        this.sessions = new SessionCookie(
                sessionKey
                        .filter(Authenticator::isThere)
                        .map(Authenticator::read)
                        .orElseGet(SessionCookie::ownKey),
                InstantSource.system());
    }

    private static boolean isKubernetes(String key, String value) {
        return switch (value) {
            case "kubernetes" -> true;
            case "none" -> false;
            default ->
                throw new IllegalArgumentException(
                        "%s (%s) is unknown; expected kubernetes or none".formatted(key, value));
        };
    }

    /** An optional Secret is mounted as an empty folder. */
    private static boolean isThere(Path file) {
        boolean there = Files.exists(file);
        if (!there) {
            LOG.warnf(
                    "%s (%s) does not exist: a sign-in is valid on this replica only, and until it restarts",
                    SESSION_KEY, file);
        }
        return there;
    }

    private static byte[] read(Path file) {
        try {
            byte[] key = Base64.getDecoder().decode(Files.readString(file).strip());
            if (key.length == SessionCookie.KEY_BYTES) {
                return key;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("%s (%s) cannot be read: %s".formatted(SESSION_KEY, file, e), e);
        } catch (IllegalArgumentException e) {
            throw unusable(file, e);
        }
        throw unusable(file, null);
    }

    private static IllegalArgumentException unusable(Path file, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "%s (%s) has no key: expected %d bytes in Base64".formatted(SESSION_KEY, file, SessionCookie.KEY_BYTES),
                cause);
    }

    boolean guarded() {
        return guarded;
    }

    boolean guardsMetrics() {
        return guardsMetrics;
    }

    SessionCookie sessions() {
        return sessions;
    }

    /**
     * Returns the access of the owner of credentials. Waits for the API server.
     *
     * @throws AccessDenied if they are invalid, the API server does not answer, or too many callers wait for it
     */
    CallerAccess access(Credentials credentials) {
        if (!waiting.tryAcquire()) {
            throw AccessDenied.busy();
        }
        try {
            return CallerAccess.of(
                    review.get(),
                    credentials.token(),
                    credentials.cookie(),
                    new CallerAccess.Namespaces(replica.view()::namespacesWithGangs, replica.view()::namespaces));
        } finally {
            waiting.release();
        }
    }

    /** Returns whether a browser uses TLS, possibly to a proxy. */
    static boolean isSecure(HttpServerRequest request) {
        return request.isSSL() || "https".equalsIgnoreCase(request.getHeader("X-Forwarded-Proto"));
    }
}
