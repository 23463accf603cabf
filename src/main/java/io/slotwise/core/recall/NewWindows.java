package io.slotwise.core.recall;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.NodeKeys;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import io.slotwise.core.window.search.WindowSearch;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks for windows that were not there when a gang last searched: where a holder has given room up since, or where the
 * terms were narrower then. What is looked at and what is not, {@link SearchRecollection} says with a proof. Safe for
 * threads as long as no caller changes the free capacity meanwhile.
 */
final class NewWindows {
    private final Timeline timeline;
    private final RoomChanges changes;
    private final PodTariffs tariffs;
    private final GangDurations durations;
    private final SearchObserver searches;
    private Instants instants;

    NewWindows(
            Timeline timeline,
            RoomChanges changes,
            PodTariffs tariffs,
            GangDurations durations,
            SearchObserver searches) {
        this.timeline = timeline;
        this.changes = changes;
        this.tariffs = tariffs;
        this.durations = durations;
        this.searches = searches;
        this.instants = new Instants(timeline);
    }

    /** Goes on from what the cycle before knew of instants; nothing is asked about seconds before {@code now}. */
    void begin(long now, Instants.Kept before) {
        instants = new Instants(timeline, now, before);
    }

    /** What the next cycle may go on from, at the end of this one. */
    Instants.Kept kept() {
        return instants.kept();
    }

    private UsefulWindow useful(Gang gang, @Nullable Window before, WindowRequest sought) {
        return new UsefulWindow(gang, before, sought, tariffs, durations.shortest(gang));
    }

    /**
     * Seconds in which windows may start that are sought now and were not there when something was found.
     */
    OpenSeconds seconds(Gang gang, RecalledFinding finding, WindowRequest sought) {
        OpenSeconds open = new OpenSeconds();
        SlotTerms terms = sought.terms();
        Window before = finding.window();
        long latest = before == null
                ? terms.latest()
                : Math.min(terms.latest(), UsefulWindow.latestStart(gang, before, sought, durations.shortest(gang)));
        if (latest < terms.earliest()) {
            return open;
        }
        if (terms.latest() > finding.terms().latest()) {
            open.addAnywhere(Math.max(terms.earliest(), finding.terms().latest() + 1), latest);
        }
        if (terms.deadline() > finding.terms().deadline()) {
            open.addAnywhere(
                    Math.max(terms.earliest(), finding.terms().deadline() - durations.longest(gang) + 1), latest);
        }
        if (finding.seen() < changes.seen()) {
            Reach reach = new Reach(gang, before, sought, latest);
            changes.tellSince(finding.seen(), (room, seen) -> {
                for (Gang.Shape shape : gang.shapes()) {
                    addOnOthers(open, room, seen, shape.request().resources(), reach);
                }
                for (int node : reach.own()) {
                    for (int i = room.firstOn(node); i < room.size() && room.node(i) == node; i++) {
                        addOnOwn(open, room, i, seen, reach);
                    }
                }
            });
        }
        return open;
    }

    /** Which room a gang may use; what most gangs need not know is worked out where it is asked for. */
    private final class Reach {
        private final Gang gang;
        private final @Nullable Window before;
        private final WindowRequest sought;
        private @Nullable UsefulWindow use;
        private final long earliest;

        /** Windows that start later are of no use. */
        private final long latest;

        /** No pod takes less, turnover included. */
        private final long least;

        /** No pod takes longer, turnover included. */
        private final long longest;

        /**
         * The nodes on which it has room of its own, which counts as free, or has given some up: what is known of all
         * gangs together is no bound there, as a stay on another's room may be longer by its own.
         */
        private int @Nullable [] own;

        Reach(Gang gang, @Nullable Window before, WindowRequest sought, long latest) {
            this.gang = gang;
            this.before = before;
            this.sought = sought;
            this.earliest = sought.terms().earliest();
            this.latest = latest;
            this.least = durations.shortest(gang) + timeline.turnover();
            this.longest = durations.longest(gang) + timeline.turnover();
        }

        UsefulWindow use() {
            UsefulWindow made = use;
            if (made == null) {
                made = useful(gang, before, sought);
                use = made;
            }
            return made;
        }

        /** How long before it ends a pod that takes so many seconds may have started, turnover included. */
        long onRoom(long seconds) {
            return gang.lockstep() ? longest : seconds + timeline.turnover();
        }

        boolean isOwn(int node) {
            return Arrays.binarySearch(own(), node) >= 0;
        }

        int[] own() {
            int[] known = own;
            if (known == null) {
                known = ownNodes();
                own = known;
            }
            return known;
        }

