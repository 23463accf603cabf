package io.slotwise.core.window;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Vacancy;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.Terms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Search.ShapeOffers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The best window of one gang by a criterion, on the free capacity as it is now.
 *
 * <p>A gang with a topology label is searched once in every domain, a lockstep gang once for every distinct duration D among
 * its nodes (with the nodes that need no longer, each charged for D); the best window of all searches is the answer, so every
 * answer is exact. With the price limit {@code slot} the slots above the limit are no slots at all, and the search for the
 * earliest start is ALP (algorithm based on the local price of slots); without it, AMP. Both are of V. Toporkov, A. Toporkova,
 * A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for Economic Scheduling in Distributed
 * Computing" (2013), sections 1 and 2.2.
 *
 * <p>Ties go to the earlier start, then the lower cost, then the names of the nodes. It may be asked by several threads at once
 * as long as the free capacity does not change.
 */
public final class WindowSearch implements SlotSelection {
    /** Nodes that are looked at first, and the part of the time. */
    private static final int FIRST_NODES = 512;

    private static final int FIRST_PART = 64;
    private static final int GROWTH = 4;

    /** So many of the first nodes on which pods can start soonest are looked at together, or some for each pod. */
    private static final int SOONEST_PART = 8;

    /** Slots of so many nodes are remembered for each gang that asks again. */
    private static final int MOST_REMEMBERED = GROWTH * FIRST_NODES;

    /** Stretches of seconds that are looked at one by one for a gang whose pods look at others. */
    private static final int MOST_STRETCHES = 256;

    private final Gang gang;
    private final List<Field> fields;
    /** All nodes, for a gang whose pods look at others; none for another. */
    private final List<NodeTimeline> nodes;

    private final int firstNodes;
    private final int firstPart;
    private final SearchObserver observer;

    private final Map<Asked, Shortlist> shortlists = new HashMap<>();

    private boolean bounded;
    private long visited;

    /**
     * What is asked for.
     *
     * @param narrowed whether it is about fewer windows than were asked for first
     */
    private record Question(
            Criterion criterion,
            Terms terms,
            Cost budget,
            Vacancy vacancy,
            long most,
            Earlier earlier,
            boolean narrowed) {
        Question(Criterion criterion, Terms terms, Cost budget, Vacancy vacancy, long most, Earlier earlier) {
            this(criterion, terms, budget, vacancy, most, earlier, false);
        }

        Question by(Criterion other) {
            return other == criterion ? this : new Question(other, terms, budget, vacancy, most, earlier, narrowed);
        }

        Question with(Terms other) {
            return new Question(criterion, other, budget, vacancy, most, earlier, true);
        }

        /** About windows that are no worse than this one. */
        Question noWorseThan(Window window, Gang gang) {
            return new Question(criterion, terms, budget, vacancy, window.value(criterion, gang), earlier, true);
        }
    }

    /** What earlier answers to the same question say, which were given when there was at least as much room. */
    private static final class Earlier {
        /** Whether the question may be asked again, so that it pays to note what its answer was made of. */
        private final boolean asked;

        /** No window has a lower value of the criterion. */
        private long least = Long.MIN_VALUE;

        /** The slots of the few nodes that were looked at last, of the first shortlist and of others. */
        private final @Nullable SlotList[] slots = new @Nullable SlotList[2];

        /** Whether all of them were exact. */
        private boolean exact = true;

        private Earlier(boolean asked) {
            this.asked = asked;
        }

        /** Of a question that is asked once. */
        static Earlier none() {
            return new Earlier(false);
        }

        /** Of one that is asked again and again. */
        static Earlier kept() {
            return new Earlier(true);
        }

        /** The slots of these nodes, to be looked for where something has changed since they were looked at last. */
        SlotList slots(List<Offer> offers, Terms terms) {
            if (!asked) {
                return new SlotList(offers, terms);
            }
            int which = offers.size() <= FIRST_NODES ? 0 : 1;
            SlotList known = slots[which];
            SlotList made =
                    known != null && known.isOf(offers, terms) ? known.renewed() : SlotList.renewable(offers, terms);
            slots[which] = made;
            return made;
        }

