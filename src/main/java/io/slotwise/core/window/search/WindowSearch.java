package io.slotwise.core.window.search;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.money.Cost;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Field;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import io.slotwise.core.window.sweep.ParetoMenu;
import io.slotwise.core.window.sweep.SlotSearch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best window of one gang by a criterion on the present free capacity.
 *
 * <p>A gang with a topology is searched in the domains of each of its spans, with the runtime of that span. A lockstep
 * gang is searched for every distinct duration D among its nodes (with the nodes on which a pod takes at most D; each
 * pod is charged for D). The best window of all searches is the result, and it is exact. {@link FieldOrder} leaves out
 * domains without better windows. With the price limit {@code slot} the slots above the limit do not exist, and the
 * search for the earliest start is ALP (algorithm based on the local price of slots); without it,
 * AMP. Both are of the paper on AEP, sections 1 and 2.2.
 *
 * <p>The input is a {@link SearchQuestion}, the output a {@link SearchAnswer}. On each set of nodes that may be used
 * together {@link NodeShortlists} search the promising nodes first, {@link NearFuture} the near future first, and
 * {@link FieldSearch} goes through the slots in order of time. {@link CompanionSearch} is for gangs whose pods have
 * affinity, anti-affinity or spread rules about other pods. {@link
 * WindowAssembly} builds the window.
 *
 * <p>Ties go to the earlier start, then the lower cost, then the fullest domain, then the names of the nodes.
 * Thread-safe as long as the free capacity does not change.
 */
public final class WindowSearch implements SlotSelection {
    private final Gang gang;
    private final List<SearchField> fields;

    /** The nodes for each shape, or empty if they are not known. */
    private final List<Eligibility> eligibility;

    private final int firstNodes;
    private final int firstPart;
    private SearchObserver observer = SearchObserver.NONE;

    private final FieldOrder order;
    private final NodeShortlists shortlists;
    private final NearFuture future;
    private final CompanionSearch companionSearch;

    private @Nullable WindowSearch anywhereSearch;

    /** The searches in one span only, by its index. */
    private final Map<Integer, WindowSearch> spanSearches = new HashMap<>();

    private boolean bounded;
    private long visited;

    /**
     * A search that uses its last answer. Precondition: the question stays the same, and room is only taken between two
     * answers. So no window is added, and nodes that only had worse windows before are skipped. The results are those
     * of a new search, except for windows worse than the gang's own one.
     *
     * <p>Proof: the answer is the best window if there is one as good as the gang's own, or no own one. Then no later
     * window is better, and none of the same value starts before it. Otherwise the answer is none or one that is worse
     * than the own window. Later answers are no better, so that {@link io.slotwise.core.window.AlternativeSearch#next}
     * returns none from then on. Nothing is concluded from a bounded answer.
     */
    private final class Repeated implements SlotSelection {
        private final EarlierAnswers earlier = EarlierAnswers.kept();

