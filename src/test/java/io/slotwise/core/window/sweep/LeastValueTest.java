package io.slotwise.core.window.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.anticipation.WindowFigures;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.RandomClusters;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times that no user should write. {@code ExactSearchTest} compares realistic times with every window. */
class LeastValueTest {
    /** 9999-12-31T23:59:59Z. */
    private static final long FAR = 253_402_300_799L;

    private static Gang gang(Criterion criterion, long arrival) {
        return GangBuilder.gang("g", 2, 1, 10)
                .criterion(criterion)
                .valueOfTime(ValueOfTime.MOST)
                .arrival(arrival)
                .build();
    }

    private static Optional<Window> best(Gang gang) {
        RandomClusters clusters =
                new RandomClusters(RandomGeneratorFactory.of("L64X128MixRandom").create(3));
        Timeline timeline = new Timeline(clusters.cluster(6), RandomClusters.NOW, 0);
        return new WindowSearch(gang, List.of(new Eligibility(Eligibility.Kind.of(gang), timeline, false)))
                .best(
                        gang.criterion(),
                        SlotTerms.of(gang, RandomClusters.NOW, RandomClusters.NOW + RandomClusters.SPAN),
                        gang.budget().limit());
    }

    /** The delay counts as the largest or the smallest possible at any start, so the cheapest window is the best. */
    @ParameterizedTest
    @ValueSource(longs = {FAR, Long.MAX_VALUE / 8, -FAR})
    void aGangThatArrivesInAnotherAgeHasTheCheapestWindow(long arrival) {
        Cost cheapest = best(gang(Criterion.COST, arrival)).orElseThrow().cost();

        assertThat(best(gang(Criterion.VALUE, arrival)))
                .hasValueSatisfying(window -> assertThat(window.cost()).isEqualTo(cheapest));
    }

    @Test
    void valuesBeyondALongCountAsItsMaximum() {
        assertThat(new WindowFigures(0, 10, Long.MAX_VALUE - 5, 10, 0, 10, 0).value())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(new WindowFigures(0, 10, 5, 10, 0, -10, 0).value()).isEqualTo(-5);
        assertThat(Window.sum(Long.MAX_VALUE, Long.MAX_VALUE / 2)).isEqualTo(Long.MAX_VALUE);
        assertThat(gang(Criterion.VALUE, FAR).valueOfTime().hour()).isEqualTo(new Money(100_000_000_000L));
    }
}
