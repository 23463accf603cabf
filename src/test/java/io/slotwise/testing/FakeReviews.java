package io.slotwise.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * An API server that knows four users by their tokens and answers only reviews. {@link #ALL} may read the gangs of all
 * namespaces. {@link #ONE} may read those of {@code mine} and {@code team-vision}, and create pods in {@code mine}.
 * {@link #SCRAPER} may read metrics, and {@link #NOBODY} nothing. The token {@link #SILENT} makes the server fail.
 */
public final class FakeReviews implements AutoCloseable {
    public static final String ALL = "token-of-jane";

    public static final String ONE = "token-of-erin";

    public static final String SCRAPER = "token-of-prometheus";

    public static final String NOBODY = "token-of-nobody";

    /** The token of {@code jane} for the audience {@code slotwise}. */
    public static final String FOR_SLOTWISE = "token-of-jane-for-slotwise";

    /** The token of {@code erin} for the audience {@code vault}. */
    public static final String FOR_VAULT = "token-of-erin-for-vault";

    /** A token of {@code erin} from an authenticator that ignores audiences. */
    public static final String CARELESS = "token-of-careless-erin";

    /** A token whose review gets no answer. */
    public static final String SILENT = "token-of-silence";

    /** A group of another issuer that may read the gangs of {@code team-vision}. */
    public static final String VISION = "oidc:vision";

    /** A group of another issuer that may read the gangs of all namespaces. */
    public static final String PLANNERS = "oidc:planners";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> USERS = Map.of(
            ALL,
            "jane",
            ONE,
            "erin",
            FOR_SLOTWISE,
            "jane",
            FOR_VAULT,
            "erin",
            CARELESS,
            "erin",
            SCRAPER,
            "prometheus",
            NOBODY,
            "nobody");
    /** The audiences of the tokens that are not for the API server itself. */
    private static final Map<String, String> AUDIENCES = Map.of(FOR_SLOTWISE, "slotwise", FOR_VAULT, "vault");

    private static final String OWN_AUDIENCE = "https://kubernetes.default.svc";
    private static final Map<String, Set<String>> RIGHTS = Map.of(
            "jane", Set.of("list reservations slotwise.io ", "create pods  mine", "get /metrics"),
            "erin",
                    Set.of(
                            "list reservations slotwise.io mine",
                            "list reservations slotwise.io team-vision",
                            "create pods  mine"),
            "prometheus", Set.of("get /metrics"));

    private final HttpServer server;
    private final List<String> questions = new CopyOnWriteArrayList<>();
    private volatile boolean fails;
    private volatile @Nullable CountDownLatch holding;

    public FakeReviews() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The reviews so far: {@code who TOKEN} or {@code USER VERB RESOURCE GROUP NAMESPACE}. */
    public List<String> questions() {
        return List.copyOf(questions);
    }

    /** Sets whether reviews fail from now on. */
    public void fails(boolean does) {
        fails = does;
    }

    /** Delays the answers about permissions until the latch is open. */
    public void holdRights(CountDownLatch until) {
        holding = until;
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            JsonNode review = JSON.readTree(call.getRequestBody());
            JsonNode spec = review.path("spec");
            ObjectNode status = JSON.createObjectNode();
            String path = call.getRequestURI().getPath();
            if (fails || spec.path("token").asText().equals(SILENT)) {
                call.sendResponseHeaders(500, -1);
                return;
            }
            if (path.equals("/apis/authentication.k8s.io/v1/tokenreviews")) {
                whose(spec, status);
            } else if (path.equals("/apis/authorization.k8s.io/v1/subjectaccessreviews")) {
                status.put("allowed", mayDo(spec));
                CountDownLatch until = holding;
                if (until != null) {
                    try {
                        until.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            } else {
                call.sendResponseHeaders(404, -1);
                return;
            }
            byte[] answer = JSON.writeValueAsBytes(((ObjectNode) review).set("status", status));
            call.getResponseHeaders().set("Content-Type", "application/json");
            call.sendResponseHeaders(201, answer.length);
            call.getResponseBody().write(answer);
        }
    }

    /** A token must be for one of the requested audiences, or for the API server itself if none is requested. */
    private void whose(JsonNode spec, ObjectNode status) {
        String token = spec.path("token").asText();
        questions.add("who " + token);
        List<String> asked = new ArrayList<>();
        spec.path("audiences").forEach(audience -> asked.add(audience.asText()));
        if (asked.isEmpty()) {
            asked.add(OWN_AUDIENCE);
        }
        String own = AUDIENCES.getOrDefault(token, OWN_AUDIENCE);
        boolean careless = token.equals(CARELESS);
        @Nullable String user = asked.contains(own) || careless ? USERS.get(token) : null;
        if (user != null && !careless) {
            status.putArray("audiences").add(own);
        }
        status.put("authenticated", user != null);
        if (user != null) {
            status.putObject("user").put("username", user).putArray("groups").add("system:authenticated");
        }
    }

    private boolean mayDo(JsonNode spec) {
        JsonNode objects = spec.path("resourceAttributes");
        JsonNode path = spec.path("nonResourceAttributes");
        String right = path.isMissingNode()
                ? String.join(
                        " ",
                        objects.path("verb").asText(),
                        objects.path("resource").asText(),
                        objects.path("group").asText(),
                        objects.path("namespace").asText())
                : path.path("verb").asText() + " " + path.path("path").asText();
        String user = spec.path("user").asText();
        questions.add(user + " " + right);
        List<String> groups = new ArrayList<>();
        spec.path("groups").forEach(group -> groups.add(group.asText()));
        return groups.contains("system:authenticated")
                && (RIGHTS.getOrDefault(user, Set.of()).contains(right)
                        || (groups.contains(PLANNERS) && right.equals("list reservations slotwise.io "))
                        || (groups.contains(VISION) && right.equals("list reservations slotwise.io team-vision")));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