        void answered(Optional<Window> window, Criterion criterion, Gang gang) {
            least = exact && window.isPresent() ? window.get().value(criterion, gang) : Long.MIN_VALUE;
        }
    }

    /**
     * Goes on from its last answer: room that goes makes no window better, so once the search has one that is as good as the last one was it has the best, and
     * nodes on which the best cannot be told from what was worse before are not looked at. The answers are the same.
     */
    private final class Repeated implements SlotSelection {
        private final Earlier earlier = Earlier.kept();

        @Override
        public Optional<Window> best(Criterion criterion, Terms terms, Cost budget, Vacancy vacancy) {
            Optional<Window> window = asked(new Question(criterion, terms, budget, vacancy, Long.MAX_VALUE, earlier));
            earlier.answered(window, criterion, gang);
            return window;
        }

        @Override
        public boolean bounded() {
            return WindowSearch.this.bounded();
        }

        @Override
        public long visited() {
            return WindowSearch.this.visited();
        }
    }

    /** What a shortlist is for. */
    private record Asked(int field, Criterion criterion, int size, long earliest, long latest) {}

    /** Offers that may be used together, those of the first shape first. */
    private record Field(List<Offer> offers, List<ShapeOffers> shapes) {}

    /**
     * A search that can be asked again after the free capacity has changed.
     *
     * @param gang what is searched for
     * @param eligibility the nodes that it may use, for each of its shapes
     */
    public WindowSearch(Gang gang, List<Eligibility> eligibility) {
        this(gang, Eligibility.fields(gang, eligibility), allNodes(gang, eligibility), FIRST_NODES, FIRST_PART);
    }

    private static List<NodeTimeline> allNodes(Gang gang, List<Eligibility> eligibility) {
        return gang.hasRules() ? eligibility.getFirst().nodes() : List.of();
    }

    /** A search for a gang whose pods all ask for the same. */
    public WindowSearch(Gang gang, Eligibility eligibility) {
        this(gang, List.of(eligibility));
    }

    WindowSearch(Gang gang, List<List<List<Offer>>> fields, int firstNodes, int firstPart) {
        this(gang, fields, List.of(), firstNodes, firstPart);
    }

    private WindowSearch(
            Gang gang, List<List<List<Offer>>> fields, List<NodeTimeline> nodes, int firstNodes, int firstPart) {
        this(
                gang,
                fields.stream().map(shapes -> field(gang, shapes)).toList(),
                nodes,
                firstNodes,
                firstPart,
                SearchObserver.NONE);
    }

    private WindowSearch(
            Gang gang,
            List<Field> fields,
            List<NodeTimeline> nodes,
            int firstNodes,
            int firstPart,
            SearchObserver observer) {
        this.gang = gang;
        this.fields = fields;
        this.nodes = nodes;
        this.firstNodes = firstNodes;
        this.firstPart = firstPart;
        this.observer = observer;
    }

    /** A search on the same nodes, not asked yet, whose searches for a best window someone is told of. */
    @Override
    public WindowSearch observedBy(SearchObserver other) {
        return new WindowSearch(gang, fields, nodes, firstNodes, firstPart, other);
    }

    /** A search on those of the eligible nodes alone that {@code within} holds for. */
    public static WindowSearch among(Gang gang, List<Eligibility> eligibility, Predicate<Node> within) {
        return new WindowSearch(
                gang,
                Eligibility.fields(gang, eligibility, within),
                allNodes(gang, eligibility),
                FIRST_NODES,
                FIRST_PART);
    }

    private static Field field(Gang gang, List<List<Offer>> shapes) {
        List<ShapeOffers> sizes = new ArrayList<>();
        for (int shape = 0; shape < shapes.size(); shape++) {
            sizes.add(new ShapeOffers(
                    gang.shapes().get(shape).pods().size(), shapes.get(shape).size()));
        }
        return new Field(
                shapes.size() == 1
                        ? shapes.getFirst()
                        : shapes.stream().flatMap(List::stream).toList(),
                sizes);
    }

