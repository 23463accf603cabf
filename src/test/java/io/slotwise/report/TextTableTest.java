package io.slotwise.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.money.Currency;
import io.slotwise.report.GangListReport.GangRow;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextTableTest {
    private static final String NAME =
            "a-namespace-with-a-long-name/a-gang-with-a-name-that-is-longer-still-than-that-number-17";
    private static final String WHY =
            "no window within budget: the cheapest costs 2, the budget is 1.5 and so it waits and waits";

    private final QueueReport queue = new QueueReport(
            List.of(
                    gang(NAME, null, WHY),
                    gang("user/b", "2030-01-01T01:00:00Z", "a window"),
                    gang("user/c", "2030-01-02T01:00:00Z", "a window")),
            Currency.NONE);

    @ParameterizedTest
    @ValueSource(ints = {80, 100, 120, 200})
    void noLineIsWiderThanTheTerminal(int columns) {
        String text = queue.table(new Terminal(columns, false, true), 1_893_456_000L);

        assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns));
        assertThat(text.replaceAll("\\s+", " ")).contains(WHY);
    }

    @Test
    void aNameIsShortenedInItsMiddleOnlyWhereItHasTo() {
        assertThat(queue.table(new Terminal(80, false, true), 0)).contains("…").doesNotContain(NAME);
        assertThat(queue.table(new Terminal(80, false, false), 0))
                .contains("..")
                .doesNotContain("…");
        assertThat(queue.table(new Terminal(200, false, true), 0)).contains(NAME);
    }

    @Test
    void aNarrowScreenGoesWithoutWhatCanBeSpared() {
        TextTable<List<String>> table = new TextTable<List<String>>()
                .name("GANG", row -> row.get(0))
                .left("START", row -> row.get(1))
                .left("END", row -> row.get(2))
                .spare(1)
                .left("VIA", row -> row.get(3))
                .spare(0)
                .left("NODES", row -> row.get(4));
        List<List<String>> rows =
                List.of(List.of("team/training", "2030-01-01T00:00:00Z", "2030-01-01T04:00:00Z", "cyclic", "n1 n2"));

        assertThat(table.draw(rows, new Terminal(90, false, true))).contains("END", "VIA");
        assertThat(table.draw(rows, new Terminal(60, false, true)))
                .contains("GANG", "START", "END", "NODES")
                .doesNotContain("VIA", "cyclic");
        assertThat(table.draw(rows, new Terminal(40, false, true)))
                .contains("START", "n1 n2")
                .doesNotContain("END", "04:00")
                .satisfies(text -> assertThat(text.lines()).allMatch(line -> line.length() <= 40));
    }

    private static GangRow gang(String name, @Nullable String start, String message) {
        return new GangRow(
                name,
                start == null ? "Pending" : "Promised",
                "Reason",
                start == null ? "over-budget" : null,
                message,
                start,
                null,
                start,
                start == null ? null : "2.000000",
                null,
                4,
                "2030-01-01T00:00:00Z",
                GangRow.GANG,
                null,
                null,
                null);
    }
}
