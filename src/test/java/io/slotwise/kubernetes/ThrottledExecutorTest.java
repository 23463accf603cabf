package io.slotwise.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class ThrottledExecutorTest {
    private static final int QUICK = 1_000_000;

    private final List<String> done = new CopyOnWriteArrayList<>();
    /** The tasks handed to the executor that have not run. */
    private final ConcurrentLinkedQueue<Runnable> under = new ConcurrentLinkedQueue<>();

    @Test
    void noMoreAreUnderWayThanAllowedAndThoseThatMatterComeFirst() {
        ThrottledExecutor trickle = new ThrottledExecutor("t", new ThrottledExecutor.Bounds(QUICK, 2, 10), under::add);
        give(trickle.others(), "a", "b", "c", "d");
        await().until(() -> under.size() == 2);
        give(trickle.first(), "warning");

        next();

        await().until(() -> under.size() == 2);
        next();
        next();
        assertThat(done).containsExactly("a", "b", "warning");
    }

    @Test
    void theOldestOfTheOthersAreDropped() {
        ThrottledExecutor trickle = new ThrottledExecutor("t", new ThrottledExecutor.Bounds(QUICK, 1, 3), under::add);
        give(trickle.others(), "begun");
        await().until(() -> under.size() == 1);

        give(trickle.first(), "warning");
        give(trickle.others(), "a", "b", "c", "d");

        run(4);
        assertThat(done).containsExactly("begun", "warning", "c", "d");
    }

    @Test
    void importantTasksAreDroppedOnlyIfNoOthersAreLeft() {
        ThrottledExecutor trickle = new ThrottledExecutor("t", new ThrottledExecutor.Bounds(QUICK, 1, 2), under::add);
        give(trickle.others(), "begun");
        await().until(() -> under.size() == 1);

        give(trickle.first(), "a", "b", "c");

        run(3);
        assertThat(done).containsExactly("begun", "b", "c");
    }

    @Test
    void anErrorDoesNotEndIt() {
        ThrottledExecutor trickle =
                new ThrottledExecutor("t", new ThrottledExecutor.Bounds(QUICK, 1, 10), Runnable::run);

        trickle.others().execute(() -> {
            throw new StackOverflowError("a bug");
        });
        give(trickle.others(), "after");

        await().until(() -> done.contains("after"));
    }

    @Test
    void anExecutorThatRefusesDoesNotEndIt() {
        int[] refusals = {1};
        ThrottledExecutor trickle = new ThrottledExecutor("t", new ThrottledExecutor.Bounds(QUICK, 1, 10), task -> {
            if (refusals[0]-- > 0) {
                throw new IllegalStateException("closed");
            }
            task.run();
        });

        give(trickle.others(), "refused", "after");

        await().until(() -> done.equals(List.of("after")));
    }

    @Test
    void noMoreBeginInASecondThanAllowed() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ThrottledExecutor trickle = new ThrottledExecutor("t", new ThrottledExecutor.Bounds(100, 8, 1000), threads);
            long began = System.nanoTime();

            for (int i = 0; i < 30; i++) {
                give(trickle.others(), "task");
            }

            await().until(() -> done.size() == 30);
            // The executor catches up on at most 50 ms.
            assertThat((System.nanoTime() - began) / 1_000_000).isGreaterThanOrEqualTo(230);
        }
    }

    private void give(Executor executor, String... tasks) {
        for (String task : tasks) {
            executor.execute(() -> done.add(task));
        }
    }

    private void next() {
        under.remove().run();
    }

    private void run(int tasks) {
        for (int i = 0; i < tasks; i++) {
            await().until(() -> !under.isEmpty());
            next();
        }
    }
}
