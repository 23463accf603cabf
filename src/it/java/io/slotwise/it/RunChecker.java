package io.slotwise.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.it.RunRecord.Binding;
import io.slotwise.it.RunRecord.PodLife;
import io.slotwise.it.RunRecord.Version;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks the record of a run against the contract, without any code of the program. Every gang starts whole, in its
 * second, on its promised nodes and within its budget. No node's room is used or promised twice.
 *
 * <p>Each check adds a sentence per violation. The checker does not judge whether a window is the best one, or what
 * pods without a gang pay.
 */
public final class RunChecker {
    private final RunRecord run;
    private final Map<String, List<Version>> versions;
    private final Rules rules;
    /** The pods by name. If a name was used again, its last pod. */
    private final Map<String, PodLife> pods = new HashMap<>();
    /** All pods by name, in the order of their creation. */
    private final Map<String, List<PodLife>> lives = new HashMap<>();

    private final List<String> violations = new ArrayList<>();

    private RunChecker(RunRecord run, Rules rules) {
        this.run = run;
        this.versions = run.byReservation();
        this.rules = rules;
        run.pods().stream().sorted(Comparator.comparing(PodLife::created)).forEach(pod -> {
            pods.put(pod.name(), pod);
            lives.computeIfAbsent(pod.name(), name -> new ArrayList<>()).add(pod);
        });
    }

    /**
     * A node of the run.
     *
     * @param milliCores allocatable
     * @param memory allocatable, bytes
     * @param price currency units per hour for the whole node
     */
    public record Room(long milliCores, long memory, BigDecimal price) {}

    /** An interval in which something was taken away on purpose. What was due meanwhile is due at its end. */
    public record Disturbance(Instant from, Instant to) {
        /** Returns whether the interval meets the one between two instants. */
        boolean meets(Instant first, Instant last) {
            return !last.isBefore(from) && !first.isAfter(to);
        }
    }

    /**
     * The rules of a run.
     *
     * @param nodes by name
     * @param gangSizes by the gang's name
     * @param turnover kept free between two planned uses of the same room
     * @param prompt the limit for what is due: the write that makes a start durable, and the bindings after it
     * @param disturbances when something was taken away
     */
    public record Rules(
            Map<String, Room> nodes,
            Map<String, Integer> gangSizes,
            Duration turnover,
            Duration prompt,
            List<Disturbance> disturbances) {

        private static final Duration PROMPT = Duration.ofMillis(500);
        private static final Duration SHARED = Duration.ofSeconds(5);

        /**
         * Rules for an undisturbed run on a shared machine, or with {@code -Dit.punctual=true} on a machine of its own.
         */
        public static Rules of(Map<String, Room> nodes, Map<String, Integer> gangSizes, Duration turnover) {
            Rules rules = new Rules(nodes, gangSizes, turnover, SHARED, List.of());
            return Boolean.getBoolean("it.punctual") ? rules.punctual() : rules;
        }

        Rules disturbedBy(List<Disturbance> others) {
            List<Disturbance> inOrder = new ArrayList<>(others);
            inOrder.sort(Comparator.comparing(Disturbance::from));
            return new Rules(nodes, gangSizes, turnover, prompt, List.copyOf(inOrder));
        }

        /** The same rules with the limit of a machine of its own. */
        Rules punctual() {
            return within(PROMPT);
        }

        /** The same rules with this limit, unless the present one is shorter. */
        Rules within(Duration limit) {
            Duration shorter = prompt.compareTo(limit) < 0 ? prompt : limit;
            return new Rules(nodes, gangSizes, turnover, shorter, disturbances);
        }

        /**
         * The delay after the due instant, or after the end of a disturbance that contains it. Negative if done in
         * time.
         */
        Duration tooLate(Instant due, Instant done) {
            Instant latest = due;
            for (Disturbance disturbance : disturbances) {
                if (latest.isBefore(done)
                        && disturbance.meets(due, latest.plus(prompt))
                        && disturbance.to().isAfter(latest)) {
                    latest = disturbance.to();
                }
            }
            return Duration.between(latest, done).minus(prompt);
        }
    }

