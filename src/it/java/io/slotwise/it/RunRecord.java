package io.slotwise.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The API server's record of the pods and gangs of some namespaces. Precondition: no name is used in two namespaces.
 *
 * @param pods every created pod, by creation
 * @param reservations every stored version of every Reservation, by resource version
 */
public record RunRecord(List<PodLife> pods, List<Version> reservations) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The phases in which a record does not contain a start that a pod carries. */
    private static final Set<String> UNSTARTED = Set.of("Pending", "Promised", "Starting");

    /**
     * A pod.
     *
     * @param gang the gang's label, or null
     * @param milliCores its request
     * @param memory its request, bytes
     * @param created when its creation was answered
     * @param binding its successful binding, or null
     * @param leaving when its first deletion or eviction was requested, or null
     * @param ended when it was seen to have ended or was removed, or null while it may run
     * @param succeeded whether it ended by itself
     * @param known when the first deletion or eviction was answered and so became visible, or null
     */
    public record PodLife(
            String name,
            @Nullable String gang,
            long milliCores,
            long memory,
            Instant created,
            @Nullable Binding binding,
            @Nullable Instant leaving,
            @Nullable Instant ended,
            boolean succeeded,
            @Nullable Instant known) {
        /** Creates a pod whose deletion is visible at once. */
        public PodLife(
                String name,
                @Nullable String gang,
                long milliCores,
                long memory,
                Instant created,
                @Nullable Binding binding,
                @Nullable Instant leaving,
                @Nullable Instant ended,
                boolean succeeded) {
            this(name, gang, milliCores, memory, created, binding, leaving, ended, succeeded, leaving);
        }

        /** Returns whether the pod holds room on its node. During its binding and its end the room counts as free. */
        public boolean runsAt(Instant instant) {
            return binding != null
                    && !instant.isBefore(binding.answered())
                    && (ended == null || instant.isBefore(ended));
        }

        /** Returns whether the pod exists at the instant and has not ended. */
        public boolean isThereAt(Instant instant) {
            return !instant.isBefore(created) && (ended == null || instant.isBefore(ended));
        }

        /** The time at which the pod ended by itself or was told to end, whichever came first. Null if neither. */
        public @Nullable Instant went() {
            return leaving == null || (ended != null && ended.isBefore(leaving)) ? ended : leaving;
        }

        /** The time at which the end became visible to others, or null. */
        public @Nullable Instant seenToGo() {
            Instant went = went();
            return went != null && went.equals(leaving) ? known : went;
        }

        private PodLife bound(Binding by) {
            return new PodLife(name, gang, milliCores, memory, created, by, leaving, ended, succeeded, known);
        }

        private PodLife asked(Instant at, Instant answered) {
            return leaving != null
                    ? this
                    : new PodLife(name, gang, milliCores, memory, created, binding, at, ended, succeeded, answered);
        }

        private PodLife over(Instant at, boolean well) {
            Instant first = Objects.requireNonNullElse(ended, at);
            return new PodLife(
                    name, gang, milliCores, memory, created, binding, leaving, first, succeeded || well, known);
        }
    }

    /** A successful binding, with the instants of its receipt and its answer by the API server. */
    public record Binding(String node, Instant received, Instant answered) {}

    /**
     * A stored version of a Reservation.
     *
     * @param at when the write was answered, or the binding with it was received
     * @param deleted whether this is its deletion
     */
    public record Version(String name, long number, Instant at, JsonNode object, boolean deleted) {
        public String phase() {
            return deleted ? "Deleted" : object.path("status").path("phase").asText("Pending");
        }

        /** The window, or a missing node. */
        public JsonNode window() {
            return object.path("spec").path("window");
        }

        public boolean hasWindow() {
            return window().isObject();
        }

        public Instant windowStart() {
            return Instant.parse(window().path("start").asText());
        }

        public int attempts() {
            return object.path("status").path("attempts").asInt();
        }

        /** Returns whether a rollback or a move has ended the other version's start, each of which is counted. */
        boolean hasEnded(Version start) {
            return start.attempts() != attempts() || start.moves() != moves();
        }

        private int moves() {
            return object.path("status").path("past").path("moves").asInt();
        }
    }

    public static RunRecord of(AuditLog audit, String... namespaces) {
        Set<String> all = Set.of(namespaces);
        List<Version> versions = new ArrayList<>();
        Set<JsonNode> carried = Collections.newSetFromMap(new IdentityHashMap<>());
        PodReader pods = new PodReader(entry -> begun(entry, versions, carried));
        List<AuditLog.Entry> starts = new ArrayList<>();
        audit.read(entry -> all.contains(entry.namespace()) && (entry.succeeded() || isUnanswered(entry)), entry -> {
            if (!entry.succeeded()) {
                if (entry.resource().startsWith("pods")) {
                    pods.doubtful(entry);
                } else {
                    starts.add(entry);
                }
            } else if (entry.resource().startsWith("pods")) {
                pods.read(entry);
            } else if (entry.resource().startsWith("reservations")) {
                version(entry, versions);
            }
        });
        versions.sort(Comparator.comparingLong(Version::number));
        starts.forEach(entry -> made(entry, versions));
        versions.sort(Comparator.comparingLong(Version::number));
        List<PodLife> lives = pods.lives();
        return new RunRecord(lives, withStarts(versions, carried, lives));
    }

    /**
     * Adds the version in the binding of a gang's first pod, after all versions written before the receipt of the
     * binding. The start is durable with that binding. Its time is the receipt, because the binding itself belongs to
     * the start.
     */
    private static void begun(AuditLog.Entry entry, List<Version> versions, Set<JsonNode> carried) {
        String text = entry.request()
                .path("metadata")
                .path("annotations")
                .path("slotwise.io/record")
                .asText("");
        if (text.isEmpty()) {
            return;
        }
        long number = versions.stream()
                .filter(version -> !version.at().isAfter(entry.received()))
                .mapToLong(Version::number)
                .max()
                .orElse(0);
        try (GZIPInputStream zip =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            JsonNode object = JSON.readTree(zip.readAllBytes());
            String name = object.path("metadata").path("name").asText();
            versions.add(new Version(name, number, entry.received(), object, false));
            carried.add(object);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the versions, each with the start that a binding before it carries and that it does not contain yet. A
     * start is lost with the pods that carry it if the leader dies before it writes the start's window; then it has its
     * own last version.
     */
    private static List<Version> withStarts(List<Version> versions, Set<JsonNode> carried, List<PodLife> lives) {
        Map<String, List<Version>> starts = new TreeMap<>();
        List<Version> all = new ArrayList<>();
        for (Version version : versions) {
            boolean begins = carried.contains(version.object());
            List<Version> carriers = starts.getOrDefault(version.name(), List.of());
            Version start = carriers.isEmpty() ? null : carriers.getFirst();
            if (begins && start != null && version.object().equals(start.object())) {
                carriers.add(version);
                continue;
            }
            boolean knows = start == null
                    || version.deleted()
                    || !(begins || UNSTARTED.contains(version.phase()))
                    || version.hasEnded(start);
            boolean writes = !begins && start != null && version.window().equals(start.window());
            Version lost = knows || writes ? null : lost(carriers, version, lives);
            if (lost != null) {
                all.add(lost);
            }
            if (knows || lost != null) {
                starts.remove(version.name());
            }
            if (begins) {
                starts.put(version.name(), new ArrayList<>(List.of(version)));
            }
            all.add(
                    start == null || begins || knows || lost != null
                            ? version
                            : new Version(version.name(), version.number(), version.at(), start.object(), false));
        }
        starts.values()
                .forEach(carriers ->
                        Stream.ofNullable(lost(carriers, all.getLast(), lives)).forEach(all::add));
        return List.copyOf(all);
    }

    /** Returns the last version of a start if all pods that carry it had left when the next version came, or null. */
    private static @Nullable Version lost(List<Version> carriers, Version next, List<PodLife> lives) {
        Set<Instant> bound = carriers.stream().map(Version::at).collect(Collectors.toSet());
        List<Instant> left = lives.stream()
                .filter(pod ->
                        pod.binding() != null && bound.contains(pod.binding().received()))
                .flatMap(pod -> Stream.ofNullable(pod.leaving()))
                .sorted()
                .toList();
        return left.size() < carriers.size() || !left.getLast().isBefore(next.at())
                ? null
                : new Version(
                        carriers.getFirst().name(), next.number(), left.getLast(), JSON.createObjectNode(), false);
    }

    public Map<String, List<Version>> byReservation() {
        Map<String, List<Version>> found = new TreeMap<>();
        reservations.forEach(version ->
                found.computeIfAbsent(version.name(), name -> new ArrayList<>()).add(version));
        return found;
    }

    /** The pods with a gang's label. */
    public List<PodLife> members(String gang) {
        return pods.stream().filter(pod -> gang.equals(pod.gang())).toList();
    }

    /** A deletion is answered without the object, and counts as the last version. */
    private static void version(AuditLog.Entry entry, List<Version> versions) {
        JsonNode object = entry.response();
        boolean deleted = entry.verb().equals("delete");
        if (!deleted && !object.path("metadata").has("resourceVersion")) {
            return;
        }
        long number = deleted
                ? versions.stream().mapToLong(Version::number).max().orElse(0)
                : object.path("metadata").path("resourceVersion").asLong();
        versions.add(new Version(entry.name(), number, entry.answered(), object, deleted));
    }

    /**
     * Adds the version of a write without an answer if it was stored, which a gang's start in a later version shows.
     * The version is the written body with the spec of that time.
     */
    private static void made(AuditLog.Entry entry, List<Version> versions) {
        JsonNode started = entry.request().path("status").path("startedAt");
        long from = entry.request().path("metadata").path("resourceVersion").asLong();
        List<Version> known = versions.stream()
                .filter(version -> version.name().equals(entry.name()) && !version.deleted())
                .toList();
        Version before = known.stream()
                .filter(version -> version.number() == from)
                .findFirst()
                .orElse(null);
        boolean isTold = known.stream()
                .anyMatch(version -> version.number() > from
                        && version.object().path("status").path("startedAt").equals(started));
        if (before != null && started.isTextual() && isTold) {
            ObjectNode object = before.object().deepCopy();
            object.set("status", entry.request().path("status"));
            versions.add(new Version(entry.name(), from + 1, entry.answered(), object, false));
        }
    }

    /** Returns whether a binding or a start had no answer because its caller was gone. It may have had its effect. */
    private static boolean isUnanswered(AuditLog.Entry entry) {
        return Set.of("pods/binding", "reservations/status").contains(entry.resource())
                && entry.code() >= HttpURLConnection.HTTP_INTERNAL_ERROR;
    }

    /** Follows pods by name through their writes. A name that is created again is another pod. */
    private static final class PodReader {
        private final List<PodLife> gone = new ArrayList<>();
        private final Map<String, PodLife> current = new LinkedHashMap<>();
        /** The unanswered bindings by pod. */
        private final Map<String, AuditLog.Entry> doubtful = new HashMap<>();

        private final Consumer<AuditLog.Entry> bindings;

        /** @param bindings is told each binding that was made */
        PodReader(Consumer<AuditLog.Entry> bindings) {
            this.bindings = bindings;
        }

        void doubtful(AuditLog.Entry entry) {
            doubtful.put(entry.name(), entry);
        }

        void read(AuditLog.Entry entry) {
            String operation = entry.verb() + " " + entry.resource();
            switch (operation) {
                case "create pods" -> created(entry);
                case "create pods/binding" -> bound(entry);
                case "delete pods" -> removed(entry);
                case "create pods/eviction" -> leaves(entry);
                default -> {
                    seen(entry);
                    ended(entry);
                }
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
            doubtful.remove(entry.name());
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
                            entry.answered(),
                            node.isEmpty() ? null : new Binding(node, entry.received(), entry.answered()),
                            null,
                            null,
                            false));
            if (earlier != null) {
                gone.add(earlier);
            }
        }

        private void bound(AuditLog.Entry entry) {
            current.computeIfPresent(entry.name(), (name, pod) -> pod.bound(binding(entry)));
            bindings.accept(entry);
        }

        private static Binding binding(AuditLog.Entry entry) {
            String node = entry.request().path("target").path("name").asText();
            return new Binding(node, entry.received(), entry.answered());
        }

        /** A pod that is seen on a node was bound by the unanswered binding. */
        private void seen(AuditLog.Entry entry) {
            String node = entry.response().path("spec").path("nodeName").asText("");
            AuditLog.Entry sent = doubtful.get(entry.name());
            if (sent != null
                    && binding(sent).node().equals(node)
                    && current.containsKey(entry.name())
                    && current.get(entry.name()).binding() == null) {
                bound(sent);
            }
        }

        private void leaves(AuditLog.Entry entry) {
            current.computeIfPresent(entry.name(), (name, pod) -> pod.asked(entry.received(), entry.answered()));
        }

        /** A bound pod holds its room until the kubelet removes it with a grace period of 0. */
        private void removed(AuditLog.Entry entry) {
            JsonNode metadata = entry.response().path("metadata");
            boolean lingers = metadata.path("deletionGracePeriodSeconds").asLong() > 0;
            leaves(entry);
            if (!lingers) {
                end(entry, false);
            }
        }

        private void ended(AuditLog.Entry entry) {
            if (entry.isOver()) {
                end(entry, entry.phase().equals("Succeeded"));
            }
        }

        private void end(AuditLog.Entry entry, boolean succeeded) {
            current.computeIfPresent(entry.name(), (name, pod) -> pod.over(entry.received(), succeeded));
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