    /** A search on just the nodes of {@code window}, with as many pods of each shape on each as there. */
    public static WindowSearch onNodesOf(Gang gang, Window window, List<Eligibility> eligibility) {
        List<List<Offer>> shapes = new ArrayList<>();
        for (int shape = 0; shape < eligibility.size(); shape++) {
            Set<String> pods = Set.copyOf(gang.shapes().get(shape).pods());
            SortedMap<String, List<Placement>> seats = window.placements().stream()
                    .filter(seat -> pods.contains(seat.pod()))
                    .collect(Collectors.groupingBy(Placement::node, TreeMap::new, Collectors.toList()));
            Eligibility nodes = eligibility.get(shape);
            List<Offer> offers = new ArrayList<>();
            seats.forEach((node, here) -> {
                Offer offer = nodes.offer(node);
                if (offer != null) {
                    long duration = here.getFirst().end() - here.getFirst().start();
                    // A promise may last longer than the gang would now, and nodes may have become dear.
                    if (Eligibility.isCountable(offer, gang.size(), duration)) {
                        offers.add(offer.lasting(duration).atMost(here.size()));
                    }
                }
            });
            shapes.add(offers);
        }
        return new WindowSearch(gang, List.of(shapes), allNodes(gang, eligibility), FIRST_NODES, FIRST_PART);
    }

    @Override
    public synchronized boolean bounded() {
        return bounded;
    }

    /** How many slots have been visited so far: changes of the number of pods that nodes hold. */
    @Override
    public synchronized long visited() {
        return visited;
    }

    /**
     * The best window.
     *
     * @param criterion what is to be least
     * @param terms where slots may lie
     * @param budget the most that the window may cost
     * @return empty if there is none
     */
    public Optional<Window> best(Criterion criterion, Terms terms, Cost budget) {
        return best(criterion, terms, budget, Vacancy.NONE);
    }

    /** The best window where some room is given back. */
    @Override
    public Optional<Window> best(Criterion criterion, Terms terms, Cost budget, Vacancy vacancy) {
        return asked(new Question(criterion, terms, budget, vacancy, Long.MAX_VALUE, Earlier.none()));
    }

    /**
     * The best of the windows whose criterion is no higher than {@code most}, where there is one; otherwise none, or one that is worse.
     */
    public Optional<Window> best(Sought sought, Vacancy vacancy, long most) {
        return asked(new Question(sought.criterion(), sought.terms(), sought.budget(), vacancy, most, Earlier.none()));
    }

    @Override
    public SlotSelection repeated() {
        return gang.hasRules() ? this : new Repeated();
    }

    private Optional<Window> asked(Question question) {
        return observer.around(question.criterion(), () -> answer(question.by(inFact(question.criterion()))));
    }

    /** Where time has no value the best value is the lowest cost, and the windows have the same order. */
    private Criterion inFact(Criterion criterion) {
        return criterion == Criterion.VALUE && gang.valueOfTime().equals(Money.ZERO) ? Criterion.COST : criterion;
    }

    private Optional<Window> answer(Question question) {
        if (gang.hasRules()) {
            return amongOthers(question);
        }
        List<Window> found = new ArrayList<>();
        for (int field = 0; field < fields.size(); field++) {
            Optional<Window> window =
                    gang.isUniform() ? shortlisted(field, question) : open(fields.get(field), question);
            window.ifPresent(found::add);
        }
        return found.stream().min(order(question.criterion(), gang));
    }

