package io.slotwise.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueueTreeTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final Resources CAPACITY = Resources.of(Map.of(GPU, 100L));

    private static Queue queue(String name, @Nullable String parent, long guarantee) {
        return queue(name, parent, Amount.of(guarantee));
    }

    private static Queue queue(String name, @Nullable String parent, Amount guarantee) {
        return new Queue(name, parent, 1, Map.of(GPU, guarantee), Map.of(), Map.of(), false);
    }

    private static Queue limited(String name, @Nullable String parent, Amount limit) {
        return new Queue(name, parent, 1, Map.of(), Map.of(GPU, limit), Map.of(), false);
    }

    private static QueueTree tree(Queue... queues) {
        return QueueTree.of(List.of(queues), CAPACITY);
    }

    private static List<String> faults(QueueTree tree) {
        return tree.faults().stream()
                .map(fault -> fault.queue() + " " + fault.kind())
                .toList();
    }

    private static StepFunction constant(long value) {
        return StepFunction.constant(value);
    }

    @Test
    void hasARootAndADefaultQueueWithoutAnyStatedQueue() {
        QueueTree tree = tree();

        assertThat(tree.names()).containsExactly("default", "root");
        assertThat(tree.path("default")).containsExactly("default", "root");
        assertThat(tree.isOpen("default")).isTrue();
        assertThat(tree.resources()).isEmpty();
        assertThat(tree.faults()).isEmpty();
    }

    @Test
    void refusesCirclesMissingParentsAndQueuesBelowThem() {
        QueueTree tree = tree(
                queue("a", "b", 1),
                queue("b", "a", 1),
                queue("below", "a", 1),
                queue("lost", "nowhere", 1),
                queue("child", "lost", 1),
                queue("good", null, 1),
                queue("good", null, 2));

        assertThat(faults(tree))
                .containsExactly(
                        "a CIRCLE",
                        "b CIRCLE",
                        "below PARENT_REFUSED",
                        "child PARENT_REFUSED",
                        "good DUPLICATE",
                        "lost MISSING_PARENT");
        assertThat(tree.names()).containsExactly("default", "good", "root");
        assertThat(tree.guarantee("good", GPU)).isEqualTo(constant(1));
        assertThat(tree.faults().getLast().message()).isEqualTo("its parent nowhere does not exist");
    }

    @Test
    void refusesTheLaterChildrenThatExceedTheirParentAtSomeSecond() {
        Amount later =
                Amount.of(StepFunction.startingAt(0).then(500, 7).then(900, 0).build());
        QueueTree tree = tree(
                queue("science", null, 10),
                queue("physics", "science", 4),
                queue("biology", "science", later),
                queue("cells", "biology", later),
                queue("chemistry", "science", 6));

        assertThat(faults(tree)).containsExactly("biology OVER_PARENT", "cells PARENT_REFUSED");
        assertThat(tree.faults().getFirst().message())
                .isEqualTo("with the queues before it, it is guaranteed 11 of nvidia.com/gpu at 1970-01-01T00:08:20Z, "
                        + "and its parent science 10");
        assertThat(tree.children("science")).containsExactly("chemistry", "physics");
    }

    @Test
    void guaranteesAnInnerQueueTheSumOfItsChildren() {
        QueueTree tree = tree(new Queue("science", null), queue("physics", "science", 4), queue("art", null, 200));

        assertThat(tree.guarantee("science", GPU)).isEqualTo(constant(4));
        assertThat(tree.guarantee("root", GPU)).isEqualTo(constant(204));
        assertThat(tree(queue("physics", null, 4)).guarantee("root", GPU)).isEqualTo(constant(100));
    }

    @Test
    void resolvesPercentagesOfTheParentInEachSecond() {
        Amount nights = new Amount(
                StepFunction.startingAt(3).then(100, 0).build(),
                StepFunction.startingAt(0).then(100, 250_000).build());
        QueueTree tree = tree(
                queue("science", null, Amount.part(500_000)),
                queue("physics", "science", nights),
                limited("art", null, Amount.part(300_000)),
                limited("music", "art", Amount.part(100_000)),
                limited("film", "art", Amount.of(99)));

        assertThat(tree.guarantee("science", GPU)).isEqualTo(constant(50));
        assertThat(tree.guarantee("physics", GPU))
                .isEqualTo(StepFunction.startingAt(3).then(100, 12).build());
        assertThat(tree.limit("art", GPU)).isEqualTo(constant(30));
        assertThat(tree.limit("music", GPU)).isEqualTo(constant(3));
        assertThat(tree.limit("film", GPU)).isEqualTo(constant(30));
        assertThat(tree.limit("science", GPU)).isEqualTo(constant(Amount.MOST));
    }

    @Test
    void roundsAPercentageOfALargeAmountDownToAUnit() {
        QueueTree tree = tree(
                queue("science", null, Amount.of(40_000_000_999_999L)),
                queue("physics", "science", Amount.part(500_000)));

        assertThat(tree.guarantee("physics", GPU)).isEqualTo(constant(20_000_000_499_999L));
    }

    @Test
    void refusesAPercentageOfAParentThatStatesNothing() {
        QueueTree tree = tree(new Queue("science", null), queue("physics", "science", Amount.part(500_000)));

        assertThat(faults(tree)).containsExactly("physics PART_OF_NOTHING");
    }

    @Test
    void closesAllQueuesBelowASuspendedOne() {
        QueueTree tree = tree(
                new Queue("science", null, 1, Map.of(), Map.of(), Map.of(), true), new Queue("physics", "science"));

        assertThat(tree.isOpen("physics")).isFalse();
        assertThat(tree.isOpen("default")).isTrue();
        assertThat(tree.isOpen("unknown")).isFalse();
    }

    @Test
    void refusesAmountsAndWeightsOutsideTheirRange() {
        assertThatThrownBy(() -> Amount.of(-1)).hasMessage("The amount (-1) must be from 0 to %d units.", Amount.MOST);
        assertThatThrownBy(() -> Amount.part(1_000_001))
                .hasMessage("The amount (1000001) must be from 0 to 1000000 millionths.");
        assertThatThrownBy(() -> new Queue("q", null, -1, Map.of(), Map.of(), Map.of(), false))
                .hasMessage("The weight (-1) of queue (q) must not be negative.");
    }
}
