package io.slotwise.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An API server that lists the objects of a test and supports no other call. */
public final class ListedCluster implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern LABEL = Pattern.compile("\\blabelSelector=([^=&]+)");
    private static final int FORBIDDEN = 403;
    private static final int MISSING = 404;

    private final HttpServer server;
    private final Map<String, ObjectNode> lists = new ConcurrentHashMap<>();
    private final Map<String, Integer> refused = new ConcurrentHashMap<>();

    /** Starts a cluster that serves the core kinds and has no objects. */
    public ListedCluster() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    /** Adds objects, one JSON object after another. */
    public ListedCluster having(String objects) {
        try (var values = MAPPER.readerFor(ObjectNode.class).<ObjectNode>readValues(objects)) {
            values.forEachRemaining(this::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    private void add(ObjectNode object) {
        String version = object.path("apiVersion").asText();
        String kind = object.path("kind").asText();
        ObjectNode metadata = (ObjectNode) object.get("metadata");
        if (!metadata.has("uid")) {
            metadata.put("uid", "uid-" + kind + "-" + metadata.path("name").asText());
        }
        String plural = kind.toLowerCase(java.util.Locale.ROOT)
                .replaceAll("y$", "ie")
                .replaceAll("ss$", "sse")
                .concat("s");
        ObjectNode list =
                lists.computeIfAbsent((version.indexOf('/') < 0 ? "/api/" : "/apis/") + version + "/" + plural, _ -> {
                    ObjectNode made = MAPPER.createObjectNode();
                    made.put("apiVersion", version).put("kind", kind + "List").putArray("items");
                    return made;
                });
        // The items of a typed list have no kind.
        object.remove("apiVersion");
        object.remove("kind");
        list.withArray("items").add(object);
    }

    /** Forbids listing at this path. */
    public ListedCluster withholding(String path) {
        refused.put(path, FORBIDDEN);
        return this;
    }

    /** Writes a kubeconfig with the context {@code test}. */
    public Path kubeconfig(Path folder) {
        try {
            return Files.writeString(folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    current-context: test
                    clusters: [{name: test, cluster: {server: "http://127.0.0.1:%d"}}]
                    contexts: [{name: test, context: {cluster: test, user: test}}]
                    users: [{name: test, user: {token: none}}]
                    """.formatted(
                            server.getAddress().getPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ObjectNode groups() {
        ObjectNode list = MAPPER.createObjectNode();
        ArrayNode groups =
                list.put("apiVersion", "v1").put("kind", "APIGroupList").putArray("groups");
        lists.keySet().stream()
                .filter(path -> path.startsWith("/apis/"))
                .map(path -> path.substring("/apis/".length(), path.lastIndexOf('/')))
                .distinct()
                .forEach(version -> groups.addObject()
                        .put("name", version.substring(0, version.indexOf('/')))
                        .putArray("versions")
                        .addObject()
                        .put("groupVersion", version)
                        .put("version", version.substring(version.indexOf('/') + 1)));
        return list;
    }

    /** Returns the items of a list that match the label selector of the request. */
    private static JsonNode selected(ObjectNode list, URI asked) {
        Matcher label = LABEL.matcher(String.valueOf(asked.getQuery()));
        if (!label.find()) {
            return list;
        }
        ObjectNode selected = list.deepCopy();
        ArrayNode items = selected.putArray("items");
        list.withArray("items").forEach(item -> {
            if (item.at("/metadata/labels").has(label.group(1))) {
                items.add(item);
            }
        });
        return selected;
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        ObjectNode known = path.equals("/apis") ? groups() : lists.get(path);
        JsonNode list = known == null ? null : selected(known, exchange.getRequestURI());
        if (list == null && (path.endsWith("/configmaps") || path.endsWith("/deployments"))) {
            list = MAPPER.createObjectNode();
        }
        int status = refused.getOrDefault(path, list == null ? MISSING : 200);
        String body = status == 200 ? String.valueOf(list) : """
                  {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": %d, "message": "no"}""".formatted(status);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
