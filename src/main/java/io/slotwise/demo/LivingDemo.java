package io.slotwise.demo;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.live.cycle.CycleTrigger;
import io.slotwise.live.cycle.GangDiary;
import io.slotwise.live.cycle.PlanPublisher;
import io.slotwise.live.cycle.PlanningLoop;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.port.NodeSupplier;
import io.slotwise.live.port.WaitExplainer;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.start.GangStarter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory cluster with the planning loop, step by step: each step is the next second in which anything is due. It
 * does not wait for real time; its host does.
 */
public final class LivingDemo {
    private static final Duration UNRECORDED = Duration.ofSeconds(1);

    private final StepClock clock;
    private final LivingCluster cluster;
    private final CycleTrigger trigger;
    private final PlanningLoop loop;
    private final GangStarter starter;
    private final GangDiary diary;

    /** The time of the next look at gangs; null for the next change of a record. */
    private volatile @Nullable Instant due;

    /** The number of nodes and the first second. */
    public record Setting(int nodes, Instant begin) {
        public Setting {
            if (nodes <= 0) {
                throw new IllegalArgumentException("The number of nodes (%d) must be positive.".formatted(nodes));
            }
        }
    }

    /** Creates a demo before its first step; all events follow from {@code random}. */
    public LivingDemo(
            Setting setting,
            CurrentSettings settings,
            MetricsRecorder recorder,
            DemoListener listener,
            RandomGenerator random) {
        long begin = setting.begin.getEpochSecond();
        List<Node> nodes = DemoFleet.nodes(setting.nodes, begin);
        this.clock = new StepClock(setting.begin);
        this.cluster = new LivingCluster(nodes, clock, listener::opened);
        this.trigger = new CycleTrigger(settings);
        this.starter = new GangStarter(
                settings, () -> true, new GangStarter.Ports(cluster, cluster, cluster, cluster), clock, Runnable::run);
        this.diary = new GangDiary(new Teller(clock, listener), clock);
        PlanPublisher publisher = new PlanPublisher(
                new PlanPublisher.Ports(cluster, cluster, diary, cluster, recorder, WaitExplainer.SILENT, cluster),
                starter,
                PlanPublisher.Writers.all(Runnable::run),
                () -> trigger.changed(clock.instant()));
        this.loop = new PlanningLoop(
                settings,
                clock,
                new PlanningLoop.Ports(() -> true, cluster, publisher, recorder, NodeSupplier.NONE),
                starter,
                UNRECORDED);
        new DemoEvents(cluster, clock, listener, random, new DemoSubmissions(random, nodes)).begin(setting.nodes / 2);
        recorder.leads(true);
    }

    private record Teller(StepClock clock, DemoListener listener) implements EventRecorder {
        @Override
        public void announce(GangRecord record, Announcement announcement) {
            listener.told(
                    clock.instant(), announcement.reason().key(), record.gang().toString(), announcement.message());
        }

        @Override
        public void notice(ClusterView.Notice notice) {
            listener.told(clock.instant(), notice.reason(), notice.kind() + " " + notice.name(), notice.message());
        }
    }

    public ClusterView view() {
        return cluster;
    }

    GangDiary diary() {
        return diary;
    }

    public PlanningLoop loop() {
        return loop;
    }

    public InstantSource clock() {
        return clock;
    }

