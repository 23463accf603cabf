package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Move;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Displacement by higher priority in a living cluster, with the ledger's account of it. */
class PreemptionTest {
    private static final long HOUR = 3600;
    private static final long UNIT = 3_600_000_000L;
    private static final long MIN_RUN = 60;
    private static final LoopSettings SETTINGS = LoopSettings.EXACT.withPolicy(
            Policy.EXACT.withTurnover(3).withMigration(new MigrationPolicy(Reach.NONE, 2, MIN_RUN, 30)));

    private final FakeHost host = new FakeHost().withNodes("a", "b");
    private PlanningLoop loop = newLoop();

    @Test
    void aGangThatRunsGoesAsAWholeAndIsPlannedAgainFromTheBeginning() {
        GangId low = runs("low", 2, HOUR);
        host.passTo(host.second() + 600);
        GangId high = host.arrives("high", 1, HOUR, 10);
        loop.cycle();

        assertThat(host.evicted).containsExactlyInAnyOrder("low-0", "low-1");
        assertThat(host.broken).containsExactly(Cause.DISPLACED);
        assertThat(host.moved)
                .singleElement()
                .satisfies(move -> assertThat(move.purpose()).isInstanceOf(Move.Interruption.class));
        assertThat(host.told)
                .anyMatch(what -> what.startsWith(
                        "low WindowBroken: displaced: moved to make room for user/high, which has a higher priority"));
        assertThat(host.window(high).start()).isLessThan(host.second() + 60);
        MigrationHistory history =
                Objects.requireNonNull(host.known(low).history().history());
        assertThat(history.work()).isEqualTo(HOUR);
        assertThat(history.overhead()).isZero();
        assertThat(history.lost()).isEqualTo(2 * 600);
        assertThat(history.spent()).isEqualTo(new Cost(2 * 600 * UNIT / HOUR));
        assertThat(host.window(low).runtime()).isEqualTo(HOUR);
        assertThat(host.window(low).start())
                .isGreaterThanOrEqualTo(host.window(high).end());
    }

    @Test
    void aPromiseMovesForAHigherPriorityAndNoWorkIsLost() {
        runs("running", 2, HOUR);
        GangId low = host.arrives("low", 2, HOUR);
        loop.cycle();
        long promised = host.window(low).start();
        host.passTo(host.second() + 5);
        GangId high = host.arrives("high", 2, 600, 10);
        loop.cycle();

        assertThat(host.evicted).isEmpty();
        assertThat(host.broken).containsExactly(Cause.DISPLACED);
        assertThat(host.told)
                .contains("low WindowBroken: displaced: user/high takes its room and has a higher priority (10, "
                        + "this one 0)");
        assertThat(host.window(high).start()).isEqualTo(promised);
        assertThat(host.window(low).start()).isGreaterThan(promised);
    }

    @Test
    void noGangIsDisplacedBeforeItsMinimumRun() {
        runs("low", 2, HOUR);
        host.passTo(host.second() + MIN_RUN - 2);
        host.arrives("high", 1, HOUR, 10);
        loop.cycle();
        assertThat(host.evicted).isEmpty();

        host.passTo(host.second() + 10);
        loop.cycle();

        assertThat(host.evicted).hasSize(2);
    }

    @Test
    void aGangWithoutAWindowAfterwardsWaitsAndIsPlannedWhenItsPodsAreMadeAgain() {
        GangId low = host.arrives("low", 2, HOUR);
        host.gangs.put(low, Objects.requireNonNull(host.gangs.get(low)).endingBy(host.second() + HOUR + 600));
        starts(low);
        host.passTo(host.second() + 300);
        GangId high = host.arrives("high", 2, HOUR, 10);
        loop.cycle();

        assertThat(host.evicted).hasSize(2);
        assertThat(host.known(low).promise()).isNull();
        assertThat(host.known(low).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.moved)
                .singleElement()
                .satisfies(move -> assertThat(move.targetWindow()).isNull());
        loop.cycle();
        assertThat(host.records).containsKey(low);

        host.gangs.remove(high);
        host.pods.keySet().removeIf(pod -> pod.startsWith("high"));
        host.gangs.put(low, Objects.requireNonNull(host.gangs.get(low)).endingBy(host.second() + 3 * HOUR));
        host.pods.put("low-0", FakeHost.waiting("low-0"));
        host.pods.put("low-1", FakeHost.waiting("low-1"));
        loop.cycle();
        assertThat(host.known(low).phase()).isEqualTo(Phase.STARTING);
    }

    /** The real course of a gang from a start to its end or displacement. */
    private record Run(GangId gang, Window window, long startedAt, long endedAt) {
        Run until(long second) {
            return new Run(gang, window, startedAt, second);
        }

        BigInteger cost() {
            BigInteger sum = BigInteger.ZERO;
            for (Placement placement : window.placements()) {
                long seconds = Math.min(endedAt - startedAt, placement.end() - placement.start());
                sum = sum.add(BigInteger.valueOf(seconds).multiply(BigInteger.valueOf(UNIT / HOUR)));
            }
            return sum;
        }
    }

