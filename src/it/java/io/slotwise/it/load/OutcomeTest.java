package io.slotwise.it.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.it.AuditLog.Entry;
import io.slotwise.it.load.Load.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomeTest {
    private static final Load LOAD = new Load(4, 8, List.of(new Shape(2, 2)), 1000, 10, 0, 0);

    @Test
    void aRateCountsFromTheFirstWriteToTheLastBindingAndToTheLastWrite() {
        List<Entry> entries = List.of(
                Audited.entry(Audited.SLOTWISE, "create", "reservations", "g2-0000", 201, 1000),
                Audited.binding("g2-0000-0", 1500),
                Audited.binding("g2-0000-1", 1600),
                Audited.binding("g2-0001-0", 2900),
                Audited.binding("g2-0001-1", 3000),
                Audited.entry(Audited.SLOTWISE, "create", "events", "e", 201, 5000));

        Outcome outcome = Outcome.of(entries, LOAD, Audited.BEGAN, false);

        assertThat(outcome.pods()).isEqualTo(4);
        assertThat(outcome.gangs()).isEqualTo(2);
        assertThat(outcome.work()).isEqualTo(1.0);
        assertThat(outcome.first()).isEqualTo(1.5);
        assertThat(outcome.span()).isEqualTo(1.5);
        assertThat(outcome.podsPerSecond()).isEqualTo(2.0);
        assertThat(outcome.podsWrittenPerSecond()).isEqualTo(1.0);
        assertThat(outcome.podsPerSecondOfAll()).isCloseTo(4 / 3.0, within(1e-9));
        assertThat(outcome.partial()).isEqualTo(0.1);
        assertThat(outcome.partials()).isZero();
    }

    @Test
    void aSchedulerThatRanBeforeWorksFromTheBeginning() {
        List<Entry> entries = List.of(Audited.binding("g2-0000-0", 1500), Audited.binding("g2-0000-1", 2000));

        Outcome outcome = Outcome.of(entries, LOAD, Audited.BEGAN, true);

        assertThat(outcome.work()).isZero();
        assertThat(outcome.podsPerSecond()).isEqualTo(1.0);
    }

    @Test
    void aGangCountsAsPartialAfterASecondOrWhereAPodIsMissing() {
        List<Entry> entries = List.of(
                Audited.binding("g2-0000-0", 1000),
                Audited.binding("g2-0000-1", 2001),
                Audited.binding("g2-0001-0", 1000),
                Audited.entry(Audited.SLOTWISE, "create", "pods/binding", "g2-0001-1", 409, 1000));

        Outcome outcome = Outcome.of(entries, LOAD, Audited.BEGAN, false);

        assertThat(outcome.pods()).isEqualTo(3);
        assertThat(outcome.gangs()).isEqualTo(1);
        assertThat(outcome.partial()).isEqualTo(1.001);
        assertThat(outcome.partials()).isEqualTo(2);
    }

    @Test
    void theLastEndIsThatOfTheLastPod() {
        List<Entry> entries = new ArrayList<>(List.of(Audited.binding("g2-0000-0", 1000)));
        entries.add(Audited.end("g2-0000-0", 11_000));
        entries.add(Audited.end("g2-0000-1", 12_000));

        Outcome outcome = Outcome.of(entries, LOAD, Audited.BEGAN, false);

        assertThat(outcome.done()).isEqualTo(12.0);
    }

    @Test
    void writesOfOthersAndReadsAreNoWork() {
        List<Entry> entries = List.of(
                Audited.entry(Audited.ADMIN, "patch", "pods/status", "g2-0000-0", 200, 500),
                Audited.entry(Audited.SLOTWISE, "list", "pods", "", 200, 700),
                Audited.binding("g2-0000-0", 1000),
                Audited.entry(Audited.ADMIN, "patch", "pods/status", "g2-0000-0", 200, 3000));

        Outcome outcome = Outcome.of(entries, LOAD, Audited.BEGAN, false);

        assertThat(outcome.work()).isEqualTo(1.0);
        assertThat(outcome.written()).isEqualTo(1.0);
    }

    @Test
    void nothingBoundIsNoRate() {
        Outcome outcome = Outcome.of(List.of(), LOAD, Audited.BEGAN, false);

        assertThat(outcome.pods()).isZero();
        assertThat(outcome.podsPerSecond()).isZero();
    }
}
