package io.slotwise.it.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.it.RunChecker;
import io.slotwise.it.RunChecker.Room;
import io.slotwise.it.RunChecker.Start;
import io.slotwise.it.RunRecord;
import io.slotwise.it.RunRecord.Binding;
import io.slotwise.it.RunRecord.PodLife;
import io.slotwise.it.RunRecord.Version;
import io.slotwise.it.faults.FaultLoad.Fate;
import io.slotwise.it.faults.FaultTimeline.Sort;
import io.slotwise.it.faults.FaultTimeline.Subject;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Checks the record of a run with faults against what must always hold, without any code or figure of the program:
 * <ul>
 * <li>no gang runs in part for longer than its repair takes, even if a leader was frozen meanwhile;
 * <li>a gang starts whole, in its window, not before its second, and only where it may;
 * <li>no capacity is promised or used twice;
 * <li>no budget of a gang or a namespace is overspent by a millionth, and every run is charged once;
 * <li>no promise moves to a worse window without a cause that is told and true;
 * <li>every gang that can run has run in the end.
 * </ul>
 *
 * <p>The tolerances are the constants, each with its reason.
 */
final class FaultChecker {
    /** The policy's {@code start-timeout}, after which a gang that is not whole is rolled back. */
    static final Duration START_TIMEOUT = Duration.ofSeconds(10);
    /**
     * The time for a cycle that notices, the evictions and the kubelet's part of them: the longest repair of the
     * barrier itself, see {@code MemberBinding.PATIENCE}.
     */
    static final Duration REPAIR = Duration.ofSeconds(5);
    /**
     * The time in which a binding may arrive after its gang was rolled back, if the write that makes the binding void
     * fails: the API server's time to answer, see {@code MemberBinding.PATIENCE}. Zero without such trouble.
     */
    static final Duration ON_ITS_WAY = Duration.ofSeconds(5);
    /** The delay of the audit log's stamp of an answer after the watch's event for the same write. */
    private static final Duration STAMP = Duration.ofMillis(500);
    /**
     * A member may go between the last look at it and the write that makes the start durable: the delays of the watch
     * and the write.
     */
    private static final Duration LAST_LOOK = Duration.ofSeconds(1);
    /** The time to finish a start that began while the clock was ahead. */
    private static final Duration BEGUN = Duration.ofSeconds(10);
    /** The longest time from a cause to its move: a cycle notices the cause, and an outage may delay the cycle. */
    private static final Duration CAUSED = Duration.ofSeconds(90);
    /** Events are written after the write that they tell. */
    private static final Duration TOLD = Duration.ofSeconds(30);

    private static final String SINGLE = "pod-";
    private static final Set<String> PROMISING = Set.of("Promised", "Starting", "Running");

    private final RunRecord run;
    private final FaultTimeline story;
    private final End end;
    private final Map<String, Room> rooms;
    private final List<Violation> violations = new ArrayList<>();
    private final Map<String, List<PodLife>> lives = new HashMap<>();
    private final Map<String, List<Version>> versions;

    private FaultChecker(RunRecord run, Map<String, Room> rooms, FaultTimeline story, End end) {
        this.run = run;
        this.rooms = rooms;
        this.versions = run.byReservation();
        this.story = story;
        this.end = end;
        run.pods()
                .forEach(pod -> lives.computeIfAbsent(pod.name(), name -> new ArrayList<>())
                        .add(pod));
    }

    /**
     * The state at the end.
     *
     * @param at when it was read
     * @param accounts by namespace
     * @param told the events {@code WindowBroken}
     * @param reasons of the gangs that have not run, by gang
     */
    record End(Instant at, Map<String, Account> accounts, List<Told> told, Map<String, String> reasons) {}

    /**
     * A namespace's ledger. Exact amounts are 1/3600 millionths.
     *
     * @param budget of the period
     * @param spent without overrun
     * @param held for promised windows
     */
    record Account(BigDecimal budget, long spent, long held) {
        long exactBudget() {
            return budget.movePointRight(6).longValueExact() * 3600;
        }
    }

    record Told(String gang, Instant at, String message) {}

    /**
     * A violation of an invariant.
     *
     * @param invariant two or three words
     * @param sentence what happened
     */
    record Violation(String invariant, String sentence) {
        @Override
        public String toString() {
            return invariant + ": " + sentence;
        }
    }

