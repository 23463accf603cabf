package io.slotwise.core.provision;

import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that some gangs of a batch buy together, where that is better for all of them than to buy one after the other.
 *
 * <p>The options of a gang are the window that it has without purchases, what it would buy by itself, and its pods on
 * as few nodes as hold them of each offer that suits it: from the second on in which the nodes are ready, and after
 * each other gang that could be on them first. Nodes are ready as soon as they can be, when one of the gangs may start,
 * and when one would start that buys by itself. Of these {@link JointChoice} takes the best that makes no gang worse
 * than it is by itself, by its criterion, then by its start, then by what it pays.
 *
 * <p>What counts is first that gangs have a window, then, by the objective {@code user}, the loss of utility of gangs
 * whose criterion is not money, each between its best and its worst option; by {@code min-processor-time} that time;
 * then the money of all, with the worth of delays for gangs with the criterion {@code value}, by {@code max-value} for
 * all.
 *
 * <p>Gangs take part whose pods are alike and ask nothing of others but amounts. O(n^2 m) options for n gangs and m
 * offers, besides the choice.
 */
public final class JointPurchases {
    /** The most gangs that are looked at together. */
    public static final int MOST_GANGS = 6;

    private static final int MOST_NODES = 16;
    private static final int MOST_READY = 4;
    private static final int MOST_STARTS = 4;
    private static final long MOST_BILL = Long.MAX_VALUE >> 12;

    private final List<Member> members;
    private final NodeMarket market;
    private final PurchaseContext stage;
    private final Objective objective;
    private final List<Side> sides;
    private final Map<String, TreeMap<Long, Delivery>> deliveries = new HashMap<>();
    private int numbers;
    private boolean bounded;

    /**
     * A gang.
     *
     * @param waiting the window that it has without purchases; null: none
     * @param alone what it has with purchases, one gang after the other; null: nothing that is better
     */
    public record Member(
            Gang gang, @Nullable Window waiting, @Nullable Acquisition alone) {
        private @Nullable Window window() {
            return alone == null ? waiting : alone.window();
        }

        private Cost pays() {
            return alone != null ? alone.expected() : waiting != null ? waiting.cost() : Cost.ZERO;
        }
    }

    /** What is the same for all options of a gang. */
    private record Side(Member member, SlotTerms terms) {
        Gang gang() {
            return member.gang();
        }
    }

    /** An option before it is known what others of the gang are worth. */
    private record Draft(
            long start, List<Placement> ground, boolean moved, List<JointSeat> seats, Reruns reruns, Window window) {}

    /**
     * Purchases.
     *
     * @param members gangs in the order of the queue
     * @param market before any of them buys
     * @param stage what the purchases have to fit in with, without the windows of these gangs
     * @param objective of the batch
     */
    public JointPurchases(List<Member> members, NodeMarket market, PurchaseContext stage, Objective objective) {
        this.members = List.copyOf(members);
        this.market = market;
        this.stage = stage;
        this.objective = objective;
        this.sides = members.stream()
                .map(member -> new Side(member, SlotTerms.of(member.gang(), stage.now(), stage.horizonEnd())))
                .toList();
    }

    /** Whether a gang can take part. */
    public static boolean admits(Gang gang) {
        return gang.isUniform()
                && !gang.hasRules()
                && gang.request().resources().places().size() == 0;
    }

    /** Whether choices were left out that might have been better. */
    public boolean bounded() {
        return bounded;
    }

    /**
     * What each gang has that buys or uses what another one buys; empty: nothing is better than one after the other. A
     * node is bought for the first gang on it.
     */
    public Optional<Map<GangId, Acquisition>> best() {
        sides.forEach(this::prepare);
        List<List<Draft>> drafts = new ArrayList<>();
        int sharing = 0;
        for (Side side : sides) {
            List<Draft> shared = shared(side);
            sharing += shared.isEmpty() ? 0 : 1;
            List<Draft> all = new ArrayList<>(own(side));
            all.addAll(shared);
            drafts.add(all);
        }
        if (sharing < 2) {
            return Optional.empty();
        }
        List<List<JointOption>> options = new ArrayList<>();
        JointTotal known = JointTotal.NOTHING;
        for (int g = 0; g < sides.size(); g++) {
            Side side = sides.get(g);
            Ranks ranks = new Ranks(side, drafts.get(g));
            options.add(drafts.get(g).stream()
                    .flatMap(draft -> ranks.option(draft).stream())
                    .toList());
            if (options.getLast().isEmpty()) {
                return Optional.empty();
            }
            known = known.plus(ranks.known());
        }
        JointChoice choice = new JointChoice(
                sides.stream().map(side -> side.gang().id()).toList(), options, market, stage.turnover(), known);
        JointChoice.Outcome outcome = choice.best();
        bounded = choice.bounded();
        return outcome == null ? Optional.empty() : Optional.of(acquired(outcome));
    }

