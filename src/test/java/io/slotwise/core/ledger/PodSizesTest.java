package io.slotwise.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.resource.Share;
import java.util.NavigableMap;
import org.junit.jupiter.api.Test;

class PodSizesTest {
    @Test
    void aPodIsOnlyWrittenDownWhenItsSizeChanges() {
        PodSizes sizes = PodSizes.NONE.with("a", Share.ALL, 1);

        assertThat(sizes).isEqualTo(PodSizes.NONE);
        assertThat(sizes.with("a", new Share(2, 1), 5).with("a", new Share(4, 2), 9).of("a"))
                .containsOnlyKeys(5L);
    }

    @Test
    void howeverOftenPodsAreResizedTheyAreAsLargeAsTheyBecame() {
        PodSizes sizes = PodSizes.NONE;
        for (int i = 0; i < 1000; i++) {
            sizes = sizes.with("a", new Share(i % 2 == 0 ? 2 : 1, 1), i);
        }
        sizes = sizes.with("a", new Share(9, 1), 1000).with("a", Share.ALL, 1001);
        sizes = sizes.with("b", new Share(5, 1), 1002).with("c", new Share(7, 1), 1003).with("d", Share.ALL, 1004);

        assertThat(sizes.of("a").lastEntry().getValue()).isEqualTo(new Share(9, 1));
        assertThat(sizes.of("b")).isEqualTo(sizes.of("d")).containsValue(new Share(7, 1));
        assertThat(sizes.byPod().values().stream().mapToInt(NavigableMap::size).sum())
                .isEqualTo(PodSizes.MOST + 1);
    }

    @Test
    void aPodHasGrownSinceItTakesMoreThanItWasPromised() {
        PodSizes grown = PodSizes.NONE.with("a", new Share(1, 2), 3).with("a", new Share(3, 2), 4);

        assertThat(grown.grownSince("a")).hasValue(4);
        assertThat(grown.with("a", Share.ALL, 7).grownSince("a")).isEmpty();
        assertThat(grown.grownSince("b")).isEmpty();
    }

    @Test
    void aShareOverAnotherIsExactOrRoundedUpToAMillionth() {
        assertThat(new Share(6000, 8000).over(new Share(3000, 8000))).isEqualTo(new Share(2, 1));
        long large = Long.MAX_VALUE - 1;
        assertThat(new Share(large, large - 2).over(new Share(large - 4, large - 6)))
                .isEqualTo(new Share(1_000_000, 1_000_000));
        assertThat(Share.parse(new Share(3, 7).toString())).isEqualTo(new Share(3, 7));
    }
}
