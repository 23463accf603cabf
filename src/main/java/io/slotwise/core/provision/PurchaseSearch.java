package io.slotwise.core.provision;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.combination.AccountBalances.Span;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Share;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best window of one gang with bought nodes, exactly for the cost model of docs/how-to/buy-nodes.md.
 *
 * <p>Starts are cut into ranges in which no offer's price at its purchase changes and no spending period begins. In a
 * range the bill of every node is constant. For each of the {@link NodeBaskets} of a range the exact {@link
 * WindowSearch} searches the existing nodes and those of the basket, which cost nothing, with the budget that the bill
 * leaves. The best of all results is the best window, since every window uses the nodes of some basket, or of one that
 * a basket makes useless. A lockstep gang is searched once for every duration that its longest pod may have. A gang
 * whose runtime depends on its topology is searched span by span, with the runtime and the bills of each. Ties go to
 * the earlier start, then the lower cost, then the first basket.
 *
 * <p>With W ranges and B baskets in each, O(W B) searches. By the criteria start and cost, searches that cannot improve
 * on the best so far are skipped.
 */
public final class PurchaseSearch {
    private static final long NO_FRAME = Long.MAX_VALUE;

    /** The multiple of the largest bill that fits a long. */
    private static final long ROOM = 64;

    private final Gang gang;
    private final NodeMarket market;
    private final PurchaseContext context;
    private final SearchedNodes nodes;
    private final SlotTerms terms;
    private boolean bounded;

    /** The figures to compare: the criterion, then the start, then the cost. */
    private record Figure(BigInteger value, long start, Cost cost) implements Comparable<Figure> {
        private static final Comparator<Figure> ORDER = Comparator.comparing(Figure::value)
                .thenComparingLong(Figure::start)
                .thenComparing(Figure::cost);

        @Override
        public int compareTo(Figure other) {
            return ORDER.compare(this, other);
        }
    }

    /** A range of starts in which every bill is constant. */
    private record Stretch(long first, long last) {}

    /** The input of a group of searches: lots, and the longest duration of a pod. */
    private record Frame(long longest, Stretch stretch, List<PricedOffer> offers, NodeBaskets baskets) {}

    public PurchaseSearch(Gang gang, NodeMarket market, PurchaseContext context) {
        this(gang, market, context, SlotTerms.of(gang, context.now(), context.horizonEnd()));
    }

    private PurchaseSearch(Gang gang, NodeMarket market, PurchaseContext context, SlotTerms terms) {
        this.gang = gang;
        this.market = market;
        this.context = context;
        this.nodes = new SearchedNodes(gang, market, context);
        this.terms = terms;
    }

    public boolean bounded() {
        return bounded;
    }