    /** When nodes are ready, for this gang's sake. */
    private void prepare(Side side) {
        Acquisition alone = side.member().alone();
        for (NodeOffer offer : market.offers()) {
            long first =
                    Math.max(stage.now() + offer.billing().delay(), side.terms().earliest());
            deliver(offer, first);
            if (alone != null && alone.window().start() > first) {
                deliver(offer, alone.window().start());
            }
        }
        if (alone != null) {
            alone.purchases().forEach(purchase -> deliver(purchase.offer(), purchase.ready()));
        }
    }

    private Delivery deliver(NodeOffer offer, long ready) {
        return deliveries.computeIfAbsent(offer.name(), _ -> new TreeMap<>()).computeIfAbsent(ready, second -> {
            long bought = second - offer.billing().delay();
            return new Delivery(numbers++, offer, bought, offer.node().price().at(bought));
        });
    }

    /** What a gang has by itself: the window without purchases, and what it would buy if no other one did. */
    private List<Draft> own(Side side) {
        Member member = side.member();
        List<Draft> drafts = new ArrayList<>();
        Window waiting = member.waiting();
        drafts.add(
                waiting == null
                        ? new Draft(
                                0,
                                List.of(),
                                false,
                                List.of(),
                                Reruns.NONE,
                                new Window(side.gang().id(), 0, List.of(), Cost.ZERO))
                        : new Draft(waiting.start(), waiting.placements(), false, List.of(), Reruns.NONE, waiting));
        Acquisition alone = member.alone();
        if (alone == null) {
            return drafts;
        }
        Set<String> others = new HashSet<>();
        Map<String, Purchase> mine = new HashMap<>();
        members.forEach(other -> {
            if (other.alone() != null) {
                other.alone().purchases().forEach(purchase -> {
                    if (other.gang().id().equals(member.gang().id())) {
                        mine.put(purchase.node(), purchase);
                    } else {
                        others.add(purchase.node());
                    }
                });
            }
        });
        List<Placement> ground = new ArrayList<>();
        Map<String, List<Placement>> seats = new TreeMap<>();
        for (Placement seat : alone.window().placements()) {
            if (others.contains(seat.node())) {
                return drafts;
            }
            if (mine.containsKey(seat.node())) {
                seats.computeIfAbsent(seat.node(), _ -> new ArrayList<>()).add(seat);
            } else {
                ground.add(seat);
            }
        }
        List<JointSeat> given = new ArrayList<>();
        Reruns reruns = Reruns.NONE;
        for (Map.Entry<String, List<Placement>> node : seats.entrySet()) {
            Purchase purchase = Objects.requireNonNull(mine.get(node.getKey()));
            reruns = reruns.plus(reruns(side.gang(), purchase.offer(), purchase.price(), purchase.use()));
            given.add(seat(
                    side.gang(),
                    deliver(purchase.offer(), purchase.ready()),
                    node.getValue().stream().map(Placement::pod).toList(),
                    alone.window().start(),
                    purchase.use()));
        }
        drafts.add(new Draft(alone.window().start(), ground, true, given, reruns, alone.window()));
        return drafts;
    }

    /** The gang on as few nodes as hold it of each delivery. */
    private List<Draft> shared(Side side) {
        List<Draft> drafts = new ArrayList<>();
        for (NodeOffer offer : market.offers()) {
            int seats = seats(side.gang(), offer);
            if (seats == 0 || market.left(offer) <= 0) {
                continue;
            }
            int nodes = Math.ceilDiv(side.gang().size(), seats);
            long use = duration(side.gang(), offer);
            long risk = offer.hazard() * use * nodes;
            if (nodes > MOST_NODES
                    || nodes > market.left(offer)
                    || risk > market.allowed().spotRisk() * 3600L
                    || side.gang().criterion().needsPower()) {
                continue;
            }
            Objects.requireNonNull(deliveries.get(offer.name())).values().stream()
                    .limit(MOST_READY)
                    .forEach(delivery -> starts(side, delivery).forEach(start -> {
                        if (start <= side.terms().latest()
                                && start + use <= side.terms().deadline()
                                && !isTooDear(side.gang(), delivery)
                                && delivery.bill(start + use).compareTo(new Cost(MOST_BILL / nodes)) < 0) {
                            drafts.add(draft(side.gang(), delivery, start, seats));
                        }
                    }));
        }
        return drafts;
    }

