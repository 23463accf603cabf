package io.slotwise.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The API server's audit log: every write that the policy records, in the order in which the answers were sent. */
public final class AuditLog {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;

    public AuditLog(Path file) {
        this.file = file;
    }

    /**
     * An answered request.
     *
     * @param received when the API server received the request, microseconds
     * @param answered when the API server had answered, microseconds
     * @param agent the client's user agent
     * @param group the API group, empty for the core
     * @param resource with the subresource, as {@code pods/binding}
     * @param code the HTTP status
     * @param request the request's body, a missing node if it is not recorded
     * @param response the stored object, a missing node if it is not recorded
     */
    public record Entry(
            Instant received,
            Instant answered,
            String verb,
            String user,
            String agent,
            String group,
            String resource,
            String namespace,
            String name,
            int code,
            JsonNode request,
            JsonNode response) {

        public boolean succeeded() {
            return code >= 200 && code < 300;
        }

        /** The phase of the stored pod. Empty if the object is no pod or is not recorded. */
        String phase() {
            return response.path("status").path("phase").asText();
        }

        /** Returns whether the stored pod has ended. */
        boolean isOver() {
            return phase().equals("Succeeded") || phase().equals("Failed");
        }

        /** The object's name as {@code namespace/name}. */
        public String key() {
            return namespace + "/" + name;
        }
    }

    public List<Entry> entries() {
        return entries(entry -> true);
    }

    public List<Entry> entries(Predicate<Entry> filter) {
        List<Entry> found = new ArrayList<>();
        read(filter, found::add);
        return List.copyOf(found);
    }

    /**
     * Passes the filtered entries so far to a reader one by one. The entries of a long run do not fit into the heap
     * together.
     */
    public void read(Predicate<Entry> filter, Consumer<Entry> reader) {
        try (var lines = Files.lines(file)) {
            lines.filter(line -> line.endsWith("}"))
                    .map(AuditLog::parse)
                    .filter(filter)
                    .forEach(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<Entry> bindings(String namespace) {
        return entries(entry ->
                entry.resource().equals("pods/binding") && entry.namespace().equals(namespace) && entry.succeeded());
    }

    private static Entry parse(String line) {
        try {
            JsonNode event = JSON.readTree(line);
            JsonNode object = event.path("objectRef");
            String subresource = object.path("subresource").asText("");
            String named = object.path("name").asText("");
            return new Entry(
                    Instant.parse(event.path("requestReceivedTimestamp").asText()),
                    Instant.parse(event.path("stageTimestamp").asText()),
                    event.path("verb").asText(),
                    event.path("user").path("username").asText(),
                    event.path("userAgent").asText(),
                    object.path("apiGroup").asText(""),
                    object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource),
                    object.path("namespace").asText(""),
                    named.isEmpty()
                            ? event.path("responseObject")
                                    .path("metadata")
                                    .path("name")
                                    .asText("")
                            : named,
                    event.path("responseStatus").path("code").asInt(),
                    event.path("requestObject"),
                    event.path("responseObject"));
        } catch (IOException e) {
            throw new UncheckedIOException("The audit log has a line that is no JSON: " + line, e);
        }
    }
}