        private int[] ownNodes() {
            List<Integer> left = changes.leftBy(gang);
            List<Placement> seats =
                    sought.own() == null ? List.of() : sought.own().placements();
            int[] all = new int[left.size() + seats.size()];
            int count = 0;
            for (int node : left) {
                all[count++] = node;
            }
            String last = "";
            for (Placement seat : seats) {
                if (!seat.node().equals(last)) {
                    last = seat.node();
                    all[count++] = timeline.inventory().position(last);
                }
            }
            Arrays.sort(all, 0, count);
            int different = 0;
            for (int i = 0; i < count; i++) {
                if (i == 0 || all[i] != all[i - 1]) {
                    all[different++] = all[i];
                }
            }
            return Arrays.copyOf(all, different);
        }
    }

    /**
     * The seconds in which a pod of one shape can start and be where a holder has left, on nodes without room of the
     * gang's own: by what was known of them first, and then by what is now.
     */
    private void addOnOthers(OpenSeconds open, DepartedRoom room, int seen, Resources request, Reach reach) {
        DepartedRoom.Stays stays = room.stays(request);
        FreeStays now = instants.stays(request);
        int count = stays.noShorterThan(reach.least);
        if (count == 0) {
            return;
        }
        UsefulWindow use = reach.use();
        // Most stays are of no use by these alone, which lie side by side.
        long[][] keys = new long[use.sums().size()][];
        Arrays.setAll(keys, sum -> stays.keys(use.sums().get(sum).keys()));
        for (int rank = 0; rank < count; rank++) {
            if (!stays.mayReach(rank, reach.earliest, reach.latest, reach.least, reach.longest)
                    || isAnyLarger(keys, rank, use)) {
                continue;
            }
            int node = stays.node(rank);
            long seconds = use.duration(node);
            long from = Math.max(reach.earliest, stays.first(rank, reach.onRoom(seconds)));
            long to = Math.min(
                    Math.min(reach.latest, use.latestStart(seconds)), stays.last(rank, seconds + timeline.turnover()));
            if (from <= to
                    && !use.isPassedOn(node)
                    && !reach.isOwn(node)
                    && room.isNewTo(reach.gang, stays.stretch(rank), seen)
                    && now.isFree(node, seconds + timeline.turnover(), from, to)) {
                open.addOn(node, from, to);
            }
        }
    }

    private static boolean isAnyLarger(long[][] keys, int rank, UsefulWindow use) {
        for (int sum = 0; sum < keys.length; sum++) {
            if (keys[sum][rank] > use.mostOfKey(sum)) {
                return true;
            }
        }
        return false;
    }

    /** The same where room of the gang's own counts as free. */
    private void addOnOwn(OpenSeconds open, DepartedRoom room, int i, int seen, Reach reach) {
        int node = room.node(i);
        if (!room.isNewTo(reach.gang, i, seen) || reach.use().isPassedOn(node)) {
            return;
        }
        long seconds = reach.use().duration(node);
        long from = room.from(i) == Long.MIN_VALUE
                ? reach.earliest
                : Math.max(reach.earliest, room.from(i) - reach.onRoom(seconds) + 1);
        long to = Math.min(Math.min(reach.latest, room.to(i) - 1), reach.use().latestStart(seconds));
        if (from > to) {
            return;
        }
        NodeTimeline there = timeline.nodes().get(node);
        Window own = reach.sought.own();
        NodeTimeline view = own == null ? there : own(there, own, reach.gang, timeline);
        for (Gang.Shape shape : reach.gang.shapes()) {
            long[] starts = view.starts(shape.request().resources(), seconds, from, to);
            if (starts != null) {
                open.addOn(node, starts[0], starts[1]);
            }
        }
    }

    /** A node as the gang sees it whose window, which has its room there, counts as away. */
    static NodeTimeline own(NodeTimeline there, Window own, Gang gang, Timeline timeline) {
        String name = there.node().name();
        for (Placement seat : own.placements()) {
            if (seat.node().equals(name)) {
                RestoredCapacity vacancy = own.vacancy(timeline, gang);
                return vacancy.of(there);
            }
        }
        return there;
    }

    /**
     * The best window that starts in these seconds, as far as it may be better than what was known; null: it is not
     * known exactly.
     */
    SearchRecollection.@Nullable Answer within(
            Gang gang, WindowRequest sought, OpenSeconds open, @Nullable Window before) {
        Comparator<Window> order = WindowSearch.order(sought.criterion(), gang);
        Window best = before;
        for (Interval stretch : open.merged()) {
            SearchRecollection.Answer found = within(gang, sought, stretch, open, best);
            if (found == null) {
                return null;
            }
            Window other = found.window();
            if (other != null && (best == null || order.compare(other, best) < 0)) {
                best = other;
            }
        }
        return new SearchRecollection.Answer(best);
    }