    /**
     * The best window of a gang whose pods look at others: stretch by stretch of starts in which those whom they look at stay the same, each way to keep their
     * rules, on the nodes that it leaves open.
     */
    private Optional<Window> amongOthers(Question question) {
        Terms terms = question.terms();
        Neighbours others = new Neighbours(gang, nodes, question.vacancy()::of);
        List<Long> stretches = others.stretches(terms.earliest(), terms.latest());
        List<Field> closing = fields.stream()
                .map(field -> closing(field, others, question.vacancy()))
                .toList();
        Window best = null;
        for (int i = 0; i < stretches.size(); i++) {
            long first = stretches.get(i);
            if (i == MOST_STRETCHES) {
                bound();
            }
            if (i >= MOST_STRETCHES || (best != null && settles(best, question.criterion(), first))) {
                break;
            }
            long last = i + 1 < stretches.size() ? stretches.get(i + 1) - 1 : terms.latest();
            for (Neighbours.Alternative way : others.at(first)) {
                for (Field field : closing) {
                    for (Field open : open(field, way)) {
                        Search search = new Search(
                                new SlotList(open.offers(), terms.between(first, last)),
                                open.shapes(),
                                gang.maxPerNode(),
                                way.company());
                        Optional<Window> window = best(search, question);
                        if (window.isPresent()
                                && (best == null
                                        || order(question.criterion(), gang).compare(window.get(), best) < 0)) {
                            best = window.get();
                        }
                    }
                }
            }
        }
        if (others.bounded()) {
            bound();
        }
        return Optional.ofNullable(best);
    }

    /** Whether no window that starts at {@code second} or later is better. */
    private boolean settles(Window best, Criterion criterion, long second) {
        return switch (criterion.kind()) {
            case TIME -> criterion == Criterion.START ? best.start() < second : best.end() <= second;
            case LARGEST, SUM -> false;
            case WORTH -> best.value(criterion, gang) < gang.delay(second);
        };
    }

    /** The offers, each kept from the seconds in which its node is closed to its shape. */
    private static Field closing(Field field, Neighbours others, Vacancy vacancy) {
        List<Offer> offers = new ArrayList<>(field.offers().size());
        int at = 0;
        for (int shape = 0; shape < field.shapes().size(); shape++) {
            for (int i = 0; i < field.shapes().get(shape).offers(); i++) {
                Offer offer = field.offers().get(at++);
                NodeTimeline seen = vacancy.of(offer.timeline());
                List<Interval> closed = others.closed(shape, seen.node());
                offers.add(
                        closed.isEmpty() ? vacancy.isEmpty() ? offer : offer.on(seen) : offer.on(seen.keptIn(closed)));
            }
        }
        return new Field(offers, field.shapes());
    }

    /** The offers that a way leaves open: together, or apart by the domain in which some of the pods must all be. */
    private List<Field> open(Field field, Neighbours.Alternative way) {
        List<List<Offer>> all = new ArrayList<>();
        Map<List<String>, List<List<Offer>>> byDomain =
                new TreeMap<>(Comparator.comparing((List<String> values) -> String.join("\n", values)));
        Neighbours.One one = way.one();
        int at = 0;
        for (int shape = 0; shape < field.shapes().size(); shape++) {
            all.add(new ArrayList<>());
            for (int i = 0; i < field.shapes().get(shape).offers(); i++) {
                Offer offer = field.offers().get(at++);
                Node node = offer.timeline().node();
                if (!way.open().test(shape, node)) {
                    continue;
                }
                if (one == null || !one.owners().get(shape)) {
                    all.get(shape).add(offer);
                } else {
                    byDomain.computeIfAbsent(
                                    one.values(node),
                                    _ -> field.shapes().stream()
                                            .<List<Offer>>map(_ -> new ArrayList<>())
                                            .toList())
                            .get(shape)
                            .add(offer);
                }
            }
        }
        List<List<List<Offer>>> apart = one == null ? List.of(all) : new ArrayList<>(byDomain.values());
        if (one != null) {
            for (List<List<Offer>> domain : apart) {
                for (int shape = 0; shape < domain.size(); shape++) {
                    domain.get(shape).addAll(all.get(shape));
                }
            }
        }
        return apart.stream()
                .filter(shapes -> shapes.stream().noneMatch(List::isEmpty))
                .map(shapes -> field(gang, shapes))
                .toList();
    }

    /** Why rules of the gang about other pods are never looked for, in words that follow "its"; null: they are. */
    public @Nullable String unsupported() {
        return gang.hasRules() ? new Neighbours(gang, nodes, Vacancy.NONE::of).unsupported() : null;
    }

    private synchronized void bound() {
        bounded = true;
    }