    /**
     * Gangs of all priorities come, start, end and displace each other, while the process dies in the middle of its
     * writes. The ledger has each second of each run exactly once.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void nothingIsChargedTwiceAndNothingIsLost(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        host.withNodes("c");
        host.stop = new EvictionTiming(4, 9);
        host.grants.put("user", new Grant.Given(Allotment.parse("100000/month")));
        TreeMap<GangId, Run> running = new TreeMap<>();
        List<Run> ended = new ArrayList<>();
        Map<String, Long> back = new HashMap<>();
        int displaced = 0;
        for (int step = 0; step < 700; step++) {
            if (random.nextInt(3) == 0 && host.gangs.size() < 6) {
                GangId gang =
                        host.arrives("g" + step, 1 + random.nextInt(3), 100 + random.nextLong(1500), random.nextInt(5));
                (random.nextBoolean() ? host.remade : host.migratable).add(gang);
            }
            List<GangId> before = List.copyOf(running.keySet());
            if (random.nextInt(8) == 0) {
                host.writesLeft = random.nextInt(5);
                loop.cycle();
                host.writesLeft = Integer.MAX_VALUE;
                loop = newLoop();
            }
            loop.cycle();
            loop.cycle();
            for (GangId gang : before) {
                GangRecord record = host.records.get(gang);
                if (record != null && !record.phase().started()) {
                    ended.add(Objects.requireNonNull(running.remove(gang)).until(host.second()));
                    Objects.requireNonNull(host.gangs.get(gang))
                            .pods()
                            .forEach(pod -> back.put(pod, host.second() + 9));
                    displaced++;
                }
            }
            assertThat(spent()).as("step %d", step).isEqualTo(sum(ended));
            host.passTo(next(running, random));
            back.forEach((pod, second) -> {
                if (second <= host.second()) {
                    host.pods.put(pod, FakeHost.waiting(pod));
                }
            });
            back.values().removeIf(second -> second <= host.second());
            begin(running);
            end(running, ended);
            loop.cycle();
            loop.cycle();
            clear(ended, random);
        }
        assertThat(displaced).isGreaterThan(20);
        assertThat(ended).hasSizeGreaterThan(60);
    }

    private long next(NavigableMap<GangId, Run> running, SplittableRandom random) {
        long next = host.second() + 1 + random.nextLong(400);
        for (GangRecord record : host.records.values()) {
            if (record.phase() == Phase.PROMISED) {
                next = Math.min(next, record.windowStart().orElseThrow());
            }
        }
        for (Run run : running.values()) {
            next = Math.min(next, run.endedAt());
        }
        return Math.max(next, host.second() + 1);
    }

    private void begin(NavigableMap<GangId, Run> running) {
        for (GangRecord record : List.copyOf(host.records.values())) {
            Promise promise = record.promise();
            Gang gang = host.gangs.get(record.gang());
            if (promise != null
                    && gang != null
                    && record.phase() == Phase.PROMISED
                    && promise.window().start() <= host.second()
                    && gang.pods().stream().allMatch(host.pods::containsKey)) {
                host.openBarrier(record.gang());
                long end = host.second() + promise.window().runtime();
                running.put(record.gang(), new Run(record.gang(), promise.window(), host.second(), end));
            }
        }
    }

    private void end(NavigableMap<GangId, Run> running, List<Run> ended) {
        for (Run run : List.copyOf(running.values())) {
            if (run.endedAt() <= host.second()) {
                run.window().placements().forEach(placement -> host.endAt(placement.pod(), run.endedAt()));
                ended.add(Objects.requireNonNull(running.remove(run.gang())));
            }
        }
    }

    /** Deletes gangs with their pods, some time after their ends. */
    private void clear(List<Run> ended, SplittableRandom random) {
        for (Run run : ended) {
            GangRecord record = host.records.get(run.gang());
            if (record != null && record.phase() == Phase.COMPLETED && random.nextBoolean()) {
                run.window().placements().forEach(placement -> host.pods.remove(placement.pod()));
                host.gangs.remove(run.gang());
            }
        }
    }

    private static BigInteger sum(List<Run> runs) {
        return runs.stream().map(Run::cost).reduce(BigInteger.ZERO, BigInteger::add);
    }

    private BigInteger spent() {
        return host.ledgers.getOrDefault("user", Ledger.empty("user")).days().values().stream()
                .map(Charge::total)
                .map(cost -> BigInteger.valueOf(cost.microSecondsPerHour()))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    private GangId runs(String name, int size, long runtime) {
        GangId gang = host.arrives(name, size, runtime);
        starts(gang);
        return gang;
    }

    private void starts(GangId gang) {
        host.remade.add(gang);
        loop.cycle();
        host.passTo(host.window(gang).start());
        host.openBarrier(gang);
        loop.cycle();
    }

    private PlanningLoop newLoop() {
        return host.replica(CurrentSettings.fixed(SETTINGS));
    }
}
