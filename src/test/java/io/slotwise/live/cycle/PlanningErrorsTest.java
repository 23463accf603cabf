package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/**
 * Proves that an error in the handling of one gang, anywhere in a cycle, leaves this gang as it is and delays no other
 * gang.
 */
class PlanningErrorsTest {
    private final FakeHost host = new FakeHost().withNodes("n1", "n2", "n3");
    private final CurrentSettings settings = CurrentSettings.fixed(LoopSettings.EXACT);
    private final PlanningLoop loop = host.replica(settings);

    @Test
    void aGangThatCannotBeSettledStaysAsItIsUntilItCan() {
        GangId late = host.arrivesLater("late", 1, 600);
        loop.cycle();
        GangRecord promised = host.known(late);
        host.pass(Duration.ofMinutes(5));
        host.errors.add("room late");
        GangId other = host.arrives("other", 1, 600);

        loop.cycle();

        assertThat(host.known(late)).isEqualTo(promised);
        assertThat(host.known(other).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.window(other).placements().getFirst().node())
                .as("its room is kept")
                .isNotEqualTo(host.window(late).placements().getFirst().node());
        assertThat(host.told).contains("late InternalError");
        assertThat(loop.deadline()).isNotNull();

        host.errors.clear();
        loop.cycle();

        assertThat(host.told).anyMatch(told -> told.startsWith("late WindowBroken"));
        assertThat(host.window(late).start()).isEqualTo(host.second());
    }

    @Test
    void aGangWithUnknownPodsStaysAsItIsUntilTheyAreKnown() {
        GangId strange = host.arrives("strange", 1, 600);
        loop.cycle();
        GangRecord promised = host.known(strange);
        host.errors.add("pods strange");
        GangId other = host.arrives("other", 1, 600);

        loop.cycle();

        assertThat(host.known(strange)).isEqualTo(promised);
        assertThat(host.known(other).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.told).contains("strange InternalError");

        host.errors.clear();
        host.lostNodes.add(host.window(strange).placements().getFirst().node());
        loop.cycle();

        assertThat(host.told).anyMatch(told -> told.startsWith("strange WindowBroken"));
    }

    @Test
    void theSentenceHasTheIdOfAnErrorAndTheLogItsText() {
        GangId late = host.arrivesLater("late", 1, 600);
        loop.cycle();
        host.pass(Duration.ofMinutes(5));
        host.errors.add("room late");
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler log = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(new SimpleFormatter().formatMessage(line));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(PlanPublisher.class.getName());
        logger.addHandler(log);
        try {
            loop.cycle();
            loop.cycle();
        } finally {
            logger.removeHandler(log);
        }

        assertThat(host.noticed).singleElement().satisfies(notice -> {
            InternalFailure failure = Objects.requireNonNull(notice.failure());
            assertThat(failure.words()).startsWith("ArithmeticException in FakeHost.");
            assertThat(notice.message())
                    .isEqualTo(
                            "gang %s: not planned because of internal error %s; see the log of Slotwise for the cause"
                                    .formatted(late, failure.id()));
            assertThat(lines)
                    .containsExactly(
                            "Reservation user/late: internal error %s is %s".formatted(failure.id(), failure.words()));
        });
    }

    @Test
    void aGangThatCannotBeWrittenStaysAsItIsAndTheOthersAreWritten() {
        GangId stays = host.arrives("a", 1, 600);
        loop.cycle();
        GangRecord promised = host.known(stays);
        host.lostNodes.add(host.window(stays).placements().getFirst().node());
        host.errors.add("write a");
        GangId other = host.arrives("b", 1, 600);

        assertThat(loop.cycle()).isTrue();

        assertThat(host.known(stays)).isEqualTo(promised);
        assertThat(host.known(other).phase()).isEqualTo(Phase.STARTING);
    }

    @Test
    void aGangThatCannotBeStartedKeepsNoOtherFromItsSecond() {
        GangStarter starter = host.starter(settings);
        host.arrivesLater("a", 1, 600);
        host.arrivesLater("b", 1, 600);
        loop.cycle();
        host.pass(Duration.ofSeconds(20));
        host.errors.add("room a");

        starter.look(host.instant());

        assertThat(host.released).singleElement().asString().startsWith("b-0 to");
    }

    @Test
    void aGangWithAnUnreadableRecordIsRefusedAndNotWrittenRepeatedly() {
        GangId lost = host.arrives("lost", 1, 600);
        GangId other = host.arrives("other", 1, 600);
        host.unreadable.put(lost, "reservation user/lost cannot be read: `spec.runtimeSeconds` (9) is not valid");

        loop.cycle();

        assertThat(host.records).containsOnlyKeys(other);
        assertThat(host.writes).isEqualTo(1);
        assertThat(Objects.requireNonNull(loop.latest()).plan().pending())
                .containsExactly(new Pending(lost, new Refusal.InvalidRequest(host.unreadable.get(lost))));
        assertThat(host.told).contains("lost InvalidValue");

        host.unreadable.clear();
        loop.cycle();

        assertThat(host.known(lost).phase()).isEqualTo(Phase.STARTING);
    }
}
