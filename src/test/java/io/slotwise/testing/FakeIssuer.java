package io.slotwise.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** An OpenID Connect issuer on the loopback interface. It publishes its keys, and signs any claims of a test. */
public final class FakeIssuer implements AutoCloseable {
    public static final String AUDIENCE = "slotwise-board";

    private static final int BITS = 2048;

    private final HttpServer server;
    private final String scheme;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile RSAKey key = newKey("one");
    private volatile @Nullable String says;
    private volatile @Nullable String keysAt;
    private volatile Mood mood = Mood.WELL;

    private enum Mood {
        WELL,
        AWAY,
        SILENT
    }

    public FakeIssuer() {
        this(null);
    }

    /** Creates an issuer that speaks TLS with the keys of a context, or plain HTTP if the context is null. */
    public FakeIssuer(@Nullable SSLContext tls) {
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try {
            if (tls == null) {
                server = HttpServer.create(anywhere, 0);
            } else {
                HttpsServer secure = HttpsServer.create(anywhere, 0);
                secure.setHttpsConfigurator(new HttpsConfigurator(tls));
                server = secure;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        scheme = tls == null ? "http" : "https";
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    public String url() {
        return "%s://127.0.0.1:%d".formatted(scheme, server.getAddress().getPort());
    }

    public List<String> asked() {
        return List.copyOf(asked);
    }

    /** Sets whether all answers are errors from now on. */
    public void away(boolean is) {
        mood = is ? Mood.AWAY : Mood.WELL;
    }

    /** From now on accepts calls without an answer. */
    public void silent() {
        mood = Mood.SILENT;
    }

    /** Sets the issuer that the discovery document states. */
    public void says(String issuer) {
        says = issuer;
    }

    /** Sets the address of the keys in the discovery document. */
    public void keysAt(String address) {
        keysAt = address;
    }

    /** From now on signs with a new key, and publishes only that key. */
    public void rotate(String id) {
        key = newKey(id);
    }

    /** Returns a valid token of a user in groups. */
    public String token(String user, String... groups) {
        return token(claims -> claims.subject(user).claim("groups", List.of(groups)));
    }

    /** Returns a token that is valid for five minutes, with these changes. */
    public String token(UnaryOperator<JWTClaimsSet.Builder> change) {
        return signed(key, JWSAlgorithm.RS256, change);
    }

    /** Returns the same token, signed with an unpublished key under the published key's id. */
    public String forged(UnaryOperator<JWTClaimsSet.Builder> change) {
        return signed(newKey(key.getKeyID()), JWSAlgorithm.RS256, change);
    }

    /** Returns the same token, signed with HMAC with the public key as the secret. */
    public String signedByThePublicKey(UnaryOperator<JWTClaimsSet.Builder> change) {
        return signed(key, JWSAlgorithm.HS256, change);
    }

    /** Returns the same token without a signature. */
    public String unsigned(UnaryOperator<JWTClaimsSet.Builder> change) {
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        return encoder.encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + encoder.encodeToString(claims(change).toString().getBytes(StandardCharsets.UTF_8)) + ".";
    }

    private String signed(RSAKey by, JWSAlgorithm algorithm, UnaryOperator<JWTClaimsSet.Builder> change) {
        try {
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(algorithm).keyID(by.getKeyID()).build(), claims(change));
            JWSSigner signer = algorithm.equals(JWSAlgorithm.HS256)
                    ? new MACSigner(by.toRSAPublicKey().getEncoded())
                    : new RSASSASigner(by);
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private JWTClaimsSet claims(UnaryOperator<JWTClaimsSet.Builder> change) {
        Instant now = Instant.now();
        return change.apply(new JWTClaimsSet.Builder()
                        .issuer(url())
                        .audience(AUDIENCE)
                        .subject("ann")
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(now.plusSeconds(300))))
                .build();
    }

    private static RSAKey newKey(String id) {
        try {
            return new RSAKeyGenerator(BITS).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            String path = call.getRequestURI().getPath();
            asked.add(path);
            switch (mood) {
                case WELL -> tell(call, path);
                case AWAY -> call.sendResponseHeaders(503, -1);
                case SILENT -> closing.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(HttpExchange call, String path) throws IOException {
        String keys = keysAt == null ? url() + "/keys" : keysAt;
        String text = switch (path) {
            case "/.well-known/openid-configuration" ->
                "{\"issuer\": \"%s\", \"jwks_uri\": \"%s\"}".formatted(says == null ? url() : says, keys);
            case "/keys" -> new JWKSet(key).toPublicJWKSet().toString();
            default -> "";
        };
        byte[] answer = text.getBytes(StandardCharsets.UTF_8);
        call.getResponseHeaders().set("Content-Type", "application/json");
        call.sendResponseHeaders(text.isEmpty() ? 404 : 200, answer.length);
        call.getResponseBody().write(answer);
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
    }
}
