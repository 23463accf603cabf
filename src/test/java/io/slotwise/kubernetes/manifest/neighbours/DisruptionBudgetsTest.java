package io.slotwise.kubernetes.manifest.neighbours;

import static io.slotwise.kubernetes.manifest.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.slotwise.core.migration.DisruptionLimit;
import io.slotwise.core.work.Steps;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DisruptionBudgetsTest {
    private static final List<Pod> PODS = List.of(pod("p").build(), pod("q").build());

    private static List<PodDisruptionBudget> budgets(int number, int values) {
        return IntStream.range(0, number)
                .mapToObj(i -> new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withName("b%04d".formatted(i))
                        .withNamespace("user")
                        .endMetadata()
                        .withNewSpec()
                        .withNewSelector()
                        .addNewMatchExpression()
                        .withKey("app")
                        .withOperator("NotIn")
                        .withValues(IntStream.range(0, values)
                                .mapToObj(String::valueOf)
                                .toList())
                        .endMatchExpression()
                        .endSelector()
                        .endSpec()
                        .withNewStatus()
                        .withDisruptionsAllowed(1)
                        .endStatus()
                        .build())
                .toList();
    }

    @Test
    void eachBudgetOverThePodsLetsGoWhatItSays() {
        assertThat(new DisruptionBudgets(budgets(2, 1)).over(PODS))
                .containsExactly(new DisruptionLimit("user/b0000", 2, 1), new DisruptionLimit("user/b0001", 2, 1));
    }

    @Test
    void aNamespaceWithTooManyBudgetsLetsNoneGoAndCostsNothing() {
        DisruptionBudgets many = new DisruptionBudgets(budgets(DisruptionBudgets.MOST_PARTS / 3 + 1, 1));
        DisruptionBudgets large = new DisruptionBudgets(budgets(1, DisruptionBudgets.MOST_PARTS));

        for (DisruptionBudgets budgets : List.of(many, large)) {
            long steps = Steps.of(
                    () -> assertThat(budgets.over(PODS)).containsExactly(new DisruptionLimit("user/b0000", 2, 0)));

            assertThat(steps).isZero();
        }
    }
}