    static List<Violation> check(
            RunRecord run, Map<String, Room> rooms, Duration turnover, FaultTimeline story, End end) {
        FaultChecker checker = new FaultChecker(run, rooms, story, end);
        RunChecker.checkRoomAndMoney(run, RunChecker.Rules.of(rooms, Map.of(), turnover))
                .forEach(violation -> checker.violations.add(new Violation("room and money", violation)));
        story.gangs().forEach((name, subject) -> checker.gang(subject, checker.versions.getOrDefault(name, List.of())));
        checker.withinQueue();
        end.accounts().forEach(checker::account);
        return List.copyOf(checker.violations);
    }

    /** Checks that at each binding of a pod of the queue all its running pods are within its limit. */
    private void withinQueue() {
        List<PodLife> queued = story.gangs().values().stream()
                .filter(subject -> FaultLoad.isQueued(subject.gang()))
                .flatMap(subject -> members(subject).stream())
                .filter(pod -> pod.binding() != null)
                .toList();
        for (PodLife pod : queued) {
            Instant at = Objects.requireNonNull(pod.binding()).answered();
            long used = queued.stream()
                    .filter(other -> other.runsAt(at))
                    .mapToLong(PodLife::milliCores)
                    .sum();
            if (used > FaultLoad.QUEUE_MILLI_CORES) {
                violate(
                        "queue",
                        "with pod %s queue %s used %d thousandths of a core at %s, more than its %d.",
                        pod.name(),
                        FaultLoad.QUEUE,
                        used,
                        at,
                        FaultLoad.QUEUE_MILLI_CORES);
            }
        }
    }

    private void gang(Subject subject, List<Version> versions) {
        List<Start> starts = RunChecker.starts(versions);
        starts.forEach(start -> startsWhole(subject, start));
        boundInAStart(subject, starts);
        partlyRunning(subject, starts);
        movedWithoutCause(subject, versions);
        withinDeadline(subject, versions);
        finallyRun(subject);
    }

    private List<PodLife> lives(String pod) {
        return lives.getOrDefault(pod, List.of());
    }

