package io.slotwise.testing;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.SearchExtent;
import io.slotwise.core.window.Window;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.web.board.BoardInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A day of a research cluster: 24 nodes of four owners with changing prices, and gangs that are planned once, at six in
 * the morning. The batch minimizes the cost and loses at most ten percent of utility. Gangs run and end as planned,
 * except one that overruns.
 */
public final class ExampleDay {
    /** 2030-01-15T06:00:00Z, the second of the plan. */
    public static final long MORNING = Instant.parse("2030-01-15T06:00:00Z").getEpochSecond();

    /** 10:20:30, when most of the board's colours are visible. */
    public static final long LOOK = MORNING + 4 * 3600 + 20 * 60 + 30;

    public static final GangId LATE = new GangId("team-language", "tokenizer");

    public static final GangId HELD = new GangId("team-vision", "conference-demo");

    public static final GangId SLACK = new GangId("team-vision", "clip-eval");

    public static final long SLACK_SECONDS = 2700;

    private static final String GPU = "nvidia.com/gpu";
    private static final long GIB = 1L << 30;
    private static final long HOUR = 3600;
    private static final Policy POLICY = Policy.EXACT
            .withHorizon(24 * HOUR)
            .withBatch(Policy.EXACT
                    .batch()
                    .serving(Objective.MIN_COST, new Limit(Limit.Measure.AVERAGE_UTILITY, OptionalLong.of(100_000)))
                    .withAlternatives(12));

    private final List<Node> nodes = nodes();
    private final List<Occupation> others = others();
    private final @Nullable QueueTree tree;
    private final Snapshot asked;
    private final Plan plan;

    public ExampleDay() {
        this(List.of());
    }

    /** A day with these queues and {@link Queue#DEFAULT}. The gangs of the namespace {@code team-a} are in queue a. */
    public ExampleDay(List<Queue> queues) {
        Cluster cluster = new Cluster(nodes, others);
        tree = queues.isEmpty() ? null : QueueTree.of(queues, new Inventory(nodes).total());
        asked = new Snapshot(
                        MORNING,
                        cluster,
                        gangs().stream()
                                .map(gang -> new Request(inQueue(gang), null))
                                .toList(),
                        List.of(new Pending(
                                new GangId("team-weather", "ensemble-48h"), new Refusal.WaitingForMembers(9, 12))))
                .withQueues(queues(List.of()));
        plan = new Planner(POLICY).plan(asked);
    }

    private @Nullable QueueState queues(List<QueueUse> running) {
        return tree == null ? null : new QueueState(tree, running);
    }

    private @Nullable String queue(GangId gang) {
        String team = gang.namespace().substring("team-".length());
        return tree == null ? null : tree.has(team) ? team : Queue.DEFAULT;
    }

    private Gang inQueue(Gang gang) {
        return gang.asking(gang.demand().withQueue(queue(gang.id())));
    }

    public Plan plan() {
        return plan;
    }

    public BoardInput at(long now) {
        List<GangRecord> records = new ArrayList<>();
        List<Occupation> held = new ArrayList<>(others);
        List<Request> waiting = new ArrayList<>();
        List<QueueUse> running = new ArrayList<>();
        for (Planned planned : plan.windows()) {
            GangRecord record = record(planned, now);
            records.add(record);
            if (record.phase() == Phase.RUNNING) {
                occupy(planned, now, held);
                planned.gang()
                        .use(new Interval(
                                planned.window().start(),
                                Math.max(now + 60, planned.window().end())))
                        .forEach(running::add);
            } else if (record.phase() == Phase.PROMISED) {
                waiting.add(new Request(planned.gang(), record.promise()));
            }
        }
        plan.pending().forEach(pending -> records.add(waiting(pending, now)));
        return new BoardInput(
                now,
                POLICY,
                new Snapshot(now, new Cluster(nodes, held), waiting, asked.held()).withQueues(queues(running)),
                records,
                Set.of(HELD),
                new BoardInput.Planner(
                        true, new FirstPromise.Outcomes(30, 29, new TreeMap<>(Map.of("node-lost", 1L))), plan.notes()),
                plan.pending().stream().collect(Collectors.toMap(Pending::gang, Pending::refusal)),
                Currency.NONE);
    }