    /** Looks at the promising nodes first, and on others for what may be better than the best window there. */
    private Optional<Window> shortlisted(int field, Question question) {
        Field all = fields.get(field);
        Criterion criterion = question.criterion();
        long earliest = question.terms().earliest();
        Question better = question;
        boolean soonest = isSoonest(all, criterion);
        int most = soonest
                ? Math.min(all.offers().size(), firstNodes + 1)
                : all.offers().size();
        for (int size = firstNodes; size < most; size *= GROWTH) {
            Shortlist nodes =
                    shortlist(field, criterion, size, earliest, question.terms().latest());
            if (nodes.leastValue() < question.earlier().least) {
                continue;
            }
            Field chosen = field(gang, List.of(nodes.offers()));
            Optional<Window> window = criterion == Criterion.START
                    ? best(chosen, question.with(question.terms().between(earliest, earliest)))
                    : bestOf(chosen, better, question);
            if (window.isPresent() && nodes.settles(window.get())) {
                return window;
            }
            if (window.isPresent() && criterion != Criterion.START) {
                better = better.with(nodes.better(window.get(), better.terms())).noWorseThan(window.get(), gang);
            }
        }
        return criterion == Criterion.START
                ? open(
                        all,
                        question.with(question.terms()
                                .between(
                                        Math.max(earliest, question.earlier().least),
                                        question.terms().latest())))
                : bestOf(all, better, question);
    }

    /** A question that is narrower than the first one needs no search in the near future first. */
    private Optional<Window> bestOf(Field field, Question question, Question first) {
        boolean far = question.terms().equals(first.terms()) || isSoonest(field, question.criterion());
        return far ? open(field, question) : best(field, question);
    }

    /** Whether the nodes can be looked at in the order in which pods can start, or end, on them. */
    private boolean isSoonest(Field field, Criterion criterion) {
        return criterion.isOfTime()
                && field.offers().size() > firstNodes
                && Offers.of(field.offers()).tellFirstStarts();
    }

    /** The first shortlists of each field are kept: they answer most searches. */
    private synchronized Shortlist shortlist(int field, Criterion criterion, int size, long earliest, long latest) {
        Supplier<Shortlist> made =
                () -> new Shortlist(fields.get(field).offers(), criterion, gang, size, earliest, latest);
        return size > GROWTH * firstNodes
                ? made.get()
                : shortlists.computeIfAbsent(
                        new Asked(field, criterion, size, earliest, criterion == Criterion.VALUE ? latest : 0),
                        _ -> made.get());
    }

    /** The best window, which may lie far off. */
    private Optional<Window> open(Field field, Question question) {
        return switch (question.criterion().kind()) {
            case TIME -> soonest(field, question);
            case WORTH -> soonWorth(field, question);
            case LARGEST, SUM -> best(field, question);
        };
    }

    /**
     * Looks at the near future first: what is found there says until when a window may start that is worth no less, since time has its value. The
     * seconds until then are the only ones that are looked at.
     */
    private Optional<Window> soonWorth(Field field, Question question) {
        Terms terms = question.terms();
        long near = Math.min(
                terms.latest(), terms.earliest() + Math.max(1, (terms.latest() - terms.earliest()) / firstPart));
        if (gang.valueOfTime().equals(Money.ZERO) || near == terms.latest()) {
            return best(field, question);
        }
        Optional<Window> window = best(field, question.with(terms.within(near, terms.deadline())));
        if (window.isEmpty()) {
            return best(field, question);
        }
        Offers figures = Offers.of(field.offers());
        long least = Long.MAX_VALUE;
        for (int i = 0; i < figures.size(); i++) {
            least = Math.min(least, figures.leastCost(i));
        }
        long left = window.get().value(Criterion.VALUE, gang) - least * gang.size();
        long seconds = Math.max(0, left) / gang.valueOfTime().micros();
        long last = gang.arrival() + Math.min(seconds, terms.latest() - gang.arrival());
        return last <= near
                ? window
                : best(
                        field,
                        question.with(terms.within(last, terms.deadline())).noWorseThan(window.get(), gang));
    }

