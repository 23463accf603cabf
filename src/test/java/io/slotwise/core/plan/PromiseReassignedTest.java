package io.slotwise.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PromiseReassignedTest {
    @Test
    void replacementsTakeThePlacesOfTheirRanks() {
        List<Placement> placements = IntStream.range(0, 12)
                .mapToObj(rank -> new Placement("g-%d-old".formatted(rank), "n" + rank, 10, 20, Cost.ZERO))
                .toList();
        Promise promise = new Promise(Window.of(new GangId("user", "g"), 10, placements), WindowOrigin.CYCLIC, false);

        Promise reassigned = promise.reassigned(
                IntStream.range(0, 12).mapToObj("g-%d-new"::formatted).toList());

        assertThat(reassigned.window().placements())
                .allSatisfy(placement -> assertThat(placement.pod())
                        .isEqualTo("g-%s-new".formatted(placement.node().substring(1))));
    }
}