    /** Returns the planner's latest cycle at a second of the day: the rest of the morning's plan. */
    public Latest latest(long now) {
        List<Planned> coming = plan.windows().stream()
                .filter(planned -> planned.window().start() > now)
                .toList();
        Set<GangId> waiting = Stream.concat(
                        coming.stream().map(planned -> planned.gang().id()),
                        plan.pending().stream().map(Pending::gang))
                .collect(Collectors.toSet());
        List<Request> requests = asked.requests().stream()
                .filter(request -> waiting.contains(request.gang().id()))
                .toList();
        Snapshot snapshot = at(now).snapshot().withRequests(requests);
        Plan left = new Plan(
                now,
                now + POLICY.horizon(),
                coming,
                plan.pending(),
                List.of(),
                plan.notes(),
                plan.choices().stream()
                        .filter(choice -> waiting.contains(choice.gang()))
                        .toList(),
                List.of(),
                List.of(),
                SearchExtent.NONE,
                List.of(),
                Map.of());
        return new Latest(LoopSettings.EXACT.withPolicy(POLICY), snapshot, left, left);
    }

    private static GangRecord record(Planned planned, long now) {
        Gang gang = planned.gang();
        Window window = planned.window();
        long slack = gang.id().equals(SLACK) ? SLACK_SECONDS : 0;
        Promise promise = new Promise(window, planned.origin(), false)
                .withPromiseBound(
                        slack == 0
                                ? null
                                : new PromiseBound(window.start() + slack, window.end() + slack, window.cost()));
        GangRecord promised = GangRecord.first(gang.id(), MORNING)
                .withTerms(RecordedTerms.of(gang))
                .promised(promise, PromiseTariff.CONSTANT)
                .withHistory(GangRecord.History.seen(MORNING).promised(FirstPromise.of(promise)))
                .withPhase(Phase.PROMISED)
                .planned(
                        true,
                        "Promised",
                        "%s to %s"
                                .formatted(Instant.ofEpochSecond(window.start()), Instant.ofEpochSecond(window.end())),
                        MORNING);
        if (now < window.start()) {
            return promised;
        }
        GangRecord.History started = promised.history().started(window.start(), new TreeMap<>());
        boolean late = gang.id().equals(LATE);
        return now < window.end() || late
                ? promised.withHistory(started).withPhase(Phase.RUNNING)
                : promised.withHistory(started.ended(window.end())).withPhase(Phase.COMPLETED);
    }

    private GangRecord waiting(Pending pending, long now) {
        Refusal refusal = pending.refusal();
        return GangRecord.first(pending.gang(), MORNING)
                .withTerms(new RecordedTerms(Criterion.START.key(), HOUR, null, "", 0, false)
                        .withQueue(queue(pending.gang())))
                .refused(refusal, now);
    }

    private static void occupy(Planned planned, long now, List<Occupation> held) {
        boolean late = planned.window().end() <= now;
        for (Placement placement : planned.window().placements()) {
            held.add(new Occupation(
                    planned.gang().id().namespace() + "/" + placement.pod(),
                    placement.node(),
                    planned.gang().requestOf(placement.pod()).resources(),
                    new Interval(placement.start(), late ? now + 60 : placement.end()),
                    late));
        }
    }

    // ---- the cluster

