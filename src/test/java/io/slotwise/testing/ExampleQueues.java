package io.slotwise.testing;

import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.time.StepFunction;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queues of the teams of an {@link ExampleDay}: two of them share the queue {@code research}. */
public final class ExampleQueues {
    private static final String GPU = "nvidia.com/gpu";
    private static final String CPU = "cpu";

    private ExampleQueues() {}

    public static List<Queue> queues() {
        Amount noon = Amount.of(StepFunction.startingAt(24)
                .then(ExampleDay.MORNING + 6 * 3600, 32)
                .build());
        return List.of(
                queue("research", null, Map.of(GPU, Amount.of(56)), Map.of(GPU, Amount.of(80))),
                queue("vision", "research", Map.of(GPU, Amount.of(24)), Map.of()),
                queue("language", "research", Map.of(GPU, noon), Map.of(GPU, Amount.of(48))),
                queue("weather", null, Map.of(CPU, Amount.of(400_000)), Map.of()));
    }

    private static Queue queue(
            String name, @Nullable String parent, Map<String, Amount> guarantee, Map<String, Amount> limit) {
        return new Queue(name, parent, 1, guarantee, limit, Map.of(), false);
    }
}
