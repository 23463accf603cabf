package io.slotwise.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Via;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pods that need half a second each on their way. */
class DeparturesTest {
    private static final long START = 1000;

    @Test
    void thePodsOfOneSecondComeTogether() {
        Departures departures =
                departures(starting("a", START, 2, Phase.PROMISED), starting("b", START, 3, Phase.PROMISED));

        assertThat(departures.podsBefore(START)).isEqualTo(5);
    }

    @Test
    void thoseThatLaterSecondsHaveNoTimeForComeWithThem() {
        Departures departures = departures(
                starting("a", START, 2, Phase.PROMISED),
                starting("b", START + 2, 7, Phase.PROMISED),
                starting("c", START + 3, 4, Phase.PROMISED));

        assertThat(departures.podsBefore(START + 3)).isEqualTo(4);
        assertThat(departures.podsBefore(START + 2)).isEqualTo(7 + 4 - 2);
        assertThat(departures.podsBefore(START)).isEqualTo(2 + 9 - 4);
    }

    @Test
    void whoeverIsOnItsWayTakesNoMoreTime() {
        Departures departures =
                departures(starting("a", START, 2, Phase.PROMISED), starting("b", START + 1, 9, Phase.STARTING));

        assertThat(departures.podsBefore(START)).isEqualTo(2);
    }

    @Test
    void aGangIsOnItsWayUntilSomebodyHasSeenItThere() {
        Standing going = starting("a", START, 2, Phase.STARTING);
        Standing opened = starting("b", START, 2, Phase.RUNNING).started(true, Standing.BARRIER_OPENED, "", START);
        Standing seen = starting("c", START, 2, Phase.RUNNING).started(true, "GangStarted", "", START);
        Standing promised = starting("d", START, 2, Phase.PROMISED);
        Departures departures = departures(going, opened, seen, promised);

        assertThat(departures.onTheirWayTo(window(promised)))
                .extracting(window -> window.gang().name())
                .containsExactlyInAnyOrder("a", "b");
        assertThat(departures.onTheirWayTo(Window.of(
                        new GangId("user", "e"),
                        START,
                        List.of(new Placement("e-0", "elsewhere", START, START + 60, Cost.ZERO)))))
                .isEmpty();
    }

    private static Window window(Standing standing) {
        return Objects.requireNonNull(standing.promise()).window();
    }

    private static Departures departures(Standing... standings) {
        return new Departures(List.of(standings), Duration.ofMillis(500));
    }

    private static Standing starting(String name, long start, int pods, Phase phase) {
        GangId gang = new GangId("user", name);
        List<Placement> places = IntStream.range(0, pods)
                .mapToObj(pod -> new Placement(name + "-" + pod, "n" + pod, start, start + 60, Cost.ZERO))
                .toList();
        return Standing.first(gang, START - 100)
                .with(new Promise(new Window(gang, start, places, Cost.ZERO), Via.CYCLIC, phase != Phase.PROMISED))
                .in(phase);
    }
}
