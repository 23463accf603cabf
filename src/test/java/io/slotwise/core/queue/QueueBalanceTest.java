package io.slotwise.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.planner.ExactSearchTest;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.RandomQueues;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class QueueBalanceTest {
    private static final String GPU = "example.com/gpu";
    private static final Resources CAPACITY = Resources.of(Map.of(GPU, 32L));

    private static Queue queue(String name, long guarantee, Map<String, Amount> lending) {
        return new Queue(name, null, 1, Map.of(GPU, Amount.of(guarantee)), Map.of(), lending, false);
    }

    private static QueueUse use(String queue, long amount, long from, long to) {
        return new QueueUse("user/" + queue, queue, Resources.of(Map.of(GPU, amount)), new Interval(from, to));
    }

    private static QueueBalance balance(String queue, List<QueueBalance> balances) {
        return balances.stream()
                .filter(balance -> balance.queue().equals(queue))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void dividesWhatSiblingsLendByWhatTheyDoNotUse() {
        QueueTree tree = QueueTree.of(
                List.of(queue("a", 8, Map.of()), queue("b", 16, Map.of()), queue("c", 8, Map.of())), CAPACITY);
        QueueState state = new QueueState(tree, List.of(use("a", 17, 0, 10), use("c", 4, 0, 10)));

        List<QueueBalance> balances = QueueBalance.of(state, List.of(use("b", 5, 20, 30)), Set.of("a", "b", "c"), 5);

        assertThat(balances).extracting(QueueBalance::queue).containsExactly("root", "a", "b", "c", Queue.DEFAULT);
        assertThat(balance("a", balances)).isEqualTo(new QueueBalance("a", 1, GPU, 8, Amount.MOST, 17, 0, 9, 0, 8));
        assertThat(balance("b", balances)).isEqualTo(new QueueBalance("b", 1, GPU, 16, Amount.MOST, 0, 5, 0, 8, 16));
        assertThat(balance("c", balances)).isEqualTo(new QueueBalance("c", 1, GPU, 8, Amount.MOST, 4, 0, 0, 1, 8));
    }

    @Test
    void attributesNothingToQueuesThatLendNothing() {
        QueueTree tree = QueueTree.of(
                List.of(queue("a", 8, Map.of()), queue("b", 8, Map.of(GPU, Amount.of(0))), queue("c", 16, Map.of())),
                CAPACITY);
        QueueState state = new QueueState(tree, List.of(use("a", 12, 0, 10)));

        List<QueueBalance> balances = QueueBalance.of(state, List.of(), Set.of("a"), 5);

        assertThat(balance("b", balances).lent()).isZero();
        assertThat(balance("c", balances).lent()).isEqualTo(4);
    }

    @Test
    void sharesByWeightAloneAreOfAllThatGangsCompeteFor() {
        QueueTree tree = QueueTree.of(
                List.of(
                        new Queue("a", null, 3, Map.of(), Map.of(), Map.of(), false),
                        new Queue("b", null, 1, Map.of(), Map.of(), Map.of(), false)),
                CAPACITY);
        QueueState state = new QueueState(tree, List.of(use("a", 17, 0, 10)));

        List<QueueBalance> balances = QueueBalance.of(state, List.of(use("b", 5, 20, 30)), Set.of("a", "b"), 5);

        assertThat(balances).extracting(QueueBalance::queue).containsExactly("root", "a", "b", Queue.DEFAULT);
        assertThat(balance("a", balances)).isEqualTo(new QueueBalance("a", 1, GPU, 0, Amount.MOST, 17, 0, 0, 0, 24));
        assertThat(balance("b", balances)).isEqualTo(new QueueBalance("b", 1, GPU, 0, Amount.MOST, 0, 5, 0, 0, 8));
    }

    @Test
    void noQueueLendsMoreThanItLeavesUnused() {
        for (int seed = 0; seed < 300; seed++) {
            RandomGenerator random = ExactSearchTest.seeded(seed);
            Resources capacity = Resources.of(Map.of(Resources.CPU, 12_000L, Resources.MEMORY, 40_000L));
            RandomQueues queues = new RandomQueues(random, capacity);
            QueueTree tree = QueueTree.of(queues.queues(1 + random.nextInt(8)), capacity);
            QueueState state = new QueueState(tree, queues.uses(tree.names(), 6));

            long second = RandomClusters.NOW + random.nextInt(50);

            List<QueueBalance> balances = QueueBalance.of(state, List.of(), Set.of(Queue.DEFAULT), second);

            assertThat(balances).as("seed %d", seed).allSatisfy(balance -> {
                assertThat(balance.lent()).isBetween(0L, Math.max(0, balance.guarantee() - balance.used()));
                assertThat(balance.borrowed() == 0 || balance.lent() == 0).isTrue();
                assertThat(balance.used())
                        .isEqualTo(new QueueTimeline(state)
                                .use(balance.queue(), balance.resource())
                                .at(second));
            });
        }
    }
}
