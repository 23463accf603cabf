package io.slotwise.core.window.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Small cases by hand, in seconds from 0 to 100. Costs are rate times duration. */
class BaselineExamplesTest {
    private static final long END = 100;
    private static final Resources POD = Resources.of(Map.of(Resources.CPU, 1000L));
    private static final SlotTerms TERMS = terms(null);

    private static SlotTerms terms(@Nullable Money slotPrice) {
        return new SlotTerms(0, END - 1, END, slotPrice);
    }

    private static PodRequest request() {
        return new PodRequest(POD, NodeConstraint.NONE, 10, true);
    }

    private static Gang gang(int pods) {
        return new Gang(
                new GangId("user", "g"),
                IntStream.range(0, pods).mapToObj(i -> "g-" + i).toList(),
                request(),
                Demand.NONE.withMaxPerNode(1),
                0,
                0);
    }

    /**
     * A node for one pod, which takes {@code duration} and pays {@code rate} a second. The node has no room while busy.
     */
    private static Offer offer(String name, long duration, long rate, Interval... busy) {
        return offer(name, 0, List.of(), duration, StepFunction.constant(rate), busy);
    }

    private static Offer offer(
            String name, long turnover, List<Interval> kept, long duration, StepFunction rate, Interval... busy) {
        Node node = new Node(name, Map.of(), List.of(), true, POD, Performance.REFERENCE, "owner", rate, kept);
        NodeTimeline timeline = new NodeTimeline(node, 0, turnover);
        for (Interval interval : busy) {
            timeline.occupy(POD, interval);
        }
        return new Offer(timeline, POD, duration, rate, -1, 1);
    }

    private static Interval busy(long start, long end) {
        return new Interval(start, end);
    }

    private static List<String> slots(Offer... offers) {
        return slots(TERMS, offers);
    }

    private static List<String> slots(SlotTerms terms, Offer... offers) {
        return FreeSlotList.of(List.of(offers), terms).slots().stream()
                .map(slot -> "%s %d-%d".formatted(slot.offer().node(), slot.start(), slot.end()))
                .toList();
    }

    private static String best(Aep baseline, int pods, long budget, Offer... offers) {
        return text(baseline.best(gang(pods), List.of(offers), TERMS, new Cost(budget)));
    }

    private static String text(Optional<Window> window) {
        return window.map(w -> "%d: %s for %d"
                        .formatted(
                                w.start(),
                                String.join(
                                        " ",
                                        w.placements().stream()
                                                .map(Placement::node)
                                                .toList()),
                                w.cost().microSecondsPerHour()))
                .orElse("none");
    }

    @Test
    void slotsAreOrderedByStartAndThenByNode() {
        assertThat(slots(offer("b", 10, 1, busy(0, 20)), offer("c", 10, 1), offer("a", 10, 1, busy(40, 60))))
                .containsExactly("a 0-40", "c 0-100", "b 20-100", "a 60-100");
    }

    @Test
    void slotsLeaveTheTurnoverBeforeAndAfterWhatRuns() {
        assertThat(slots(offer("a", 5, List.of(), 10, StepFunction.constant(1), busy(40, 60))))
                .containsExactly("a 0-35", "a 65-100");
    }

    @Test
    void slotsEndWhereTheOwnerKeepsTheNodeButNeedNoTurnoverThere() {
        assertThat(slots(offer("a", 5, List.of(busy(30, 50)), 10, StepFunction.constant(1))))
                .containsExactly("a 0-30", "a 50-100");
    }

    @Test
    void slotsHaveNoSecondAboveThePriceLimit() {
        StepFunction rising = StepFunction.startingAt(3).then(25, 4).build();

        assertThat(slots(terms(new Money(3)), offer("a", 0, List.of(), 10, rising)))
                .containsExactly("a 0-25");
    }

    @Test
    void slotJustLongEnoughIsKept() {
        assertThat(best(new MinStart(), 1, 10, offer("a", 10, 1, busy(0, 5), busy(15, 95))))
                .isEqualTo("5: a for 10");
        assertThat(best(new MinStart(), 1, 10, offer("a", 10, 1, busy(0, 5), busy(14, 95))))
                .isEqualTo("none");
    }

    @Test
    void windowThatCostsExactlyTheBudgetCounts() {
        for (Aep baseline : List.of(
                new MinStart(),
                new MinCost(),
                new MinRuntime(),
                new MinFinish(),
                new MinProcessorTime(
                        RandomGeneratorFactory.of("L64X128MixRandom").create(1)))) {
            assertThat(best(baseline, 2, 30, offer("a", 10, 1), offer("b", 10, 2)))
                    .isEqualTo("0: a b for 30");
            assertThat(best(baseline, 2, 29, offer("a", 10, 1), offer("b", 10, 2)))
                    .isEqualTo("none");
        }
    }

    @Test
    void ampTakesTheFirstWindowCheapEnoughAndNotTheCheapestOfItsStart() {
        assertThat(best(new MinStart(), 1, 30, offer("a", 10, 5), offer("b", 10, 3), offer("c", 10, 1)))
                .isEqualTo("0: b for 30");
        assertThat(best(new MinCost(), 1, 30, offer("a", 10, 5), offer("b", 10, 3), offer("c", 10, 1)))
                .isEqualTo("0: c for 10");
    }

