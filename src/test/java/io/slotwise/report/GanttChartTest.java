package io.slotwise.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.testing.PlanBuilder;
import io.slotwise.testing.PlanBuilder.PlacedPod;
import java.util.List;
import org.junit.jupiter.api.Test;

class GanttChartTest {
    @Test
    void aSharedNodeGetsALineForEachWindowThatOverlaps() {
        String picture = draw(example(), new Terminal(60, false, true));

        assertThat(picture).isEqualTo("""
                       +0s       +10m      +20m      +30m
                      ┌┬─────────┬─────────┬─────────┬─────────┐
                node1 │▄▄▄▄▄▄▄▄▄▄A×2AAAAAAAAAAAAAAAAA          │
                      │                    BBBBBBBBBBBBBBBBBBBB│
                node2 │          AAAAAAAAAAAAAAA░░░░░░░░░░     │
                A user/g  B user/h  ▁▄█ running load  ░ unavailable
                one column is 1m
                """);
    }

    @Test
    void aScreenWithoutBlockCharactersGetsAscii() {
        String picture = draw(example(), new Terminal(60, false, false));

        assertThat(picture).isEqualTo("""
                       +0s       +10m      +20m      +30m
                      ++---------+---------+---------+---------+
                node1 |4444444444Ax2AAAAAAAAAAAAAAAAA          |
                      |                    BBBBBBBBBBBBBBBBBBBB|
                node2 |          AAAAAAAAAAAAAAAxxxxxxxxxx     |
                A user/g  B user/h  1..8 running load in eighths
                x unavailable  one column is 1m
                """);
        assertThat(picture).matches("\\p{ASCII}*");
    }

    @Test
    void coloursAppearOnlyWhereTheyAreWanted() {
        assertThat(draw(example(), new Terminal(60, true, true))).contains("\u001b[30;42mA×2AAA");
        assertThat(draw(example(), new Terminal(60, false, true))).doesNotContain("\u001b");
    }

    @Test
    void noLineIsWiderThanTheScreen() {
        PlanBuilder plan = new PlanBuilder();
        for (int i = 0; i < 60; i++) {
            plan.node("a-node-whose-name-is-longer-than-anyone-reads-%02d".formatted(i), 4000, "ann");
            if (i % 2 == 0) {
                plan.window(
                        "gang-%02d".formatted(i),
                        i * 997L,
                        null,
                        new PlacedPod("a-node-whose-name-is-longer-than-anyone-reads-%02d".formatted(i), 7, 0));
            }
        }

        for (int columns : new int[] {40, 41, 79, 80, 100, 237}) {
            assertThat(draw(plan, new Terminal(columns, false, true)).lines())
                    .allMatch(line -> line.length() <= columns)
                    .anyMatch(line -> line.equals("and 30 more nodes"))
                    .anyMatch(line -> line.contains("A"));
        }
    }

    @Test
    void withoutWindowsTheRunningLoadIsShownUntilItsLastKnownEnd() {
        PlanBuilder plan = new PlanBuilder()
                .node("n1", 4000, "ann")
                .node("n2", 4000, "ann")
                .running("n1", 4000, 3600)
                .running("n2", 100, Long.MAX_VALUE / 2);

        String picture = draw(plan, new Terminal(80, false, true));

        assertThat(picture).contains("n1 │" + "█".repeat(60) + "│").contains("n2 │" + "▁".repeat(60) + "│");
    }

    private static PlanBuilder example() {
        return new PlanBuilder()
                .node("node1", 4000, "ann")
                .node("node2", 2000, "ann", List.of(PlanBuilder.interval(1500, 2100)))
                .running("node1", 2000, 600)
                .window(
                        "g",
                        600,
                        null,
                        new PlacedPod("node1", 1200, 0),
                        new PlacedPod("node1", 1200, 0),
                        new PlacedPod("node2", 900, 0))
                .window("h", 1200, null, new PlacedPod("node1", 1200, 0));
    }

    private static String draw(PlanBuilder plan, Terminal terminal) {
        return new GanttChart(terminal)
                .draw(PlanReportTest.report(plan), plan.snapshot().cluster());
    }
}
