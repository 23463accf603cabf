package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gang whose record is not the one that this replica knows. */
class GangRollbackTest {
    /** The cluster as this replica sees it. */
    private final FakeHost seen = new FakeHost().withNodes("n1", "n2");

    private final Records records = new Records();
    private final List<Duration> pauses = new ArrayList<>();
    private final GangRollback repair = new GangRollback(seen, seen, records, seen, seen, seen, pauses::add);
    private GangId gang = new GangId("user", "g");

    /** The records at the API server. */
    private final class Records implements RecordStore {
        GangRecord there = GangRecord.first(new GangId("user", "g"), FakeHost.BEGIN);
        final List<String> writes = new ArrayList<>();
        /** The number of reads without an answer. */
        int unanswered;
        /** True if writes get no answer. */
        boolean silent;

        @Override
        public Outcome write(GangRecord before, GangRecord after) {
            writes.add(before.version());
            if (!before.version().equals(there.version())) {
                return new Outcome.Conflict();
            }
            there = after.withVersion(before.version() + "0");
            return silent ? new Outcome.Failed("no answer") : new Outcome.Written(there);
        }

        @Override
        public Outcome delete(GangRecord record) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean catchUp() {
            throw new UnsupportedOperationException("other gangs are not asked for");
        }

        @Override
        public boolean catchUp(GangId id) {
            if (unanswered > 0) {
                unanswered--;
                return false;
            }
            seen.records.put(id, there);
            return true;
        }
    }

    @BeforeEach
    void starts() {
        gang = seen.arrives("g", 2, 100);
        seen.replica(new ChangingSettings(LoopSettings.EXACT)).cycle();
        seen.openBarrier(gang);
        records.there = seen.known(gang).withVersion("77");
    }

    @Test
    void aRecordThatHasChangedIsReadBeforeItIsWrittenOver() {
        String old = seen.known(gang).version();
        records.unanswered = 4;

        repair.takeBack(seen.known(gang), "the API server refused g-1");

        assertThat(records.writes).containsExactly(old, "77");
        assertThat(records.there.promise()).isNull();
        assertThat(pauses)
                .containsExactly(
                        Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofMillis(800));
        assertThat(seen.evicted).containsOnly("g-0", "g-1");
        assertThat(seen.broken).containsExactly(Cause.REFUSED);
    }

    @Test
    void aRollbackThatWasWrittenWithoutAnAnswerIsTold() {
        records.there = seen.known(gang);
        records.silent = true;

        repair.takeBack(seen.known(gang), "the API server refused g-1");

        assertThat(records.writes).hasSize(1);
        assertThat(seen.broken).containsExactly(Cause.REFUSED);
        assertThat(seen.told).contains("g WindowBroken: refused: the API server refused g-1");
    }

    @Test
    void aGangThatAnotherReplicaRolledBackKeepsItsNewWindow() {
        Window window = seen.window(gang);
        Promise next = new Promise(
                Window.of(gang, window.start() + 500, List.of()),
                Objects.requireNonNull(records.there.promise()).origin(),
                false);
        records.there = records.there.with(next).withPhase(Phase.PROMISED);

        repair.takeBack(seen.known(gang), "the API server refused g-1");

        assertThat(records.writes).hasSize(1);
        assertThat(records.there.promise()).isEqualTo(next);
        assertThat(seen.broken).isEmpty();
    }

    @Test
    void aGangThatWasToStartBeforeItsPromiseIsRolledBack() {
        GangRecord startedRecord = seen.known(gang);
        Promise promise = Objects.requireNonNull(startedRecord.promise());
        Promise later =
                new Promise(Window.of(gang, promise.window().start() + 500, List.of()), promise.origin(), false);
        records.there = GangRecord.first(gang, FakeHost.BEGIN)
                .with(later)
                .withPhase(Phase.PROMISED)
                .withVersion(startedRecord.version());
        seen.records.put(gang, records.there);

        repair.takeBack(startedRecord, "the API server refused g-0");

        assertThat(records.there.promise()).isNull();
        assertThat(records.there.history().attempts()).isEqualTo(1);
        assertThat(seen.broken).containsExactly(Cause.REFUSED);
    }

    @Test
    void aRecordThatCannotBeReadIsNotWrittenOverAgain() {
        records.unanswered = 100;

        repair.takeBack(seen.known(gang), "the API server refused g-1");

        assertThat(records.writes).hasSize(1);
        assertThat(pauses.stream().reduce(Duration.ZERO, Duration::plus))
                .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
        assertThat(seen.evicted).as("nobody runs in part meanwhile").containsExactlyInAnyOrder("g-0", "g-1");
    }
}