    private List<PodLife> members(Subject subject) {
        List<PodLife> members = new ArrayList<>();
        for (int i = 0; i < subject.gang().size(); i++) {
            members.addAll(lives(subject.gang().name() + "-" + i));
        }
        return members;
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private void violate(String invariant, String sentence, Object... values) {
        violations.add(new Violation(invariant, sentence.formatted(values)));
    }

    // A start.

    /** The number of members without a placement that had succeeded in an earlier start. */
    private long doneBefore(Subject subject, Version opened) {
        Set<String> placed = new TreeSet<>();
        opened.window()
                .path("placement")
                .forEach(item -> placed.add(item.path("pod").asText()));
        return IntStream.range(0, subject.gang().size())
                .mapToObj(i -> subject.gang().name() + "-" + i)
                .filter(name -> !placed.contains(name)
                        && lives(name).stream()
                                .anyMatch(life -> life.succeeded()
                                        && life.ended() != null
                                        && !life.ended().isAfter(opened.at())))
                .count();
    }

    private void startsWhole(Subject subject, Start start) {
        Version opened = start.opened();
        JsonNode placement = opened.window().path("placement");
        if (placement.size() + doneBefore(subject, opened) != subject.gang().size()) {
            violate(
                    "starts whole",
                    "gang %s of %d started with a window of %d pods.",
                    subject.gang().name(),
                    subject.gang().size(),
                    placement.size());
        }
        for (JsonNode item : placement) {
            String pod = item.path("pod").asText();
            boolean there = lives(pod).stream().anyMatch(life -> wasThere(life, opened.at()));
            if (!there) {
                violate(
                        "starts whole",
                        "gang %s started at %s without its pod %s.",
                        subject.gang().name(),
                        opened.at(),
                        pod);
            }
        }
    }

    /** Returns whether a leader could see the pod a moment before. During an outage the moment is longer. */
    private boolean wasThere(PodLife life, Instant at) {
        Instant went = life.seenToGo();
        return !life.created().isAfter(at)
                && (went == null
                        || went.isAfter(at.minus(LAST_LOOK))
                        || story.any(Set.of(Sort.ABSENCE, Sort.TROUBLE), went, at));
    }

    private void boundInAStart(Subject subject, List<Start> starts) {
        for (PodLife pod : members(subject)) {
            Binding binding = pod.binding();
            if (binding == null) {
                continue;
            }
            if (subject.fate() == Fate.NEVER_RUNS) {
                violate("starts whole", "pod %s was bound, whose gang can never run.", pod.name());
            }
            // A pod that replaces a lost member has its own Reservation, and starts in that window.
            List<Start> alone = RunChecker.starts(versions.getOrDefault(SINGLE + pod.name(), List.of()));
            boolean inAStart =
                    Stream.concat(starts.stream(), alone.stream()).anyMatch(start -> belongs(pod, binding, start));
            if (!inAStart) {
                violate(
                        "starts whole",
                        "pod %s was bound to %s at %s in no window of its gang that had begun there.",
                        pod.name(),
                        binding.node(),
                        binding.received());
            }
        }
    }

    private boolean belongs(PodLife pod, Binding binding, Start start) {
        Version opened = start.opened();
        Version left = start.left();
        // A pod that came after the start is no member, and is planned alone.
        if (pod.created().isAfter(opened.at())
                || binding.answered().isBefore(opened.at().minus(STAMP))
                || (left != null && binding.received().isAfter(left.at().plus(onItsWay(left))))) {
            return false;
        }
        for (JsonNode item : opened.window().path("placement")) {
            if (item.path("pod").asText().equals(pod.name())) {
                boolean inTime = !binding.received()
                        .plus(story.ahead(binding.received().minus(BEGUN), binding.received()))
                        .isBefore(Instant.parse(item.path("start").asText()));
                return inTime && item.path("node").asText().equals(binding.node());
            }
        }
        return false;
    }

    private Duration onItsWay(Version left) {
        return story.any(Set.of(Sort.ABSENCE, Sort.TROUBLE), left.at().minus(ON_ITS_WAY), left.at())
                ? ON_ITS_WAY
                : STAMP;
    }

    /**
     * Checks that no member runs for longer than the repair takes while another member of the start is not bound, or
     * went before its binding. Only the time without a leader that reaches the API server is not counted.
     */
    private void partlyRunning(Subject subject, List<Start> starts) {
        for (int i = 0; i < starts.size(); i++) {
            Start start = starts.get(i);
            Version left = start.left();
            if (left != null && !Set.of("Completed", "Deleted").contains(left.phase())) {
                runningOn(
                        subject,
                        start.opened(),
                        left,
                        i + 1 == starts.size()
                                ? Instant.MAX
                                : starts.get(i + 1).opened().at());
            }
            Duration partly = inPart(subject, start, Set.of(Sort.ABSENCE));
            // A clock that is set back prolongs a timeout.
            Duration most = START_TIMEOUT
                    .plus(REPAIR)
                    .plus(story.stepped(start.opened().at(), start.opened().at().plus(START_TIMEOUT)));
            if (partly.compareTo(most) > 0) {
                violate(
                        "partly running",
                        "gang %s, started at %s, ran in part for %.1f s, absences not counted; with them for %.1f s.",
                        subject.gang().name(),
                        start.opened().at(),
                        partly.toMillis() / 1000.0,
                        inPart(subject, start, Set.of()).toMillis() / 1000.0);
            }
        }
    }

    /** The pods that existed, by name, when the start was made durable: the last one made until then. */
    private List<PodLife> startedWith(Subject subject, Instant at) {
        Map<String, PodLife> last = new TreeMap<>();
        members(subject).stream()
                .filter(pod -> !pod.created().isAfter(at))
                .sorted(Comparator.comparing(PodLife::created))
                .forEach(pod -> last.put(pod.name(), pod));
        return last.values().stream().filter(pod -> wasThere(pod, at)).toList();
    }

    /** The time for which a start ran in part from then on, without happenings of these sorts. */
    private Duration inPart(Subject subject, Start start, Set<Sort> excused) {
        Version left = start.left();
        Instant opened = start.opened().at();
        Instant until = left == null ? end.at() : left.at().plus(START_TIMEOUT);
        List<PodLife> members = startedWith(subject, opened);
        TreeSet<Instant> instants = new TreeSet<>();
        members.forEach(pod -> {
            if (pod.binding() != null) {
                instants.add(pod.binding().answered());
            }
            Instant went = pod.went();
            if (went != null) {
                instants.add(went);
            }
        });
        instants.add(opened);
        instants.add(until);
        Duration partly = Duration.ZERO;
        Instant since = null;
        for (Instant instant : instants.tailSet(opened)) {
            if (since != null) {
                partly = partly.plus(present(since, instant, excused));
            }
            since = isPartial(members, instant) && instant.isBefore(until) ? instant : null;
        }
        return partly;
    }

    /**
     * Checks that members of a rolled-back start run no longer than their eviction takes, without absences and trouble.
     */
    private void runningOn(Subject subject, Version opened, Version left, Instant next) {
        for (PodLife pod : members(subject)) {
            Instant until = Objects.requireNonNullElse(pod.went(), end.at());
            boolean ofThisStart = pod.binding() != null
                    && !pod.created().isAfter(opened.at())
                    && !pod.binding().answered().isBefore(opened.at().minus(STAMP))
                    && !pod.binding().received().isAfter(left.at().plus(onItsWay(left)))
                    && pod.binding().received().isBefore(next);
            if (!ofThisStart || until.isBefore(left.at())) {
                continue;
            }
            Duration on = present(left.at(), until, Set.of(Sort.ABSENCE, Sort.TROUBLE));
            if (on.compareTo(REPAIR) > 0) {
                violate(
                        "partly running",
                        "pod %s of gang %s ran on for %.1f s after the gang was taken back at %s.",
                        pod.name(),
                        subject.gang().name(),
                        on.toMillis() / 1000.0,
                        left.at());
            }
        }
    }

    private static boolean isPartial(List<PodLife> members, Instant at) {
        boolean runs = members.stream().anyMatch(pod -> pod.runsAt(at) && !goes(pod, at));
        boolean misses = members.stream()
                .anyMatch(
                        pod -> pod.binding() == null || pod.binding().answered().isAfter(at));
        return runs && misses;
    }

    private static boolean goes(PodLife pod, Instant at) {
        return pod.leaving() != null && !pod.leaving().isAfter(at);
    }

    /** The time between two instants without happenings of these sorts. */
    private Duration present(Instant from, Instant to, Set<Sort> sorts) {
        List<FaultTimeline.Happening> absences = story.happenings().stream()
                .filter(one -> sorts.contains(one.sort()) && one.meets(from, to))
                .sorted(Comparator.comparing(FaultTimeline.Happening::from))
                .toList();
        Duration sum = Duration.ZERO;
        Instant reached = from;
        for (FaultTimeline.Happening absence : absences) {
            if (absence.from().isAfter(reached)) {
                sum = sum.plus(Duration.between(reached, absence.from()));
            }
            reached = absence.to().isAfter(reached) ? absence.to() : reached;
        }
        return reached.isBefore(to) ? sum.plus(Duration.between(reached, to)) : sum;
    }

    // Promises.

    /**
     * A promise that was withdrawn or replaced by a worse one.
     *
     * @param before the last version with the promise
     * @param after the version without it, and all that follow
     */
    private record Move(Version before, List<Version> after) {
        Instant at() {
            return after.getFirst().at();
        }

        Duration apart(Told told) {
            return Duration.between(told.at(), at()).abs();
        }

        /** An event follows its write, so it belongs to this move rather than to a later one, however close. */
        boolean isNoNearerThan(Move other, Told told) {
            boolean isAhead = at().isAfter(told.at());
            boolean isOtherAhead = other.at().isAfter(told.at());
            return isAhead == isOtherAhead ? apart(told).compareTo(other.apart(told)) >= 0 : isAhead;
        }
    }

    private void movedWithoutCause(Subject subject, List<Version> versions) {
        List<Move> moves = moves(versions);
        moves.forEach(move -> caused(subject, move, moves));
    }

    private static List<Move> moves(List<Version> versions) {
        List<Move> moves = new ArrayList<>();
        Version promised = null;
        for (int i = 0; i < versions.size(); i++) {
            Version version = versions.get(i);
            boolean ended = version.deleted() || version.phase().equals("Completed");
            if (ended) {
                promised = null;
            } else if (promised == null) {
                promised = promises(version) ? version : null;
            } else if (promises(version)) {
                if (!sameTerms(promised, version)
                        && !isBetter(promised, version)
                        && !isWithinPromise(promised, version)) {
                    moves.add(new Move(promised, versions.subList(i, versions.size())));
                }
                promised = version;
            } else if (!betweenWrites(promised, version)) {
                moves.add(new Move(promised, versions.subList(i, versions.size())));
                promised = null;
            }
        }
        return moves;
    }

    /**
     * Returns whether the window is withdrawn for a moment by the order of the writes, or the new one is not promised
     * yet. The next version counts.
     */
    private static boolean betweenWrites(Version before, Version version) {
        boolean taken = version.phase().equals("Broken") && before.phase().equals("Starting");
        return (version.phase().equals("Pending") || taken || !version.hasWindow())
                && planned(version).path("status").asText().equals("True");
    }

    private static boolean promises(Version version) {
        return version.hasWindow() && PROMISING.contains(version.phase());
    }

    /** Returns whether time and cost are the same. A gang may get other nodes so that another gang starts sooner. */
    private static boolean sameTerms(Version one, Version other) {
        JsonNode a = one.window();
        JsonNode b = other.window();
        return a.path("start").equals(b.path("start"))
                && a.path("end").equals(b.path("end"))
                && a.path("exactCost").equals(b.path("exactCost"));
    }

    /** Returns whether the window starts and ends no later, costs no more, and is better in one of these. */
    private static boolean isBetter(Version before, Version after) {
        int starts = after.windowStart().compareTo(before.windowStart());
        int ends = windowEnd(after).compareTo(windowEnd(before));
        int costs = cost(after).compareTo(cost(before));
        return starts <= 0 && ends <= 0 && costs <= 0 && (starts < 0 || ends < 0 || costs < 0);
    }

    /**
     * Returns whether a moved window keeps the promised start, end and cost, and the promise is no worse than before.
     */
    private static boolean isWithinPromise(Version before, Version after) {
        Promised was = Promised.of(before);
        Promised is = Promised.of(after);
        return before.object().path("spec").has("promisedBy")
                && !after.windowStart().isAfter(was.start())
                && !windowEnd(after).isAfter(was.end())
                && cost(after).compareTo(was.cost()) <= 0
                && !is.start().isAfter(was.start())
                && !is.end().isAfter(was.end())
                && is.cost().compareTo(was.cost()) <= 0;
    }

    /** The latest start and end and the highest cost that a gang was promised. */
    private record Promised(Instant start, Instant end, BigInteger cost) {
        static Promised of(Version version) {
            JsonNode spec = version.object().path("spec");
            return new Promised(
                    spec.has("promisedBy") ? instant(spec.path("promisedBy")) : version.windowStart(),
                    spec.has("promisedEnd") ? instant(spec.path("promisedEnd")) : windowEnd(version),
                    spec.has("exactPromisedCost")
                            ? spec.path("exactPromisedCost").bigIntegerValue()
                            : FaultChecker.cost(version));
        }

        private static Instant instant(JsonNode text) {
            return Instant.parse(text.asText());
        }
    }

    private static BigInteger cost(Version version) {
        return version.window().path("exactCost").bigIntegerValue();
    }

    private static Instant windowEnd(Version version) {
        return Instant.parse(version.window().path("end").asText());
    }

    private static JsonNode planned(Version version) {
        for (JsonNode condition : version.object().path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Planned")) {
                return condition;
            }
        }
        return version.object().path("none");
    }

