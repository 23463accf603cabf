package io.slotwise.core.window.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class SearchAnswerTest {
    private static final Gang GANG = GangBuilder.gang("g", 1, 1000, 100).build();
    private static final Window EARLY = window(10, "a");
    private static final Window LATE = window(20, "a");

    private static Window window(long start, String node) {
        return Window.of(
                GANG.id(),
                start,
                List.of(new Placement(GANG.pods().getFirst(), node, start, start + 100, new Cost(1))));
    }

    @Test
    void aContinuedSearchHasTheLastWindowAndAllConsideredNodes() {
        SearchAnswer first = new SearchAnswer(EARLY, true, 3);

        assertThat(first.then(new SearchAnswer(null, false, 4))).isEqualTo(new SearchAnswer(null, true, 7));
        assertThat(first.then(new SearchAnswer(LATE, false, 4))).isEqualTo(new SearchAnswer(LATE, true, 7));
    }

    @Test
    void theBetterWindowOfTwoSearchesIsTakenAndTheFirstOfEquals() {
        SearchAnswer late = new SearchAnswer(LATE, false, 3);
        Window alike = window(20, "a");

        assertThat(late.or(new SearchAnswer(EARLY, true, 4), WindowSearch.order(GANG)))
                .isEqualTo(new SearchAnswer(EARLY, true, 7));
        assertThat(late.or(new SearchAnswer(alike, false, 4), WindowSearch.order(GANG))
                        .window())
                .isSameAs(LATE);
        assertThat(SearchAnswer.NOTHING.or(late, WindowSearch.order(GANG))).isEqualTo(late);
        assertThat(late.or(SearchAnswer.NOTHING, WindowSearch.order(GANG))).isEqualTo(late);
    }

    @Test
    void anIncompleteSearchMayHaveMissedABetterWindow() {
        assertThat(new SearchAnswer(LATE, false, 3).leftOut()).isEqualTo(new SearchAnswer(LATE, true, 3));
    }
}
