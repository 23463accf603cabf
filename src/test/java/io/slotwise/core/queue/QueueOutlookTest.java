package io.slotwise.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.planner.ExactSearchTest;
import io.slotwise.core.queue.QueueOutlook.Step;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.RandomQueues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class QueueOutlookTest {
    private static final String GPU = "example.com/gpu";
    private static final Resources CAPACITY = Resources.of(Map.of(GPU, 32L));

    private static QueueTree tree(StepFunction guarantee) {
        Map<String, Amount> limit = Map.of(GPU, Amount.of(24));
        return QueueTree.of(
                List.of(new Queue("a", null, 1, Map.of(GPU, Amount.of(guarantee)), limit, Map.of(), false)), CAPACITY);
    }

    private static QueueUse use(long amount, long from, long to) {
        return new QueueUse("user/" + from, "a", Resources.of(Map.of(GPU, amount)), new Interval(from, to));
    }

    @Test
    void hasAStepForEachChangeUntilTheLastUseEnds() {
        StepFunction guarantee = StepFunction.startingAt(8).then(25, 16).build();
        QueueState state = new QueueState(tree(guarantee), List.of(use(4, 0, 20), use(12, 15, 40), use(1, 2, 8)));

        assertThat(new QueueOutlook(state, 10, 1000).steps("a", GPU))
                .containsExactly(
                        new Step(10, 15, 4, 8, 24),
                        new Step(15, 20, 16, 8, 24),
                        new Step(20, 25, 12, 8, 24),
                        new Step(25, 40, 12, 16, 24));
        assertThat(new QueueOutlook(state, 10, 17).steps("root", GPU))
                .containsExactly(new Step(10, 15, 4, 32, Amount.MOST), new Step(15, 17, 16, 32, Amount.MOST));
    }

    @Test
    void coversAllThatGangsCompeteForIfNoQueueStatesAnAmount() {
        QueueState state =
                new QueueState(QueueTree.of(List.of(new Queue("a", null)), CAPACITY), List.of(use(4, 0, 20)));

        assertThat(new QueueOutlook(state, 10, 1000).steps("a", GPU))
                .containsExactly(new Step(10, 20, 4, 0, Amount.MOST));
    }

    @Test
    void joinsNeighboursWithTheMostUseOfThem() {
        List<QueueUse> uses = new ArrayList<>();
        LongStream.range(0, 10 * QueueOutlook.MOST_STEPS).forEach(i -> uses.add(use(i % 7, 10 * i, 10 * i + 5)));

        List<Step> steps = new QueueOutlook(new QueueState(tree(StepFunction.constant(8)), uses), 0, Interval.FOREVER)
                .steps("a", GPU);

        assertThat(steps).hasSizeBetween(QueueOutlook.MOST_STEPS / 2, QueueOutlook.MOST_STEPS);
        assertThat(steps.subList(0, steps.size() - 1)).extracting(Step::use).containsOnly(6L);
    }

    @Test
    void hasTheSumOfTheUsesInEachSecond() {
        Resources capacity = Resources.of(Map.of(Resources.CPU, 12_000L, Resources.MEMORY, 40_000L));
        for (int seed = 0; seed < 200; seed++) {
            RandomGenerator random = ExactSearchTest.seeded(seed);
            RandomQueues queues = new RandomQueues(random, capacity);
            QueueTree tree = QueueTree.of(queues.queues(1 + random.nextInt(8)), capacity);
            List<QueueUse> uses = queues.uses(tree.names(), 6);
            QueueOutlook outlook =
                    new QueueOutlook(new QueueState(tree, uses), RandomClusters.NOW + 3, RandomClusters.NOW + 200);
            for (String queue : tree.names()) {
                for (String resource : tree.resources()) {
                    outlook.steps(queue, resource).forEach(step -> {
                        for (long second = step.start(); second < step.end(); second++) {
                            assertThat(step)
                                    .isEqualTo(new Step(
                                            step.start(),
                                            step.end(),
                                            sum(tree, queue, resource, uses, second),
                                            tree.guarantee(queue, resource).at(second),
                                            tree.limit(queue, resource).at(second)));
                        }
                    });
                }
            }
        }
    }

    private static long sum(QueueTree tree, String queue, String resource, List<QueueUse> uses, long second) {
        return uses.stream()
                .filter(use -> tree.path(use.queue()).contains(queue))
                .filter(use -> use.interval().start() <= second
                        && second < use.interval().end())
                .mapToLong(use -> use.total().get(resource))
                .sum();
    }
}
