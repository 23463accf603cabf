package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.AccountBalance;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A year of gangs that start late or in time and end early, in time or late, under prices that change by the hour,
 * while the process dies in the middle of its writes. A second computation, in big integers from the prices themselves,
 * must agree with the ledger to the last 1/3600 of a micro-unit. No period may exceed its budget except by overrun.
 */
class LedgerYearTest {
    private static final long DAY = 86_400;
    private static final long HOUR = 3600;
    private static final LoopSettings SETTINGS = LoopSettings.EXACT.withPolicy(Policy.EXACT
            .withHorizon(DAY)
            .withTurnover(3)
            .withBatch(Policy.EXACT.batch().withAlternatives(1)));

    /** More than a gang of this test pays for the grace of a minute. */
    private static final BigInteger NEXT_GRACE = BigInteger.valueOf(4 * 60 * 1_500_000L);

    private final FakeHost host = new FakeHost();
    private final Map<String, Integer> nodes = new HashMap<>();
    private final TreeMap<GangId, Run> running = new TreeMap<>();
    private final List<Run> ended = new ArrayList<>();
    private PlanningLoop loop = newLoop();
    private int refused;
    private int deaths;
    private int checks;
    private int overruns;

    /** The real course of a gang: its promised window, and the seconds that each pod runs. */
    private record Run(GangId gang, Window window, long startedAt, Map<String, Long> seconds) {
        long endOf(String pod) {
            return startedAt + seconds.getOrDefault(pod, 0L);
        }

        long end() {
            return window.placements().stream()
                    .mapToLong(placement -> endOf(placement.pod()))
                    .max()
                    .orElse(startedAt);
        }
    }

    @ParameterizedTest
    @CsvSource({"5/day, 30, 1", "25/week, 30, 2", "100/month, 365, 3"})
    void isExactToTheMicroUnit(String budget, long days, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Allotment allotment = Allotment.parse(budget);
        host.grants.put("user", new Grant.Given(allotment));
        for (int i = 0; i < 3; i++) {
            nodes.put("n" + i, i);
        }
        int arrived = 0;

        while (host.second() < FakeHost.BEGIN + days * DAY) {
            if (random.nextInt(3) > 0 && host.gangs.size() < 4) {
                host.arrives("g" + arrived, 1 + random.nextInt(2), 60 + random.nextLong(5 * HOUR / 2));
                arrived++;
            }
            showPrices();
            if (random.nextInt(6) == 0) {
                dieAndComeBack(random);
            }
            settle();
            check(allotment);
            advance(random);
        }

        assertThat(checks).isGreaterThan((int) days);
        assertThat(deaths).isGreaterThan((int) days / 10);
        assertThat(overruns).isGreaterThan((int) days / 20);
        assertThat(refused).isPositive();
        assertThat(ended).hasSizeGreaterThan((int) days / 2);
    }

    /**
     * Lets some of the writes of a few cycles succeed. Then the process dies, and another one begins with what is
     * stored.
     */
    private void dieAndComeBack(SplittableRandom random) {
        host.writesLeft = random.nextInt(6);
        loop.cycle();
        loop.cycle();
        host.writesLeft = Integer.MAX_VALUE;
        loop = newLoop();
        deaths++;
    }

    /** Shows the nodes with their prices from yesterday until after the horizon. */
    private void showPrices() {
        host.nodes.clear();
        new TreeMap<>(nodes).forEach((name, index) -> host.nodes.add(node(name, index, host.second())));
    }

    private void settle() {
        for (int i = 0; i < 3; i++) {
            loop.cycle();
        }
        if (host.records.values().stream()
                .anyMatch(record -> record.plannedAspect().message().contains("budget of namespace"))) {
            refused++;
        }
    }

    /** Advances to the next event: a start, an end, or a few hours later. */
    private void advance(SplittableRandom random) {
        long next = host.second() + 1 + random.nextLong(18 * HOUR);
        for (GangRecord record : host.records.values()) {
            if (record.phase() == Phase.PROMISED) {
                next = Math.min(next, record.windowStart().orElseThrow());
            }
        }
        for (Run run : running.values()) {
            for (Placement placement : run.window().placements()) {
                if (run.endOf(placement.pod()) > host.second()) {
                    next = Math.min(next, run.endOf(placement.pod()));
                }
            }
        }
        host.passTo(Math.max(next, host.second() + 1) + random.nextLong(2));
        startWhoIsDue(random);
        endWhoIsDone(random);
    }

    private void startWhoIsDue(SplittableRandom random) {
        for (GangRecord record : List.copyOf(host.records.values())) {
            Promise promise = record.promise();
            if (promise != null
                    && record.phase() == Phase.PROMISED
                    && promise.window().start() <= host.second()) {
                host.openBarrier(record.gang());
                Map<String, Long> seconds = new HashMap<>();
                for (Placement placement : promise.window().placements()) {
                    seconds.put(placement.pod(), seconds(placement.end() - placement.start(), random));
                }
                running.put(record.gang(), new Run(record.gang(), promise.window(), host.second(), seconds));
            }
        }
    }