    private void caused(Subject subject, Move move, List<Move> moves) {
        String cause = toldCause(subject, move, moves);
        Instant at = move.at();
        if (cause.isEmpty()) {
            // A replica that died between the write and its event, or could not write the event, has told nothing.
            if (!story.any(Set.of(Sort.DEATH, Sort.ABSENCE, Sort.TROUBLE), at, at.plus(TOLD))) {
                violate(
                        "moved without a cause",
                        "the window of gang %s from %s was taken or replaced by a worse one at %s, and nothing "
                                + "says why.",
                        subject.gang().name(),
                        move.before().windowStart(),
                        at);
            }
        } else if (!isTrue(subject, move.before(), cause, at)) {
            violate(
                    "moved without a cause",
                    "the window of gang %s from %s was moved at %s for the cause \"%s\", of which the record "
                            + "of faults knows nothing.",
                    subject.gang().name(),
                    move.before().windowStart(),
                    at,
                    cause);
        }
    }

    /**
     * The cause that the Reservation states until its next promise, or that of an event to which no other move of the
     * gang is nearer. Empty if none. A Reservation of a gang that cannot be planned states the reason for that, so an
     * event about the lost window takes precedence.
     */
    private String toldCause(Subject subject, Move move, List<Move> moves) {
        String told = announced(subject, move, moves);
        for (Version version : move.after()) {
            JsonNode condition = planned(version);
            if (condition.path("status").asText().equals("False")) {
                String reason = condition.path("reason").asText();
                String message = condition.path("message").asText();
                return switch (reason) {
                    case "WindowBroken" -> message;
                    // A gang that was rolled back several times states the last refusal.
                    case "BackingOff", "WriteRefused" -> "refused: " + message;
                    default -> told.isEmpty() ? "edited: " + reason + ", " + message : told;
                };
            }
            if (promises(version)) {
                break;
            }
        }
        return told;
    }