    @Test
    void laterWindowReplacesTheBestOnlyIfItIsStrictlyBetter() {
        assertThat(best(new MinCost(), 1, 99, offer("a", 10, 2), offer("b", 10, 2, busy(0, 20))))
                .isEqualTo("0: a for 20");
        assertThat(best(new MinRuntime(), 1, 99, offer("a", 10, 2), offer("b", 10, 1, busy(0, 20))))
                .isEqualTo("0: a for 20");
        assertThat(best(new MinCost(), 1, 99, offer("a", 10, 2), offer("b", 10, 1, busy(0, 20))))
                .isEqualTo("20: b for 10");
    }

    @Test
    void substitutionNeedsAShorterSlotAndACostStrictlyBelowTheBudget() {
        Offer cheap = offer("a", 10, 1);

        assertThat(best(new MinRuntime(), 1, 31, cheap, offer("b", 5, 4))).isEqualTo("0: b for 20");
        assertThat(best(new MinRuntime(), 1, 30, cheap, offer("b", 5, 4))).isEqualTo("0: a for 10");
        assertThat(best(new MinRuntime(), 1, 99, cheap, offer("b", 10, 2))).isEqualTo("0: a for 10");
    }

    @Test
    void substitutionAsPrintedMissesTheShortestWindowWithinTheBudget() {
        Offer slow = offer("a", 10, 1);
        Offer fast = offer("b", 5, 4);

        assertThat(best(new MinRuntime(), 1, 25, slow, fast)).isEqualTo("0: a for 10");
        assertThat(best(new MinFinish(), 1, 25, slow, fast)).isEqualTo("0: a for 10");
        assertThat(best(new MinRuntime(Substitution.NET), 1, 25, slow, fast)).isEqualTo("0: b for 20");
        assertThat(best(new MinFinish(Substitution.NET), 1, 25, slow, fast)).isEqualTo("0: b for 20");
    }

    @Test
    void substitutionIsNotOptimalEvenNetOfTheLeavingSlot() {
        Offer[] offers = {offer("a", 10, 1), offer("b", 9, 2), offer("c", 5, 6), offer("d", 4, 8)};

        // The two shortest cost 62. c replaces a for 48, then d replaces b for 62.
        assertThat(best(new MinRuntime(Substitution.NET), 2, 63, offers)).isEqualTo("0: c d for 62");
        // At exactly the budget the last step is refused, although the window would be within it.
        assertThat(best(new MinRuntime(Substitution.NET), 2, 62, offers)).isEqualTo("0: b c for 48");
        // As printed, c with a and b would be 58, d with b and c 80.
        assertThat(best(new MinRuntime(), 2, 63, offers)).isEqualTo("0: b c for 48");
    }

    @Test
    void firstOfSeveralLongestSlotsLeaves() {
        Offer[] offers = {offer("a", 10, 1), offer("b", 10, 2), offer("c", 5, 5), offer("d", 4, 8)};

        // c replaces a, the cheaper of the two longest: b and c cost 45, and with d 77. With a it would be 67.
        assertThat(best(new MinRuntime(), 2, 78, offers)).isEqualTo("0: c d for 57");
        assertThat(best(new MinRuntime(), 2, 77, offers)).isEqualTo("0: a b for 30");
    }

    @Test
    void minFinishPrefersAnEarlierStartToAShorterRuntime() {
        Offer slow = offer("a", 20, 1);
        Offer fast = offer("b", 5, 1, busy(0, 30));

        assertThat(best(new MinFinish(), 1, 99, slow, fast)).isEqualTo("0: a for 20");
        assertThat(best(new MinRuntime(), 1, 99, slow, fast)).isEqualTo("30: b for 5");
    }

    @Test
    void csaContinuesOnTheRestOfCutSlots() {
        List<Window> alternatives = Csa.alternatives(gang(1), List.of(offer("a", 40, 1)), TERMS, new Cost(40));

        assertThat(alternatives.stream().map(Window::start)).containsExactly(0L, 40L);
    }

    @Test
    void csaKeepsTheTurnoverBetweenAlternatives() {
        Offer offer = offer("a", 5, List.of(), 40, StepFunction.constant(1));

        List<Window> alternatives = Csa.alternatives(gang(1), List.of(offer), TERMS, new Cost(40));

        assertThat(alternatives.stream().map(Window::start)).containsExactly(0L, 45L);
    }

    @Test
    void csaChoosesTheFirstFoundOfEqualAlternatives() {
        List<Window> alternatives =
                Csa.alternatives(gang(1), List.of(offer("a", 10, 1), offer("b", 10, 1)), TERMS, new Cost(10));

        assertThat(text(Csa.best(alternatives, Criterion.COST))).isEqualTo("0: a for 10");
        assertThat(text(Csa.best(alternatives, Criterion.START))).isEqualTo("0: a for 10");
    }

    @Test
    void randomWindowsAreTheSameForTheSameSeed() {
        List<Offer> offers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            offers.add(offer("n%02d".formatted(i), 10 + i % 7, 1 + i % 3, busy(0, 1 + i)));
        }
        Offer[] all = offers.toArray(Offer[]::new);

        String first = best(
                new MinProcessorTime(
                        RandomGeneratorFactory.of("L64X128MixRandom").create(7)),
                4,
                120,
                all);
        String second = best(
                new MinProcessorTime(
                        RandomGeneratorFactory.of("L64X128MixRandom").create(7)),
                4,
                120,
                all);

        assertThat(first).isEqualTo(second).isNotEqualTo("none");
    }

    @Test
    void energyHasNoBaseline() {
        assertThatThrownBy(() -> Aep.of(
                        Criterion.ENERGY,
                        RandomGeneratorFactory.of("L64X128MixRandom").create(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The criterion (energy) has no baseline");
    }
}
