package io.slotwise.it.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.it.faults.FaultLoad.Fate;
import io.slotwise.it.faults.FaultPlan.Episode;
import io.slotwise.it.faults.FaultPlan.Kind;
import io.slotwise.it.faults.FaultPlan.Step;
import io.slotwise.it.faults.FaultPlan.StepFault;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
    @Test
    void theSameSeedMakesTheSamePlanAndTheSameGangs() {
        FaultPlan plan = FaultPlan.of(7, 300);

        assertThat(FaultPlan.of(7, 300)).isEqualTo(plan).hasToString(plan.toString());
        assertThat(FaultPlan.of(8, 300)).isNotEqualTo(plan);
        assertThat(new FaultLoad(FaultPlan.of(7, 300)).arrivals()).isEqualTo(new FaultLoad(plan).arrivals());
    }

    @Test
    void theSmallestRunHasEveryKindOfFaultAndEveryStep() {
        FaultPlan plan = FaultPlan.of(1, 100);

        assertThat(plan.episodes()).extracting(Episode::kind).containsOnlyOnce(Kind.values());
        assertThat(plan.steps()).extracting(StepFault::step).contains(Step.values());
        assertThat(plan.episodes()).isSortedAccordingTo(java.util.Comparator.comparing(Episode::at));
        assertThat(plan.episodes()).allSatisfy(one -> assertThat(one.at()).isLessThan(plan.span()));
    }

    @Test
    void aNightlyRunTakesTenMinutesAndHasGangsOfAllFates() {
        FaultPlan plan = FaultPlan.of(1, 2000);

        assertThat(plan.span()).isEqualTo(Duration.ofMinutes(10));
        assertThat(new FaultLoad(plan).arrivals())
                .hasSize(2000)
                .extracting(FaultLoad.Arrival::fate)
                .contains(Fate.values());
    }

    @Test
    void noGangsAreRefused() {
        assertThatThrownBy(() -> FaultPlan.of(1, 0)).hasMessage("The number of gangs (0) must be positive.");
    }
}