    /** The event of this move, or empty. */
    private String announced(Subject subject, Move move, List<Move> moves) {
        return end.told().stream()
                .filter(told -> told.gang().equals(subject.gang().name()))
                .filter(told -> move.apart(told).compareTo(TOLD) <= 0)
                .filter(told -> moves.stream().allMatch(other -> other.isNoNearerThan(move, told)))
                .min(Comparator.comparing(move::apart))
                .map(Told::message)
                .orElse("");
    }

    private boolean isTrue(Subject subject, Version before, String told, Instant at) {
        String cause = told.contains(":") ? told.substring(0, told.indexOf(':')) : told;
        String name = subject.gang().name();
        Instant from = at.minus(CAUSED);
        return switch (cause) {
            case "node-lost" -> nodes(before).stream().anyMatch(node -> changed(node, from, at));
            // Pods are deleted and made again, by a fault or after an eviction, or a deadline passes.
            case "edited" ->
                story.any(Sort.GANG, name, from, at.plus(TOLD))
                        || members(subject).stream()
                                .anyMatch(pod -> pod.leaving() != null
                                        && !pod.leaving().isBefore(from)
                                        && !pod.leaving().isAfter(at))
                        || nodes(before).stream().anyMatch(node -> changed(node, from, at))
                        || (subject.deadline() != null && subject.deadline().isBefore(at.plusSeconds(60)));
            case "outage", "refused", "room-taken", "overrun" -> story.any(EnumSet.allOf(Sort.class), from, at);
            case "displaced" ->
                story.gangs().values().stream()
                        .anyMatch(other -> other.gang().manners().priorityClass() != null);
            default -> false;
        };
    }