    /**
     * Looks at the nodes first on which pods can start, or end, soonest: one on which none can do so as early as the window found does is part of none that is as good.
     */
    private Optional<Window> soonest(Field field, Question question) {
        boolean byEnd = question.criterion() == Criterion.FINISH;
        SoonestNodes nodes = gang.isUniform() && isSoonest(field, question.criterion())
                ? SoonestNodes.of(Offers.of(field.offers()).with(question.vacancy()), question.terms(), byEnd)
                : null;
        if (nodes == null) {
            return stepByStep(field, question);
        }
        Question narrower = question.with(question.terms());
        int size = Math.max(firstNodes / SOONEST_PART, GROWTH * gang.size());
        while (true) {
            long bound = nodes.bound(size);
            Field some = field(gang, List.of(nodes.until(bound, field.offers())));
            Optional<Window> window = best(
                    search(some, narrower.terms(), narrower.vacancy())
                            .between(narrower.earlier().least, narrower.most()),
                    narrower);
            if (bound == SoonestNodes.ALL) {
                return window;
            }
            if (window.isPresent()) {
                long value = byEnd ? window.get().end() : window.get().start();
                if (value <= bound) {
                    return window;
                }
                narrower = narrower.with(
                        byEnd
                                ? narrower.terms().within(narrower.terms().latest(), value)
                                : narrower.terms()
                                        .within(value, narrower.terms().deadline()));
                nodes.leaveOutAfter(value);
            }
            size *= GROWTH;
        }
    }

    /** Looks at the near future first: a window that starts late neither starts nor ends first. */
    private Optional<Window> stepByStep(Field field, Question question) {
        Terms terms = question.terms();
        long shortest = Long.MAX_VALUE;
        Offers figures = Offers.of(field.offers());
        for (int i = 0; i < figures.size(); i++) {
            shortest = Math.min(shortest, figures.duration(i));
        }
        long part = Math.max(1, (terms.latest() - terms.earliest()) / firstPart);
        while (true) {
            long reach = Math.min(terms.latest(), terms.earliest() + part);
            Optional<Window> window = best(field, question.with(terms.within(reach, terms.deadline())));
            boolean settled = window.isPresent()
                    && (question.criterion() == Criterion.START || window.get().end() <= reach + 1 + shortest);
            if (settled || reach >= terms.latest()) {
                return window;
            }
            part *= GROWTH;
        }
    }

    /**
     * The menu: every window that is Pareto-optimal in (start, cost), whatever the budget, by ascending start; of a stretch of
     * seconds in which the cost falls only the first and the last.
     */
    public List<Window> menu(Terms terms) {
        if (gang.hasRules()) {
            return menuAmongOthers(terms);
        }
        List<Search> searches =
                fields.stream().map(field -> search(field, terms, Vacancy.NONE)).toList();
        return ParetoMenu.starts(searches).stream()
                .flatMap(start -> best(Criterion.COST, terms.between(start, start), Cost.UNLIMITED).stream())
                .toList();
    }

    /** The cheapest window of each stretch of starts, and the first one, as far as they cost less than those before. */
    private List<Window> menuAmongOthers(Terms terms) {
        List<Window> menu = new ArrayList<>();
        List<Long> stretches =
                new Neighbours(gang, nodes, Vacancy.NONE::of).stretches(terms.earliest(), terms.latest());
        for (int i = 0; i < stretches.size() && i < MOST_STRETCHES; i++) {
            long last = i + 1 < stretches.size() ? stretches.get(i + 1) - 1 : terms.latest();
            Terms part = terms.between(stretches.get(i), last);
            for (Criterion criterion : List.of(Criterion.START, Criterion.COST)) {
                best(criterion, part, Cost.UNLIMITED)
                        .filter(window -> menu.isEmpty()
                                || window.cost().compareTo(menu.getLast().cost()) < 0)
                        .ifPresent(menu::add);
            }
        }
        return menu;
    }