    private static long seconds(long planned, SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong(planned + 1);
            case 1 -> planned + random.nextLong(20 * 60);
            default -> planned;
        };
    }

    private void endWhoIsDone(SplittableRandom random) {
        for (Run run : List.copyOf(running.values())) {
            for (Placement placement : run.window().placements()) {
                if (run.endOf(placement.pod()) <= host.second()) {
                    host.endAt(placement.pod(), run.endOf(placement.pod()));
                }
            }
            if (run.end() <= host.second()) {
                running.remove(run.gang());
                ended.add(run);
                overruns +=
                        run.seconds().entrySet().stream().anyMatch(pod -> pod.getValue() > planned(run, pod.getKey()))
                                ? 1
                                : 0;
            }
        }
        for (Run run : ended.subList(Math.max(0, ended.size() - 50), ended.size())) {
            GangRecord record = host.records.get(run.gang());
            if ((record == null || record.phase() == Phase.COMPLETED) && random.nextBoolean()) {
                run.seconds().keySet().forEach(host.pods::remove);
                host.gangs.remove(run.gang());
            }
        }
    }

    private static long planned(Run run, String pod) {
        return run.window().placements().stream()
                .filter(placement -> placement.pod().equals(pod))
                .mapToLong(placement -> placement.end() - placement.start())
                .sum();
    }

    private void check(Allotment allotment) {
        Ledger ledger = host.ledgers.getOrDefault("user", Ledger.empty("user"));
        BigInteger most = BigInteger.valueOf(Cost.of(allotment.amount()).microSecondsPerHour());
        for (Interval period : allotment.periods(host.second() - 30 * DAY, host.second() + 2 * DAY)) {
            BigInteger charged = BigInteger.ZERO;
            BigInteger overrun = BigInteger.ZERO;
            BigInteger held = BigInteger.ZERO;
            boolean goingOn = false;
            for (Run run : ended) {
                if (isIn(period, run.window())) {
                    charged = charged.add(charge(run));
                }
                overrun = overrun.add(overrun(run, period));
            }
            for (Run run : running.values()) {
                if (isIn(period, run.window())) {
                    held = held.add(promised(run.window()));
                }
                overrun = overrun.add(overrun(run, period));
                goingOn |= run.window().placements().stream()
                        .anyMatch(placement -> run.startedAt() + planned(run, placement.pod()) <= host.second()
                                && host.second() < run.endOf(placement.pod()));
            }
            BigInteger toCome = BigInteger.ZERO;
            for (GangRecord record : host.records.values()) {
                Promise promise = record.promise();
                if (promise != null && record.phase() == Phase.PROMISED && isIn(period, promise.window())) {
                    toCome = toCome.add(promised(promise.window()));
                }
            }

            AccountBalance balance =
                    ledger.balances(allotment, period, List.of()).getFirst();
            assertThat(exact(balance.charge().chargedCost())).isEqualTo(charged);
            BigInteger beyond = exact(balance.charge().overrunCost())
                    .add(exact(balance.heldCost()))
                    .subtract(held);
            assertThat(beyond).isBetween(overrun, goingOn ? overrun.add(NEXT_GRACE) : overrun);
            assertThat(charged.add(held)).isLessThanOrEqualTo(most);
            if (overrun.signum() == 0) {
                assertThat(charged.add(held).add(toCome)).isLessThanOrEqualTo(most);
            }
        }
        checks++;
    }

    private static boolean isIn(Interval period, Window window) {
        return period.start() <= window.start() && window.start() < period.end();
    }

    private static BigInteger exact(Cost cost) {
        return BigInteger.valueOf(cost.microSecondsPerHour());
    }

    private BigInteger promised(Window window) {
        BigInteger sum = BigInteger.ZERO;
        for (Placement placement : window.placements()) {
            sum = sum.add(between(placement.node(), placement.start(), placement.end()));
        }
        return sum;
    }

    private BigInteger charge(Run run) {
        BigInteger sum = BigInteger.ZERO;
        for (Placement placement : run.window().placements()) {
            long planned = placement.end() - placement.start();
            long seconds = run.seconds().getOrDefault(placement.pod(), 0L);
            sum = sum.add(between(placement.node(), placement.start(), placement.start() + Math.min(seconds, planned)));
        }
        return sum;
    }

    /** The cost of the seconds of a period in which pods have run beyond their planned time. */
    private BigInteger overrun(Run run, Interval period) {
        BigInteger sum = BigInteger.ZERO;
        for (Placement placement : run.window().placements()) {
            long from = Math.max(period.start(), run.startedAt() + placement.end() - placement.start());
            long to = Math.min(period.end(), Math.min(run.endOf(placement.pod()), host.second()));
            sum = sum.add(BigInteger.valueOf(price(placement.node(), placement.end() - 1))
                    .multiply(BigInteger.valueOf(Math.max(0, to - from))));
        }
        return sum;
    }

    private BigInteger between(String node, long from, long to) {
        BigInteger sum = BigInteger.ZERO;
        for (long second = from; second < to; ) {
            long next = Math.min(to, (second / HOUR + 1) * HOUR);
            sum = sum.add(BigInteger.valueOf(price(node, second)).multiply(BigInteger.valueOf(next - second)));
            second = next;
        }
        return sum;
    }

    private long price(String node, long second) {
        return price(nodes.getOrDefault(node, 0), second);
    }

    /** An odd price, different every hour. */
    private static long price(int node, long second) {
        return 700_001 + 77_777L * node + (second / (3 * HOUR) % 8) * 31_337;
    }

    private static Node node(String name, int index, long now) {
        long first = now / HOUR * HOUR - DAY;
        StepFunction.Builder price = StepFunction.startingAt(price(index, first));
        for (long hour = first; hour < now + 3 * DAY; hour += HOUR) {
            price.then(hour, price(index, hour));
        }
        return new Node(
                name,
                Map.of(),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 4000L, Resources.PODS, 110L)),
                Performance.REFERENCE,
                "default",
                price.build(),
                List.of());
    }

    private PlanningLoop newLoop() {
        return host.replica(CurrentSettings.fixed(SETTINGS));
    }
}