    private static Set<String> nodes(Version version) {
        Set<String> nodes = new TreeSet<>();
        version.window()
                .path("placement")
                .forEach(item -> nodes.add(item.path("node").asText()));
        return nodes;
    }

    /** An unfinished change is recorded at its end, so its beginning is checked, too. */
    private boolean changed(String node, Instant from, Instant to) {
        return story.any(Sort.NODE, node, from, to);
    }

    private void withinDeadline(Subject subject, List<Version> versions) {
        Instant deadline = subject.deadline();
        if (deadline == null) {
            return;
        }
        for (Version version : versions) {
            if (promises(version) && windowEnd(version).isAfter(deadline)) {
                violate(
                        "deadline",
                        "gang %s with the deadline %s was promised a window that ends at %s.",
                        subject.gang().name(),
                        deadline,
                        windowEnd(version));
            }
        }
    }

    // Money.

    /**
     * Checks that after every write the held and the certainly spent amounts are within the budget, and that the ledger
     * at the end is the cost of the runs.
     */
    private void account(String namespace, Account account) {
        long budget = account.exactBudget();
        Map<String, Long> held = new TreeMap<>();
        long heldSum = 0;
        long least = 0;
        long most = 0;
        Map<String, Version> running = new HashMap<>();
        for (Version version : run.reservations()) {
            Subject subject = story.gangs().get(gangOf(version.name()));
            if (subject == null || !subject.gang().namespace().equals(namespace)) {
                continue;
            }
            Version opened = running.get(version.name());
            if (version.phase().equals("Running") && !version.deleted()) {
                running.putIfAbsent(version.name(), version);
            } else if (opened != null) {
                running.remove(version.name());
                boolean completed = Set.of("Completed", "Deleted").contains(version.phase());
                least += completed ? leastCharge(opened) : 0;
                most += exactCost(opened);
            }
            long before = Objects.requireNonNullElse(held.remove(version.name()), 0L);
            long now = promises(version) && !version.deleted() ? exactCost(version) : 0;
            held.put(version.name(), now);
            heldSum += now - before;
            if (now > before && heldSum + least > budget) {
                violate(
                        "overspent",
                        "namespace %s: %d of %d are promised or spent for certain at %s, with gang %s.",
                        namespace,
                        heldSum + least,
                        budget,
                        version.at(),
                        version.name());
            }
        }
        if (account.spent() > budget) {
            violate("overspent", "namespace %s: %d were spent of %d.", namespace, account.spent(), budget);
        }
        if (account.spent() < least || account.spent() > most) {
            violate(
                    "overspent",
                    "namespace %s: its ledger has spent %d; by the runs it is between %d and %d.",
                    namespace,
                    account.spent(),
                    least,
                    most);
        }
        if (account.held() != heldSum) {
            violate(
                    "overspent",
                    "namespace %s: its ledger holds %d; the windows that stand cost %d.",
                    namespace,
                    account.held(),
                    heldSum);
        }
    }

