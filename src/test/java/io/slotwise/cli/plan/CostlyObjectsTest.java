package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.work.Steps;
import io.slotwise.testing.CostlyObjects;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The cost of intake, in {@linkplain Steps steps}, for objects that ask for as much work as possible. Proves that none
 * costs more of a kind than its bound, and that the honest gang is planned. {@code -Dslotwise.poison.objects=20000
 * -Dslotwise.poison.seed=7} sets number and seed. {@link MutatedObjectsTest} and {@link PoisonedObjectsTest} apply the
 * same bounds to all other objects.
 */
class CostlyObjectsTest {
    private static final Pattern POD = Pattern.compile("\"kind\": ?\"Pod\"");
    private static final Pattern PARALLELISM = Pattern.compile("\"parallelism\": ?(\\d+)");
    private static final int OBJECTS = Integer.getInteger("slotwise.poison.objects", 200);
    private static final long SEED = Long.getLong("slotwise.poison.seed", 1);

    @Test
    void anObjectThatAsksForMuchWorkCostsABoundedNumberOfSteps() {
        List<String> failures = new ArrayList<>();
        Map<Steps.Kind, Long> dearest = new EnumMap<>(Steps.Kind.class);

        for (int i = 0; i < OBJECTS && failures.size() < 10; i++) {
            String objects = new CostlyObjects(SEED * 1_000_003 + i).next();
            try {
                Map<Steps.Kind, Long> steps = Steps.byKind(() -> PlannedCase.findings(objects));
                steps.forEach((kind, number) -> dearest.merge(kind, number, Math::max));
                List<String> above = above(steps, pods(objects));
                if (!above.isEmpty()) {
                    failures.add("number %d, %s: %.300s".formatted(i, above, objects));
                }
            } catch (RuntimeException | AssertionError e) {
                failures.add("number %d, %s: %.300s".formatted(i, e, objects));
            }
        }

        assertThat(failures).isEmpty();
        assertThat(dearest)
                .as("what the dearest objects cost")
                .hasEntrySatisfying(
                        Steps.Kind.SELECTORS, most -> assertThat(most).isGreaterThan(800_000))
                .hasEntrySatisfying(Steps.Kind.RULES, most -> assertThat(most).isGreaterThan(1_000))
                .hasEntrySatisfying(Steps.Kind.VOLUMES, most -> assertThat(most).isGreaterThan(1_000))
                .hasEntrySatisfying(
                        Steps.Kind.GENERATIONS, most -> assertThat(most).isGreaterThan(1_000))
                .hasEntrySatisfying(
                        Steps.Kind.CALENDARS, most -> assertThat(most).isGreaterThan(1_000));
    }

    /** The number of pods in these objects, including those that their Jobs make. */
    static int pods(String objects) {
        return (int) POD.matcher(objects).results().count()
                + PARALLELISM
                        .matcher(objects)
                        .results()
                        .mapToInt(result -> Integer.parseInt(result.group(1)))
                        .sum();
    }

    /** The kinds with more steps than a namespace with this many pods may cost. */
    static List<String> above(Map<Steps.Kind, Long> steps, int pods) {
        return steps.entrySet().stream()
                .filter(entry -> entry.getValue() > entry.getKey().most(pods))
                .map(entry ->
                        "%,d %s".formatted(entry.getValue(), entry.getKey().words()))
                .toList();
    }
}