    /** Returns the best window within the budgets of gang and namespace. It may need no purchase. */
    public Optional<Acquisition> best() {
        for (List<PurchaseSearch> searches : rounds()) {
            Acquisition acquisition = best(searches);
            if (acquisition != null) {
                return Optional.of(acquisition);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the searches in single spans, in rounds of which the first with a window counts: one round for all spans,
     * or one for each span if the gang has patience.
     */
    private List<List<PurchaseSearch>> rounds() {
        Long patience = gang.topology().patience();
        if (patience == null) {
            return List.of(gang.topology().spans().size() == 1 ? List.of(this) : inSpans(gang, terms));
        }
        Acquisition earliestAcquisition = best(inSpans(gang.wanting(Criterion.START), terms));
        if (earliestAcquisition == null) {
            return List.of(inSpans(gang, terms));
        }
        long latest = Math.addExact(earliestAcquisition.window().start(), patience);
        return inSpans(gang, terms.within(latest, terms.deadline())).stream()
                .map(List::of)
                .toList();
    }

    private List<PurchaseSearch> inSpans(Gang askingGang, SlotTerms spanTerms) {
        Topology topology = askingGang.topology();
        return IntStream.range(0, topology.spans().size())
                .mapToObj(span ->
                        new PurchaseSearch(askingGang.within(topology.inSpan(span)), market, context, spanTerms))
                .toList();
    }

    private @Nullable Acquisition best(List<PurchaseSearch> searches) {
        Best best = searches.getFirst().new Best();
        for (PurchaseSearch search : searches) {
            search.look(best);
            bounded |= search.bounded;
        }
        return best.foundAcquisition;
    }

    private void look(Best best) {
        for (Frame frame : frames()) {
            for (NodeBasket basket : frame.baskets().all()) {
                if (!best.isBeyond(frame, basket)) {
                    look(frame, basket, best);
                }
            }
        }
    }

    /**
     * Returns the menu: every window, with or without purchases, that is Pareto-optimal in (start, cost), ignoring the
     * budget, by ascending start. A range in which the cost falls has only its first and its last window.
     */
    public List<Acquisition> menu() {
        List<Acquisition> all = new ArrayList<>();
        for (List<PurchaseSearch> searches : rounds()) {
            if (all.isEmpty()) {
                searches.forEach(search -> search.collect(all));
            }
        }
        all.sort(Comparator.comparingLong(
                        (Acquisition acquisition) -> acquisition.window().start())
                .thenComparing(Acquisition::expectedCost)
                .thenComparingInt(acquisition -> acquisition.purchases().size()));
        List<Acquisition> menu = new ArrayList<>();
        for (Acquisition acquisition : all) {
            if (menu.isEmpty()
                    || acquisition.expectedCost().compareTo(menu.getLast().expectedCost()) < 0) {
                menu.add(acquisition);
            }
        }
        return menu;
    }

    private void collect(List<Acquisition> all) {
        for (Frame frame : frames()) {
            for (NodeBasket basket : frame.baskets().all()) {
                SlotTerms terms = terms(frame, basket, context.now(), context.horizonEnd());
                if (terms.earliest() <= terms.latest()) {
                    search(frame, basket).menu(terms).forEach(window -> all.add(acquired(window, frame)));
                }
            }
        }
    }

    private final class Best {
        private @Nullable Acquisition foundAcquisition;
        private @Nullable Figure figure;

        boolean isBeyond(Frame frame, NodeBasket basket) {
            if (figure == null) {
                return false;
            }
            if (gang.criterion() == Criterion.START) {
                long earliest = Math.max(frame.stretch().first(), basket.ready());
                return earliest > figure.start()
                        || (earliest == figure.start()
                                && basket.expected().compareTo(figure.cost().exact()) >= 0);
            }
            return gang.criterion() == Criterion.COST && basket.expected().compareTo(figure.value()) > 0;
        }

        void offer(Acquisition other) {
            Figure ownFigure = figure(other);
            if (figure == null || ownFigure.compareTo(figure) < 0) {
                foundAcquisition = other;
                figure = ownFigure;
            }
        }
    }

    private Figure figure(Acquisition acquisition) {
        Window window = acquisition.window();
        return new Figure(value(acquisition), window.start(), acquisition.expectedCost());
    }

    /** Returns the criterion's value. A purchase is paid as a whole, so the cost includes the whole bill. */
    private BigInteger value(Acquisition acquisition) {
        Window window = acquisition.window();
        if (gang.criterion().figure() != Criterion.Figure.COST) {
            return BigInteger.valueOf(window.value(gang.criterion()));
        }
        BigInteger bill = acquisition.expectedCost().exact();
        return switch (gang.criterion().kind()) {
            case WORTH -> bill.add(BigInteger.valueOf(gang.delay(window.end())));
            case DISTANCE ->
                BigInteger.valueOf(gang.preferences()
                        .distance(
                                window.start(),
                                window.end(),
                                acquisition.expectedCost().microSecondsPerHour()));
            case TIME, LARGEST, SUM -> bill;
        };
    }

    /** Returns whether this window is better for the gang than another one. Any window is better than null. */
    public boolean isBetter(Acquisition acquisition, @Nullable Window other) {
        return other == null
                || figure(acquisition).compareTo(figure(new Acquisition(other, List.of(), other.cost()))) < 0;
    }

    private void look(Frame frame, NodeBasket basket, Best best) {
        Cost expectedCost = Cost.of(basket.expected());
        WindowSearch search = null;
        for (Span span : context.balances().spans(gang.id(), terms.earliest(), terms.latest() + 1)) {
            SlotTerms terms = terms(frame, basket, span.start(), span.end());
            Cost maxCost = span.maxCost().min(gang.budget().limit());
            Cost left = maxCost.equals(Cost.UNLIMITED) ? maxCost : maxCost.minus(expectedCost);
            if (terms.earliest() > terms.latest() || left.compareTo(Cost.ZERO) < 0) {
                continue;
            }
            search = search == null ? search(frame, basket) : search;
            search.best(gang.criterion(), terms, left).ifPresent(window -> best.offer(acquired(window, frame)));
        }
        bounded |= search != null && search.bounded();
    }

    private SlotTerms terms(Frame frame, NodeBasket basket, long from, long to) {
        return terms.between(
                Math.max(from, Math.max(frame.stretch().first(), basket.ready())),
                Math.min(to - 1, frame.stretch().last()));
    }

    private WindowSearch search(Frame frame, NodeBasket basket) {
        Map<String, PricedOffer> chosen = new HashMap<>();
        for (int i = 0; i < frame.offers().size(); i++) {
            PricedOffer offer = frame.offers().get(i);
            offer.names().subList(0, basket.count(i)).forEach(name -> chosen.put(name, offer));
        }
        Gang askingGang = gang.criterion() == Criterion.PREFERENCE
                ? gang.preferring(gang.preferences().spending(Cost.of(basket.expected())))
                : gang;
        return new WindowSearch(askingGang, nodes.eligibility(frame.longest(), chosen.keySet(), (request, name) -> {
            PricedOffer offer = Objects.requireNonNull(chosen.get(name));
            return !isTooDear(request, offer.offer(), offer.price());
        }));
    }

    private List<Frame> frames() {
        Set<Long> longest = new TreeSet<>();
        if (gang.lockstep()) {
            longest.addAll(nodes.durations());
        } else {
            longest.add(NO_FRAME);
        }
        List<Frame> frames = new ArrayList<>();
        for (Stretch stretch : stretches()) {
            for (long most : longest) {
                List<PricedOffer> offers = pricedOffers(stretch, most);
                NodeBaskets baskets = new NodeBaskets(
                        offers,
                        offers.stream().mapToInt(PricedOffer::kind).max().orElse(-1) + 1,
                        new PurchaseLimits(market, gang, offers, stretch.last()),
                        context.now(),
                        gang.size());
                bounded |= baskets.bounded();
                frames.add(new Frame(most, stretch, offers, baskets));
            }
        }
        return frames;
    }

    private List<Stretch> stretches() {
        TreeSet<Long> firsts = new TreeSet<>(Set.of(terms.earliest()));
        for (NodeOffer offer : nodes.offered().keySet()) {
            long delay = offer.billing().delay();
            StepFunction price = offer.node().price();
            for (int i = 1; i < price.pieces(); i++) {
                firsts.add(price.start(i) + delay);
            }
            for (Provisioning.SpendingLimit spendingLimit : market.spending(gang)) {
                Interval interval = spendingLimit.period(context.now());
                while (interval.end() + delay <= terms.latest()) {
                    firsts.add(interval.end() + delay);
                    interval = spendingLimit.period(interval.end());
                }
            }
        }
        List<Long> cuts =
                List.copyOf(firsts.subSet(terms.earliest(), true, Math.max(terms.earliest(), terms.latest()), true));
        List<Stretch> stretches = new ArrayList<>();
        for (int i = 0; i < cuts.size(); i++) {
            stretches.add(new Stretch(cuts.get(i), i + 1 < cuts.size() ? cuts.get(i + 1) - 1 : terms.latest()));
        }
        return stretches;
    }

    private List<PricedOffer> pricedOffers(Stretch stretch, long longest) {
        List<PricedOffer> offers = new ArrayList<>();
        Map<List<Object>, Integer> kinds = new HashMap<>();
        TopologyLevel widestLevel = gang.topology().widest();
        nodes.offered().forEach((offer, names) -> {
            long use = longest == NO_FRAME ? nodes.duration(offer.node()) : longest;
            long first =
                    Math.max(stretch.first(), context.now() + offer.billing().delay());
            if (first > stretch.last()
                    || first + use > terms.deadline()
                    || nodes.duration(offer.node()) > longest
                    || (gang.criterion().needsPower() && offer.node().power() == Node.UNKNOWN)
                    || (widestLevel != null && widestLevel.domain(offer.node()) == null)) {
                return;
            }
            long price = offer.node().price().at(first - offer.billing().delay());
            Cost cost = offer.bill(price, use);
            if (gang.shapes().stream().allMatch(shape -> isTooDear(shape.request(), offer, price))
                    || cost.compareTo(new Cost(Long.MAX_VALUE / ROOM / gang.size())) > 0
                    || offer.hazard() * use > market.provisioning().spotRisk() * 3600L) {
                return;
            }
            int kind = kinds.computeIfAbsent(worth(offer), _ -> kinds.size());
            offers.add(new PricedOffer(offer, names, price, use, nodes.podCount(offer), kind));
        });
        return offers;
    }

    /** Returns the worth of a pod's place, apart from its bill. Equal places are interchangeable. */
    private List<Object> worth(NodeOffer offer) {
        if (!nodes.isSimple()) {
            return List.of(offer.name());
        }
        return List.of(
                nodes.duration(offer.node()),
                gang.criterion().needsPower() ? offer.node().power() : 0L,
                gang.criterion().needsPower() ? offer.node().allocatable() : 0L,
                gang.topology().spans().stream()
                        .map(span -> span.level() == null ? null : span.level().domain(offer.node()))
                        .map(String::valueOf)
                        .toList());
    }

    /** Returns whether a pod's share of such a node exceeds the gang's price limit for a slot. */
    private boolean isTooDear(PodRequest request, NodeOffer offer, long price) {
        Money maxMoney = gang.budget().slotPrice();
        return maxMoney != null && share(request, offer).of(price) > maxMoney.micros();
    }

    private Share share(PodRequest request, NodeOffer offer) {
        return context.wholeNode()
                        || offer.node().allocatable().times(request.resources().amounts()) == 0
                ? Share.ALL
                : request.resources().amounts().dominantShareOf(offer.node().allocatable());
    }

    private Acquisition acquired(Window window, Frame frame) {
        Map<String, List<Placement>> placements = new TreeMap<>();
        for (Placement placement : window.placements()) {
            if (nodes.offer(placement.node()) != null) {
                placements
                        .computeIfAbsent(placement.node(), _ -> new ArrayList<>())
                        .add(placement);
            }
        }
        if (placements.isEmpty()) {
            return new Acquisition(window, List.of(), window.cost());
        }
        List<Purchase> purchases = new ArrayList<>();
        Map<String, Cost> costs = new HashMap<>();
        long bill = 0;
        long risk = 0;
        for (Map.Entry<String, List<Placement>> entry : placements.entrySet()) {
            PricedOffer pricedOffer = frame.offers().stream()
                    .filter(candidate -> candidate.names().contains(entry.getKey()))
                    .findFirst()
                    .orElseThrow();
            bill += pricedOffer.bill();
            risk += pricedOffer.risk();
            purchases.add(new Purchase(
                    entry.getKey(),
                    pricedOffer.offer(),
                    gang.id(),
                    window.start() - pricedOffer.offer().billing().delay(),
                    pricedOffer.price(),
                    pricedOffer.use()));
            costs.putAll(split(pricedOffer, entry.getValue()));
        }
        Window paidWindow = Window.of(
                gang.id(),
                window.start(),
                window.placements().stream()
                        .map(placement -> new Placement(
                                placement.pod(),
                                placement.node(),
                                placement.start(),
                                placement.end(),
                                costs.getOrDefault(placement.pod(), placement.cost())))
                        .toList(),
                window.energy());
        Cost moreCost = Cost.of(NodeBasket.expected(bill, risk)).minus(new Cost(bill));
        return new Acquisition(paidWindow, purchases, paidWindow.cost().plus(moreCost));
    }

    /**
     * Splits a node's bill by what its pods take of the node, or equally if they take nothing. Each part is rounded
     * down, and the last pod by name pays the rest.
     */
    private Map<String, Cost> split(PricedOffer offer, List<Placement> pods) {
        List<BigInteger> weights = pods.stream()
                .map(placement -> BigInteger.valueOf(
                        share(gang.requestOf(placement.pod()), offer.offer()).of(NodeOffer.ALL)))
                .toList();
        BigInteger whole = weights.stream().reduce(BigInteger.ZERO, BigInteger::add);
        BigInteger bill = BigInteger.valueOf(offer.bill());
        Map<String, Cost> parts = new HashMap<>();
        BigInteger left = bill;
        for (int i = 0; i < pods.size(); i++) {
            BigInteger part = i == pods.size() - 1
                    ? left
                    : whole.signum() == 0
                            ? bill.divide(BigInteger.valueOf(pods.size()))
                            : bill.multiply(weights.get(i)).divide(whole);
            parts.put(pods.get(i).pod(), Cost.of(part));
            left = left.subtract(part);
        }
        return parts;
    }
}