    /** As soon as nodes are ready, and after each other gang that might be on them then. */
    private List<Long> starts(Side side, Delivery delivery) {
        long first = Math.max(delivery.ready(), side.terms().earliest());
        Set<Long> starts = new TreeSet<>(Set.of(first));
        for (Side other : sides) {
            if (!other.gang().id().equals(side.gang().id()) && seats(other.gang(), delivery.offer()) > 0) {
                long end = Math.max(delivery.ready(), other.terms().earliest())
                        + duration(other.gang(), delivery.offer())
                        + stage.turnover();
                starts.add(Math.max(first, end));
            }
        }
        return starts.stream().limit(MOST_STARTS).toList();
    }

    private Draft draft(Gang gang, Delivery delivery, long start, int seats) {
        long use = duration(gang, delivery.offer());
        Reruns reruns = Reruns.NONE;
        List<JointSeat> given = new ArrayList<>();
        List<Placement> pods = new ArrayList<>();
        for (int from = 0; from < gang.size(); from += seats) {
            List<String> names = gang.pods().subList(from, Math.min(gang.size(), from + seats));
            given.add(seat(gang, delivery, names, start, use));
            reruns = reruns.plus(reruns(gang, delivery.offer(), delivery.price(), use));
            String node = String.valueOf(given.size());
            names.forEach(pod -> pods.add(new Placement(pod, node, start, start + use, Cost.ZERO)));
        }
        return new Draft(start, List.of(), true, given, reruns, Window.of(gang.id(), start, pods));
    }

    private Reruns reruns(Gang gang, NodeOffer offer, long price, long use) {
        return Reruns.of(gang, offer, price, use, stage.restart());
    }

    private JointSeat seat(Gang gang, Delivery delivery, List<String> pods, long start, long use) {
        Resources all = Objects.requireNonNull(gang.request().resources().copies(pods.size()));
        long share = Math.clamp(share(gang.request(), delivery.offer()).of(NodeOffer.ALL), 1, NodeOffer.ALL);
        return new JointSeat(delivery, pods, start, start + use, all, share * pods.size() * Math.max(1, use));
    }

    private static int seats(Gang gang, NodeOffer offer) {
        String topology = gang.topology();
        if (gang.request().constraint().exclusion(offer.node()) != null
                || (topology != null && !offer.node().labels().containsKey(topology))) {
            return 0;
        }
        long seats = offer.node().allocatable().times(gang.request().resources());
        return (int) Math.min(Math.min(seats, gang.size()), gang.maxPerNode());
    }

    private static long duration(Gang gang, NodeOffer offer) {
        return gang.request().durationOn(offer.node().performance());
    }

    private Share share(PodRequest request, NodeOffer offer) {
        return stage.wholeNode()
                ? Share.ALL
                : request.resources().dominantShareOf(offer.node().allocatable());
    }

    private boolean isTooDear(Gang gang, Delivery delivery) {
        Money most = gang.budget().slotPrice();
        return most != null && share(gang.request(), delivery.offer()).of(delivery.price()) > most.micros();
    }

    /** What the options of one gang count for. */
    private final class Ranks {
        private final Side side;
        private final long best;
        private final long worst;

        Ranks(Side side, List<Draft> drafts) {
            this.side = side;
            long least = Long.MAX_VALUE;
            long most = Long.MIN_VALUE;
            for (Draft draft : drafts) {
                if (!draft.window().placements().isEmpty()) {
                    least = Math.min(least, value(draft.window()));
                    most = Math.max(most, value(draft.window()));
                }
            }
            Window now = side.member().window();
            this.best = now == null ? least : Math.min(least, value(now));
            this.worst = now == null ? most : Math.max(most, value(now));
        }

        /** By the criterion; nothing where that is money. */
        private long value(Window window) {
            return isMoney() ? 0 : window.value(side.gang().criterion());
        }

        private boolean isMoney() {
            return side.gang().criterion().figure() == Criterion.Figure.COST;
        }

        private long rank(Window window) {
            if (window.placements().isEmpty()) {
                return 0;
            }
            return switch (objective) {
                case USER, MAX_INCOME, MAX_PROCESSOR_TIME -> loss(value(window));
                case MIN_PROCESSOR_TIME -> window.processorTime();
                case MIN_COST, MAX_VALUE -> 0;
            };
        }

