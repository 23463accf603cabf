package io.slotwise.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happened to the pods and the gangs of one namespace, as the API server wrote it down.
 *
 * @param pods every pod that was created, by creation
 * @param reservations every stored version of every Reservation, by resource version
 */
public record RunRecord(List<PodLife> pods, List<Version> reservations) {

    /**
     * One pod.
     *
     * @param gang the gang's label, or null
     * @param milliCores what it asks for
     * @param memory bytes that it asks for
     * @param binding its successful binding, or null
     * @param ended when it was seen to have ended or was removed, or null while it may run
     */
    public record PodLife(
            String name,
            @Nullable String gang,
            long milliCores,
            long memory,
            @Nullable Binding binding,
            @Nullable Instant ended) {

        /** Whether it holds room on its node at the instant; the doubtful moments of binding and ending count as free. */
        boolean runsAt(Instant instant) {
            return binding != null
                    && !instant.isBefore(binding.answered())
                    && (ended == null || instant.isBefore(ended));
        }
    }

    /** A successful binding: when the API server got it and when it had answered. */
    public record Binding(String node, Instant received, Instant answered) {}

    /**
     * One stored version of a Reservation.
     *
     * @param at when the write was answered
     * @param deleted whether this is its deletion
     */
    public record Version(String name, long number, Instant at, JsonNode object, boolean deleted) {
        String phase() {
            return deleted ? "Deleted" : object.path("status").path("phase").asText("Pending");
        }

        /** The window, a missing node where there is none. */
        JsonNode window() {
            return object.path("spec").path("window");
        }

        boolean hasWindow() {
            return window().isObject();
        }

        Instant windowStart() {
            return Instant.parse(window().path("start").asText());
        }

        int attempts() {
            return object.path("status").path("attempts").asInt();
        }
    }

    /** Reads the record of a namespace. */
    public static RunRecord of(AuditLog audit, String namespace) {
        PodReader pods = new PodReader();
        List<Version> versions = new ArrayList<>();
        for (AuditLog.Entry entry : audit.entries(e -> e.namespace().equals(namespace) && e.succeeded())) {
            if (entry.resource().startsWith("pods")) {
                pods.read(entry);
            } else if (entry.resource().startsWith("reservations")) {
                version(entry, versions);
            }
        }
        versions.sort(Comparator.comparingLong(Version::number));
        return new RunRecord(pods.lives(), List.copyOf(versions));
    }

    /** The versions of each Reservation in order, by its name. */
    Map<String, List<Version>> byReservation() {
        Map<String, List<Version>> found = new TreeMap<>();
        reservations.forEach(version ->
                found.computeIfAbsent(version.name(), name -> new ArrayList<>()).add(version));
        return found;
    }

    /** The pods that carry a gang's label. */
    List<PodLife> members(String gang) {
        return pods.stream().filter(pod -> gang.equals(pod.gang())).toList();
    }

    private static void version(AuditLog.Entry entry, List<Version> versions) {
        JsonNode object = entry.response();
        if (!object.path("metadata").has("resourceVersion")) {
            return;
        }
        boolean deleted = entry.verb().equals("delete");
        long number = object.path("metadata").path("resourceVersion").asLong();
        versions.add(new Version(entry.name(), number, entry.answered(), object, deleted));
    }

    /** Follows pods by name through their writes; a name that is created again is another pod. */
    private static final class PodReader {
        private final List<PodLife> gone = new ArrayList<>();
        private final Map<String, PodLife> current = new LinkedHashMap<>();

        void read(AuditLog.Entry entry) {
            String operation = entry.verb() + " " + entry.resource();
            switch (operation) {
                case "create pods" -> created(entry);
                case "create pods/binding" -> bound(entry);
                case "delete pods" -> removed(entry);
                default -> ended(entry);
            }
        }

        List<PodLife> lives() {
            List<PodLife> all = new ArrayList<>(gone);
            all.addAll(current.values());
            return List.copyOf(all);
        }

        /** A pod that is created with a node needs no binding. */
        private void created(AuditLog.Entry entry) {
            JsonNode pod = entry.response();
            String node = pod.path("spec").path("nodeName").asText("");
            PodLife earlier = current.put(
                    entry.name(),
                    new PodLife(
                            entry.name(),
                            pod.path("metadata")
                                    .path("labels")
                                    .path("slotwise.io/gang")
                                    .asText(null),
                            request(pod, "cpu", 1000),
                            request(pod, "memory", 1),
                            node.isEmpty() ? null : new Binding(node, entry.received(), entry.answered()),
                            null));
            if (earlier != null) {
                gone.add(earlier);
            }
        }

        private void bound(AuditLog.Entry entry) {
            String node = entry.request().path("target").path("name").asText();
            Binding binding = new Binding(node, entry.received(), entry.answered());
            current.computeIfPresent(
                    entry.name(),
                    (name, pod) -> new PodLife(name, pod.gang(), pod.milliCores(), pod.memory(), binding, pod.ended()));
        }

        /** A bound pod holds its room until the kubelet's part removes it, with no grace left. */
        private void removed(AuditLog.Entry entry) {
            JsonNode metadata = entry.response().path("metadata");
            boolean lingers = metadata.path("deletionGracePeriodSeconds").asLong() > 0;
            if (!lingers) {
                end(entry);
            }
        }

        private void ended(AuditLog.Entry entry) {
            String phase = entry.response().path("status").path("phase").asText();
            if (phase.equals("Succeeded") || phase.equals("Failed")) {
                end(entry);
            }
        }

        private void end(AuditLog.Entry entry) {
            current.computeIfPresent(entry.name(), (name, pod) -> {
                Instant ended = Objects.requireNonNullElse(pod.ended(), entry.received());
                return new PodLife(name, pod.gang(), pod.milliCores(), pod.memory(), pod.binding(), ended);
            });
        }

        private static long request(JsonNode pod, String resource, int scale) {
            long sum = 0;
            for (JsonNode container : pod.path("spec").path("containers")) {
                String text = container
                        .path("resources")
                        .path("requests")
                        .path(resource)
                        .asText("0");
                sum += Quantity.parse(text)
                        .getNumericalAmount()
                        .multiply(java.math.BigDecimal.valueOf(scale))
                        .longValueExact();
            }
            return sum;
        }
    }
}
