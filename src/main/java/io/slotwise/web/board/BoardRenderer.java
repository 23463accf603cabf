package io.slotwise.web.board;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.report.Explanation.PredecessorText;
import io.slotwise.web.board.Board.GangRow;
import io.slotwise.web.board.Board.Piece;
import io.slotwise.web.board.Board.Price;
import io.slotwise.web.board.Board.Span;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Renders a board from the state of a cluster. A pure function of the input.
 *
 * <p>For N nodes, s placed or promised pods, g gangs and p price changes in all different price calendars, it takes O(N
 * + p + (s + g) log(s + g)) time and O(N + s + g + p) space.
 */
public final class BoardRenderer {
    private static final String INSTANCE_TYPE = "node.kubernetes.io/instance-type";
    private static final String RESERVATION = "reservation";
    private static final int THOUSANDTHS = 1000;
    private static final int PERCENT_DECIMALS = 4;

    private final BoardInput input;
    private final Cluster cluster;
    private final List<GangRecord> records;
    private final Map<GangId, Gang> asked = new HashMap<>();
    private final Map<GangId, Map<String, PodRequest>> requests = new HashMap<>();
    private final Map<GangId, Integer> awaited = new HashMap<>();
    private final Map<String, SortedMap<String, Long>> taken;
    private final BoardPurchases purchases;
    private final List<TopologyLevel> levels;

    private BoardRenderer(BoardInput input) {
        this.input = input;
        this.cluster = input.snapshot().cluster();
        this.taken = taken(input);
        this.purchases = new BoardPurchases(input);
        this.levels = input.snapshot().levels().all();
        this.records = input.records().stream()
                .sorted(Comparator.comparing(GangRecord::gang))
                .toList();
        for (Request request : input.snapshot().requests()) {
            asked.put(request.gang().id(), request.gang());
        }
        for (Pending pending : input.snapshot().held()) {
            if (pending.refusal() instanceof Refusal.WaitingForMembers waiting) {
                awaited.put(pending.gang(), waiting.size());
            }
        }
    }

    public static Board of(BoardInput input) {
        return new BoardRenderer(input).board();
    }

    /** Returns the board of a cluster that has not been read yet. */
    public static Board unread(long now, LoopSettings settings) {
        return new Board(
                false,
                false,
                now,
                now + settings.policy().horizon(),
                batch(settings.policy()),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new Board.Totals(0, 0, 0, 0, 0, null, 0, Collections.emptySortedMap()),
                List.of(),
                shown(settings.currency()),
                null,
                false);
    }

    private static @Nullable String shown(Currency currency) {
        return currency.isNone() ? null : currency.name();
    }

    private Board board() {
        Map<StepFunction, Integer> prices = new LinkedHashMap<>();
        List<Board.Node> nodes =
                cluster.inventory().stream().map(node -> node(node, prices)).toList();
        OwnerIncome incomes = new OwnerIncome(cluster.inventory());
        records.forEach(incomes::add);
        return new Board(
                true,
                input.planner().planning(),
                input.now(),
                horizonEnd(),
                batch(input.policy()),
                nodes,
                prices.keySet().stream().map(this::price).toList(),
                new BoardBars(input, this::amount).rows(records),
                records.stream().map(this::gang).toList(),
                incomes.rows(),
                totals(),
                input.planner().notes(),
                shown(input.currency()),
                purchases.altogether(),
                input.snapshot().queues() != null);
    }

    private long horizonEnd() {
        return input.now() + input.policy().horizon();
    }

    private static Board.Batch batch(Policy policy) {
        return new Board.Batch(
                policy.batch().objective().key(), limit(policy.batch().limit()));
    }

    private static Board.@Nullable Limit limit(Limit limit) {
        OptionalLong figure = limit.figure();
        return switch (limit.measure()) {
            case NOTHING -> null;
            case COST -> new Board.Limit("cost", figure.isEmpty() ? "auto" : new Cost(figure.getAsLong()).shown());
            case PROCESSOR_TIME ->
                new Board.Limit("processor-time", figure.isEmpty() ? "auto" : String.valueOf(figure.getAsLong()));
            case AVERAGE_UTILITY ->
                new Board.Limit(
                        "average-utility",
                        figure.isEmpty()
                                ? "auto"
                                : BigDecimal.valueOf(figure.getAsLong(), PERCENT_DECIMALS)
                                        .stripTrailingZeros()
                                        .toPlainString());
        };
    }

    private Board.Node node(Node node, Map<StepFunction, Integer> prices) {
        int price = prices.computeIfAbsent(node.price(), _ -> prices.size());
        return new Board.Node(
                node.name(),
                node.owner(),
                node.labels().get(input.policy().online().domainKey()),
                node.labels().get(INSTANCE_TYPE),
                node.schedulable(),
                node.allocatable().amounts().asMap(),
                price,
                node.unavailable().stream()
                        .filter(interval -> interval.end() > input.now() && interval.start() < horizonEnd())
                        .sorted(Comparator.comparingLong(Interval::start).thenComparingLong(Interval::end))
                        .map(interval -> new Span(interval.start(), BoardBars.known(interval.end())))
                        .toList(),
                taken.getOrDefault(node.name(), Collections.emptySortedMap()),
                purchases.of(node),
                levels(node));
    }

    private Map<String, String> levels(Node node) {
        Map<String, String> domains = new LinkedHashMap<>();
        for (TopologyLevel level : levels) {
            String domain = level.domainName(node);
            if (domain != null) {
                domains.put(level.key(), domain);
            }
        }
        return domains;
    }

