package io.slotwise.kubernetes.manifest.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectCacheTest {
    private final ObjectCache<List<String>, Integer> sizes = new ObjectCache<>();
    private final List<List<String>> asked = new ArrayList<>();

    private int sizeOf(List<String> list) {
        return sizes.get(list, one -> {
            asked.add(one);
            return one.size();
        });
    }

    @Test
    void resultsForAnObjectAreComputedOnce() {
        List<String> list = new ArrayList<>(List.of("a", "b"));

        assertThat(sizeOf(list)).isEqualTo(2);
        assertThat(sizeOf(list)).isEqualTo(2);

        assertThat(asked).hasSize(1);
    }

    @Test
    void anEqualObjectIsAnotherVersion() {
        assertThat(sizeOf(new ArrayList<>(List.of("a")))).isEqualTo(1);
        assertThat(sizeOf(new ArrayList<>(List.of("a")))).isEqualTo(1);

        assertThat(asked).hasSize(2);
    }

    @Test
    void entriesUnusedBetweenTwoTurnsAreForgotten() {
        List<String> list = new ArrayList<>(List.of("a"));

        sizeOf(list);
        sizes.turn();
        sizeOf(list);
        sizes.turn();
        sizeOf(list);
        assertThat(asked).hasSize(1);

        sizes.turn();
        sizes.turn();
        sizeOf(list);
        assertThat(asked).hasSize(2);
    }

    @Test
    void anErrorIsHandedOnAndNotKept() {
        List<String> list = new ArrayList<>();

        assertThatThrownBy(() -> sizes.get(list, _ -> {
                    throw new IllegalArgumentException("it cannot be read");
                }))
                .hasMessage("it cannot be read");

        assertThat(sizeOf(list)).isZero();
    }
}
