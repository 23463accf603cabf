package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.work.Steps;
import io.slotwise.testing.MutatedObjects;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Objects with one mistake each among honest ones. Proves that nothing throws, that the steps are bounded, and that the
 * honest gang is planned. {@code -Dslotwise.poison.objects=20000 -Dslotwise.poison.seed=7} sets number and seed. {@code
 * ManifestOracleIT} compares the refusals with an API server's.
 */
class MutatedObjectsTest {
    @Test
    void anObjectWithAMistakeStopsNoOther() {
        MutatedObjects objects = new MutatedObjects(Long.getLong("slotwise.poison.seed", 1));
        List<String> failures = new ArrayList<>();

        for (int i = 0; i < Integer.getInteger("slotwise.poison.objects", 2000) && failures.size() < 10; i++) {
            MutatedObjects.Mutated mutated = objects.next();
            try {
                List<String> above =
                        CostlyObjectsTest.above(Steps.byKind(() -> PlannedCase.findings(List.of(mutated.object()))), 1);
                if (!above.isEmpty()) {
                    failures.add("%s: %s".formatted(mutated.mistake(), above));
                }
            } catch (RuntimeException | AssertionError e) {
                failures.add("%s: %s at %s"
                        .formatted(
                                mutated.mistake(), e, List.of(e.getStackTrace()).subList(0, 6)));
            }
        }

        assertThat(failures).isEmpty();
    }

    @Test
    void theObjectsWithoutAMistakeAreTakenAsTheyAre() {
        assertThat(PlannedCase.usual()).isEmpty();
    }
}