    private Price price(StepFunction price) {
        List<Piece> pieces = new ArrayList<>();
        for (int i = price.pieceAt(input.now()); i < price.pieces() && price.start(i) < horizonEnd(); i++) {
            pieces.add(new Piece(
                    price.start(i) <= input.now() ? null : price.start(i), new Money(price.value(i)).toString()));
        }
        return new Price(pieces);
    }

    private GangRow gang(GangRecord record) {
        Promise promise = record.promise();
        Money budget = record.terms().budget();
        RecordedTerms.Worth worth = record.terms().worth();
        FirstPromise first = record.history().first();
        return new GangRow(
                record.gang().toString(),
                record.phase().key(),
                record.terms().criterion(),
                size(record),
                boxed(record.history().promisedStart()),
                first == null ? null : Long.valueOf(first.by()),
                promise == null
                        ? null
                        : Long.valueOf(RunInterval.of(record, promise.window()).start()),
                promise == null
                        ? null
                        : Long.valueOf(RunInterval.of(record, promise.window()).end()),
                promise == null ? null : promise.window().cost().shown(),
                budget == null ? null : budget.toString(),
                record.plannedAspect().reason(),
                input.statement(record),
                isHold(record) ? RESERVATION : null,
                record.ownership().reservation(),
                record.terms().queue(),
                promise == null || worth == null
                        ? null
                        : worth.delay(RunInterval.of(record, promise.window()).end())
                                .shown(),
                boxed(record.promisedBy()),
                record.terms().predecessors(),
                PredecessorText.names(record.terms().predecessors(), _ -> true));
    }

    private boolean isHold(GangRecord record) {
        return record.ownership().isHeld() || input.holds().contains(record.gang());
    }

    private Map<String, PodRequest> requests(GangId id) {
        Gang gang = asked.get(id);
        return gang == null ? Map.of() : gang.requests();
    }

    private @Nullable Integer size(GangRecord record) {
        Promise promise = record.promise();
        if (promise != null) {
            return promise.window().placements().size();
        }
        Gang gang = asked.get(record.gang());
        return gang == null ? awaited.get(record.gang()) : Integer.valueOf(gang.size());
    }

    /** Returns the request of a pod that does not occupy room yet, or null if it is not known. */
    private @Nullable Resources amount(GangId id, String pod) {
        PodRequest request = requests.computeIfAbsent(id, this::requests).get(pod);
        return request == null ? null : request.resources();
    }

    private Board.Totals totals() {
        Map<Phase, Integer> phases = new EnumMap<>(Phase.class);
        records.forEach(record -> phases.merge(record.phase(), 1, Integer::sum));
        return new Board.Totals(
                phases.getOrDefault(Phase.PENDING, 0) + phases.getOrDefault(Phase.BROKEN, 0),
                phases.getOrDefault(Phase.PROMISED, 0),
                phases.getOrDefault(Phase.STARTING, 0),
                phases.getOrDefault(Phase.RUNNING, 0),
                phases.getOrDefault(Phase.COMPLETED, 0),
                input.planner().outcomes(),
                share(Resources.CPU),
                shares());
    }

    /** Returns the current use of each node, by resource. O(occupations x resources). */
    private static Map<String, SortedMap<String, Long>> taken(BoardInput input) {
        Map<String, SortedMap<String, Long>> taken = new HashMap<>();
        for (Occupation occupation : input.snapshot().cluster().occupations()) {
            if (occupation.interval().start() <= input.now()
                    && input.now() < occupation.interval().end()) {
                SortedMap<String, Long> sums = taken.computeIfAbsent(occupation.node(), _ -> new TreeMap<>());
                // Pods may request more than any node has.
                occupation.resources().asMap().forEach((name, amount) -> sums.merge(name, amount, BoardRenderer::plus));
            }
        }
        taken.values().forEach(sums -> sums.values().removeIf(amount -> amount == 0));
        return taken;
    }

    private static Long plus(Long one, Long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private SortedMap<String, Integer> shares() {
        SortedMap<String, Integer> shares = new TreeMap<>();
        cluster.inventory().stream()
                .flatMap(node -> node.allocatable().amounts().asMap().keySet().stream())
                .filter(name -> name.equals(Resources.CPU) || name.equals(Resources.MEMORY) || name.indexOf('/') > 0)
                .distinct()
                .forEach(name -> shares.put(name, share(name)));
        return shares;
    }

    private int share(String resource) {
        BigInteger whole = sum(cluster.inventory().stream()
                .map(node -> node.allocatable().amounts().asMap().getOrDefault(resource, 0L)));
        BigInteger busy = sum(cluster.inventory().stream()
                .map(node -> taken.getOrDefault(node.name(), Collections.emptySortedMap())
                        .getOrDefault(resource, 0L)));
        return whole.signum() == 0
                ? 0
                : busy.multiply(BigInteger.valueOf(THOUSANDTHS))
                        .add(whole.shiftRight(1))
                        .divide(whole)
                        .min(BigInteger.valueOf(Integer.MAX_VALUE))
                        .intValue();
    }

    private static BigInteger sum(Stream<Long> amounts) {
        return amounts.map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static @Nullable Long boxed(OptionalLong second) {
        return second.isPresent() ? Long.valueOf(second.getAsLong()) : null;
    }
}
