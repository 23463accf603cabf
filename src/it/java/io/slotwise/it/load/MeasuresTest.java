package io.slotwise.it.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.it.AuditLog.Entry;
import io.slotwise.it.load.OneAfterAnother.Waits;
import io.slotwise.it.load.Processors.Cost;
import io.slotwise.it.load.Processors.Reading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuresTest {
    private static final Cost NOTHING = new Cost(0, 0);

    @Test
    void aQuantileIsTheValueOfTheNearestRank() {
        Quantiles quantiles = new Quantiles(
                IntStream.rangeClosed(1, 200).mapToObj(i -> 201.0 - i).toList());

        assertThat(quantiles.at(50)).isEqualTo(100);
        assertThat(quantiles.at(90)).isEqualTo(180);
        assertThat(quantiles.at(99)).isEqualTo(198);
        assertThat(quantiles.at(100)).isEqualTo(200);
        assertThat(new Quantiles(List.of()).at(50)).isNaN();
        assertThatThrownBy(() -> quantiles.at(0)).hasMessageContaining("1 to 100");
    }

    @Test
    void aTableHasItsFiguresAtTheRight() {
        Table table = new Table(List.of("a", "b"));

        table.row("slotwise", List.of("1", "2"));

        assertThat(table).hasToString("| | a | b |\n| --- | ---: | ---: |\n| slotwise | 1 | 2 |\n");
        assertThatThrownBy(() -> table.row("other", List.of("1"))).hasMessageContaining("must have 2 cells");
    }

    @Test
    void requestsAreThoseOfTheContenderByKind() {
        List<Entry> entries = List.of(
                Audited.binding("g2-0000-0", 1),
                Audited.binding("g2-0000-1", 2),
                Audited.entry(Audited.SLOTWISE, "create", "pods/binding", "g2-0000-1", 409, 3),
                Audited.entry(Audited.SLOTWISE, "get", "pods", "g2-0000-1", 200, 3),
                Audited.creation("g2-0000-0", 0));

        Requests requests = Requests.of(entries);

        assertThat(requests.counts())
                .containsOnly(
                        Map.entry("create pods/binding", 2),
                        Map.entry("create pods/binding answered 409", 1),
                        Map.entry("get pods", 1));
    }

    @Test
    void processorTimeCountsUntilTheFirstReadingAfterTheEnd() {
        Processors processors = new Processors();
        for (int i = 0; i < 4; i++) {
            processors.add(new Reading(
                    Audited.BEGAN.plusSeconds(i), Duration.ofMillis(100 + 500L * i), Duration.ofMillis(200L * i)));
        }

        Cost cost = processors.until(Audited.BEGAN.plusMillis(1500));

        assertThat(cost).isEqualTo(new Cost(1.0, 0.4));
        assertThat(cost.serverMillisPerPod(100)).isEqualTo(10);
        assertThat(processors.until(Audited.BEGAN.plusSeconds(9)).server()).isEqualTo(1.5);
    }

    @Test
    void aGangWaitsFromItsLastCreationToItsLastBinding() {
        List<Entry> entries = List.of(
                Audited.creation("one2-0000-0", 100),
                Audited.creation("one2-0000-1", 120),
                Audited.binding("one2-0000-0", 200),
                Audited.binding("one2-0000-1", 240),
                Audited.creation("one2-0001-0", 1100),
                Audited.creation("one2-0001-1", 1120),
                Audited.binding("one2-0001-0", 2200));

        Waits waits = OneAfterAnother.judge(
                entries, Map.of("one2-0000", Audited.BEGAN, "one2-0001", Audited.BEGAN.plusSeconds(2)), 2, 2, NOTHING);

        assertThat(waits.waits())
                .singleElement()
                .satisfies(wait -> assertThat(wait).isCloseTo(0.12, within(1e-9)));
        assertThat(waits.sameSecond()).isEqualTo(1);
        assertThat(waits.windows()).isEqualTo(2);
    }

    @Test
    void aBindingBeforeItsWindowIsEarlyByItsArrival() {
        Instant due = Audited.BEGAN.plusSeconds(60);
        List<Entry> entries = List.of(
                Audited.binding("g1-0000-0", 60_000),
                Audited.binding("g1-0001-0", 60_041),
                Audited.binding("g1-0002-0", 62_001));

        Punctuality kept =
                Punctuality.of(entries, Map.of("g1-0000", due, "g1-0001", due, "g1-0002", due.plusSeconds(2)), due);

        assertThat(kept.promised()).isEqualTo(2);
        assertThat(kept.early()).isEqualTo(1);
        assertThat(kept.first()).isEqualTo(-0.001);
        assertThat(kept.last()).isEqualTo(2.0);
        assertThat(kept.podsPerSecond()).isEqualTo(1.5);
    }

    @Test
    void theWorstOfSomeRunsHasTheFewestPodsAndTheMostProcessorTime() {
        Ratio worst = Ratio.worst(List.of(new Ratio(1.2, 1.1, 0.9, 1.1), new Ratio(1.0, 1.3, 1.0, 1.4)));

        assertThat(worst).isEqualTo(new Ratio(1.0, 1.1, 0.9, 1.4));
    }

    @Test
    void countsWholeLinesOfTheNamespaceInAGrowingLog(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("audit.jsonl");
        String binding = """
                {"verb":"create","objectRef":{"resource":"pods","namespace":"load","subresource":"binding"},"responseStatus":{"code":201}}
                """;
        String end = """
                {"verb":"patch","objectRef":{"resource":"pods","namespace":"load","subresource":"status"},"requestObject":{"status":{"phase":"Succeeded"}}}
                """;
        Files.writeString(log, binding + binding.replace("\"load\"", "\"other\"") + binding.replace("create", "get"));

        try (Tail tail = new Tail(log, "load")) {
            tail.read();
            assertThat(tail.bound()).isEqualTo(1);
            assertThat(tail.writes()).isEqualTo(1);

            Files.writeString(log, end.substring(0, 20), StandardOpenOption.APPEND);
            tail.read();
            assertThat(tail.ended()).isZero();

            Files.writeString(log, end.substring(20), StandardOpenOption.APPEND);
            tail.read();
            assertThat(tail.ended()).isEqualTo(1);
        }
    }
}
