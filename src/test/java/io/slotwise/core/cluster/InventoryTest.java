package io.slotwise.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class InventoryTest {
    private static Node node(String name) {
        return new Node(
                name,
                Map.of(),
                List.of(),
                true,
                Resources.NONE,
                Performance.REFERENCE,
                "o",
                StepFunction.constant(0),
                List.of());
    }

    @Test
    void nodeIsFoundByItsName() {
        // The last four names have the same hash in pairs.
        List<String> names = Stream.concat(
                        IntStream.range(0, 3_000).mapToObj("node-%d"::formatted), Stream.of("Aa", "BB", "AaAa", "BBBB"))
                .toList();

        Inventory inventory =
                new Inventory(names.stream().map(InventoryTest::node).toList());

        for (String name : names) {
            String other = String.valueOf(name.toCharArray());
            assertThat(inventory.get(inventory.position(other)).name()).isEqualTo(name);
        }
        assertThat(List.of("node-3000", "AaBB", "BBAa", "", "node-"))
                .allSatisfy(absent -> assertThat(inventory.position(absent)).isEqualTo(-1));
    }

    @Test
    void noNodeIsFoundWhereThereIsNone() {
        assertThat(new Inventory(List.of()).position("n")).isEqualTo(-1);
        assertThat(new Inventory(List.of(node("n"))).position("n")).isZero();
    }

    @Test
    void nodeMustNotAppearTwice() {
        List<Node> twice = List.of(node("b"), node("a"), node("b"));

        assertThatThrownBy(() -> new Inventory(twice))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The node (b) must not appear twice.");
    }
}
