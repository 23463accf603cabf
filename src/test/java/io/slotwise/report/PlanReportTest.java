package io.slotwise.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.time.Interval;
import io.slotwise.report.PlanReport.PlanTotals;
import io.slotwise.report.PlanReport.WindowRow;
import io.slotwise.testing.PlanBuilder;
import io.slotwise.testing.PlanBuilder.PlacedPod;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanReportTest {
    @Test
    void podsAreRoundedDownAndTheLastOneTakesTheRestOfTheWindow() {
        PlanBuilder plan = new PlanBuilder()
                .node("n1", 4000, "ann")
                .window(
                        "g",
                        0,
                        null,
                        new PlacedPod("n1", 1, 3601),
                        new PlacedPod("n1", 1, 3601),
                        new PlacedPod("n1", 1, 3601));

        WindowRow window = report(plan).windows().getFirst();

        assertThat(window.cost()).isEqualTo(new Money(4));
        assertThat(window.placement())
                .extracting(WindowRow.PodRow::cost)
                .containsExactly(new Money(1), new Money(1), new Money(2));
    }

    @Test
    void theOwnersTogetherEarnWhatTheGangsPay() {
        PlanBuilder plan = new PlanBuilder()
                .node("n1", 4000, "ann")
                .node("n2", 4000, "bob")
                .window("g", 0, null, new PlacedPod("n1", 600, 7000), new PlacedPod("n2", 600, 7000))
                .window("h", 0, null, new PlacedPod("n1", 600, 1));

        PlanTotals totals = report(plan).totals();

        assertThat(totals.cost()).isEqualTo(Cost.of(new Money(5)));
        assertThat(totals.income())
                .containsExactly(entry("ann", Cost.of(new Money(2))), entry("bob", Cost.of(new Money(3))));
    }

    @Test
    void utilisationIsThePlannedShareOfTheCpuOutsideUnavailableIntervals() {
        // Offered until second 1000: 4 cores for 1000 s and 1 core for 1000 - 300 s. Requested: one core for 1000 s and
        // for 400 s.
        List<Interval> away =
                List.of(PlanBuilder.interval(0, 200), PlanBuilder.interval(100, 300), PlanBuilder.interval(2000, 3000));
        PlanBuilder plan = new PlanBuilder()
                .node("n1", 4000, "ann")
                .node("n2", 1000, "ann", away)
                .window("g", 0, null, new PlacedPod("n1", 1000, 0))
                .window("h", 300, null, new PlacedPod("n2", 400, 0));

        PlanTotals totals = report(plan).totals();

        assertThat(totals.utilisation()).isEqualByComparingTo("0.2979");
        assertThat(totals.processorSeconds()).isEqualTo(1400);
    }

    @Test
    void nothingPlannedUsesNothing() {
        PlanTotals totals = report(new PlanBuilder().node("n1", 4000, "ann")).totals();

        assertThat(totals.utilisation()).isZero();
        assertThat(totals.cost()).isEqualTo(Cost.ZERO);
        assertThat(totals.income()).isEmpty();
    }

    static PlanReport report(PlanBuilder plan) {
        return PlanReport.of(plan.plan(), plan.snapshot(), Policy.EXACT, Currency.NONE);
    }

    @Test
    void theSumOfAllWindowsMayBeMoreThanAnyWindow() {
        PlanBuilder plan = new PlanBuilder().node("n1", 4000, "ann");
        for (int i = 0; i < 4000; i++) {
            plan.window("g" + i, 0, null, new PlacedPod("n1", 600, Long.MAX_VALUE));
        }

        PlanTotals totals = report(plan).totals();

        assertThat(totals.cost().shown()).isEqualTo("10248191152060.864000");
        assertThat(totals.income()).containsExactly(entry("ann", totals.cost()));
    }
}