    /** The gang of a Reservation's pods. A pod that replaces a lost member has its own Reservation. */
    private static String gangOf(String reservation) {
        return reservation.startsWith(SINGLE)
                ? reservation.substring(SINGLE.length(), reservation.lastIndexOf('-'))
                : reservation;
    }

    private static long exactCost(Version version) {
        return version.window().path("exactCost").asLong();
    }

    /**
     * The least charge of the run: its pods' time up to their promised ends, less the latest notice. A lost pod costs
     * nothing.
     */
    private long leastCharge(Version opened) {
        long sum = 0;
        for (JsonNode item : opened.window().path("placement")) {
            Instant start = Instant.parse(item.path("start").asText());
            Instant promised = Instant.parse(item.path("end").asText());
            long whole = Duration.between(start, promised).toSeconds();
            long seconds = lives(item.path("pod").asText()).stream()
                    .filter(pod -> pod.succeeded()
                            && pod.binding() != null
                            && pod.ended() != null
                            && !pod.created().isAfter(opened.at())
                            && pod.ended().isAfter(opened.at()))
                    .mapToLong(pod -> Duration.between(
                                    Objects.requireNonNull(pod.binding()).answered(),
                                    Objects.requireNonNull(pod.ended()))
                            .toSeconds())
                    .max()
                    .orElse(0);
            long counted = Math.clamp(seconds - 1, 0, whole);
            sum += whole == 0 ? 0 : exactCost(item, whole) * counted / whole;
        }
        return sum;
    }

    private long exactCost(JsonNode item, long seconds) {
        PodLife pod = lives(item.path("pod").asText()).getLast();
        Room room = rooms.get(item.path("node").asText());
        return room == null ? 0 : RunChecker.cost(pod, room, seconds).longValueExact();
    }

    // The end.

    private void finallyRun(Subject subject) {
        if (subject.givenUp() || subject.fate() == Fate.NEVER_RUNS) {
            return;
        }
        List<String> left = new ArrayList<>();
        for (int i = 0; i < subject.gang().size(); i++) {
            String name = subject.gang().name() + "-" + i;
            if (lives(name).stream().noneMatch(PodLife::succeeded)) {
                left.add(name);
            }
        }
        if (left.isEmpty() || isExcused(subject)) {
            return;
        }
        violate(
                "runs in the end",
                "gang %s of %s could run, and %s never did; it says: %s",
                subject.gang().name(),
                subject.gang().namespace(),
                left,
                end.reasons().getOrDefault(subject.gang().name(), "nothing"));
    }

    private boolean isExcused(Subject subject) {
        return switch (subject.fate()) {
            case RUNS -> false;
            case NEVER_RUNS -> true;
            case RUNS_BY_A_DEADLINE -> {
                Instant deadline = subject.deadline();
                yield deadline != null && deadline.isBefore(end.at());
            }
            case RUNS_FOR_MONEY -> {
                Account account = end.accounts().get(subject.gang().namespace());
                Instant deadline = subject.deadline();
                yield (deadline != null && deadline.isBefore(end.at()))
                        || account == null
                        || account.exactBudget() - account.spent() - account.held() < dearest(subject);
            }
        };
    }

