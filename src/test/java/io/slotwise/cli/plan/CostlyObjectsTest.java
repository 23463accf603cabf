package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.work.Steps;
import io.slotwise.testing.CostlyObjects;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What objects cost the intake, in {@linkplain Steps steps}, that ask for as much work as can be written into them:
 * none costs more than {@link #MOST}, and the honest gang is planned. {@code -Dslotwise.poison.objects=20000
 * -Dslotwise.poison.seed=7} makes more of them. {@link MutatedObjectsTest} holds every other object to the same bound.
 */
class CostlyObjectsTest {
    /** A namespace's selectors in one cycle, and the last one of them for one device: the dearest thing there is. */
    static final long MOST = 3_200_000;

    private static final int OBJECTS = Integer.getInteger("slotwise.poison.objects", 2000) / 20;
    private static final long SEED = Long.getLong("slotwise.poison.seed", 1);

    @Test
    void anObjectThatAsksForMuchWorkCostsABoundedNumberOfSteps() {
        List<String> failures = new ArrayList<>();
        long dearest = 0;

        for (int i = 0; i < OBJECTS && failures.size() < 10; i++) {
            String objects = new CostlyObjects(SEED * 1_000_003 + i).next();
            try {
                long steps = Steps.of(() -> PlannedCase.said(objects));
                dearest = Math.max(dearest, steps);
                if (steps > MOST) {
                    failures.add("number %d, %d steps: %.300s".formatted(i, steps, objects));
                }
            } catch (RuntimeException | AssertionError e) {
                failures.add("number %d, %s: %.300s".formatted(i, e, objects));
            }
        }

        assertThat(failures).isEmpty();
        assertThat(dearest).as("what the dearest object costs").isGreaterThan(MOST / 4);
    }
}
