package io.slotwise.live.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.live.cycle.ChangingSettings;
import io.slotwise.live.cycle.FakeHost;
import io.slotwise.live.cycle.PlanningLoop;
import io.slotwise.live.port.WaitExplainer.Waiting;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitExplainerTest {
    private final FakeHost host = new FakeHost().withNodes("n1");
    private final PlanningLoop loop = host.replica(new ChangingSettings(LoopSettings.EXACT));

    @Test
    void aGangThatIsPromisedALaterWindowSaysWhenAndOneThatStartsNowSaysNothing() {
        host.arrives("first", 1, 600);
        GangId second = host.arrives("second", 1, 600);

        loop.cycle();

        assertThat(host.waits).containsExactly(Waiting.forWindow(second, FakeHost.BEGIN + 600));
    }

    @Test
    void aGangWithoutAWindowSaysWhy() {
        GangId large = host.arrives("large", 2, 600);

        loop.cycle();
        host.pass(Duration.ofSeconds(31));
        loop.cycle();

        assertThat(host.waits).singleElement().satisfies(waiting -> {
            assertThat(waiting.gang()).isEqualTo(large);
            assertThat(waiting.reason()).isEqualTo("NoWindow");
            assertThat(waiting.message())
                    .isEqualTo(host.known(large).plannedAspect().message());
        });
    }

    @Test
    void anImminentWindowIsNotExplained() {
        host.arrives("first", 1, 600);
        host.arrives("second", 1, 600);
        loop.cycle();

        List<GangRecord> records = List.copyOf(host.records.values());

        assertThat(Waiting.among(records, FakeHost.BEGIN + 594)).hasSize(1);
        assertThat(Waiting.among(records, FakeHost.BEGIN + 595)).isEmpty();
    }

    @Test
    void nothingIsSaidForWhichAutoscalersBuyNodes() {
        assertThatThrownBy(() -> new Waiting(new GangId("user", "g"), "Unschedulable", ReasonStatement.of("no room")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a reason other than Unschedulable");
    }
}
