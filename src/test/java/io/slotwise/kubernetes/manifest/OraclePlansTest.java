package io.slotwise.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.window.Window;
import io.slotwise.testing.OracleWindows;
import io.slotwise.testing.PlanChecker;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OraclePlansTest {
    private static final BigDecimal TOLERANCE = new BigDecimal("0.00001");

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ENERGY", "VALUE", "PREFERENCE"})
    void everyCaseGetsTheWindowThatExhaustiveSearchFound(Criterion criterion) throws IOException {
        Optional<Path> file = OracleWindows.file();
        assumeThat(file)
                .as("the oracle of windows is missing: this test is skipped")
                .isPresent();
        int windows = 0;
        for (OracleWindows.Case one : OracleWindows.cases(file.orElseThrow())) {
            Snapshot snapshot = one.snapshot(criterion);

            Plan plan = new Planner(one.policy()).plan(snapshot);

            assertThat(PlanChecker.faults(snapshot, one.policy(), plan))
                    .as("case %d", one.number())
                    .isEmpty();
            Optional<String> best = Objects.requireNonNull(one.best().get(criterion.key()));
            assertThat(plan.windows()).as("case %d", one.number()).hasSize(best.isPresent() ? 1 : 0);
            if (best.isPresent()) {
                windows++;
                BigDecimal value = value(criterion, plan.windows().getFirst().window(), one.now());
                assertThat(value.subtract(new BigDecimal(best.get())).abs())
                        .as("case %d: %s, expected %s", one.number(), value, best.get())
                        .isLessThanOrEqualTo(TOLERANCE);
            }
        }
        assertThat(windows).isGreaterThan(80);
    }

    private static BigDecimal value(Criterion criterion, Window window, long now) {
        long exact = window.value(criterion);
        return switch (criterion) {
            case START, FINISH -> BigDecimal.valueOf(exact - now);
            case RUNTIME, PROCESSOR_TIME -> BigDecimal.valueOf(exact);
            case COST, ENERGY, VALUE, PREFERENCE ->
                BigDecimal.valueOf(window.cost().roundedUp().micros(), 6);
        };
    }
}
