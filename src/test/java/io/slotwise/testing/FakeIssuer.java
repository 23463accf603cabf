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

/** An issuer of OpenID Connect on the loopback interface: it publishes its keys, and signs whatever a test claims. */
public final class FakeIssuer implements AutoCloseable {
    /** Whom its tokens are for. */
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

    /** One that speaks plain HTTP. */
    public FakeIssuer() {
        this(null);
    }

    /** One that speaks TLS by the keys of a context. */
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

    /** Its address. */
    public String url() {
        return "%s://127.0.0.1:%d".formatted(scheme, server.getAddress().getPort());
    }

    /** The paths that it was asked for. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    /** It answers nothing but errors from now on, or is well again. */
    public void away(boolean is) {
        mood = is ? Mood.AWAY : Mood.WELL;
    }

    /** It takes calls from now on and answers none. */
    public void silent() {
        mood = Mood.SILENT;
    }

    /** It says that it is another one. */
    public void says(String issuer) {
        says = issuer;
    }

    /** It says that its keys are elsewhere. */
    public void keysAt(String address) {
        keysAt = address;
    }

    /** It signs by another key from now on, and publishes that one alone. */
    public void rotate(String id) {
        key = newKey(id);
    }

    /** A good token of a user in groups. */
    public String token(String user, String... groups) {
        return token(claims -> claims.subject(user).claim("groups", List.of(groups)));
    }

    /** A token of somebody's, which is good for five minutes but for what is changed. */
    public String token(UnaryOperator<JWTClaimsSet.Builder> change) {
        return signed(key, JWSAlgorithm.RS256, change);
    }

    /** The same by a key that it does not have, under the name of its own. */
    public String forged(UnaryOperator<JWTClaimsSet.Builder> change) {
        return signed(newKey(key.getKeyID()), JWSAlgorithm.RS256, change);
    }

    /** The same by its public key, which everybody has, as a secret. */
    public String signedByThePublicKey(UnaryOperator<JWTClaimsSet.Builder> change) {
        return signed(key, JWSAlgorithm.HS256, change);
    }

    /** The same without a signature. */
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