    /** The longest time from a window's second to its write, if the window is for the present. */
    private static final Duration PLANNED = Duration.ofSeconds(2);

    /** The time by which pods are sent to kube-scheduler before their second, if the window exists by then. */
    private static final Duration HEAD_START = Duration.ofSeconds(2);

    /** A start of a gang: the version with the phase Running, and the next version with another phase, or null. */
    public record Start(Version opened, @Nullable Version left) {}

    /** Returns all violations, each a sentence. */
    static List<String> check(RunRecord run, Rules rules) {
        RunChecker checker = new RunChecker(run, rules);
        checker.versions.forEach(checker::gang);
        checker.bindingsWithoutAStart();
        checker.roomInUse();
        checker.roomPromised();
        return List.copyOf(checker.violations);
    }

    /**
     * Checks what must hold whatever happens to pods, nodes and programs: windows cost as stated and allowed, rooms are
     * used and promised once.
     */
    public static List<String> checkRoomAndMoney(RunRecord run, Rules rules) {
        RunChecker checker = new RunChecker(run, rules);
        checker.versions.forEach(checker::withinBudget);
        checker.roomInUse();
        checker.roomPromised();
        return List.copyOf(checker.violations);
    }

    public static List<Start> starts(List<Version> versions) {
        List<Start> starts = new ArrayList<>();
        Version opened = null;
        for (Version version : versions) {
            boolean running = version.phase().equals("Running");
            if (running && opened == null) {
                opened = version;
            } else if (!running && opened != null) {
                starts.add(new Start(opened, version));
                opened = null;
            }
        }
        if (opened != null) {
            starts.add(new Start(opened, null));
        }
        return starts;
    }

    private void withinBudget(String name, List<Version> versions) {
        for (Version version : versions) {
            if (version.hasWindow() && !version.deleted()) {
                withinBudget(name, version);
            }
        }
    }

    private void gang(String name, List<Version> versions) {
        withinBudget(name, versions);
        starts(versions).forEach(start -> {
            inItsSecond(name, start.opened(), versions);
            whole(name, start);
        });
    }

    /**
     * Checks that the write that makes a start durable comes in the promised second. A window for the present second is
     * written after that second has begun. The start is then due with this write, and by {@code HEAD_START} later for
     * pods sent to kube-scheduler. If late pods of other gangs still have the room, the start is due at their end.
     */
    private void inItsSecond(String name, Version opened, List<Version> versions) {
        List<Version> same = versions.stream()
                .filter(version -> version.hasWindow() && version.window().equals(opened.window()))
                .toList();
        Instant start = opened.windowStart();
        Instant written = same.getFirst().at();
        boolean released = same.stream().anyMatch(version -> version.phase().equals("Starting"));
        Instant due = later(free(opened), released ? written.plus(HEAD_START) : written);
        if (rules.tooLate(due, opened.at()).isPositive()) {
            violations.add(
                    "Gang %s: its start was written at %s, %d ms after it was due (promised for %s at %s, attempts %d)."
                            .formatted(
                                    name,
                                    opened.at(),
                                    Duration.between(due, opened.at()).toMillis(),
                                    start,
                                    written,
                                    opened.attempts()));
        }
        if (rules.tooLate(start.plus(PLANNED), written).isPositive()) {
            violations.add("Gang %s: its window from %s was written at %s only.".formatted(name, start, written));
        }
    }

    /**
     * The instant, from the window's second on, at which the nodes have room for the window next to their running pods.
     */
    private Instant free(Version opened) {
        Instant free = opened.windowStart();
        for (String node : nodes(opened)) {
            Room room = rules.nodes().get(node);
            List<PodLife> others = run.pods().stream()
                    .filter(pod -> node.equals(nodeOf(pod)) && !names(opened, pod.name()))
                    .toList();
            TreeSet<Instant> instants = new TreeSet<>(Set.of(free));
            others.stream().map(PodLife::ended).filter(Objects::nonNull).forEach(instants::add);
            for (Instant instant : instants.tailSet(free)) {
                if (room == null || fits(opened, node, room, others, instant)) {
                    free = instant;
                    break;
                }
            }
        }
        return free;
    }