    private static List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        StepFunction night = StepFunction.startingAt(18_500_000)
                .then(MORNING + HOUR, 32_770_000)
                .then(MORNING + 13 * HOUR, 18_500_000)
                .build();
        for (int i = 1; i <= 6; i++) {
            List<Interval> away = i == 6 ? List.of(new Interval(MORNING + 8 * HOUR, MORNING + 12 * HOUR)) : List.of();
            nodes.add(node("gpu-a-" + i, "eu-west-1a", "p4d.24xlarge", "vision-lab", night, away, 96, 1152, 8));
        }
        StepFunction flat = StepFunction.constant(24_480_000);
        for (int i = 1; i <= 4; i++) {
            List<Interval> away =
                    i == 1 ? List.of(new Interval(MORNING + 6 * HOUR, MORNING + 7 * HOUR + 1800)) : List.of();
            nodes.add(node("gpu-b-" + i, "eu-west-1b", "p3dn.24xlarge", "language-lab", flat, away, 96, 768, 8));
        }
        for (int i = 1; i <= 8; i++) {
            nodes.add(node(
                    "cpu-a-" + i,
                    "eu-west-1a",
                    "m6i.16xlarge",
                    "shared",
                    StepFunction.constant(3_072_000),
                    List.of(),
                    64,
                    256,
                    0));
        }
        for (int i = 1; i <= 6; i++) {
            nodes.add(node("spot-b-" + i, "eu-west-1b", "c6i.16xlarge", "cloud-spot", spot(i), List.of(), 64, 128, 0));
        }
        return nodes;
    }

    /** Returns a spot price that rises towards noon and falls again. */
    private static StepFunction spot(int i) {
        StepFunction.Builder price = StepFunction.startingAt(780_000);
        for (int step = 0; step < 16; step++) {
            price.then(MORNING + step * HOUR, 1_450_000 - Math.abs(step - 5 - i % 3) * 95_000L);
        }
        return price.build();
    }

    private static Node node(
            String name,
            String zone,
            String type,
            String owner,
            StepFunction price,
            List<Interval> away,
            long cores,
            long gib,
            long gpus) {
        Resources room = resources(cores, gib, gpus).with(Resources.PODS, 110);
        return new Node(
                name,
                Map.of("topology.kubernetes.io/zone", zone, "node.kubernetes.io/instance-type", type),
                List.of(),
                !name.equals("cpu-a-8"),
                room,
                Performance.REFERENCE,
                owner,
                price,
                away);
    }

    private static Resources resources(long cores, long gib, long gpus) {
        Resources room =
                Resources.of(Map.of(Resources.CPU, cores * 1000, Resources.MEMORY, gib * GIB, Resources.PODS, 1L));
        return gpus == 0 ? room : room.with(GPU, gpus);
    }

    /** The load that Slotwise did not place: agents that never end, and some pods of other teams. */
    private static List<Occupation> others() {
        List<Occupation> others = new ArrayList<>();
        Resources agent = Resources.of(Map.of(Resources.CPU, 500L, Resources.MEMORY, GIB, Resources.PODS, 1L));
        for (Node node : nodes()) {
            if (node.name().startsWith("cpu")) {
                others.add(new Occupation(
                        "kube-system/agent-" + node.name(),
                        node.name(),
                        agent,
                        new Interval(MORNING - 40 * HOUR, Interval.FOREVER)));
            }
        }
        others.add(other("ops/nightly-backup", "cpu-a-2", 24, -2 * HOUR, 5 * HOUR + 1500));
        others.add(other("web/checkout-load-test", "cpu-a-5", 40, 2 * HOUR, 6 * HOUR));
        others.add(other("ops/index-rebuild", "spot-b-3", 48, -HOUR, 4 * HOUR + 2400));
        return others;
    }

    private static Occupation other(String holder, String node, long cores, long start, long end) {
        return new Occupation(holder, node, resources(cores, 8, 0), new Interval(MORNING + start, MORNING + end));
    }

    // ---- the gangs

    private static List<Gang> gangs() {
        List<Gang> gangs = new ArrayList<>();
        gangs.add(gpu("team-vision/resnet-152", 4, 8, 190, "620", Criterion.START));
        gangs.add(gpu("team-language/tokenizer", 2, 4, 225, null, Criterion.START));
        gangs.add(gpu("team-language/llama-finetune", 4, 8, 310, "900", Criterion.FINISH));
        gangs.add(gpu("team-vision/segment-anything", 2, 8, 260, "340", Criterion.START));
        gangs.add(gpu("team-speech/whisper-distil", 2, 8, 230, "300", Criterion.START));
        gangs.add(gpu("team-vision/detector-sweep", 6, 4, 150, "400", Criterion.START));
        gangs.add(gpu("team-language/rlhf-step-2", 4, 8, 180, "480", Criterion.FINISH));
        gangs.add(gpu("team-speech/diarization", 1, 8, 95, null, Criterion.START));
        gangs.add(held(gpu("team-vision/conference-demo", 2, 8, 120, null, Criterion.START), 7 * HOUR + 1800));
        gangs.add(gpu("team-vision/clip-eval", 3, 4, 95, "150", Criterion.COST));
        gangs.add(gpu("team-language/moe-ablation", 6, 8, 160, "720", Criterion.START));
        gangs.add(gpu("team-speech/tts-pretrain", 4, 8, 200, "520", Criterion.COST));
        gangs.add(gpu("team-language/long-context", 2, 8, 120, "40", Criterion.START));
        gangs.add(gpu("team-vision/foundation-xl", 24, 8, 600, null, Criterion.START));
        gangs.add(cpu("team-weather/downscaling", 6, 32, 200, "14", Criterion.START));
        gangs.add(cpu("team-weather/reanalysis", 4, 48, 330, "60", Criterion.START));
        gangs.add(cpu("team-genomics/variant-call-a", 5, 32, 140, "9", Criterion.COST));
        gangs.add(cpu("team-genomics/variant-call-b", 5, 32, 140, "9", Criterion.START));
        gangs.add(cpu("team-genomics/assembly", 2, 60, 420, "45", Criterion.START));
        gangs.add(cpu("team-finance/monte-carlo-q4", 8, 24, 90, "10", Criterion.COST));
        gangs.add(cpu("team-finance/risk-nightly", 6, 32, 170, "9.5", Criterion.COST));
        gangs.add(cpu("team-weather/ocean-spinup", 4, 64, 260, "60", Criterion.FINISH));
        gangs.add(cpu("team-genomics/alignment-1", 3, 20, 250, null, Criterion.START));
        gangs.add(cpu("team-genomics/alignment-2", 3, 20, 250, null, Criterion.START));
        gangs.add(cpu("team-finance/backtest", 10, 16, 110, "11", Criterion.START));
        gangs.add(cpu("team-weather/postprocess", 2, 32, 75, "4.000001", Criterion.START));
        return gangs;
    }

    private static Gang gpu(
            String id, int pods, long gpus, long minutes, @Nullable String budget, Criterion criterion) {
        return gang(id, pods, resources(gpus * 10, gpus * 64, gpus), minutes, budget, criterion);
    }

    private static Gang cpu(
            String id, int pods, long size, long minutes, @Nullable String budget, Criterion criterion) {
        return gang(id, pods, resources(Math.min(size, 63), size, 0), minutes, budget, criterion);
    }

    private static Gang gang(
            String id, int pods, Resources room, long minutes, @Nullable String budget, Criterion criterion) {
        String namespace = id.substring(0, id.indexOf('/'));
        String name = id.substring(id.indexOf('/') + 1);
        return new Gang(
                new GangId(namespace, name),
                IntStream.range(0, pods)
                        .mapToObj(i -> name + "-" + i)
                        .sorted(Comparator.naturalOrder())
                        .toList(),
                new PodRequest(room, NodeConstraint.NONE, minutes * 60, false),
                Demand.NONE
                        .withBudget(new Budget(budget == null ? null : Money.parse(budget), null))
                        .withCriterion(criterion),
                0,
                MORNING);
    }

    private static Gang held(Gang gang, long after) {
        return gang.startingFrom(MORNING + after);
    }
}