    /**
     * One pass over all steps for each set of nodes that may be used together, for searches of another kind than these; the pods
     * of the gang must all ask for the same.
     */
    public List<FreeUnits> passes(Terms terms) {
        return fields.stream()
                .map(field -> new FreeUnits(gang, this, new SlotList(field.offers(), terms)))
                .toList();
    }

    /**
     * A window that starts at one second and costs least, of a gang whose pods all ask for the same: of units that cost the same those come
     * first whose node has the lower {@code rank}, then by name. O(N log N) for N nodes.
     *
     * @param terms where slots may lie
     * @param budget the most that the window may cost
     * @param rank of a node by its name
     */
    public Optional<Window> at(long second, Terms terms, Cost budget, ToIntFunction<String> rank) {
        return fields.stream()
                .flatMap(field ->
                        at(second, new SlotList(field.offers(), terms.between(second, second)), rank).stream())
                .filter(window -> window.cost().compareTo(budget) <= 0)
                .min(order(gang));
    }

    private Optional<Window> at(long second, SlotList slots, ToIntFunction<String> rank) {
        List<Ranked> free = new ArrayList<>();
        for (int i = 0; i < slots.offers().size(); i++) {
            int count = slots.countAt(i, second);
            if (count > 0) {
                Offer offer = slots.offers().get(i);
                free.add(new Ranked(i, count, offer.cost(second), rank.applyAsInt(offer.node())));
            }
        }
        free.sort(Ranked.ORDER);
        int[] units = new int[slots.offers().size()];
        int missing = gang.size();
        for (Ranked node : free) {
            units[node.offer] = Math.min(node.units, missing);
            missing -= units[node.offer];
        }
        return missing > 0 ? Optional.empty() : Optional.of(window(slots, Selection.of(second, units)));
    }

    /** A node with free units. */
    private record Ranked(int offer, int units, Cost cost, int rank) {
        private static final Comparator<Ranked> ORDER = Comparator.comparing(Ranked::cost)
                .thenComparingInt(Ranked::rank)
                .thenComparingInt(Ranked::offer);
    }

    /** The order in which windows of one gang are preferred: criterion, start, cost, names of the nodes. */
    public static Comparator<Window> order(Gang gang) {
        return order(gang.criterion(), gang);
    }

    /** The same by another criterion than the gang's own. */
    public static Comparator<Window> order(Criterion criterion, Gang gang) {
        return Comparator.comparingLong((Window window) -> window.value(criterion, gang))
                .thenComparingLong(Window::start)
                .thenComparing(Window::cost)
                .thenComparing(WindowSearch::nodes);
    }

    private static String nodes(Window window) {
        return String.join(
                " ", window.placements().stream().map(Placement::node).toList());
    }

    private Search search(Field field, Terms terms, Vacancy vacancy) {
        List<Offer> offers =
                vacancy.isEmpty() ? field.offers() : Offers.of(field.offers()).with(vacancy);
        return new Search(new SlotList(offers, terms), field.shapes(), gang.maxPerNode(), null);
    }

    private Search search(Field field, Question question) {
        int nodes = field.offers().size();
        if (question.narrowed() && nodes > firstNodes && field.shapes().size() == 1) {
            return search(onlyOpen(field, question), question.terms(), question.vacancy());
        }
        boolean remembered = question.vacancy().isEmpty() && nodes <= MOST_REMEMBERED;
        return remembered
                ? new Search(
                        question.earlier().slots(field.offers(), question.terms()),
                        field.shapes(),
                        gang.maxPerNode(),
                        null)
                : search(field, question.terms(), question.vacancy());
    }

    /** Without the nodes on which no pod can start within the terms, which have no slots. */
    private Field onlyOpen(Field field, Question question) {
        SoonestNodes nodes =
                SoonestNodes.of(Offers.of(field.offers()).with(question.vacancy()), question.terms(), false);
        return nodes == null ? field : field(gang, List.of(nodes.until(SoonestNodes.ALL, field.offers())));
    }

    private Optional<Window> best(Field field, Question question) {
        return best(search(field, question).between(question.earlier().least, question.most()), question);
    }

