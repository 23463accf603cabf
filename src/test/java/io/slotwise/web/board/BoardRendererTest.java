package io.slotwise.web.board;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.record.WindowOwnership;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.report.PlanReport.WindowRow;
import io.slotwise.testing.ExampleDay;
import io.slotwise.testing.ManyBars;
import io.slotwise.testing.PlanBuilder;
import io.slotwise.web.board.Board.Bar;
import io.slotwise.web.board.Board.Bar.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoardRendererTest {
    private static final long HOUR = 3600;

    private final ExampleDay day = new ExampleDay();
    private final Board board = BoardRenderer.of(day.at(ExampleDay.LOOK));

    @Test
    void theUsageOfANodeIsTheSumOfItsPresentPods() {
        for (Board.Node node : board.nodes()) {
            for (String resource : node.capacity().keySet()) {
                long sum = day.at(ExampleDay.LOOK).snapshot().cluster().occupations().stream()
                        .filter(room -> room.node().equals(node.name())
                                && room.interval().start() <= ExampleDay.LOOK
                                && ExampleDay.LOOK < room.interval().end())
                        .mapToLong(room -> room.resources().get(resource))
                        .sum();
                assertThat(node.taken().getOrDefault(resource, 0L))
                        .as(node.name() + " " + resource)
                        .isEqualTo(sum);
            }
        }
    }

    @Test
    void sharesOfTheClusterAreToldOfWhatPeopleAskFor() {
        long gpus = board.nodes().stream()
                .mapToLong(node -> node.capacity().getOrDefault("nvidia.com/gpu", 0L))
                .sum();
        long taken = board.nodes().stream()
                .mapToLong(node -> node.taken().getOrDefault("nvidia.com/gpu", 0L))
                .sum();

        assertThat(board.totals().taken()).containsOnlyKeys("cpu", "memory", "nvidia.com/gpu");
        assertThat(board.totals().taken())
                .containsEntry("nvidia.com/gpu", Math.toIntExact((taken * 1000 + gpus / 2) / gpus))
                .containsEntry("cpu", board.totals().busy());
    }

    @Test
    void theCurrencyOfThePolicyIsTold() {
        assertThat(board.currency()).isNull();
        assertThat(BoardRenderer.of(day.at(ExampleDay.LOOK).in(new Currency("EUR")))
                        .currency())
                .isEqualTo("EUR");
    }

    @Test
    void advanceReservationsAreToldApart() {
        assertThat(board.gangs())
                .filteredOn(gang -> "reservation".equals(gang.kind()))
                .extracting(Board.GangRow::id)
                .containsExactly(ExampleDay.HELD.toString());
    }

    @Test
    void everyPodOfEveryWindowStandsInABarOfItsGangAndNode() {
        Map<String, Integer> pods = board.bars().stream()
                .filter(bar -> bar.gang() != null)
                .collect(
                        Collectors.groupingBy(bar -> bar.gang() + "@" + bar.node(), Collectors.summingInt(Bar::count)));

        Map<String, Integer> planned = day.plan().windows().stream()
                .flatMap(window -> window.window().placements().stream()
                        .map(placement -> window.gang().id() + "@" + placement.node()))
                .collect(Collectors.groupingBy(placement -> placement, Collectors.summingInt(_ -> 1)));
        assertThat(pods).isEqualTo(planned);
    }

    @Test
    void podsOfOneGangOnOneNodeMakeOneBarThatCostsWhatTheyCost() {
        for (Planned planned : day.plan().windows()) {
            long cost = board.bars().stream()
                    .filter(bar -> planned.gang().id().toString().equals(bar.gang()))
                    .mapToLong(bar -> Money.parse(String.valueOf(bar.cost())).micros())
                    .sum();

            assertThat(cost).isEqualTo(planned.window().cost().roundedUp().micros());
        }
        assertThat(bars(State.RUNNING, "team-language/tokenizer"))
                .singleElement()
                .satisfies(bar -> {
                    assertThat(bar.count()).isEqualTo(2);
                    assertThat(bar.share()).isEqualTo(1000);
                });
    }

    @Test
    void theStateFollowsThePhase() {
        assertThat(states("team-vision/detector-sweep")).containsOnly(State.COMPLETED);
        assertThat(states("team-language/llama-finetune")).containsOnly(State.RUNNING);
        assertThat(states("team-vision/conference-demo")).containsOnly(State.HELD);
        assertThat(board.bars())
                .filteredOn(bar -> bar.state() == State.PROMISED)
                .isNotEmpty()
                .allSatisfy(bar -> assertThat(bar.start()).isGreaterThan(ExampleDay.LOOK));
        assertThat(board.bars())
                .filteredOn(bar -> bar.state() == State.FOREIGN)
                .isNotEmpty()
                .allSatisfy(bar -> {
                    assertThat(bar.gang()).isNull();
                    assertThat(bar.cost()).isNull();
                });
    }

    @Test
    void aGangPastItsEndHoldsItsRoomAndSaysSo() {
        Bar late = bars(State.RUNNING, ExampleDay.LATE.toString()).getFirst();

        assertThat(late.overrun()).isTrue();
        assertThat(late.end()).isEqualTo(ExampleDay.LOOK + 60);
    }

    @Test
    void podsWithoutAnEndStandTogetherAndHaveNone() {
        assertThat(board.bars())
                .filteredOn(bar -> bar.node().equals("cpu-a-1") && bar.state() == State.FOREIGN)
                .singleElement()
                .satisfies(bar -> {
                    assertThat(bar.end()).isNull();
                    assertThat(bar.start()).isEqualTo(ExampleDay.MORNING - 40 * HOUR);
                });
    }

    @Test
    void pricesAreListedOnceAndBeginNow() {
        assertThat(new HashSet<>(board.prices())).hasSameSizeAs(board.prices());
        Board.Node node = board.nodes().stream()
                .filter(one -> one.name().equals("gpu-a-1"))
                .findFirst()
                .orElseThrow();

        List<Board.Piece> pieces = board.prices().get(node.price()).pieces();

        assertThat(pieces)
                .containsExactly(
                        new Board.Piece(null, "32.770000"),
                        new Board.Piece(ExampleDay.MORNING + 13 * HOUR, "18.500000"));
    }

    @Test
    void aGangThatWaitsSaysWhyAndHowManyPodsItAwaits() {
        assertThat(board.gangs())
                .filteredOn(gang -> gang.id().equals("team-weather/ensemble-48h"))
                .singleElement()
                .satisfies(gang -> {
                    assertThat(gang.phase()).isEqualTo("Pending");
                    assertThat(gang.message()).isEqualTo("waiting for members: 9 of 12 pods exist");
                    assertThat(gang.size()).isEqualTo(12);
                    assertThat(gang.start()).isNull();
                });
    }

    @Test
    void theBatchHasItsObjectiveAndItsLimitInTheUnitOfThePolicyFile() {
        assertThat(board.batch()).isEqualTo(new Board.Batch("min-cost", new Board.Limit("average-utility", "10")));
    }

    @Test
    void theOwnersTogetherEarnWhatTheWindowsCost() {
        long earned = board.income().stream()
                .mapToLong(owner -> micros(owner.promised()) + micros(owner.running()) + micros(owner.completed()))
                .sum();

        long cost = day.plan().windows().stream()
                .mapToLong(window -> window.window().cost().roundedUp().micros())
                .sum();
        assertThat(earned).isEqualTo(cost);
        assertThat(board.income()).extracting(Board.Income::owner).isSorted().contains("vision-lab", "shared");
    }

    @Test
    void theTotalsCountEveryGangOnce() {
        Board.Totals totals = board.totals();

        assertThat(totals.waiting() + totals.promised() + totals.starting() + totals.running() + totals.completed())
                .isEqualTo(board.gangs().size());
        assertThat(totals.promises())
                .isEqualTo(day.at(ExampleDay.LOOK).planner().outcomes());
        assertThat(totals.busy()).isBetween(1, 999);
    }

    /** A user may create a pod with a node and any request. */
    @Test
    void coresThatNoLongCanAddUpAreMoreThanAll() {
        Resources most = Resources.of(Map.of(Resources.CPU, Long.MAX_VALUE));
        Cluster cluster =
                new PlanBuilder().node("n1", 1000, "default").snapshot().cluster();
        List<Occupation> pods = IntStream.range(0, 3)
                .mapToObj(i -> new Occupation("user/p-" + i, "n1", most, PlanBuilder.interval(-60, 60)))
                .toList();
        BoardInput input = new BoardInput(
                PlanBuilder.NOW,
                Policy.EXACT,
                new Snapshot(PlanBuilder.NOW, new Cluster(cluster.inventory(), pods), List.of(), List.of()),
                List.of(),
                new BoardInput.Planner(true, List.of()));

        assertThat(BoardRenderer.of(input).totals().busy()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void missingValuesAreNull() {
        BoardInput empty = new BoardInput(
                0,
                Policy.EXACT,
                new Snapshot(0, new Cluster(List.of(), List.of()), List.of(), List.of()),
                List.of(),
                new BoardInput.Planner(false, List.of()));

        Board none = BoardRenderer.of(empty);

        assertThat(none.ready()).isTrue();
        assertThat(none.batch()).isEqualTo(new Board.Batch("user", null));
        assertThat(none.totals().busy()).isZero();
        assertThat(BoardRenderer.unread(0, LoopSettings.EXACT).ready()).isFalse();
    }

    @Test
    void theOrderOfTheStandingsDoesNotMatter() {
        BoardInput input = day.at(ExampleDay.LOOK);
        List<GangRecord> reversed = new ArrayList<>(input.records());
        Collections.reverse(reversed);

        Board other = BoardRenderer.of(new BoardInput(
                input.now(),
                input.policy(),
                input.snapshot(),
                reversed,
                input.holds(),
                input.planner(),
                Map.of(),
                Currency.NONE));

        assertThat(other).isEqualTo(board);
    }

    @Test
    void aGangThatTakesAReservationOverIsShownInItsSeatsAndTheirMoneyCountsOnce() {
        BoardInput input = day.at(ExampleDay.LOOK);
        List<GangRecord> records = new ArrayList<>();
        for (GangRecord record : input.records()) {
            records.add(
                    record.gang().equals(ExampleDay.HELD)
                            ? record.withOwnership(new WindowOwnership.Held(OptionalLong.empty()))
                            : record);
        }
        Promise room = Objects.requireNonNull(records.stream()
                .filter(record -> record.gang().equals(ExampleDay.HELD))
                .findFirst()
                .orElseThrow()
                .promise());
        Placement placement = room.window().placements().getFirst();
        GangId guest = new GangId(ExampleDay.HELD.namespace(), "guest");
        Window part = Window.of(
                guest,
                placement.start(),
                List.of(new Placement(
                        "guest-0", placement.node(), placement.start(), placement.end(), placement.cost())));
        records.add(GangRecord.first(guest, ExampleDay.MORNING)
                .with(new Promise(part, WindowOrigin.CYCLIC, false))
                .withPhase(Phase.PROMISED)
                .withOwnership(new WindowOwnership.Part(ExampleDay.HELD.name())));

        Board shown = BoardRenderer.of(
                new BoardInput(input.now(), input.policy(), input.snapshot(), records, input.planner()));

        assertThat(shown.bars())
                .filteredOn(bar -> guest.toString().equals(bar.gang()))
                .singleElement()
                .satisfies(bar -> assertThat(bar.state()).isEqualTo(State.PROMISED));
        assertThat(podCount(shown, State.HELD)).isEqualTo(podCount(board, State.HELD) - 1);
        assertThat(shown.income()).isEqualTo(board.income());
    }

    private static int podCount(Board of, State state) {
        return of.bars().stream()
                .filter(bar -> bar.state() == state)
                .mapToInt(Bar::count)
                .sum();
    }

    @Test
    void aLargeClusterHasAllItsBarsInOrderUnderTheirOwnNames() {
        Board large = BoardRenderer.of(ManyBars.input(2000, 5));

        assertThat(large.nodes()).hasSize(2000);
        assertThat(large.bars()).hasSize(10_000);
        assertThat(ids(large)).hasSize(10_000);
        assertThat(large.bars())
                .isSortedAccordingTo(Comparator.comparing(Bar::node).thenComparingLong(Bar::start));
    }

    @Test
    void aPlanOfTheDayBreaksNoRule() {
        Plan plan = day.plan();

        assertThat(plan.windows()).hasSizeGreaterThan(20);
        for (Planned planned : plan.windows()) {
            List<WindowRow.PodRow> pods = WindowRow.pods(planned.window());
            assertThat(pods).hasSize(planned.gang().size());
        }
    }

    private static Set<String> ids(Board of) {
        return of.bars().stream().map(Bar::id).collect(Collectors.toSet());
    }

    private List<Bar> bars(State state, String gang) {
        return board.bars().stream()
                .filter(bar -> bar.state() == state && gang.equals(bar.gang()))
                .toList();
    }

    private Set<State> states(String gang) {
        return board.bars().stream()
                .filter(bar -> gang.equals(bar.gang()))
                .map(Bar::state)
                .collect(Collectors.toSet());
    }

    private static long micros(String money) {
        return Money.parse(money).micros();
    }

    /** A tenant may write a record's spec. */
    @Test
    void aRecordWithAnyValueOfTimeIsDrawn() {
        BoardInput input = day.at(ExampleDay.LOOK);
        GangRecord promised = input.records().stream()
                .filter(record -> record.promise() != null)
                .findFirst()
                .orElseThrow();
        GangRecord absurd = promised.withTerms(new RecordedTerms("value", 3600, null, "", 0, false)
                .withWorth(new RecordedTerms.Worth(Money.parse("999999.999999"), -62_135_596_800L, Interval.FOREVER)));
        List<GangRecord> records = input.records().stream()
                .map(record -> record.equals(promised) ? absurd : record)
                .toList();

        Board drawn = BoardRenderer.of(
                new BoardInput(input.now(), input.policy(), input.snapshot(), records, input.planner()));

        assertThat(drawn.gangs())
                .filteredOn(gang -> gang.id().equals(absurd.gang().toString()))
                .singleElement()
                .satisfies(gang -> assertThat(gang.delayValue()).matches("1778[0-9]{10}[.][0-9]{6}"));
        assertThat(drawn.gangs()).hasSameSizeAs(board.gangs());
    }
}