    private boolean fits(Version opened, String node, Room room, List<PodLife> others, Instant at) {
        Use use = new Use();
        others.stream().filter(pod -> pod.runsAt(at)).forEach(pod -> use.add(pod.milliCores(), pod.memory()));
        for (JsonNode item : opened.window().path("placement")) {
            PodLife pod = pods.get(item.path("pod").asText());
            if (pod != null && item.path("node").asText().equals(node)) {
                use.add(pod.milliCores(), pod.memory());
            }
        }
        return use.fits(room);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /**
     * Checks that every member of the window is bound on its node, not before the promised second, and soon after this
     * second and the write of the start.
     */
    private void whole(String name, Start start) {
        Version opened = start.opened();
        JsonNode placement = opened.window().path("placement");
        Integer size = rules.gangSizes().get(name);
        if (size != null && placement.size() != size) {
            violations.add("Gang %s of %d started with a window of %d pods.".formatted(name, size, placement.size()));
        }
        Version left = start.left();
        Instant takenBack = left == null || List.of("Completed", "Deleted").contains(left.phase()) ? null : left.at();
        for (JsonNode item : placement) {
            PodLife pod = pods.get(item.path("pod").asText());
            Binding binding = pod == null ? null : pod.binding();
            if (binding == null || (takenBack != null && binding.received().isAfter(takenBack))) {
                // A later binding belongs to a later start.
                if (takenBack == null) {
                    violations.add("Gang %s started at %s, but its pod %s was never bound."
                            .formatted(
                                    name, opened.windowStart(), item.path("pod").asText()));
                }
            } else {
                boundAsPromised(name, opened, item, binding);
            }
        }
    }

    private void boundAsPromised(String name, Version opened, JsonNode item, Binding binding) {
        String pod = item.path("pod").asText();
        Instant start = Instant.parse(item.path("start").asText());
        if (!binding.node().equals(item.path("node").asText())) {
            violations.add("Gang %s: pod %s was bound to %s, promised was %s."
                    .formatted(name, pod, binding.node(), item.path("node").asText()));
        }
        if (binding.received().isBefore(start)) {
            violations.add("Gang %s: pod %s was bound at %s, before its promised start %s."
                    .formatted(name, pod, binding.received(), start));
        }
        Instant due = later(start, opened.at());
        if (rules.tooLate(due, binding.answered()).isPositive()) {
            violations.add(("Gang %s: pod %s was bound at %s, %d ms after it was due (promised for %s, started at "
                            + "%s, attempts %d).")
                    .formatted(
                            name,
                            pod,
                            binding.answered(),
                            Duration.between(due, binding.answered()).toMillis(),
                            start,
                            opened.at(),
                            opened.attempts()));
        }
    }

    private void withinBudget(String name, Version version) {
        JsonNode window = version.window();
        BigInteger exact = BigInteger.ZERO;
        for (JsonNode item : window.path("placement")) {
            PodLife pod = pods.get(item.path("pod").asText());
            Room room = rules.nodes().get(item.path("node").asText());
            if (pod == null || room == null) {
                return;
            }
            exact = exact.add(cost(pod, room, seconds(item)));
        }
        if (!exact.equals(window.path("exactCost").bigIntegerValue())) {
            violations.add(
                    "Gang %s: its window says a cost of %s/3600 millionths; by price, share and seconds it is %s."
                            .formatted(name, window.path("exactCost").asText(), exact));
        }
        String budget = version.object().path("spec").path("budget").asText("");
        if (!budget.isEmpty()) {
            BigInteger limit =
                    new BigDecimal(budget).movePointRight(6).toBigIntegerExact().multiply(BigInteger.valueOf(3600));
            if (exact.compareTo(limit) > 0) {
                violations.add("Gang %s: its window at %s costs %s/3600 millionths, more than its budget %s."
                        .formatted(name, window.path("start").asText(), exact, budget));
            }
        }
    }

    private static long seconds(JsonNode item) {
        return Duration.between(
                        Instant.parse(item.path("start").asText()),
                        Instant.parse(item.path("end").asText()))
                .toSeconds();
    }

    /** rate = share x price, rounded half up to a millionth per hour; cost = rate x seconds. */
    public static BigInteger cost(PodLife pod, Room room, long seconds) {
        BigDecimal price = room.price().movePointRight(6);
        BigDecimal byCores = price.multiply(BigDecimal.valueOf(pod.milliCores()))
                .divide(BigDecimal.valueOf(room.milliCores()), 0, RoundingMode.HALF_UP);
        BigDecimal byMemory = price.multiply(BigDecimal.valueOf(pod.memory()))
                .divide(BigDecimal.valueOf(room.memory()), 0, RoundingMode.HALF_UP);
        return byCores.max(byMemory).toBigIntegerExact().multiply(BigInteger.valueOf(seconds));
    }

    /** Checks that a gang's pod is bound only as a member of a started window. */
    private void bindingsWithoutAStart() {
        for (PodLife pod : run.pods()) {
            if (pod.binding() == null
                    || pod.gang() == null
                    || !rules.gangSizes().containsKey(pod.gang())) {
                continue;
            }
            boolean started = starts(versions.getOrDefault(pod.gang(), List.of())).stream()
                    .anyMatch(start -> names(start.opened(), pod.name()));
            if (!started) {
                violations.add("Gang %s: pod %s was bound at %s in no window that has started."
                        .formatted(pod.gang(), pod.name(), pod.binding().answered()));
            }
        }
    }

    private static boolean names(Version version, String pod) {
        for (JsonNode item : version.window().path("placement")) {
            if (item.path("pod").asText().equals(pod)) {
                return true;
            }
        }
        return false;
    }

    private void roomInUse() {
        for (PodLife pod : run.pods()) {
            Binding binding = pod.binding();
            if (binding == null || !rules.nodes().containsKey(binding.node())) {
                continue;
            }
            Use use = new Use();
            run.pods().stream()
                    .filter(other -> other.runsAt(binding.answered()))
                    .filter(other -> binding.node().equals(nodeOf(other)))
                    .forEach(other -> use.add(other.milliCores(), other.memory()));
            use.over(rules.nodes().get(binding.node()), "in use on " + binding.node() + " at " + binding.answered());
        }
    }

    private static @Nullable String nodeOf(PodLife pod) {
        return pod.binding() == null ? null : pod.binding().node();
    }

    /**
     * Checks that after every single write all valid windows fit together, with the turnover between them. A reader of
     * the Reservations, or a leader after a crash, thus never finds room that is promised twice.
     */
    private void roomPromised() {
        Map<String, Version> promised = new TreeMap<>();
        Map<String, Map<String, Version>> byNode = new HashMap<>();
        for (Version version : run.reservations()) {
            boolean promises = version.hasWindow()
                    && List.of("Promised", "Starting", "Running").contains(version.phase());
            Version before = promises ? promised.put(version.name(), version) : promised.remove(version.name());
            if (before != null) {
                nodes(before)
                        .forEach(node ->
                                byNode.getOrDefault(node, new TreeMap<>()).remove(version.name()));
            }
            if (promises) {
                // Room can become too small only when a window is written.
                Set<String> nodes = nodes(version);
                nodes.forEach(node ->
                        byNode.computeIfAbsent(node, n -> new TreeMap<>()).put(version.name(), version));
                nodes.forEach(node -> promisesFit(
                        node, Objects.requireNonNull(byNode.get(node)).values(), version.at()));
            }
        }
    }

    private static Set<String> nodes(Version version) {
        Set<String> nodes = new TreeSet<>();
        version.window()
                .path("placement")
                .forEach(item -> nodes.add(item.path("node").asText()));
        return nodes;
    }

    private void promisesFit(String node, Collection<Version> promised, Instant at) {
        Room room = rules.nodes().get(node);
        if (room == null) {
            return;
        }
        List<Booking> bookings = new ArrayList<>();
        promised.forEach(version -> book(version, node, at, bookings));
        TreeSet<Instant> starts = new TreeSet<>();
        bookings.forEach(booking -> starts.add(booking.start()));
        starts.forEach(start -> atOnce(node, room, bookings, start, at));
    }

    private void book(Version version, String node, Instant at, List<Booking> bookings) {
        for (JsonNode item : version.window().path("placement")) {
            PodLife pod = item.path("node").asText().equals(node)
                    ? holder(version, item.path("pod").asText(), at)
                    : null;
            if (pod != null) {
                Instant start = Instant.parse(item.path("start").asText());
                Duration early = version.phase().equals("Running") ? early(pod, start) : Duration.ZERO;
                Instant end = Instant.parse(item.path("end").asText()).minus(early);
                bookings.add(new Booking(version.name(), pod, start, end.plus(rules.turnover())));
            }
        }
    }

    /** The time by which a pod was bound too early, in whole seconds. Its time ends early by as much. */
    private static Duration early(PodLife pod, Instant start) {
        Binding binding = pod.binding();
        return binding == null || !binding.answered().isBefore(start)
                ? Duration.ZERO
                : Duration.between(binding.answered().truncatedTo(ChronoUnit.SECONDS), start);
    }

    /**
     * The pod for which a placement is kept. Null if a running gang keeps none, because its member has ended or came
     * after the start.
     */
    private @Nullable PodLife holder(Version version, String name, Instant at) {
        List<PodLife> known = lives.getOrDefault(name, List.of());
        PodLife last = known.isEmpty() ? null : known.getLast();
        if (version.phase().equals("Running")) {
            // When the start was written by the API server's clock. The record may be written again later.
            JsonNode told = version.object().path("status").path("startedAt");
            Instant started = versions.getOrDefault(version.name(), List.of()).stream()
                    .filter(other -> other.phase().equals("Running")
                            && other.object().path("status").path("startedAt").equals(told))
                    .map(Version::at)
                    .findFirst()
                    .orElse(version.at());
            return known.stream()
                    .filter(pod -> pod.isThereAt(at) && !pod.created().isAfter(started))
                    .findFirst()
                    .orElse(null);
        }
        return last == null || (last.ended() != null && !last.ended().isAfter(at)) ? null : last;
    }

    private void atOnce(String node, Room room, List<Booking> bookings, Instant start, Instant at) {
        Use use = new Use();
        List<String> gangs = new ArrayList<>();
        for (Booking booking : bookings) {
            if (!booking.start().isAfter(start) && booking.end().isAfter(start)) {
                use.add(booking.pod().milliCores(), booking.pod().memory());
                gangs.add(booking.gang());
            }
        }
        use.over(room, "promised on " + node + " for " + start + " as written at " + at + " to " + gangs);
    }

    private record Booking(String gang, PodLife pod, Instant start, Instant end) {}

    private final class Use {
        private long milliCores;
        private long memory;

        void add(long moreMilliCores, long moreMemory) {
            milliCores += moreMilliCores;
            memory += moreMemory;
        }

        boolean fits(Room room) {
            return milliCores <= room.milliCores() && memory <= room.memory();
        }

        void over(Room room, String where) {
            if (!fits(room)) {
                violations.add("%d m and %d bytes are %s; it has %d m and %d bytes."
                        .formatted(milliCores, memory, where, room.milliCores(), room.memory()));
            }
        }
    }

    /** The delay from the promised second to the binding of the last member, milliseconds, for each start. */
    static Map<String, Long> startDelays(RunRecord run) {
        Map<String, Long> delays = new HashMap<>();
        run.byReservation()
                .forEach((name, versions) -> starts(versions).forEach(start -> {
                    long last = 0;
                    for (PodLife pod : run.members(name)) {
                        if (pod.binding() != null) {
                            last = Math.max(
                                    last,
                                    Duration.between(
                                                    start.opened().windowStart(),
                                                    pod.binding().answered())
                                            .toMillis());
                        }
                    }
                    delays.put(name, last);
                }));
        return delays;
    }
}