    /** The highest cost of the gang. With this amount left, the gang could run wherever there is room. */
    private long dearest(Subject subject) {
        PodLife pod = lives(subject.gang().name() + "-0").getLast();
        return rooms.values().stream()
                        .mapToLong(room -> RunChecker.cost(
                                        pod, room, subject.gang().runtimeSeconds() + 2)
                                .longValueExact())
                        .max()
                        .orElse(0)
                * subject.gang().size();
    }

    static Map<String, Long> summary(List<Violation> violations) {
        return violations.stream()
                .collect(Collectors.groupingBy(Violation::invariant, TreeMap::new, Collectors.counting()));
    }

    /** The planned kinds of faults that never took effect. */
    static List<Violation> missed(FaultPlan plan, FaultTimeline story) {
        return Stream.concat(
                        plan.episodes().stream().map(episode -> episode.kind().name()),
                        Stream.of(FaultsIT.REFUSED_BY_KUBELETS))
                .distinct()
                .filter(kind -> !story.counts().containsKey(kind))
                .sorted()
                .map(kind -> new Violation("faults", kind + " never came about."))
                .toList();
    }

    /** The run in a few lines. The times in part are given with and without absences. */
    static String figures(RunRecord run, FaultTimeline story, End end) {
        FaultChecker checker = new FaultChecker(run, Map.of(), story, end);
        long bound = run.pods().stream().filter(pod -> pod.binding() != null).count();
        long moved = run.byReservation().values().stream()
                .mapToLong(versions ->
                        versions.stream().mapToInt(Version::attempts).max().orElse(0))
                .sum();
        return ("%d gangs, %d pods made, %d bound, %d versions of reservations, %d starts taken back, %d "
                        + "happenings%n%s%n%s%nfaults: %s")
                .formatted(
                        story.gangs().size(),
                        run.pods().size(),
                        bound,
                        run.reservations().size(),
                        moved,
                        story.happenings().size(),
                        checker.partsInWords(),
                        checker.membersInWords(),
                        story.counts());
    }

    /** The members of starts and their ends, by the audit log. */
    private String membersInWords() {
        long again = lives.values().stream().mapToLong(of -> of.size() - 1).sum();
        long before = 0;
        long lost = 0;
        long meanwhile = 0;
        for (Subject subject : story.gangs().values()) {
            for (Start start :
                    RunChecker.starts(versions.getOrDefault(subject.gang().name(), List.of()))) {
                Instant at = start.opened().at();
                List<PodLife> members = startedWith(subject, at);
                before += members.stream().noneMatch(pod -> pod.binding() != null) ? 1 : 0;
                lost += members.stream()
                        .filter(pod -> pod.binding() == null && pod.leaving() != null)
                        .count();
                Instant whole = members.stream()
                        .filter(pod -> pod.binding() != null)
                        .map(pod -> Objects.requireNonNull(pod.binding()).answered())
                        .max(Comparator.naturalOrder())
                        .orElse(at);
                meanwhile += story.any(Set.of(Sort.DEATH), at, whole) ? 1 : 0;
            }
        }
        return ("%d pods made again with the same name; of members of durable starts %d went before "
                        + "their binding; %d starts bound nobody, in %d Slotwise died before all were bound")
                .formatted(again, lost, before, meanwhile);
    }

    /** The times for which starts ran in part. */
    private String partsInWords() {
        List<Duration> raw = new ArrayList<>();
        List<Duration> counted = new ArrayList<>();
        story.gangs().forEach((name, subject) -> {
            for (Start start : RunChecker.starts(versions.getOrDefault(name, List.of()))) {
                raw.add(inPart(subject, start, Set.of()));
                counted.add(inPart(subject, start, Set.of(Sort.ABSENCE)));
            }
        });
        return "%d starts; in part, absences included: %s; not included: %s"
                .formatted(raw.size(), inWords(raw), inWords(counted));
    }

    private static String inWords(List<Duration> parts) {
        Duration longest = parts.stream().max(Duration::compareTo).orElse(Duration.ZERO);
        Duration sum = parts.stream().reduce(Duration.ZERO, Duration::plus);
        return "%d for over a second, the longest for %.1f s, all of them together for %.1f s"
                .formatted(
                        parts.stream()
                                .filter(part -> part.compareTo(Duration.ofSeconds(1)) > 0)
                                .count(),
                        longest.toMillis() / 1000.0,
                        sum.toMillis() / 1000.0);
    }
}