    /** Whether a window that adds up to the same by the gang's criterion may end sooner after the same start. */
    boolean mayEndSooner(Gang gang, Window own) {
        long runtime = own.runtime();
        boolean isEven = gang.criterion() == Criterion.PROCESSOR_TIME && own.processorTime() == gang.size() * runtime;
        return !isEven && runtime > durations.shortest(gang);
    }

    /**
     * The best window that starts when the gang's own one does and is as good, whether or not it is new; the own one if
     * there is none, null if it is not known exactly.
     */
    SearchRecollection.@Nullable Answer alike(Gang gang, WindowRequest sought, Window own) {
        OpenSeconds start = new OpenSeconds();
        start.addAnywhere(own.start(), own.start());
        SearchRecollection.Answer found = within(gang, sought, new Interval(own.start(), own.start() + 1), start, own);
        Window other = found == null ? null : found.window();
        boolean isAlike = other != null && other.value(gang) <= own.value(gang);
        return found == null || isAlike ? found : new SearchRecollection.Answer(own);
    }

    private SearchRecollection.@Nullable Answer within(
            Gang gang, WindowRequest sought, Interval stretch, OpenSeconds open, @Nullable Window best) {
        Supplier<RestoredCapacity> vacancy = vacancy(gang, sought.own());
        BitSet nodes = new BitSet();
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Gang.Shape shape : gang.shapes()) {
            Instants.Open room = open(shape, stretch, open, useful(gang, best, sought), vacancy);
            if (room == null) {
                return null;
            }
            if (room.isEmpty()) {
                return new SearchRecollection.Answer(null);
            }
            nodes.or(room.nodes());
            first = Math.min(first, room.first());
            last = Math.max(last, room.last());
        }
        BitSet news = open.starts().all();
        if (!open.areAnywhere() && !news.intersects(nodes)) {
            return new SearchRecollection.Answer(null);
        }
        if (gang.size() == 1 && !open.areAnywhere()) {
            nodes.and(news);
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
                vacancy.get(),
                best == null ? Long.MAX_VALUE : best.value(sought.criterion(), gang));
        return search.bounded() ? null : new SearchRecollection.Answer(found.orElse(null));
    }

    /** What is free where the gang's own window is; worked out once it is asked for, by one thread. */
    private Supplier<RestoredCapacity> vacancy(Gang gang, @Nullable Window own) {
        return new Supplier<>() {
            private @Nullable RestoredCapacity made = own == null ? RestoredCapacity.NONE : null;

            @Override
            public RestoredCapacity get() {
                RestoredCapacity known =
                        made == null ? Objects.requireNonNull(own).vacancy(timeline, gang) : made;
                made = known;
                return known;
            }
        };
    }

    /**
     * Where and when pods of this shape may start in these seconds: all of a gang's together if they ask for the same.
     */
    private Instants.@Nullable Open open(
            Gang.Shape shape,
            Interval stretch,
            OpenSeconds open,
            UsefulWindow use,
            Supplier<RestoredCapacity> vacancy) {
        Gang gang = use.gang();
        Window own = use.sought().own();
        Instants.Seats seats = own == null || stretch.end() + durations.longest(gang) <= own.start()
                ? Instants.Seats.NONE
                : seats(own);
        Resources request = shape.request().resources();
        boolean together = gang.isUniform();
        return instants.open(
                new Instants.Asked(
                        request,
                        durations.shortest(gang),
                        stretch.start(),
                        stretch.end() - 1,
                        together ? gang.size() : 1),
                new Instants.View() {
                    @Override
                    public Instants.Seats own() {
                        return seats;
                    }

                    @Override
                    public boolean takesOwn(int node, long first, long last) {
                        return vacancy.get()
                                        .of(timeline.nodes().get(node))
                                        .starts(request, use.duration(node), first, last)
                                != null;
                    }

                    @Override
                    public long length(int node) {
                        return use.duration(node) + timeline.turnover();
                    }

                    @Override
                    public long latestStart(int node) {
                        return use.latestStart(use.duration(node));
                    }

                    @Override
                    public NodeKeys durations() {
                        return use.durations();
                    }

                    @Override
                    public long mostOfDurations(long first) {
                        return use.mostOfDurations(first);
                    }

                    @Override
                    public @Nullable NewStarts fresh() {
                        return open.areAnywhere() || !together ? null : open.starts();
                    }

                    @Override
                    public List<Instants.Sum> sums() {
                        return use.sums();
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
}
