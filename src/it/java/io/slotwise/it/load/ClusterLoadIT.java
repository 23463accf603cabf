package io.slotwise.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.it.load.Load.Shape;
import io.slotwise.it.load.Trial.Measured;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A small load of {@code ./slotwise bench cluster}, checked against ranges that a slow machine keeps. Two cores shared
 * with two builds had the first of 400 pods on 200 nodes bound after 20 s, and the last 11 s later. At most 0.5 s were
 * between a gang's first and last binding, and the longest cycle took 3.7 s. Each range is three times as wide.
 */
@Tag("punctual")
class ClusterLoadIT {
    private static final Load LOAD =
            new Load(200, 32, List.of(new Shape(24, 8), new Shape(2, 64)), 4000, 3600, 2000, 0);

    @Test
    void gangsOfAllSizesStartWholeNextToRunningPods() {
        Measured measured = new Trial(
                        LOAD,
                        Contender.SLOTWISE,
                        Course.cold(PolicyValues.EAGER.with(Map.of()), Duration.ofMinutes(2)),
                        System.out)
                .run();
        Outcome outcome = measured.outcome();
        Inside inside = Objects.requireNonNull(measured.inside());

        assertThat(outcome.pods()).isEqualTo(LOAD.pods());
        assertThat(outcome.gangs()).isEqualTo(26);
        assertThat(outcome.partial()).isLessThan(1.5);
        assertThat(outcome.first()).isLessThan(60);
        assertThat(outcome.span()).isLessThan(35);
        assertThat(inside.longestCycle()).isLessThan(11);
    }
}