    private Optional<Window> best(Search search, Question question) {
        CriterionSearch algorithm = algorithm(question.criterion(), gang, search.isUniform());
        Selection selection = algorithm.best(search, question.budget());
        count(search);
        question.earlier().exact &= !search.bounded();
        return selection == null ? Optional.empty() : Optional.of(window(search, selection));
    }

    private synchronized void count(Search search) {
        bounded |= search.bounded();
        visited += search.slots().size();
    }

    static CriterionSearch algorithm(Criterion criterion, Gang gang, boolean uniform) {
        return switch (criterion) {
            case START -> new Amp();
            case FINISH -> new EarliestFinish();
            case RUNTIME -> new LeastRuntime();
            case COST -> new LeastCost();
            case PROCESSOR_TIME, ENERGY ->
                uniform ? new LeastSum(criterion.figure()) : new MixedLeastSum(offer -> offer.figure(criterion.figure()));
            case VALUE -> new LeastValue(gang);
        };
    }

    private record Unit(Offer offer, Cost cost) {}

    private static final Comparator<Unit> CHEAPEST =
            Comparator.comparing(Unit::cost).thenComparing(unit -> unit.offer().node());

    /** The window of these units. */
    Window window(SlotList slots, Selection selection) {
        return window(Search.uniform(slots, gang.size()), selection);
    }

    /** The pods of each shape, by name, take its units, by node. */
    private Window window(Search search, Selection selection) {
        long start = selection.start();
        int[] units = selection.units();
        if (units == null && !search.isUniform()) {
            units = Seating.cheapest(search, start, selection.longest());
        }
        List<Placement> placements = new ArrayList<>();
        long energy = 0;
        int offset = 0;
        for (int shape = 0; shape < search.shapes().size(); shape++) {
            List<Unit> chosen = units == null
                    ? cheapest(search.slots(), selection)
                    : counted(
                            search,
                            start,
                            units,
                            offset,
                            search.shapes().get(shape).offers());
            offset += search.shapes().get(shape).offers();
            List<String> pods = gang.shapes().get(shape).pods();
            for (int k = 0; k < chosen.size(); k++) {
                Offer offer = chosen.get(k).offer();
                placements.add(new Placement(
                        pods.get(k),
                        offer.node(),
                        start,
                        start + offer.duration(),
                        chosen.get(k).cost()));
                energy = offer.power() == Node.UNKNOWN || energy == Window.UNKNOWN_ENERGY
                        ? Window.UNKNOWN_ENERGY
                        : energy + offer.energy();
            }
        }
        placements.sort(Comparator.comparing(Placement::pod));
        return Window.of(gang.id(), start, placements, energy);
    }

    /** The n cheapest units that are not too long, by node; O(nodes log n) at worst, mostly O(nodes). */
    private List<Unit> cheapest(SlotList slots, Selection selection) {
        int n = gang.size();
        PriorityQueue<Unit> chosen = new PriorityQueue<>(n + 1, CHEAPEST.reversed());
        Offers figures = Offers.of(slots.offers());
        for (int i = 0; i < figures.size(); i++) {
            if (figures.duration(i) > selection.longest()) {
                continue;
            }
            int count = Math.min(slots.countAt(i, selection.start()), n);
            Unit unit = count == 0 ? null : new Unit(figures.get(i), new Cost(figures.cost(i, selection.start())));
            for (int k = 0; unit != null && k < count; k++) {
                if (chosen.size() == n) {
                    if (CHEAPEST.compare(unit, chosen.element()) >= 0) {
                        break;
                    }
                    chosen.remove();
                }
                chosen.add(unit);
            }
        }
        return chosen.stream()
                .sorted(Comparator.comparing(unit -> unit.offer().node()))
                .toList();
    }

    private static List<Unit> counted(Search search, long start, int[] counts, int from, int length) {
        List<Unit> chosen = new ArrayList<>();
        for (int i = from; i < from + length; i++) {
            if (counts[i] > 0) {
                Offer offer = search.offers().get(i);
                chosen.addAll(Collections.nCopies(counts[i], new Unit(offer, offer.cost(start))));
            }
        }
        return chosen;
    }
}
