package io.slotwise.lab.workload.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import java.util.List;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class PaperEnvironmentTest {
    private static final EnvironmentModel MODEL =
            new EnvironmentModel(3, 5, performance -> performance * 2, 0, new LocalLoad(20, 40, 10, 60));

    @Test
    void nodesAreDrawnFromTheModel() {
        PaperEnvironment environment = PaperEnvironment.of(MODEL, 200, 1000, 1);

        assertThat(environment.cluster().inventory())
                .hasSize(200)
                .extracting(node -> node.performance().millionths())
                .contains(3_000_000L, 4_000_000L, 5_000_000L)
                .allMatch(performance -> performance >= 3_000_000 && performance <= 5_000_000);
        Node first = environment.cluster().inventory().getFirst();
        assertThat(first.price().value(0))
                .as("twice the performance per second, without a deviation")
                .isEqualTo(2 * 3600 * first.performance().millionths());
    }

    @Test
    void localTasksFillTheirPartWithoutOverlap() {
        PaperEnvironment environment = PaperEnvironment.of(MODEL, 50, 1000, 1);

        for (Node node : environment.cluster().inventory()) {
            List<Occupation> tasks = environment.cluster().occupations().stream()
                    .filter(task -> task.node().equals(node.name()))
                    .toList();
            long load = tasks.stream()
                    .mapToLong(task -> task.interval().end() - task.interval().start())
                    .sum();
            assertThat(load).isIn(200L, 250L, 300L, 350L, 400L);
            for (int i = 1; i < tasks.size(); i++) {
                assertThat(tasks.get(i).interval().start())
                        .isGreaterThanOrEqualTo(tasks.get(i - 1).interval().end());
            }
            assertThat(tasks.getLast().interval().end()).isLessThanOrEqualTo(1000);
        }
    }

    @Test
    void oneNodeCanBeReplaced() {
        Node other = EnvironmentModel.node(PaperEnvironment.name(2), 7, 6);

        PaperEnvironment environment = PaperEnvironment.of(MODEL, 5, 100, 1).with(other);

        assertThat(environment.cluster().inventory()).hasSize(5).contains(other);
    }

    @Test
    void budgetsArePartsOfTheMarketsCost() {
        JobModel model = new JobModel(2, 4, 10, 20, 3, 0.5, 1.5);

        List<Gang> batch = model.batch(
                100,
                List.of(Criterion.COST),
                RandomGeneratorFactory.of("L64X128MixRandom").create(1));

        assertThat(batch).hasSize(100).allSatisfy(gang -> {
            double market = gang.size() * gang.runtime() * 3.0;
            double budget = (double) gang.budget().limit().microSecondsPerHour() / PaperUnits.COST;
            assertThat(budget / market).isBetween(0.499, 1.501);
        });
        assertThat(batch.stream().map(Gang::id)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void modelsThatCannotBeAreRefused() {
        assertThatThrownBy(() -> new LocalLoad(50, 10, 1, 2)).hasMessageContaining("The load (50 to 10 %)");
        assertThatThrownBy(() -> new LocalLoad(10, 50, 0, 2)).hasMessageContaining("(0 to 2 time units)");
        assertThatThrownBy(() -> new EnvironmentModel(5, 3, performance -> performance, 0, MODEL.load()))
                .hasMessageContaining("The performance (5 to 3)");
        assertThatThrownBy(() -> new JobModel(0, 3, 1, 2, 1, 1, 1)).hasMessageContaining("The pods (0 to 3)");
        assertThatThrownBy(() -> new JobModel(1, 3, 1, 2, 1, 2, 1)).hasMessageContaining("The budgets (2.0 to 1.0");
    }
}
