package io.slotwise.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.resource.Resources;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueueEntitlementsTest {
    private static final Resources CAPACITY = Resources.of(Map.of(Resources.CPU, 10_000L, Resources.PODS, 100L));

    private static Queue queue(String name, String parent, int weight, long guarantee) {
        return new Queue(name, parent, weight, Map.of(Resources.CPU, Amount.of(guarantee)), Map.of(), Map.of(), false);
    }

    @Test
    void dividesWhatNoSiblingIsGuaranteedAmongThoseThatCompete() {
        QueueTree tree = QueueTree.of(
                List.of(
                        queue("a", Queue.ROOT, 3, 4000),
                        queue("b", Queue.ROOT, 1, 1000),
                        queue("c", Queue.ROOT, 6, 1000),
                        queue("x", "a", 1, 1000)),
                CAPACITY);

        QueueEntitlements entitlements = new QueueEntitlements(tree, 0, Set.of("x", "b", "gone"));

        assertThat(QueueEntitlements.resources(tree)).containsExactly(Resources.CPU);
        assertThat(entitlements.of(Queue.ROOT, Resources.CPU)).isEqualTo(10_000);
        assertThat(entitlements.of("a", Resources.CPU)).isEqualTo(4000 + 3000);
        assertThat(entitlements.of("b", Resources.CPU)).isEqualTo(1000 + 1000);
        assertThat(entitlements.of("x", Resources.CPU)).isEqualTo(7000);
        assertThat(entitlements.ofOwn("x")).containsExactly(7000);
        assertThat(entitlements.of("a", "unknown")).isZero();
    }
}