        @Override
        public Optional<Window> best(WindowRequest request, RestoredCapacity restored) {
            SearchAnswer answer = ask(request, restored, earlier);
            earlier.answered(answer, request.criterion(), gang);
            return Optional.ofNullable(answer.window());
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

    /** Searches the eligible nodes of each shape. Can be reused after the free capacity has changed. */
    public WindowSearch(Gang gang, List<Eligibility> eligibility) {
        this(gang, Field.of(gang, eligibility), eligibility);
    }

    public WindowSearch(Gang gang, Eligibility eligibility) {
        this(gang, List.of(eligibility));
    }

    public WindowSearch(Gang gang, List<Field> fields, int firstNodes, int firstPart) {
        this(gang, searched(gang, fields), List.of(), firstNodes, firstPart);
    }

    private WindowSearch(Gang gang, List<Field> fields, List<Eligibility> eligibility) {
        this(gang, searched(gang, fields), eligibility, FieldSearch.FIRST_NODES, NearFuture.FIRST_PART);
    }

    private WindowSearch(
            Gang gang, List<SearchField> fields, List<Eligibility> eligibility, int firstNodes, int firstPart) {
        this.gang = gang;
        this.eligibility = eligibility;
        this.fields = fields;
        this.firstNodes = firstNodes;
        this.firstPart = firstPart;
        FieldSearch search = new FieldSearch(gang, firstNodes);
        this.order = new FieldOrder(gang, fields, search, this::anywhere);
        this.future = new NearFuture(gang, search, firstNodes, firstPart);
        this.shortlists = new NodeShortlists(gang, fields, search, future, firstNodes);
        this.companionSearch = new CompanionSearch(
                gang,
                fields,
                gang.hasRules() && !eligibility.isEmpty()
                        ? eligibility.getFirst().nodes()
                        : List.of(),
                search);
    }

    /** Returns a search on any nodes with the runtime of the narrowest span, made once. */
    private synchronized Optional<WindowSearch> anywhere() {
        if (anywhereSearch == null && !eligibility.isEmpty()) {
            Topology.Span narrowestSpan = gang.topology().spans().getFirst();
            Topology topology = new Topology(
                    List.of(new Topology.Span(null, narrowestSpan.factor())),
                    null,
                    gang.topology().slices());
            anywhereSearch = new WindowSearch(gang.within(topology), eligibility);
        }
        return Optional.ofNullable(anywhereSearch);
    }

    /** Returns a new search on the same nodes whose searches for a best window are observed. */
    @Override
    public WindowSearch observedBy(SearchObserver observer) {
        WindowSearch search = new WindowSearch(gang, fields, eligibility, firstNodes, firstPart);
        search.observer = observer;
        return search;
    }

    /** Returns a search on the eligible nodes that satisfy {@code within}. */
    public static WindowSearch among(Gang gang, List<Eligibility> eligibility, Predicate<Node> within) {
        return new WindowSearch(gang, Field.of(gang, eligibility, within), eligibility);
    }

    private static List<SearchField> searched(Gang gang, List<Field> fields) {
        return fields.stream().map(field -> SearchField.of(gang, field)).toList();
    }

    /**
     * Returns a search on the nodes of {@code window} only. Each node may take as many pods of each shape as it has in
     * the window.
     */
    public static WindowSearch onNodesOf(Gang gang, Window window, List<Eligibility> eligibility) {
        List<List<Offer>> shapes = new ArrayList<>();
        for (int shape = 0; shape < eligibility.size(); shape++) {
            Set<String> pods = Set.copyOf(gang.shapes().get(shape).pods());
            SortedMap<String, List<Placement>> placements = window.placements().stream()
                    .filter(placement -> pods.contains(placement.pod()))
                    .collect(Collectors.groupingBy(Placement::node, TreeMap::new, Collectors.toList()));
            Eligibility nodeEligibility = eligibility.get(shape);
            List<Offer> offers = new ArrayList<>();
            placements.forEach((node, here) -> {
                Offer offer = nodeEligibility.offer(node);
                if (offer != null) {
                    long duration = here.getFirst().end() - here.getFirst().start();
                    // A promise may last longer than the gang now would, and nodes may have become more expensive.
                    if (Eligibility.isCountable(offer, gang.size(), duration)) {
                        offers.add(offer.lasting(duration).atMost(here.size()));
                    }
                }
            });
            shapes.add(offers);
        }
        return new WindowSearch(gang, List.of(new Field(shapes, 0)), eligibility);
    }

    @Override
    public synchronized boolean bounded() {
        return bounded || spanSearches.values().stream().anyMatch(WindowSearch::bounded);
    }

    /** Returns how many slots have been visited so far: changes of the number of pods that nodes hold. */
    @Override
    public synchronized long visited() {
        return visited
                + spanSearches.values().stream()
                        .mapToLong(WindowSearch::visited)
                        .sum();
    }

    /** Returns the best window if some room is restored. If none is as good as the own one, none or a worse one. */
    @Override
    public Optional<Window> best(WindowRequest request, RestoredCapacity restored) {
        if (gang.topology().patience() == null) {
            return Optional.ofNullable(
                    ask(request, restored, EarlierAnswers.none()).window());
        }
        List<NearestSpan.Place> places = List.of(new NearestSpan.Place(this, request.terms(), request.budget()));
        NearestSpan nearest = NearestSpan.of(gang, places, restored);
        return nearest == null
                ? Optional.empty()
                : nearest.selection(gang, places).best(request, restored);
    }

    @Override
    public SlotSelection repeated() {
        return gang.hasRules() || gang.topology().patience() != null ? this : new Repeated();
    }

    /** Returns the selection of a gang that may have its window in one of several places, told at each use. */
    public SlotSelection within(Supplier<List<NearestSpan.Place>> places) {
        return gang.topology().patience() == null ? this : new NearestSpan.Patient(gang, this, places);
    }

    private @Nullable NearestSpan nearest(SlotTerms terms, Cost budget) {
        return NearestSpan.of(gang, List.of(new NearestSpan.Place(this, terms, budget)), RestoredCapacity.NONE);
    }

    /** Returns a search in one of the gang's spans, made once. */
    synchronized WindowSearch in(int span) {
        return spanSearches.computeIfAbsent(span, _ -> {
            List<SearchField> spanFields = fields.stream()
                    .filter(field -> field.span() == span)
                    .map(field -> field.in(0))
                    .toList();
            WindowSearch search = new WindowSearch(
                    gang.within(gang.topology().inSpan(span)), spanFields, eligibility, firstNodes, firstPart);
            search.observer = observer;
            return search;
        });
    }

    /** Returns the window with the earliest start in any span, or null if there is none. */
    @Nullable
    Window earliest(SlotTerms terms, Cost budget, RestoredCapacity restored) {
        if (terms.earliest() > terms.latest()) {
            return null;
        }
        SearchQuestion question = new SearchQuestion(
                Criterion.START, open(terms, restored), budget, restored, Long.MAX_VALUE, EarlierAnswers.none());
        SearchAnswer answer = observer.around(Criterion.START, () -> answer(question));
        note(answer);
        return answer.window();
    }

    /** Returns the terms without the seconds that are closed to the gang's queue. */
    private SlotTerms open(SlotTerms terms, RestoredCapacity restored) {
        QueueTimeline queues =
                eligibility.isEmpty() ? null : eligibility.getFirst().queues();
        if (queues == null || gang.queue() == null || terms.earliest() >= terms.deadline()) {
            return terms;
        }
        Interval interval = new Interval(terms.earliest(), terms.deadline());
        return terms.closedIn(queues.closed(gang.queue(), gang.total(), interval, restored.windowInterval()));
    }

    private SearchAnswer ask(WindowRequest request, RestoredCapacity restored, EarlierAnswers earlier) {
        Criterion criterion = simplified(request.criterion());
        Window ownWindow = request.ownWindow();
        // The terms bound the time already.
        long most = ownWindow == null || criterion.isOfTime() ? Long.MAX_VALUE : ownWindow.value(criterion, gang);
        SlotTerms terms = open(request.terms(), restored);
        earlier.ask(terms);
        SearchQuestion question = new SearchQuestion(criterion, terms, request.budget(), restored, most, earlier);
        SearchAnswer answer = observer.around(request.criterion(), () -> answer(question));
        note(answer);
        return answer;
    }

    private synchronized void note(SearchAnswer answer) {
        bounded |= answer.bounded();
        visited += answer.visited();
    }

    /** Replaces a criterion that orders windows like another one: time without value, or no preferences. */
    private Criterion simplified(Criterion criterion) {
        return switch (criterion) {
            case VALUE -> gang.valueOfTime().isNone() ? Criterion.COST : criterion;
            case PREFERENCE -> gang.preferences().isNone() ? Criterion.START : criterion;
            case START, FINISH, RUNTIME, COST, PROCESSOR_TIME, ENERGY -> criterion;
        };
    }

    SearchAnswer answer(SearchQuestion question) {
        if (gang.isSliced() && unsupported() != null) {
            return SearchAnswer.NOTHING;
        }
        if (gang.hasRules()) {
            return companionSearch.best(question);
        }
        return fields.size() > 1
                ? order.best(question, this::best)
                : fields.isEmpty() ? SearchAnswer.NOTHING : best(0, question);
    }

    private SearchAnswer best(int field, SearchQuestion question) {
        return gang.takesAnyPlaces() ? shortlists.best(field, question) : future.best(fields.get(field), question);
    }

    /**
     * Returns which rules about other pods or slices are not supported, in words that follow "its". Null if all are.
     */
    public @Nullable String unsupported() {
        if (gang.isSliced()) {
            return !gang.isUniform()
                    ? "topology slices (%s) are of pods that differ"
                            .formatted(gang.topology().slicesText())
                    : gang.hasRules()
                            ? "topology slices (%s) are of pods with rules about other pods"
                                    .formatted(gang.topology().slicesText())
                            : gang.size() % gang.topology().slices().getLast().size() != 0
                                    ? "pod is not the only missing one of a gang in topology slices (%s)"
                                            .formatted(gang.topology().slicesText())
                                    : null;
        }
        return gang.hasRules() ? companionSearch.unsupported() : null;
    }

    /**
     * Returns the menu: every window that is Pareto-optimal in (start, cost), regardless of the budget, by ascending
     * start. A range of seconds in which the cost falls has only its first and its last window.
     */
    public List<Window> menu(SlotTerms terms) {
        if (gang.topology().patience() != null) {
            NearestSpan affordableSpan = nearest(terms, gang.budget().limit());
            NearestSpan nearest = affordableSpan == null ? nearest(terms, Cost.UNLIMITED) : affordableSpan;
            return nearest == null ? List.of() : in(nearest.span()).menu(nearest.soon(terms));
        }
        if (gang.hasRules()) {
            return companionSearch.menu(terms, this);
        }
        List<SlotSearch> searches = fields.stream()
                .map(field -> field.search(gang, open(terms, RestoredCapacity.NONE), RestoredCapacity.NONE))
                .toList();
        List<Long> starts = ParetoMenu.starts(searches);
        note(new SearchAnswer(null, searches.stream().anyMatch(SlotSearch::bounded), 0));
        return starts.stream()
                .flatMap(start -> best(Criterion.COST, terms.between(start, start), Cost.UNLIMITED).stream())
                .toList();
    }

    /**
     * Returns the free units of each set of nodes that may be used together, over time. Other searches, such as those
     * for alternatives, go through these. Precondition: all pods are alike.
     */
    public List<FreeUnits> passes(SlotTerms terms) {
        if (gang.topology().patience() != null) {
            NearestSpan nearest = nearest(terms, gang.budget().limit());
            return nearest == null ? List.of() : in(nearest.span()).passes(nearest.soon(terms));
        }
        return fields.stream()
                .map(field -> new FreeUnits(
                        gang,
                        new SlotList(field.offers(), open(terms, RestoredCapacity.NONE)),
                        gang.topology().spans().get(field.span())))
                .toList();
    }

    /** Returns the order of preference: criterion, start, cost, names of the nodes. */
    public static Comparator<Window> order(Gang gang) {
        return order(gang.criterion(), gang);
    }

    /** Returns the order by a criterion other than the gang's own. */
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
}