    public Instant next() {
        Instant now = clock.instant();
        Instant cycle = trigger.next(now);
        Instant next = cycle.isBefore(now) ? now : cycle;
        OptionalLong happening = cluster.next();
        if (happening.isPresent()) {
            next = earlier(next, Instant.ofEpochSecond(happening.getAsLong()));
        }
        Instant start = due;
        return start == null ? next : earlier(next, start);
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    /** Runs the next step. Returns whether anything visible changed. */
    public boolean step() {
        Instant now = next();
        clock.passTo(now.isBefore(clock.instant()) ? clock.instant() : now);
        boolean changed = cluster.happen();
        if (changed) {
            trigger.changed(clock.instant());
        }
        if (!clock.instant().isBefore(trigger.next(clock.instant()))) {
            trigger.begins(clock.instant());
            loop.cycle();
            trigger.ends(clock.instant());
            trigger.needs(loop.deadline());
            changed = true;
        }
        Instant again = starter.look(clock.instant());
        // A starter that wants another look at once waits for an event of this second.
        due = again == null || again.isAfter(clock.instant())
                ? again
                : clock.instant().plus(Duration.ofMillis(100));
        return changed;
    }

    /**
     * The external events: users submit gangs and give up those that wait too long, spot prices change, nodes fail and
     * return. Each event schedules the next of its kind.
     */
    private static final class DemoEvents {
        private static final long PATIENCE = Duration.ofHours(8).toSeconds();
        private static final long PRICES_STAY = Duration.ofMinutes(50).toSeconds();
        private static final long NODES_STAY = Duration.ofHours(80).toSeconds();
        private static final long FIRST_FAILURE = Duration.ofMinutes(45).toSeconds();

        private final LivingCluster cluster;
        private final StepClock clock;
        private final DemoListener listener;
        private final RandomGenerator random;
        private final DemoSubmissions submissions;
        private final Map<String, Long> firstPrices = new HashMap<>();

        DemoEvents(
                LivingCluster cluster,
                StepClock clock,
                DemoListener listener,
                RandomGenerator random,
                DemoSubmissions submissions) {
            this.cluster = cluster;
            this.clock = clock;
            this.listener = listener;
            this.random = random;
            this.submissions = submissions;
        }

        /** Schedules the first events, and submits {@code gangs} gangs. */
        void begin(int gangs) {
            for (int i = 0; i < gangs; i++) {
                submit();
            }
            arrive();
            cluster.at(clock.second() + PRICES_STAY, this::reprice);
            cluster.at(clock.second() + FIRST_FAILURE, this::fail);
        }

        private void arrive() {
            cluster.at(clock.second() + submissions.gap(), () -> {
                submit();
                arrive();
            });
        }

        private void submit() {
            DemoSubmission submission = submissions.next(clock.second());
            cluster.submit(submission);
            cluster.at(
                    clock.second() + PATIENCE,
                    () -> cluster.withdraw(submission.gang().id()));
        }

        /** Changes the price of all spot nodes of one type and zone, to half to twice of their initial price. */
        private void reprice() {
            List<Node> spot = cluster.nodes().stream()
                    .filter(node -> "spot".equals(node.labels().get("karpenter.sh/capacity-type")))
                    .toList();
            if (!spot.isEmpty()) {
                Node chosenNode = spot.get(random.nextInt(spot.size()));
                Money before = new Money(chosenNode.price().min());
                Money after = new Money(first(chosenNode) * (50 + random.nextInt(150)) / 100);
                for (Node node : spot) {
                    if (market(node).equals(market(chosenNode))) {
                        cluster.replace(node.at(StepFunction.constant(after.micros())));
                    }
                }
                tell(
                        "PriceChanged",
                        market(chosenNode),
                        "spot nodes cost %s an hour instead of %s".formatted(after, before));
            }
            cluster.at(clock.second() + PRICES_STAY, this::reprice);
        }

        private long first(Node node) {
            return firstPrices.computeIfAbsent(market(node), _ -> node.price().min());
        }

        private static String market(Node node) {
            return node.labels().get("node.kubernetes.io/instance-type") + " "
                    + node.labels().get("topology.kubernetes.io/zone");
        }

        private void fail() {
            List<Node> nodes = cluster.nodes();
            if (!nodes.isEmpty()) {
                String name = nodes.get(random.nextInt(nodes.size())).name();
                if (cluster.usable(name)) {
                    cluster.lose(name);
                    tell("NodeLost", name, "it fails");
                    cluster.at(clock.second() + 900L + random.nextInt(2700), () -> {
                        cluster.restore(name);
                        tell("NodeBack", name, "it is back");
                    });
                }
            }
            cluster.at(clock.second() + Math.max(600, NODES_STAY / Math.max(1, nodes.size())), this::fail);
        }

        private void tell(String what, String subject, String words) {
            listener.told(clock.instant(), what, subject, words);
        }
    }

    /**
     * Draws the submissions of a demo: gangs of one to sixteen pods of several kinds, each with a criterion, most with
     * a budget and some with a deadline. Two kinds have about the same runtime each time and state none. The others
     * state one: half of them end early, some overrun. The same seed gives the same gangs.
     */
    private static final class DemoSubmissions {
        /** The share of the cluster's processors that they request in the long run, percent. */
        private static final long LOAD_PERCENT = 65;

        /** The mean core-seconds of a gang at the speeds of the fleet, approximately. */
        private static final long MEAN_WORK = 35_000;

        /** Half of the gangs minimize start or finish. */
        private static final List<Criterion> CRITERIA = List.of(
                Criterion.START, Criterion.START, Criterion.FINISH, Criterion.COST, Criterion.COST, Criterion.RUNTIME);

        private static final List<Kind> KINDS = List.of(
                new Kind("vision", "train", 4, 8, 0, 16_384, true, 0),
                new Kind("speech", "finetune", 1, 4, 1, 16_384, true, 0),
                new Kind("weather", "ensemble", 8, 4, 0, 8_192, false, 70),
                new Kind("genomics", "align", 2, 4, 0, 32_768, false, 0),
                new Kind("finance", "risk", 6, 2, 0, 4_096, false, 0),
                new Kind("media", "render", 4, 4, 0, 8_192, false, 45),
                new Kind("physics", "mpi", 16, 2, 0, 4_096, true, 0));

        private final RandomGenerator random;
        private final long meanGap;
        private final long meanPrice;
        private int number;

        /**
         * The workload of one team.
         *
         * @param memory the memory of a pod, MiB
         * @param minutes the approximate runtime on a node of performance 1 if users state none; 0 if they state one
         */
        private record Kind(
                String namespace,
                String name,
                int size,
                int cores,
                int gpus,
                long memory,
                boolean lockstep,
                long minutes) {
            boolean stated() {
                return minutes == 0;
            }
        }

        DemoSubmissions(RandomGenerator random, Collection<Node> nodes) {
            this.random = random;
            long milliCores = nodes.stream()
                    .mapToLong(node -> node.allocatable().get(Resources.CPU))
                    .sum();
            this.meanGap = Math.max(1, 100 * MEAN_WORK * 1000 / LOAD_PERCENT / Math.max(1, milliCores));
            this.meanPrice =
                    nodes.stream().mapToLong(node -> node.price().min()).sum() * 1000 / Math.max(1, milliCores);
        }

        /** Returns the seconds until the next submission. */
        long gap() {
            return 1 + Math.round(-Math.log(1 - random.nextDouble()) * meanGap);
        }

        DemoSubmission next(long second) {
            Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            number++;
            GangId id = new GangId(kind.namespace, "%s-%d".formatted(kind.name, number));
            int size = 1 + random.nextInt(kind.size);
            double drawn = random.nextDouble();
            long runtime = kind.stated() ? 60L * Math.round(10 * Math.pow(24, drawn)) : usual(kind, drawn);
            PodRequest request = new PodRequest(resources(kind), NodeConstraint.NONE, runtime, false);
            Gang gang = new Gang(
                    id,
                    IntStream.range(0, size).mapToObj(i -> id.name() + "-" + i).toList(),
                    request,
                    Demand.NONE
                            .withBudget(budget(kind, size, runtime))
                            .withCriterion(CRITERIA.get(random.nextInt(CRITERIA.size())))
                            .withDeadline(
                                    random.nextInt(4) == 0
                                            ? second + runtime * (3 + random.nextInt(6))
                                            : Interval.FOREVER)
                            .withLockstep(kind.lockstep && size > 1),
                    0,
                    second);
            long percent = percent();
            return new DemoSubmission(
                    gang,
                    kind.stated() ? Math.max(1, runtime * percent / 100) : runtime,
                    new RecurringWorkload(kind.name, kind.name),
                    kind.stated());
        }

        /** Returns a runtime within a tenth of the normal runtime, seconds. */
        private static long usual(Kind kind, double drawn) {
            return Math.round(60 * kind.minutes * (0.9 + 0.2 * drawn));
        }

        private static Resources resources(Kind kind) {
            return Resources.of(Map.of(
                    Resources.CPU,
                    kind.cores * 1000L,
                    Resources.MEMORY,
                    kind.memory << 20,
                    DemoFleet.GPU,
                    (long) kind.gpus,
                    Resources.PODS,
                    1L));
        }

        /** Returns the mean cost of the cores, and more for GPUs, times 0.3 to 3. A fifth of the gangs has no limit. */
        private Budget budget(Kind kind, int size, long runtime) {
            if (random.nextInt(5) == 0) {
                return Budget.UNLIMITED;
            }
            long usual = size * (kind.cores + 4L * kind.gpus) * meanPrice * runtime / 3600;
            long cents = Math.max(1, usual * (30 + random.nextLong(270)) / 100 / 10_000);
            return new Budget(new Money(cents * 10_000), null);
        }

        /** Returns the used part of the runtime: half of the gangs end early, one in twenty overruns. */
        private long percent() {
            int which = random.nextInt(20);
            return which < 10 ? 30 + random.nextInt(65) : which < 19 ? 100 : 105 + random.nextInt(15);
        }
    }
}
