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
 * Holds the record of a run against the contract, without any code of the program: every gang whole, at its second, on
 * its promised nodes and within its budget; no node's room used or promised twice.
 *
 * <p>Each check adds a sentence per violation. What is not judged: whether a window is the best one, and what pods
 * without a gang pay.
 */
public final class RunChecker {
    private final RunRecord run;
    private final Map<String, List<Version>> versions;
    private final Rules rules;
    /** The pods by name; of several with one name the last. */
    private final Map<String, PodLife> pods = new HashMap<>();
    /** The same, all of them in the order of their creation. */
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
     * A node that the run uses.
     *
     * @param milliCores allocatable
     * @param memory allocatable, bytes
     * @param price currency units per hour for the whole node
     */
    public record Room(long milliCores, long memory, BigDecimal price) {}

    /** An interval in which something was taken away on purpose; what was due in it is due at its end. */
    public record Disturbance(Instant from, Instant to) {
        /** Whether any of it lies between two instants. */
        boolean meets(Instant first, Instant last) {
            return !last.isBefore(from) && !first.isAfter(to);
        }
    }

    /**
     * What the run is held against.
     *
     * @param nodes by name
     * @param gangSizes by the gang's name
     * @param turnover kept free between two planned uses of one room
     * @param prompt what is due is done within this: the write that makes a start durable, and the bindings after it
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
         * An undisturbed run on a machine that other programs use too: {@code -Dit.punctual=true} has it judged as one
         * alone.
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

        /** With the limit of a machine that has nothing else to do. */
        Rules punctual() {
            return within(PROMPT);
        }

        /** With this limit for what is due, or a shorter one that holds already. */
        Rules within(Duration limit) {
            Duration shorter = prompt.compareTo(limit) < 0 ? prompt : limit;
            return new Rules(nodes, gangSizes, turnover, shorter, disturbances);
        }

        /**
         * By how much something was done too late that was due at an instant, or at the end of a disturbance in which
         * it was to be done; negative: in time.
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

    /** A window for now is written so long after its second at most. */
    private static final Duration PLANNED = Duration.ofSeconds(2);

    /** So long before their second pods are sent to kube-scheduler, if the window is there by then. */
    private static final Duration HEAD_START = Duration.ofSeconds(2);

    /** One start of a gang: the version that says Running, and the next one of another phase, if there is one. */
    public record Start(Version opened, @Nullable Version left) {}

    /** All violations, each a sentence; empty if the run keeps the contract. */
    static List<String> check(RunRecord run, Rules rules) {
        RunChecker checker = new RunChecker(run, rules);
        checker.versions.forEach(checker::gang);
        checker.bindingsWithoutAStart();
        checker.roomInUse();
        checker.roomPromised();
        return List.copyOf(checker.violations);
    }

    /**
     * What holds whatever happens to pods, nodes and programs: windows cost what they say and no more than they may,
     * rooms are used and promised once.
     */
    public static List<String> checkRoomAndMoney(RunRecord run, Rules rules) {
        RunChecker checker = new RunChecker(run, rules);
        checker.versions.forEach(checker::withinBudget);
        checker.roomInUse();
        checker.roomPromised();
        return List.copyOf(checker.violations);
    }

    /** The starts of one gang in order. */
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
     * The write that makes a start durable comes in the promised second. A window that nobody was promised before is
     * for the second in which it is planned: the write follows that of the window, and by as much later as
     * kube-scheduler was sent the pods later. Where pods of others that were kept up themselves still have the room, it
     * follows their end.
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
     * From when on, beginning with its second, the nodes of a window have room for it beside the pods that run on them.
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
     * Every member of the window is bound, on its node, not before the promised second and soon after that and after
     * the write of the start.
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
                // What is bound later belongs to a later start.
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

    /** A gang's pod is bound only as a member of a window that has started. */
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

    /** At every binding the pods that run on the node fit on it together. */
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
     * After every single write all windows that stand fit together, with the turnover between them: whoever reads the
     * Reservations, or goes on after a crash, finds no room that is promised twice.
     */
    private void roomPromised() {
        Map<String, Version> standing = new TreeMap<>();
        Map<String, Map<String, Version>> byNode = new HashMap<>();
        for (Version version : run.reservations()) {
            boolean promises = version.hasWindow()
                    && List.of("Promised", "Starting", "Running").contains(version.phase());
            Version before = promises ? standing.put(version.name(), version) : standing.remove(version.name());
            if (before != null) {
                nodes(before)
                        .forEach(node ->
                                byNode.getOrDefault(node, new TreeMap<>()).remove(version.name()));
            }
            if (promises) {
                // Only where a window is written rooms can become too small.
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

    private void promisesFit(String node, Collection<Version> standing, Instant at) {
        Room room = rules.nodes().get(node);
        if (room == null) {
            return;
        }
        List<Booking> bookings = new ArrayList<>();
        standing.forEach(version -> book(version, node, at, bookings));
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

    /** By how much a pod was bound too early, in whole seconds: by so much its time ends earlier too. */
    private static Duration early(PodLife pod, Instant start) {
        Binding binding = pod.binding();
        return binding == null || !binding.answered().isBefore(start)
                ? Duration.ZERO
                : Duration.between(binding.answered().truncatedTo(ChronoUnit.SECONDS), start);
    }

    /**
     * The pod for which a seat is kept, or null: a gang that runs keeps none for a member that has ended, or that came
     * after its start.
     */
    private @Nullable PodLife holder(Version version, String name, Instant at) {
        List<PodLife> known = lives.getOrDefault(name, List.of());
        PodLife last = known.isEmpty() ? null : known.getLast();
        if (version.phase().equals("Running")) {
            // When its start was written, by the API server's clock; its record may be written again later.
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

    /** A sum of requests. */
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

    /**
     * The figures of a run: how long after the promised second the last member of each start was bound, milliseconds.
     */
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
