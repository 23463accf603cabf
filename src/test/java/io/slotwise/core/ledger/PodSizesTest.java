package io.slotwise.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodSizesTest {
    private static final long DAY = 86_400;

    @ParameterizedTest
    @CsvSource({
        // The same amounts are the same size, regardless of the node.
        "1000, 8, 1000, 8, 4000, 64, 1000000",
        "1000, 8, 1000, 8, 1, 1, 1000000",
        "1000, 8, 1000, 8, 0, 0, 1000000",
        "1000, 0, 3000, 0, 4000, 64, 3000000",
        "3000, 0, 1000, 0, 4000, 64, 333334",
        // The largest share counts, before and now.
        "1000, 32, 2000, 32, 4000, 64, 1000000",
        "1000, 32, 4000, 32, 4000, 64, 2000000",
        // Never more than the node.
        "1000, 0, 9000, 0, 4000, 64, 4000000",
        "8000, 0, 9000, 0, 4000, 64, 1000000",
        // The node has nothing of what was promised.
        "0, 8, 1000, 8, 4000, 0, 1000000",
        "1000, 0, 0, 0, 4000, 64, 0",
    })
    void aPodsPartGrowsWithItsDominantShare(
            long cores, long memory, long coresNow, long memoryNow, long nodeCores, long nodeMemory, long part) {
        assertThat(PodSizes.part(amounts(cores, memory), amounts(coresNow, memoryNow), amounts(nodeCores, nodeMemory)))
                .isEqualTo(part);
    }

    @Test
    void theSizeOfAPodIsExactWhateverTheAmounts() {
        Resources node = amounts(1, Long.MAX_VALUE);

        assertThat(PodSizes.part(amounts(0, 1), amounts(0, Long.MAX_VALUE), node))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(PodSizes.part(amounts(0, Long.MAX_VALUE - 1), amounts(0, Long.MAX_VALUE), node))
                .isEqualTo(1_000_001);
    }

    @Test
    void aThousandResizesTakeNoMoreSpaceInTheRecordThanOne() {
        Window window = Window.of(
                new GangId("user", "g"),
                0,
                List.of(
                        new Placement("a", "n", 0, 20 * DAY, new Cost(20 * DAY)),
                        new Placement("b", "n", 0, 20 * DAY, new Cost(20 * DAY))));
        PodSizes sizes = PodSizes.NONE;
        long cost = 0;
        for (int i = 0; i < 1000; i++) {
            long now = i * 1000L;
            Charge.Course course = new Charge.Course(0, Map.of(), now, false, sizes);
            long part = (i % 5) * 1_000_000L;
            cost += i == 0 ? 0 : 1000 * ((i - 1) % 5 + 1);
            sizes = PodSizes.after(window, PromiseTariff.CONSTANT, course, new TreeMap<>(Map.of("a", part)));
            assertThat(sizes.before()).hasSizeLessThanOrEqualTo(3);
        }

        assertThat(sizes.parts()).containsOnlyKeys("a");
        assertThat(sizes.sum().total()).isEqualTo(new Cost(cost));
    }

    private static Resources amounts(long cores, long memory) {
        return Resources.of(Map.of(Resources.CPU, cores, Resources.MEMORY, memory));
    }
}
