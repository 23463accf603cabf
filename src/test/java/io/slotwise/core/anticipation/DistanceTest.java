package io.slotwise.core.anticipation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DistanceTest {
    private static final long NOW = 1000;

    private static final Gang GANG = GangBuilder.gang("g", 2, 1000, 60).build();

    /** Two pods of 40 and 60 seconds: runtime 60, processor time 100. */
    private static Reference reference(long start, long cost, long energy) {
        Window window = Window.of(
                new GangId("user", "g"),
                start,
                List.of(
                        new Placement("g-0", "a", start, start + 40, new Cost(0)),
                        new Placement("g-1", "b", start, start + 60, new Cost(cost))),
                energy);
        return Reference.to(window, GANG, NOW);
    }

    private static double distance(Form form, Set<Criterion> criteria, WindowFigures candidate, Reference reference) {
        return new Distance(form, criteria).between(candidate, reference);
    }

    @Test
    void addsTheErrorsOrTakesTheLengthOfTheirVector() {
        // Cost: 130 against 100, so 0.3. Processor time: 60 against 100, so 0.4.
        Reference reference = reference(1050, 100, 500);
        WindowFigures candidate = new WindowFigures(1050, 60, 130, 60, 500, 0, 0);
        Set<Criterion> criteria = Set.of(Criterion.COST, Criterion.PROCESSOR_TIME);

        assertThat(distance(Form.LINEAR, criteria, candidate, reference)).isCloseTo(0.7, within(1e-12));
        assertThat(distance(Form.GEOMETRIC, criteria, candidate, reference)).isCloseTo(0.5, within(1e-12));
        assertThat(distance(Form.LINEAR, EnumSet.allOf(Criterion.class), reference.figures(), reference))
                .isZero();
    }

    @Test
    void measuresTimesFromNow() {
        // Start: 40 s from now, 50 in the reference, so 0.2. End: 40 + 70 = 110 s from now, 50 + 60 = 110 in the
        // reference, so 0. Runtime: 70, 60 in the reference, so 1/6.
        Reference reference = reference(1050, 100, 500);
        WindowFigures candidate = new WindowFigures(1040, 70, 100, 100, 250, 0, 0);

        assertThat(distance(Form.LINEAR, Set.of(Criterion.START), candidate, reference))
                .isCloseTo(0.2, within(1e-12));
        assertThat(distance(Form.LINEAR, Set.of(Criterion.FINISH), candidate, reference))
                .isZero();
        assertThat(distance(Form.LINEAR, Set.of(Criterion.RUNTIME), candidate, reference))
                .isCloseTo(1 / 6.0, within(1e-12));
        assertThat(distance(Form.LINEAR, Set.of(Criterion.ENERGY), candidate, reference))
                .isCloseTo(0.5, within(1e-12));
    }

    @Test
    void startByBackfillingTakesThePlaceOfTheReferences() {
        // Start: 30 s from now, preferred 20, so 0.5. End: 90 s from now, preferred 80, so 0.125.
        Reference reference = reference(1050, 100, 500).startingAt(1020, GANG);
        WindowFigures candidate = new WindowFigures(1030, 60, 100, 100, 500, 0, 0);

        assertThat(distance(Form.LINEAR, Set.of(Criterion.START), candidate, reference))
                .isCloseTo(0.5, within(1e-12));
        assertThat(distance(Form.LINEAR, Set.of(Criterion.FINISH), candidate, reference))
                .isCloseTo(0.125, within(1e-12));
    }

    @Test
    void hasAnErrorForReferencesOfNothing() {
        Reference reference = reference(NOW, 0, Window.UNKNOWN_ENERGY);
        WindowFigures same = reference.figures();
        WindowFigures other = new WindowFigures(NOW + 30, 60, 7, 100, 500, 0, 0);

        assertThat(distance(Form.LINEAR, EnumSet.allOf(Criterion.class), same, reference))
                .isZero();
        assertThat(distance(Form.LINEAR, Set.of(Criterion.START), other, reference))
                .isCloseTo(0.5, within(1e-12));
        assertThat(distance(Form.LINEAR, Set.of(Criterion.COST), other, reference))
                .isEqualTo(1);
        assertThat(distance(Form.LINEAR, Set.of(Criterion.ENERGY), other, reference))
                .isEqualTo(1);
    }

    @Test
    void needsACriterion() {
        assertThatThrownBy(() -> new Distance(Form.LINEAR, Set.of())).hasMessageContaining("must not be empty");
    }
}