        private long loss(long value) {
            return worst == best
                    ? 0
                    : BigInteger.valueOf(value)
                            .subtract(BigInteger.valueOf(best))
                            .multiply(BigInteger.valueOf(NodeOffer.ALL))
                            .divide(BigInteger.valueOf(worst).subtract(BigInteger.valueOf(best)))
                            .longValueExact();
        }

        private long worth(Window window) {
            return objective == Objective.MAX_VALUE || side.gang().criterion() == Criterion.VALUE
                    ? side.gang().delay(window.end())
                    : 0;
        }

        /** What the gang counts for by itself. */
        JointTotal known() {
            Window window = side.member().window();
            return window == null
                    ? new JointTotal(1, BigInteger.ZERO, BigInteger.ZERO)
                    : new JointTotal(
                            0,
                            BigInteger.valueOf(rank(window)),
                            side.member().pays().exact().add(BigInteger.valueOf(worth(window))));
        }

        /** The option; empty: it is worse for the gang than what it has by itself. */
        Optional<JointOption> option(Draft draft) {
            Window window = draft.window();
            boolean none = window.placements().isEmpty();
            Optional<Cost> most = none ? Optional.of(Cost.UNLIMITED) : most(window);
            return most.map(limit -> new JointOption(
                    draft.start(),
                    draft.ground(),
                    draft.moved(),
                    draft.seats(),
                    draft.reruns(),
                    rank(window),
                    none ? 0 : worth(window),
                    limit,
                    none ? null : account(draft.start()),
                    window.energy()));
        }

        private @Nullable Account account(long start) {
            return stage.purses().at(side.gang().id().namespace(), start).orElse(null);
        }

        /** What the gang pays at most for such a window; empty: it is worse at any price. */
        private Optional<Cost> most(Window window) {
            Cost budget = side.gang().budget().limit();
            Window now = side.member().window();
            if (now == null) {
                return Optional.of(budget);
            }
            Cost pays = side.member().pays();
            if (isMoney()) {
                Cost later = side.gang().criterion() == Criterion.VALUE
                        ? new Cost(side.gang().delay(window.end()))
                                .minus(new Cost(side.gang().delay(now.end())))
                        : Cost.ZERO;
                return Optional.of(budget.min(pays.minus(later)));
            }
            int worse = value(window) == value(now)
                    ? Long.compare(window.start(), now.start())
                    : Long.compare(value(window), value(now));
            return worse > 0 ? Optional.empty() : Optional.of(worse == 0 ? budget.min(pays) : budget);
        }
    }

    private Map<GangId, Acquisition> acquired(JointChoice.Outcome outcome) {
        List<String> names = names(outcome.nodes());
        Map<GangId, Acquisition> all = new LinkedHashMap<>();
        for (int g = 0; g < sides.size(); g++) {
            Gang gang = sides.get(g).gang();
            JointOption option = outcome.options().get(g);
            if (!option.moved()) {
                continue;
            }
            List<Placement> pods = new ArrayList<>(option.ground());
            for (JointChoice.Given given : outcome.seats().get(g)) {
                JointSeat seat = given.seat();
                List<Placement> there = seat.pods().stream()
                        .map(pod -> new Placement(pod, names.get(given.node()), seat.start(), seat.end(), Cost.ZERO))
                        .toList();
                Map<String, Cost> parts = PurchaseSearch.split(
                        given.part(), there, there.stream().map(_ -> Share.ALL).toList());
                there.forEach(pod -> pods.add(new Placement(
                        pod.pod(), pod.node(), pod.start(), pod.end(), Objects.requireNonNull(parts.get(pod.pod())))));
            }
            pods.sort(Comparator.comparing(Placement::pod));
            List<Purchase> purchases = new ArrayList<>();
            for (int node = 0; node < names.size(); node++) {
                if (outcome.nodes().get(node).gang().equals(gang.id())) {
                    purchases.add(outcome.nodes().get(node).named(names.get(node)));
                }
            }
            purchases.sort(Comparator.comparing(Purchase::node));
            all.put(
                    gang.id(),
                    new Acquisition(
                            Window.of(gang.id(), option.start(), pods, option.energy()),
                            purchases,
                            outcome.expected().get(g)));
        }
        return all;
    }

    private List<String> names(List<Purchase> nodes) {
        Set<String> taken = new HashSet<>();
        stage.cluster().nodes().forEach(node -> taken.add(node.name()));
        market.bought().forEach(purchase -> taken.add(purchase.node()));
        List<String> names = new ArrayList<>();
        for (Purchase node : nodes) {
            int number = 1;
            while (!taken.add(node.offer().name() + "-" + number)) {
                number++;
            }
            names.add(node.offer().name() + "-" + number);
        }
        return names;
    }
}
