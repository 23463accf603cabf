package io.slotwise.testing;

import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Small random trees of queues of up to four levels, with calendars, percentages, and amounts of two resources. */
public final class RandomQueues {
    private static final int LEVELS = 4;

    private final RandomGenerator random;
    private final Resources capacity;

    public RandomQueues(RandomGenerator random, Resources capacity) {
        this.random = random;
        this.capacity = capacity;
    }

    /** Returns queues that are mostly consistent: some are guaranteed more than their parent. */
    public List<Queue> queues(int most) {
        List<Queue> queues = new ArrayList<>();
        List<Integer> levels = new ArrayList<>();
        if (random.nextInt(3) == 0) {
            queues.add(new Queue(Queue.ROOT, null, 1, amounts(60, 2), Map.of(), Map.of(), false));
        } else {
            queues.add(new Queue(Queue.ROOT, null));
        }
        levels.add(1);
        for (int i = 0; i < most; i++) {
            int parent = random.nextInt(queues.size());
            if (levels.get(parent) == LEVELS) {
                parent = 0;
            }
            queues.add(new Queue(
                    "q" + i,
                    queues.get(parent).name(),
                    random.nextInt(4),
                    amounts(30, 2),
                    amounts(90, 3),
                    amounts(20, 3),
                    random.nextInt(25) == 0));
            levels.add(levels.get(parent) + 1);
        }
        return queues;
    }

    /** Returns amounts up to a percentage of the capacity, one time in {@code seldom} for each resource. */
    private Map<String, Amount> amounts(int percent, int seldom) {
        Map<String, Amount> amounts = new HashMap<>();
        for (String resource : List.of(Resources.CPU, Resources.MEMORY)) {
            if (random.nextInt(seldom) == 0) {
                amounts.put(resource, amount(capacity.get(resource) * percent / 100));
            }
        }
        return amounts;
    }

    private Amount amount(long most) {
        if (random.nextInt(6) == 0) {
            return Amount.part(random.nextLong(1_000_001));
        }
        StepFunction.Builder units = StepFunction.startingAt(random.nextLong(most + 1));
        long second = RandomClusters.NOW - 10;
        for (int i = random.nextInt(4); i > 0; i--) {
            second += 1 + random.nextLong(RandomClusters.SPAN / 3);
            units.then(second, random.nextInt(4) == 0 ? 0 : random.nextLong(most + 1));
        }
        return Amount.of(units.build());
    }

    /** Returns uses by running gangs of any of the queues. */
    public List<QueueUse> uses(List<String> queues, int most) {
        List<QueueUse> uses = new ArrayList<>();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            long start = RandomClusters.NOW - random.nextLong(30);
            uses.add(new QueueUse(
                    "other/r" + i,
                    queues.get(random.nextInt(queues.size())),
                    total(),
                    new Interval(start, start + 1 + random.nextLong(RandomClusters.SPAN))));
        }
        return uses;
    }

    public Resources total() {
        return Resources.of(Map.of(
                Resources.CPU,
                random.nextLong(1 + capacity.get(Resources.CPU) / 5),
                Resources.MEMORY,
                random.nextLong(1 + capacity.get(Resources.MEMORY) / 5)));
    }

    /** Returns one of the names. */
    public String any(List<String> names) {
        return names.get(random.nextInt(names.size()));
    }
}
