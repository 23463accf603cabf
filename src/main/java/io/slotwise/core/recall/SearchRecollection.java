package io.slotwise.core.recall;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Criterion.Figure;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.recall.PlanMemory.Known;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import io.slotwise.core.window.search.WindowSearch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a cycle knows from the one before it and finds itself: which searches need not be made, since they have the
 * answer that they had.
 *
 * <p><b>The rule.</b> Let a gang have searched exactly for its best window by a criterion, within some terms and a
 * budget, on the room R that others left it. Now it seeks, by the same criterion and the same limit of the price,
 * within terms that start no sooner and for a budget that is no higher, on the room R' that others leave it now. If its
 * answer then is still one of the windows that are sought (or was none), the best window is the better one of that
 * answer and of the best of those that start in a second in which a pod of the gang can stand on room that a holder has
 * given up since, or that end or start later than the terms allowed then. Where there are no such seconds, nothing is
 * searched.
 *
 * <p><b>Proof.</b> Take a window w that is sought now and none of those. Each of its pods stands, on every second of
 * its stay and of the turnover after it, where no holder but the gang itself has given up room since. What others hold
 * on these seconds of these nodes is therefore at least what they held then, so w had room in R; and it lay within the
 * terms and the budget of then. So it was one of the windows among which the answer was the best, and is not better
 * than it in the order of {@link WindowSearch#order}, which is total and does not look at room. If there was no answer
 * there is no such w. The same holds as long as the answer was one of the windows sought. What costs a window has, its
 * nodes say: a node that is another one than before counts as given up for all times, and an answer on it is forgotten.
 * So is one of a gang that is not as it was. Answers of searches that had to be bounded are not remembered, nor those
 * of gangs whose pods look at others, nor any found while the gang itself held room beside the window that counted as
 * free. (A search that has to be bounded only now, on less room, would be answered with the exact window.)
 *
 * <p><b>What is not searched either.</b> A window that is new has a pod on room that was given up, so it costs no less
 * than a pod does there at least and the others do anywhere at least. Where that is more than the budget, or by the
 * cost (the value) more than the answer that is known, the node is passed over. All its pods start at one second t and
 * stay d seconds or more, so for every g &lt;= d all of them have room at the first floor(d / g) multiples of g from t
 * on, at each of these as many units as there are pods, one of them where room was given up. What these units add to a
 * sum is no less than what as many of the cheapest that are free all that time add there; if that is more than the sum
 * may be, no window starts then. That is known of all gangs with pods of one size at once ({@link Instants}); only
 * for the seconds that are left are nodes looked at, and nodes without room for a pod until it ends are left out; if no
 * node is left on which room was given up, there is no new window.
 *
 * <p>Who has given up room since is known from {@link io.slotwise.core.cluster.RoomHolders} within a cycle, by the
 * identity of holders, and between two cycles by comparing who held room at the end of the one with who holds it at the
 * beginning of the other. An occupation that is prolonged, or that a gang has where it had its window, gives nothing
 * up. A departure is asked of the gang's node whether a pod of it has room there now ({@link NodeTimeline#starts}); if
 * so, the search is made for those seconds alone and on those nodes that can take a pod in them beside all others of
 * the gang ({@link Instants}). Whether a window could start sooner on its own nodes is remembered in the same way
 * ({@link #isStill}), and so is whether a gang had room at no second at all, however it is cut ({@link #isCrowded}).
 *
 * <p>O(1 + d (b r) + seats) for a question that is answered so, for d departures since, b breakpoints and r resources
 * of a node; O(nodes + occupations + seats) once a cycle. Safe for threads as long as no caller changes the free
 * capacity meanwhile.
 */
public final class SearchRecollection {
    /** Departures that are kept; a gang that last searched before them must search anew. */
    private static final int MOST_DEPARTURES = 1 << 16;

    /** More than these are not looked at one by one for each gang, but together. */
    private static final int FEW_DEPARTURES = 1024;

    /**
     * Findings of a gang that are kept: its own criterion, backfilling, the reasons why it has no window, some periods
     * of accounts.
     */
    private static final int MOST_FINDINGS = 8;

    /** Up to it a sum of a cost and a delay is exact, and so are the seconds that it is worth. */
    private static final long MOST_VALUE = Long.MAX_VALUE / 4;

    private final Timeline timeline;
    private final PodTariffs tariffs;
    private final List<Performance> speeds;
    private final Instants instants;
    private final SearchObserver searches;
    private final Map<GangId, Integer> holdings = new HashMap<>();
    private final Map<GangId, Known> known = Collections.synchronizedMap(new HashMap<>());
    private final Map<GangId, PlanMemory.Crowded> crowded = Collections.synchronizedMap(new HashMap<>());
    private final Map<GangId, PlanMemory.Still> still = new HashMap<>();
    private List<Left> departures = new ArrayList<>();

    /** Of each node the numbers of departures that there had been before each of its own. */
    private final Map<String, List<Long>> leftOn = new HashMap<>();

    /** By how many departures there had been before them. */
    private final Map<Long, ManyDepartures> together = new HashMap<>();

    /** A departure, and the position of its node; negative: it is not there any more. */
    private record Left(RoomDeparture room, int position) {}

    /** How many departures there were before those that are kept. */
    private long first;

    private boolean remembers;

    /**
     * What a timeline was made of.
     *
     * @param now nothing is asked about seconds before this one, since the epoch
     * @param cluster the nodes and what runs on them
     * @param waiting the gangs that look for windows
     */
    public record Picture(long now, Cluster cluster, Set<GangId> waiting) {}

    /**
     * One that knows nothing, and notes nothing before it {@linkplain #begin begins}.
     *
     * @param searches who is told of searches
     */
    public SearchRecollection(Timeline timeline, PodTariffs tariffs, SearchObserver searches) {
        this.timeline = timeline;
        this.searches = searches;
        this.tariffs = tariffs;
        this.speeds = tariffs.nodes().kinds().stream()
                .map(node -> node.performance())
                .distinct()
                .toList();
        this.instants = new Instants(timeline);
    }

    /**
     * Begins with what is remembered, once all promises have their room.
     *
     * @param memory of the cycle before
     * @param rules by which this one plans; what was found by others is of no use
     * @param picture what the timeline was made of
     * @param promises the windows that have room in it
     */
    public void begin(PlanMemory memory, Object rules, Picture picture, Collection<Window> promises) {
        settle();
        departures.clear();
        leftOn.clear();
        together.clear();
        first = 0;
        remembers = true;
        if (!memory.isOf(rules)) {
            return;
        }
        first = memory.departures().first();
        memory.departures().list().forEach(this::left);
        CycleDifferences changes = new CycleDifferences(memory, picture.cluster(), timeline, picture.now());
        changes.departures(promises).stream().distinct().forEach(this::left);
        Set<String> others = changes.otherNodes();
        memory.known().forEach((gang, what) -> {
            List<RecalledFinding> sound = others.isEmpty()
                    ? what.findings()
                    : what.findings().stream()
                            .filter(finding -> finding.window() == null
                                    || finding.window().placements().stream()
                                            .noneMatch(seat -> others.contains(seat.node())))
                            .toList();
            if (!sound.isEmpty() && picture.waiting().contains(gang)) {
                known.put(gang, new Known(what.gang(), sound));
            }
        });
        crowded.putAll(ofWaiting(memory.hindrances().crowded(), picture));
        still.putAll(ofWaiting(memory.hindrances().still(), picture));
        forgetOld();
    }

    private static <T> Map<GangId, T> ofWaiting(Map<GangId, T> all, Picture picture) {
        Map<GangId, T> some = HashMap.newHashMap(all.size());
        all.forEach((gang, what) -> {
            if (picture.waiting().contains(gang)) {
                some.put(gang, what);
            }
        });
        return some;
    }

    /**
     * What it leaves to the next cycle.
     *
     * @param windows that the gangs have at the end
     */
    public PlanMemory memory(Object rules, Cluster cluster, IdentityHashMap<Gang, Window> windows) {
        if (!remembers) {
            return PlanMemory.NOTHING;
        }
        settle();
        Map<GangId, PlanMemory.Held> held = HashMap.newHashMap(windows.size());
        windows.forEach((gang, window) -> held.put(gang.id(), new PlanMemory.Held(gang, window)));
        long from = Math.max(first, needed());
        Map<GangId, Known> sound = HashMap.newHashMap(known.size());
        known.forEach((gang, what) -> {
            List<RecalledFinding> late = what.findings().stream()
                    .filter(finding -> finding.seen() >= from)
                    .toList();
            if (!late.isEmpty()) {
                sound.put(gang, new Known(what.gang(), late));
            }
        });
        Map<GangId, PlanMemory.Crowded> full = new HashMap<>(crowded);
        full.values().removeIf(what -> what.seen() < from);
        Map<GangId, PlanMemory.Still> firm = new HashMap<>(still);
        firm.values().removeIf(what -> what.seen() < from);
        PlanMemory.Departures given = new PlanMemory.Departures(
                from,
                departures.subList((int) (from - first), departures.size()).stream()
                        .map(Left::room)
                        .toList());
        return new PlanMemory(rules, cluster, held, given, sound, new PlanMemory.Hindrances(full, firm));
    }

    /** The departures before these many have been seen by what is known last of each gang. */
    private long needed() {
        long needed = seen();
        for (Known what : known.values()) {
            long latest = 0;
            for (RecalledFinding finding : what.findings()) {
                latest = Math.max(latest, finding.seen());
            }
            // One that is too old to be of use has nothing to say.
            needed = latest < first ? needed : Math.min(needed, latest);
        }
        return needed;
    }

    private void left(RoomDeparture room) {
        leftOn.computeIfAbsent(room.node(), _ -> new ArrayList<>()).add(first + departures.size());
        together.clear();
        departures.add(new Left(room, timeline.inventory().position(room.node())));
    }

    /** Takes note of who has taken and given back room since. */
    private synchronized void settle() {
        IdentityHashMap<Object, Integer> net = timeline.holders().settled();
        if (net.isEmpty()) {
            return;
        }
        boolean gone = false;
        for (Map.Entry<Object, Integer> entry : net.entrySet()) {
            int times = entry.getValue();
            switch (entry.getKey()) {
                case Window window -> {
                    holdings.merge(window.gang(), times, Integer::sum);
                    if (times < 0) {
                        window.placements().stream()
                                .map(seat -> CycleDifferences.departure(window.gang(), seat, timeline))
                                .distinct()
                                .forEach(this::left);
                    }
                }
                case Occupation held when times < 0 -> left(CycleDifferences.departure(held, timeline));
                default -> {}
            }
            gone |= times < 0;
        }
        if (gone) {
            forgetOld();
        }
    }

    private void forgetOld() {
        int old = departures.size() - MOST_DEPARTURES;
        if (old > 0) {
            first += old;
            departures = new ArrayList<>(departures.subList(old, departures.size()));
        }
    }

    private synchronized long seen() {
        return first + departures.size();
    }

    private synchronized List<Left> since(long seen) {
        return departures.subList((int) (seen - first), departures.size());
    }

    /**
     * Departures that are looked at together: what leaves out none of them leaves out none that matters.
     *
     * @param nodes their positions
     * @param from the first second of any of them
     * @param to the first second behind all of them
     */
    private record ManyDepartures(BitSet nodes, long from, long to) {}

    /** Those since there had been so many, and maybe a few before. */
    private synchronized ManyDepartures together(long seen) {
        long about = Math.max(first, seen - seen % FEW_DEPARTURES);
        return together.computeIfAbsent(about, since -> {
            BitSet nodes = new BitSet(timeline.nodes().size());
            long from = Long.MAX_VALUE;
            long to = Long.MIN_VALUE;
            for (Left departure : departures.subList((int) (since - first), departures.size())) {
                if (departure.position() >= 0) {
                    nodes.set(departure.position());
                    from = Math.min(from, departure.room().from());
                    to = Math.max(to, departure.room().to());
                }
            }
            return new ManyDepartures(nodes, from, to);
        });
    }

    /** Whether the gang has no room in the timeline but that of this window. */
    private synchronized boolean holdsOnly(Gang gang, @Nullable Window own) {
        return holdings.getOrDefault(gang.id(), 0) == (own == null ? 0 : 1);
    }

    /**
     * An answer that is known.
     *
     * @param window the best; null: there is none
     */
    record Answer(@Nullable Window window) {}

    /** What is known of a question: the answer, and null if it is not known. */
    @Nullable
    Answer recalled(Gang gang, WindowRequest sought) {
        if (!remembers) {
            return null;
        }
        settle();
        Known what = known.get(gang.id());
        if (what == null || !isSame(what.gang(), gang)) {
            return null;
        }
        for (RecalledFinding finding : what.findings()) {
            if (finding.seen() >= first
                    && finding.isAbout(sought)
                    && finding.suits(sought)
                    && hasRoom(finding.window(), gang, sought.own())) {
                Answer answer = answer(gang, finding, sought);
                if (answer != null) {
                    return answer;
                }
            }
        }
        return null;
    }

    /**
     * Whether it is known that at no second within these terms all pods of the gang have room, on whichever nodes, at
     * every instant until the first of them could end, its own window's room being free.
     *
     * <p>It is if that was so within terms that leave as much open, and on every node on which a holder has given up
     * room since not one of its pods has room at any second for which that was. Proof: on any other node, and at any
     * other second, there is no more room than there was, for as many pods at most; here there is for none. A node that
     * is another one than before may be one on which pods end sooner, so nothing is known then.
     *
     * @param gang whose pods all ask for the same
     * @param own that has its room in the timeline
     */
    boolean isCrowded(Gang gang, Window own, SlotTerms sought) {
        if (!remembers) {
            return false;
        }
        settle();
        PlanMemory.Crowded what = crowded.get(gang.id());
        if (what == null
                || what.seen() < first
                || !isSame(what.gang(), gang)
                || !what.isAbout(sought)
                || !holdsOnly(gang, own)) {
            return false;
        }
        long end = sought.latest() + longest(gang);
        for (Left departure : since(what.seen())) {
            if (!Objects.equals(gang.id(), departure.room().owner())
                    && mayMakeRoom(gang, own, departure, sought, end)) {
                return false;
            }
        }
        noteCrowded(gang, own, sought);
        return true;
    }

    private boolean mayMakeRoom(Gang gang, Window own, Left departure, SlotTerms sought, long end) {
        RoomDeparture room = departure.room();
        if (room.from() == Long.MIN_VALUE) {
            return true;
        }
        long from = Math.max(sought.earliest(), room.from() - timeline.turnover());
        long last = Math.min(end, room.to()) - 1;
        return departure.position() >= 0
                && from <= last
                && own(timeline.nodes().get(departure.position()), own, gang)
                                .starts(gang.request().resources(), 1, from, last)
                        != null;
    }

    /** It is so now. */
    void noteCrowded(Gang gang, Window own, SlotTerms sought) {
        if (!remembers) {
            return;
        }
        settle();
        if (holdsOnly(gang, own)) {
            crowded.put(gang.id(), new PlanMemory.Crowded(gang, sought, seen()));
        }
    }

    /**
     * Whether it is known that a window cannot start sooner on its own nodes from a second on, its own room being free.
     *
     * <p>It is if that was so from no later second on, and no holder has given up room on these nodes since that a
     * sooner start could use. Proof: it would have all its room on these nodes, between that second and the end of the
     * last turnover of the window as it is; there others hold no less than they did then. A node that is another one
     * than before counts as given up for all times.
     *
     * @param window that has its room in the timeline
     */
    boolean isStill(Gang gang, Window window, SlotTerms sought) {
        if (!remembers || gang.hasRules()) {
            return false;
        }
        settle();
        PlanMemory.Still what = still.get(gang.id());
        if (what == null
                || what.seen() < first
                || what.earliest() > sought.earliest()
                || !what.window().equals(window)
                || !isSame(what.gang(), gang)
                || !holdsOnly(gang, window)) {
            return false;
        }
        if (what.seen() == seen()) {
            return true;
        }
        long end = window.end() + timeline.turnover();
        for (Placement seat : window.placements()) {
            if (hasLeft(seat.node(), gang, what.seen(), new Interval(sought.earliest(), end))) {
                return false;
            }
        }
        noteStill(gang, window, sought);
        return true;
    }

    /** Whether another holder has given up room on a node in these seconds since so many departures. */
    private synchronized boolean hasLeft(String node, Gang gang, long seen, Interval when) {
        List<Long> here = leftOn.getOrDefault(node, List.of());
        for (int i = here.size() - 1; i >= 0 && here.get(i) >= seen; i--) {
            RoomDeparture room = departures.get((int) (here.get(i) - first)).room();
            if (room.from() < when.end() && room.to() > when.start() && !Objects.equals(gang.id(), room.owner())) {
                return true;
            }
        }
        return false;
    }

    /** It is so now. */
    void noteStill(Gang gang, Window window, SlotTerms sought) {
        if (!remembers || gang.hasRules()) {
            return;
        }
        settle();
        if (holdsOnly(gang, window)) {
            still.put(gang.id(), new PlanMemory.Still(gang, window, sought.earliest(), seen()));
        }
    }

    /** Mostly it is the same object, and then there is no need to compare the pods. */
    private static boolean isSame(Gang one, Gang other) {
        return Objects.equals(one, other);
    }

    private boolean hasRoom(@Nullable Window window, Gang gang, @Nullable Window own) {
        return window == null || window.fitsInPlaceOf(own, timeline, gang);
    }

    private @Nullable Answer answer(Gang gang, RecalledFinding finding, WindowRequest sought) {
        Seconds open = seconds(gang, finding, sought);
        Window before = finding.window();
        if (open.isEmpty()) {
            boolean nothingNew =
                    finding.reaches(sought.terms()) && since(finding.seen()).isEmpty();
            if (!nothingNew) {
                note(gang, sought, before);
            }
            return new Answer(before);
        }
        Answer best = within(gang, sought, open, before);
        if (best != null) {
            note(gang, sought, best.window());
        }
        return best;
    }

    /** Seconds in which windows may start that were not there before, in stretches. */
    private static final class Seconds {
        private final List<Interval> stretches = new ArrayList<>();

        /** The nodes of which at least one takes a pod of any such window. */
        private final BitSet nodes = new BitSet();

        /** Whether there may be such windows without one of these nodes. */
        private boolean anywhere;

        void addAnywhere(long from, long to) {
            anywhere |= from <= to;
            add(from, to);
        }

        void addOn(BitSet some, long from, long to) {
            if (from <= to) {
                nodes.or(some);
            }
            add(from, to);
        }

        void addOn(int node, long from, long to) {
            if (from <= to) {
                nodes.set(node);
            }
            add(from, to);
        }

        /** Whether windows on these nodes may be new. */
        boolean matterTo(BitSet others) {
            return anywhere || nodes.intersects(others);
        }

        void add(long from, long to) {
            if (from <= to) {
                stretches.add(new Interval(from, to + 1));
            }
        }

        boolean isEmpty() {
            return stretches.isEmpty();
        }

        /** In order, those that meet as one. */
        List<Interval> merged() {
            stretches.sort(Comparator.comparingLong(Interval::start));
            List<Interval> merged = new ArrayList<>();
            for (Interval next : stretches) {
                Interval last = merged.isEmpty() ? null : merged.getLast();
                if (last == null || last.end() < next.start()) {
                    merged.add(next);
                } else {
                    merged.set(merged.size() - 1, new Interval(last.start(), Math.max(last.end(), next.end())));
                }
            }
            return merged;
        }
    }

    private Seconds seconds(Gang gang, RecalledFinding finding, WindowRequest sought) {
        Seconds open = new Seconds();
        SlotTerms terms = sought.terms();
        Window before = finding.window();
        long latest = before == null ? terms.latest() : Math.min(terms.latest(), latestStart(gang, before, sought));
        if (latest < terms.earliest()) {
            return open;
        }
        if (terms.latest() > finding.terms().latest()) {
            open.addAnywhere(Math.max(terms.earliest(), finding.terms().latest() + 1), latest);
        }
        if (terms.deadline() > finding.terms().deadline()) {
            open.addAnywhere(Math.max(terms.earliest(), finding.terms().deadline() - longest(gang) + 1), latest);
        }
        List<Left> since = since(finding.seen());
        if (since.size() > FEW_DEPARTURES) {
            ManyDepartures all = together(finding.seen());
            long from =
                    all.from() == Long.MIN_VALUE ? Long.MIN_VALUE : all.from() - longest(gang) - timeline.turnover();
            open.addOn(all.nodes(), Math.max(terms.earliest(), from), Math.min(latest, all.to() - 1));
        } else if (!since.isEmpty()) {
            Use use = new Use(gang, before, sought);
            for (Left departure : since) {
                if (departure.position() >= 0
                        && departure.room().to() > terms.earliest()
                        && !Objects.equals(gang.id(), departure.room().owner())) {
                    add(open, departure, use, latest);
                }
            }
        }
        return open;
    }

    /** No window that starts later is as good as the one that is known. */
    private long latestStart(Gang gang, Window before, WindowRequest sought) {
        return switch (sought.criterion().kind()) {
            case TIME -> sought.criterion() == Criterion.START ? before.start() : before.end() - shortest(gang);
            case WORTH -> {
                long value = before.value(Criterion.VALUE, gang);
                // The delay alone must not be worth more.
                long end =
                        value > MOST_VALUE ? Long.MAX_VALUE : gang.valueOfTime().lastEnd(gang.arrival(), value);
                yield end == Long.MAX_VALUE ? end : end - shortest(gang);
            }
            case DISTANCE ->
                gang.preferences()
                        .starts(before.distance(gang))
                        .map(starts -> starts.end() - 1)
                        .orElse(Long.MAX_VALUE);
            case LARGEST, SUM -> Long.MAX_VALUE;
        };
    }

    /**
     * The seconds in which a pod of the gang can start and be where a holder has left, the gang's own room being free.
     */
    private void add(Seconds open, Left departure, Use use, long latest) {
        Gang gang = use.gang;
        WindowRequest sought = use.sought;
        int position = departure.position();
        NodeTimeline there = timeline.nodes().get(position);
        RoomDeparture room = departure.room();
        long here = use.duration(position);
        long length = (gang.lockstep() ? longest(gang) : here) + timeline.turnover();
        long from = Math.max(
                sought.terms().earliest(), room.from() == Long.MIN_VALUE ? Long.MIN_VALUE : room.from() - length + 1);
        long to = Math.min(Math.min(latest, room.to() - 1), use.latestStart(here));
        if (from > to || use.isPassedOn(position)) {
            return;
        }
        NodeTimeline seen = sought.own() == null ? there : own(there, sought.own(), gang);
        for (Gang.Shape shape : gang.shapes()) {
            long[] starts = seen.starts(shape.request().resources(), here, from, to);
            if (starts != null) {
                open.addOn(position, starts[0], starts[1]);
            }
        }
    }

    /**
     * What a window with a pod on some node costs at least, and the most that one may cost to be of use beside the one
     * that is known.
     */
    private final class Use {
        private final Gang gang;
        private final @Nullable Window before;
        private final WindowRequest sought;
        private final long all;
        private final long most;
        private final boolean exact;
        private final List<PodTariffs.PodFigures> costs;

        /** No pod takes longer if the window is to be as good as the one that is known. */
        private final long longestPod;

        /** All pods end before it then. */
        private final long lastEnd;

        Use(Gang gang, @Nullable Window before, WindowRequest sought) {
            this.gang = gang;
            this.before = before;
            this.sought = sought;
            this.costs = gang.shapes().stream()
                    .map(shape -> tariffs.figures(shape.request()))
                    .toList();
            this.exact = costs.stream().allMatch(cost -> cost.leastCost() <= MOST_VALUE / gang.size());
            long sum = 0;
            for (int shape = 0; shape < costs.size() && exact; shape++) {
                sum += costs.get(shape).leastCost()
                        * gang.shapes().get(shape).pods().size();
            }
            this.all = sum;
            this.most = Math.min(sought.budget().microSecondsPerHour(), useful());
            this.longestPod = before == null ? Long.MAX_VALUE : longestPod(before);
            this.lastEnd = before == null || sought.criterion() != Criterion.FINISH ? Long.MAX_VALUE : before.end();
        }

        private long longestPod(Window known) {
            if (sought.criterion().figure() != Figure.DURATION) {
                return Long.MAX_VALUE;
            }
            return switch (sought.criterion().kind()) {
                case LARGEST -> known.runtime();
                case SUM -> known.processorTime() - (gang.size() - 1) * shortest(gang);
                case TIME, WORTH, DISTANCE -> Long.MAX_VALUE;
            };
        }

        /** Seconds that a pod of the first shape takes on a node. */
        long duration(int node) {
            return costs.getFirst().duration(node);
        }

        /**
         * No window with a pod of so many seconds that starts later is as good as the one that is known; before all
         * seconds: none is.
         */
        long latestStart(long duration) {
            if (duration > longestPod) {
                return Long.MIN_VALUE;
            }
            return lastEnd == Long.MAX_VALUE ? lastEnd : lastEnd - duration;
        }

        private long useful() {
            if (before != null && sought.criterion() == Criterion.COST) {
                return before.cost().microSecondsPerHour();
            }
            if (before != null && sought.criterion() == Criterion.VALUE) {
                long value = before.value(Criterion.VALUE, gang);
                long delay = gang.delay(sought.terms().earliest() + shortest(gang));
                return value > MOST_VALUE ? Long.MAX_VALUE : value - delay;
            }
            return Long.MAX_VALUE;
        }

        /** Whether every window with a pod on this node costs too much. */
        boolean isPassedOn(int node) {
            long more = Long.MAX_VALUE;
            for (PodTariffs.PodFigures cost : costs) {
                more = Math.min(more, Math.min(cost.leastCost(node), MOST_VALUE) - cost.leastCost());
            }
            return exact && all + Math.max(0, more) > most;
        }

        /** What all pods of a gang whose pods ask for the same may cost together, and by the criterion. */
        List<Instants.Sum> sums() {
            PodTariffs.PodFigures figures = costs.getFirst();
            long largest = MOST_VALUE / gang.size();
            List<Instants.Sum> sums = new ArrayList<>();
            sums.add(sum(Figure.COST, node -> Math.min(largest, figures.leastCost(node)), most));
            if (before != null && sought.criterion() == Criterion.ENERGY) {
                sums.add(sum(Figure.ENERGY, node -> Math.min(largest, figures.energy(node)), before.energy()));
            } else if (before != null && sought.criterion() == Criterion.PROCESSOR_TIME) {
                sums.add(sum(Figure.DURATION, figures::duration, before.processorTime()));
            }
            return sums;
        }

        private Instants.Sum sum(Figure figure, IntToLongFunction least, long bound) {
            PodTariffs.PodFigures figures = costs.getFirst();
            return new Instants.Sum(least, bound, figures.keys(figure), figures.mostOfKeys(figure, bound));
        }
    }

    private NodeTimeline own(NodeTimeline there, Window own, Gang gang) {
        String name = there.node().name();
        for (Placement seat : own.placements()) {
            if (seat.node().equals(name)) {
                RestoredCapacity vacancy = own.vacancy(timeline, gang);
                return vacancy.of(there);
            }
        }
        return there;
    }

    private long longest(Gang gang) {
        long longest = 0;
        for (Performance speed : speeds) {
            longest = Math.max(longest, gang.shapes().getFirst().request().durationOn(speed));
        }
        return longest;
    }

    private long shortest(Gang gang) {
        long shortest = Long.MAX_VALUE;
        for (Performance speed : speeds) {
            shortest = Math.min(shortest, gang.shapes().getFirst().request().durationOn(speed));
        }
        return Math.max(1, shortest);
    }

    /**
     * The best window that starts in these seconds, as far as it may be better than what was known; null: it is not
     * known exactly.
     */
    private @Nullable Answer within(Gang gang, WindowRequest sought, Seconds open, @Nullable Window before) {
        Comparator<Window> order = WindowSearch.order(sought.criterion(), gang);
        Window best = before;
        for (Interval stretch : open.merged()) {
            Answer found = within(gang, sought, stretch, open, best);
            if (found == null) {
                return null;
            }
            Window other = found.window();
            if (other != null && (best == null || order.compare(other, best) < 0)) {
                best = other;
            }
        }
        return new Answer(best);
    }

    private @Nullable Answer within(
            Gang gang, WindowRequest sought, Interval stretch, Seconds open, @Nullable Window best) {
        Window own = sought.own();
        RestoredCapacity vacancy = own == null ? RestoredCapacity.NONE : own.vacancy(timeline, gang);
        BitSet nodes = new BitSet();
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Gang.Shape shape : gang.shapes()) {
            Instants.Open room = open(shape, stretch, open, new Use(gang, best, sought), vacancy);
            if (room == null) {
                return null;
            }
            if (room.isEmpty()) {
                return new Answer(null);
            }
            nodes.or(room.nodes());
            first = Math.min(first, room.first());
            last = Math.max(last, room.last());
        }
        if (!open.matterTo(nodes)) {
            return new Answer(null);
        }
        if (gang.size() == 1 && !open.anywhere) {
            nodes.and(open.nodes);
        }
        WindowSearch search = new WindowSearch(
                        gang,
                        gang.shapes().stream()
                                .map(shape -> new Eligibility(
                                        Eligibility.Kind.of(gang, shape.request()), tariffs, timeline, nodes))
                                .toList())
                .observedBy(searches);
        Optional<Window> found = search.best(
                sought.within(sought.terms().between(first, last)),
                vacancy,
                best == null ? Long.MAX_VALUE : best.value(sought.criterion(), gang));
        return search.bounded() ? null : new Answer(found.orElse(null));
    }

    /**
     * Where and when pods of this shape may start in these seconds: all of a gang's together if they ask for the same.
     */
    private Instants.@Nullable Open open(
            Gang.Shape shape, Interval stretch, Seconds open, Use use, RestoredCapacity vacancy) {
        Gang gang = use.gang;
        Window own = use.sought.own();
        Instants.Seats seats =
                own == null || stretch.end() + longest(gang) <= own.start() ? Instants.Seats.NONE : seats(own);
        Resources request = shape.request().resources();
        boolean together = gang.isUniform();
        return instants.open(
                new Instants.Asked(
                        request, shortest(gang), stretch.start(), stretch.end() - 1, together ? gang.size() : 1),
                new Instants.View() {
                    @Override
                    public Instants.Seats own() {
                        return seats;
                    }

                    @Override
                    public boolean takes(int node, long first, long last) {
                        long duration = use.duration(node);
                        long latest = Math.min(last, use.latestStart(duration));
                        return first <= latest
                                && vacancy.of(timeline.nodes().get(node)).starts(request, duration, first, latest)
                                        != null;
                    }

                    @Override
                    public @Nullable BitSet fresh() {
                        return open.anywhere || !together ? null : open.nodes;
                    }

                    @Override
                    public List<Instants.Sum> sums() {
                        return together ? use.sums() : List.of();
                    }
                });
    }

    /** How many pods of a window are on each of its nodes. */
    private Instants.Seats seats(Window own) {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        for (Placement seat : own.placements()) {
            counts.merge(timeline.inventory().position(seat.node()), 1, Integer::sum);
        }
        return new Instants.Seats(
                counts.keySet().stream().mapToInt(Integer::intValue).toArray(),
                counts.values().stream().mapToInt(Integer::intValue).toArray());
    }

    /** The answer of an exact search, or of what was known. */
    void note(Gang gang, WindowRequest sought, @Nullable Window answer) {
        if (!remembers || !holdsOnly(gang, sought.own())) {
            return;
        }
        RecalledFinding found = RecalledFinding.of(sought, answer, seen());
        known.compute(gang.id(), (_, before) -> {
            List<RecalledFinding> findings = new ArrayList<>();
            findings.add(found);
            if (before != null && isSame(before.gang(), gang)) {
                before.findings().stream()
                        .filter(other -> !found.replaces(other))
                        .limit(MOST_FINDINGS - 1)
                        .forEach(findings::add);
            }
            return new Known(gang, findings);
        });
    }
}
