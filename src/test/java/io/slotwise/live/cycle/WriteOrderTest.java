package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.cycle.WriteOrder.Step;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.RunHistoryStore;
import io.slotwise.live.port.WaitExplainer;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.WindowOwnership;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteOrderTest {
    private static final long TURNOVER = 5;

    @Test
    void recordsThatTakeRoomAreWrittenAfterThoseThatReleaseIt() {
        RecordUpdate taker = moved("a", window("a", "n2", 100), window("a", "n1", 0));
        RecordUpdate leaver = moved("b", window("b", "n1", 0), window("b", "n3", 0));

        List<Step> steps = WriteOrder.of(List.of(taker, leaver), TURNOVER, new AccountBalances(List.of()));

        assertThat(steps).extracting(Step::update).containsExactly(leaver, taker);
        assertThat(steps.get(0).after()).isEmpty();
        assertThat(steps.get(1).after()).containsExactly(0);
    }

    @Test
    void roomIsGivenUpByEndingTooAndTheTurnoverBelongsToIt() {
        RecordUpdate taker = moved("a", null, window("a", "n1", 10 + TURNOVER - 1));
        RecordUpdate gone = moved("b", window("b", "n1", 0), null);
        gone.remove();

        assertThat(WriteOrder.of(List.of(taker, gone), TURNOVER, new AccountBalances(List.of())))
                .extracting(Step::update)
                .containsExactly(gone, taker);
    }

    @Test
    void aReservationThatIsOverGivesItsRoomUpBeforeOthersTakeIt() {
        RecordUpdate taker = moved("a", null, window("a", "n1", 0));
        RecordUpdate over = new RecordUpdate(moved("b", window("b", "n1", 0), null)
                .before()
                .withOwnership(new WindowOwnership.Held(OptionalLong.empty())));
        over.end(over.before().withPhase(Phase.COMPLETED));
        RecordUpdate guest = new RecordUpdate(
                moved("c", window("c", "n2", 0), null).before().withOwnership(new WindowOwnership.Part("b")));
        guest.remove();

        List<Step> steps = WriteOrder.of(List.of(taker, guest, over), TURNOVER, new AccountBalances(List.of()));

        assertThat(steps).extracting(Step::update).containsExactly(over, taker, guest);
        assertThat(steps.subList(1, 3))
                .allSatisfy(step -> assertThat(step.after()).containsExactly(0));
    }

    @Test
    void independentGangsAreWrittenInParallel() {
        RecordUpdate one = moved("a", null, window("a", "n1", 10 + TURNOVER));
        RecordUpdate other = moved("b", window("b", "n1", 0), window("b", "n2", 0));

        assertThat(WriteOrder.of(List.of(one, other), TURNOVER, new AccountBalances(List.of())))
                .allSatisfy(step -> {
                    assertThat(step.after()).isEmpty();
                    assertThat(step.withdrawn()).isFalse();
                });
    }

    @Test
    void gangsThatExchangeRoomsGoThroughOneWithoutAWindow() {
        RecordUpdate one = moved("a", window("a", "n1", 0), window("a", "n2", 0));
        RecordUpdate other = moved("b", window("b", "n2", 0), window("b", "n1", 0));

        List<Step> steps = WriteOrder.of(List.of(one, other), TURNOVER, new AccountBalances(List.of()));

        assertThat(steps)
                .containsExactly(
                        new Step(one, true, List.of()),
                        new Step(other, false, List.of(0)),
                        new Step(one, false, List.of(0, 1)));
    }

    /** The writes come in any permitted order, and may stop after any of them. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8})
    void noOrderOfTheWritesShowsARoomTwice(int gangs) {
        for (int i = 0; i < 200; i++) {
            int seed = i;
            Random random = new Random(seed);
            List<Integer> rooms =
                    IntStream.range(0, gangs + 1).boxed().collect(Collectors.toCollection(ArrayList::new));
            Collections.shuffle(rooms, random);
            List<RecordUpdate> updates = IntStream.range(0, gangs)
                    .mapToObj(gang -> moved(
                            "g" + gang,
                            random.nextInt(4) == 0 ? null : window("g" + gang, "n" + gang, 0),
                            random.nextInt(6) == 0
                                    ? null
                                    : window("g" + gang, "n" + rooms.get(gang), random.nextInt(9))))
                    .toList();
            Map<GangId, Window> records = new HashMap<>();
            updates.forEach(update -> show(update.before(), records));
            List<Step> steps = WriteOrder.of(updates, TURNOVER, new AccountBalances(List.of()));

            write(
                    steps,
                    records,
                    random,
                    done -> assertThat(records.values().stream()
                                    .map(window ->
                                            window.placements().getFirst().node()))
                            .as("seed %d after %s of %s", seed, done, steps)
                            .doesNotHaveDuplicates());

            assertThat(records.keySet())
                    .containsExactlyInAnyOrderElementsOf(updates.stream()
                            .filter(update -> update.after().promise() != null)
                            .map(update -> update.before().gang())
                            .toList());
        }
    }

    /** Writes the steps in a random one of the permitted orders, and checks the records after each. */
    private static void write(
            List<Step> steps, Map<GangId, Window> records, Random random, Consumer<Set<Integer>> check) {
        Set<Integer> done = new HashSet<>();
        while (done.size() < steps.size()) {
            List<Integer> possible = IntStream.range(0, steps.size())
                    .filter(step -> !done.contains(step)
                            && done.containsAll(steps.get(step).after()))
                    .boxed()
                    .toList();
            int next = possible.get(random.nextInt(possible.size()));
            Step step = steps.get(next);
            show(
                    step.withdrawn()
                            ? step.update().before().with((Promise) null)
                            : step.update().after(),
                    records);
            done.add(next);
            check.accept(done);
        }
    }

    private static void show(GangRecord record, Map<GangId, Window> records) {
        Promise promise = record.promise();
        if (promise == null) {
            records.remove(record.gang());
        } else {
            records.put(record.gang(), promise.window());
        }
    }

    private static PlanPublisher publication(FakeHost host) {
        return new PlanPublisher(
                new PlanPublisher.Ports(host, host, host, host, host, WaitExplainer.SILENT, RunHistoryStore.NONE),
                host.starter(CurrentSettings.fixed(LoopSettings.EXACT)),
                PlanPublisher.Writers.all(Runnable::run),
                () -> {});
    }

    @Test
    void theExchangeIsPublishedWhole() {
        FakeHost host = new FakeHost();
        RecordUpdate one = moved("a", window("a", "n1", 0), window("a", "n2", 0));
        RecordUpdate other = moved("b", window("b", "n2", 0), window("b", "n1", 0));
        host.records.put(one.before().gang(), one.before());
        host.records.put(other.before().gang(), other.before());

        publication(host).publish(edition(host, one, other));

        assertThat(host.window(one.before().gang())).isEqualTo(window("a", "n2", 0));
        assertThat(host.window(other.before().gang())).isEqualTo(window("b", "n1", 0));
        assertThat(host.writes).isEqualTo(3);
    }

    @Test
    void recordsThatDependOnAFailedWriteAreNotWritten() {
        FakeHost host = new FakeHost();
        RecordUpdate taker = moved("a", null, window("a", "n1", 0));
        RecordUpdate leaver = moved("b", window("b", "n1", 0), window("b", "n3", 0));
        host.records.put(leaver.before().gang(), leaver.before().withVersion("changed meanwhile"));

        publication(host).publish(edition(host, taker, leaver));

        assertThat(host.records).doesNotContainKey(taker.before().gang());
    }

    @Test
    void moneyIsTakenAfterItWasGivenBack() {
        RecordUpdate taker = moved("a", null, priced("a", "n1", 0, 6));
        RecordUpdate giver = moved("b", priced("b", "n2", 0, 10), priced("b", "n3", 0, 4));
        Account account = new Account("user", 0, 100, new Cost(10));

        List<Step> steps = WriteOrder.of(List.of(taker, giver), TURNOVER, new AccountBalances(List.of(account)));

        assertThat(steps).extracting(Step::update).containsExactly(giver, taker);
        assertThat(steps.getLast().after()).containsExactly(0);
    }

    /** The writes come in any permitted order, and may stop after any of them. */
    @Test
    void noOrderOfTheWritesOverdrawsAnAccount() {
        for (int i = 0; i < 200; i++) {
            int seed = i;
            Random random = new Random(seed);
            List<RecordUpdate> updates = IntStream.range(0, 8)
                    .mapToObj(gang -> moved("g" + gang, randomly(gang, "a", random), randomly(gang, "b", random)))
                    .toList();
            Map<GangId, Window> records = new HashMap<>();
            updates.forEach(update -> show(update.after(), records));
            long needed = spent(records);
            records.clear();
            updates.forEach(update -> show(update.before(), records));
            long left = Math.max(needed, spent(records));
            List<Step> steps = WriteOrder.of(
                    updates, TURNOVER, new AccountBalances(List.of(new Account("user", 0, 100, new Cost(left)))));

            write(
                    steps,
                    records,
                    random,
                    done -> assertThat(spent(records))
                            .as("seed %d after %s of %s", seed, done, steps)
                            .isLessThanOrEqualTo(left));
        }
    }

    private static @Nullable Window randomly(int gang, String node, Random random) {
        return random.nextInt(3) == 0 ? null : priced("g" + gang, node + gang, 0, 1 + random.nextInt(9));
    }

    private static long spent(Map<GangId, Window> records) {
        return records.values().stream()
                .mapToLong(window -> window.cost().microSecondsPerHour())
                .sum();
    }

    @Test
    void eachPartOfWhatIsGivenBackDelaysOneTaker() {
        List<RecordUpdate> updates = IntStream.range(0, 200)
                .mapToObj(gang -> gang % 2 == 0
                        ? moved("g" + gang, null, priced("g" + gang, "n" + gang, 0, 6))
                        : moved("g" + gang, priced("g" + gang, "n" + gang, 0, 4), null))
                .toList();
        Account account = new Account("user", 0, 100, new Cost(1000));

        List<Step> steps = WriteOrder.of(updates, TURNOVER, new AccountBalances(List.of(account)));

        assertThat(steps.stream().mapToInt(step -> step.after().size()).sum()).isBetween(100, 200);
    }

    @Test
    void moneyOfOtherPeriodsOrWithoutAnAccountDelaysNoWrite() {
        RecordUpdate taker = moved("a", null, priced("a", "n1", 0, 6));
        RecordUpdate later = moved("b", priced("b", "n2", 200, 10), priced("b", "n3", 200, 4));
        Account today = new Account("user", 0, 100, new Cost(10));
        Account tomorrow = new Account("user", 100, 300, new Cost(10));

        assertThat(WriteOrder.of(List.of(taker, later), TURNOVER, new AccountBalances(List.of(today, tomorrow))))
                .allSatisfy(step -> assertThat(step.after()).isEmpty());
        assertThat(WriteOrder.of(List.of(taker, later), TURNOVER, new AccountBalances(List.of())))
                .allSatisfy(step -> assertThat(step.after()).isEmpty());
    }

    @Test
    void moneyIsOrderedWhateverItsSize() {
        RecordUpdate taker = moved("a", null, priced("a", "n1", 0, Long.MAX_VALUE));
        RecordUpdate giver = moved("b", priced("b", "n2", 0, Long.MAX_VALUE), priced("b", "n3", 0, 4));
        Cost wide = new Cost(Long.MAX_VALUE).plus(new Cost(Long.MAX_VALUE));
        RecordUpdate stopped = moved("c", priced("c", "n4", 0, 10), null);
        MigrationHistory history = new MigrationHistory(
                List.of(new MigrationHistory.Leg(0, 10, new Cost(10), new Charge(Cost.ZERO, wide), 5)),
                1,
                0,
                wide,
                Resources.NONE,
                new TreeSet<>(),
                0,
                1,
                Cost.ZERO,
                0);
        stopped.become(stopped.after().withHistory(stopped.after().history().moved(history)));
        Account account = new Account("user", 0, 100, wide);

        List<Step> steps =
                WriteOrder.of(List.of(taker, stopped, giver), TURNOVER, new AccountBalances(List.of(account)));

        assertThat(steps).extracting(Step::update).containsExactly(stopped, giver, taker);
        assertThat(steps.getLast().after())
                .as("what was charged for an overrun is given back by nobody")
                .containsExactly(1);
    }

    private static Window priced(String gang, String node, long start, long cost) {
        Window free = window(gang, node, start);
        return new Window(free.gang(), start, free.placements(), new Cost(cost), Window.UNKNOWN_ENERGY);
    }

    private static PlanPublisher.CycleChanges edition(FakeHost host, RecordUpdate... updates) {
        return new PlanPublisher.CycleChanges(
                List.of(updates),
                List.of(),
                List.of(),
                snapshot(),
                TURNOVER,
                host.instant(),
                new Leadership.Reign(() -> true, 0),
                host::record);
    }

    private static Snapshot snapshot() {
        return new Snapshot(0, new Cluster(List.of(), List.of()), List.of(), List.of());
    }

    private static RecordUpdate moved(String gang, @Nullable Window before, @Nullable Window after) {
        GangRecord first = GangRecord.first(new GangId("user", gang), 0);
        RecordUpdate update = new RecordUpdate(
                before == null
                        ? first
                        : first.with(promise(before)).withPhase(Phase.PROMISED).withVersion("1"));
        update.become(update.after().with(after == null ? null : promise(after)));
        return update;
    }

    private static Promise promise(Window window) {
        return new Promise(window, WindowOrigin.CYCLIC, false);
    }

    private static Window window(String gang, String node, long start) {
        return new Window(
                new GangId("user", gang),
                start,
                List.of(new Placement(gang + "-0", node, start, start + 10, Cost.ZERO)),
                Cost.ZERO,
                Window.UNKNOWN_ENERGY);
    }
}
