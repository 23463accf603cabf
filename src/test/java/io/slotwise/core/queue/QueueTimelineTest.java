package io.slotwise.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.planner.ExactSearchTest;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.testing.QueueOracle;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.RandomQueues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class QueueTimelineTest {
    private static final int CASES = 1000;
    private static final long NOW = RandomClusters.NOW;
    private static final long END = NOW + RandomClusters.SPAN;
    private static final Resources CAPACITY = Resources.of(Map.of(Resources.CPU, 12_000L, Resources.MEMORY, 40_000L));

    private static boolean isIn(List<Interval> intervals, long second) {
        return intervals.stream().anyMatch(interval -> interval.start() <= second && second < interval.end());
    }

    @Test
    void closesTheSecondsThatTryingEverySecondFindsClosed() {
        int closedSeconds = 0;
        int openSeconds = 0;
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = ExactSearchTest.seeded(seed);
            RandomQueues queues = new RandomQueues(random, CAPACITY);
            QueueTree tree = QueueTree.of(queues.queues(1 + random.nextInt(8)), CAPACITY);
            List<QueueUse> uses = queues.uses(tree.names(), 6);
            QueueTimeline timeline = new QueueTimeline(new QueueState(tree, uses));
            QueueOracle oracle = new QueueOracle(tree, CAPACITY, uses);
            String queue = random.nextInt(20) == 0 ? "unknown" : queues.any(tree.names());
            Resources total = queues.total();

            List<Interval> closed = timeline.closed(queue, total, new Interval(NOW, END), null);

            for (long second = NOW; second < END; second++) {
                boolean allowed = oracle.allows(queue, total, second);
                assertThat(isIn(closed, second))
                        .as("seed %d: %s of %s at %d", seed, total, queue, second)
                        .isEqualTo(!allowed);
                closedSeconds += allowed ? 0 : 1;
                openSeconds += allowed ? 1 : 0;
            }
        }
        assertThat(closedSeconds).isGreaterThan(CASES * 30);
        assertThat(openSeconds).isGreaterThan(CASES * 30);
    }

    @Test
    void restoresTheUseOfAllQueuesWhenAllTakenIsGivenUp() {
        for (int seed = 0; seed < 300; seed++) {
            RandomGenerator random = ExactSearchTest.seeded(seed);
            RandomQueues queues = new RandomQueues(random, CAPACITY);
            QueueTree tree = QueueTree.of(queues.queues(1 + random.nextInt(8)), CAPACITY);
            List<QueueUse> kept = queues.uses(tree.names(), 3);
            List<QueueUse> uses = queues.uses(tree.names(), 6);
            QueueTimeline timeline = new QueueTimeline(new QueueState(tree, kept));
            QueueTimeline expected = new QueueTimeline(new QueueState(tree, kept));

            uses.forEach(use -> timeline.take(use.queue(), use.total(), use.interval()));
            uses.forEach(use -> timeline.giveUp(use.queue(), use.total(), use.interval()));

            Interval within = new Interval(NOW, END);
            Resources total = queues.total();
            for (String name : tree.names()) {
                assertThat(timeline.use(name, Resources.CPU)).isEqualTo(expected.use(name, Resources.CPU));
                assertThat(timeline.closed(name, total, within, null))
                        .isEqualTo(expected.closed(name, total, within, null));
            }
        }
    }

    @Test
    void findsTheBorrowedSecondsThatTryingEverySecondFinds() {
        int borrowing = 0;
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = ExactSearchTest.seeded(seed);
            RandomQueues queues = new RandomQueues(random, CAPACITY);
            QueueTree tree = QueueTree.of(queues.queues(1 + random.nextInt(8)), CAPACITY);
            List<QueueUse> uses = queues.uses(tree.names(), 6);
            QueueOracle oracle = new QueueOracle(tree, CAPACITY, uses);
            QueueTimeline timeline = new QueueTimeline(new QueueState(tree, uses));
            for (QueueUse use : uses) {
                List<Long> seconds = new ArrayList<>();
                for (long t = use.interval().start(); t < use.interval().end(); t++) {
                    if (oracle.isBeyond(use.queue(), use.total(), t)) {
                        seconds.add(t);
                    }
                }

                Interval borrowed = timeline.borrowed(use.queue(), use.total(), use.interval());

                assertThat(borrowed)
                        .as("seed %d: %s", seed, use)
                        .isEqualTo(seconds.isEmpty() ? null : new Interval(seconds.getFirst(), seconds.getLast() + 1));
                borrowing += seconds.isEmpty() ? 0 : 1;
            }
        }
        assertThat(borrowing).isGreaterThan(CASES / 4);
    }

    @Test
    void groupsQueuesByTheFirstOneAboveThatNeverBorrows() {
        for (int seed = 0; seed < 300; seed++) {
            RandomGenerator random = ExactSearchTest.seeded(seed);
            RandomQueues queues = new RandomQueues(random, CAPACITY);
            QueueTree tree = QueueTree.of(queues.queues(1 + random.nextInt(8)), CAPACITY);
            List<QueueUse> uses = queues.uses(tree.names(), 6);
            QueueTimeline timeline = new QueueTimeline(new QueueState(tree, queues.uses(tree.names(), 3)));
            for (QueueUse use : uses) {
                timeline.take(use.queue(), use.total(), use.interval());
                assertThat(timeline.borrowing()).as("seed %d: %s", seed, use).isEqualTo(grouped(timeline));
            }
            for (QueueUse use : uses) {
                timeline.giveUp(use.queue(), use.total(), use.interval());
                assertThat(timeline.borrowing()).as("seed %d: %s", seed, use).isEqualTo(grouped(timeline));
            }
        }
    }

    private static Map<String, Set<String>> grouped(QueueTimeline timeline) {
        QueueTree tree = timeline.tree();
        Interval always = new Interval(0, Interval.FOREVER);
        Map<String, Set<String>> grouped = new HashMap<>();
        for (String queue : tree.names()) {
            String first = tree.path(queue).stream()
                    .filter(above -> timeline.borrowed(above, CAPACITY, always) == null)
                    .findFirst()
                    .orElse(Queue.ROOT);
            grouped.computeIfAbsent(first, _ -> new HashSet<>()).add(queue);
        }
        return grouped;
    }

    @Test
    void endsTheUseOfAGangThatLeavesAndTakesItAgain() {
        QueueTree tree = QueueTree.of(
                List.of(new Queue("q", null, 1, Map.of(Resources.CPU, Amount.of(1)), Map.of(), Map.of(), false)),
                CAPACITY);
        QueueUse use = new QueueUse("user/g", "q", Resources.of(Map.of(Resources.CPU, 5L)), new Interval(10, 50));
        QueueTimeline timeline = new QueueTimeline(new QueueState(tree, List.of(use)));

        timeline.leave("user/g", 30);

        assertThat(timeline.use("root", Resources.CPU))
                .isEqualTo(StepFunction.startingAt(0).then(10, 5).then(30, 0).build());

        timeline.stay("user/g", 30);
        timeline.leave("user/other", 20);

        assertThat(timeline.use("q", Resources.CPU))
                .isEqualTo(StepFunction.startingAt(0).then(10, 5).then(50, 0).build());
    }

    @Test
    void keepsAWindowsOwnSecondsOpenToItsGang() {
        QueueTree tree = QueueTree.of(
                List.of(new Queue("q", null, 1, Map.of(), Map.of(Resources.CPU, Amount.of(5)), Map.of(), false)),
                CAPACITY);
        Resources total = Resources.of(Map.of(Resources.CPU, 5L));
        QueueTimeline timeline = new QueueTimeline(new QueueState(tree, List.of()));
        timeline.take("q", total, new Interval(10, 50));

        assertThat(timeline.closed("q", total, new Interval(0, 100), new Interval(20, 30)))
                .containsExactly(new Interval(10, 20), new Interval(30, 50));
        assertThat(timeline.allows("q", total, new Interval(20, 30), new Interval(20, 30)))
                .isTrue();
        assertThat(timeline.allows("q", total, new Interval(49, 60), null)).isFalse();
    }
}
