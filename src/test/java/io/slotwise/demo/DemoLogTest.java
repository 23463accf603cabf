package io.slotwise.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.plan.FirstPromise;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DemoLogTest {
    private static final Instant BEGIN = Instant.parse("2030-01-15T06:00:00Z");

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DemoLog chronicle = new DemoLog(
            new PrintStream(bytes, true, StandardCharsets.UTF_8),
            BEGIN,
            () -> new FirstPromise.Outcomes(31, 29, new TreeMap<>(Map.of("node-lost", 2L, "overrun", 5L))));

    private String written() {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }

    @Test
    void eachThingIsALineAndTheEndCountsThem() {
        chronicle.told(BEGIN.plusSeconds(5), "WindowPromised", "a/b", "soon");
        chronicle.told(BEGIN.plusSeconds(3_700), "NodeLost", "n1", "it fails");
        chronicle.close();

        assertThat(written()).isEqualTo("""
                        Tue 06:00:05  WindowPromised  a/b                   soon
                        Tue 07:01:40  NodeLost        n1                    it fails

                        1h01m of the demo: 29 of 31 gangs started by what was promised; moved: 5 overrun, 2 node-lost.
                        NodeLost 1, WindowPromised 1
                        """);
    }

    @Test
    void aPausedDemoSaysSo() {
        chronicle.told(BEGIN.plusSeconds(5), "WindowPromised", "a/b", "soon");
        chronicle.paused();

        assertThat(written()).endsWith("Tue 06:00:05  paused; the board stays. Ctrl-C ends it.\n");
    }

    @Test
    void thatAGangStillWaitsForTheSameReasonIsNoNews() {
        chronicle.told(BEGIN, "OverBudget", "a/b", "costs 1");
        chronicle.told(BEGIN, "OverBudget", "a/c", "costs 3");
        chronicle.told(BEGIN, "OverBudget", "a/b", "costs 2");
        chronicle.told(BEGIN, "WindowPromised", "a/b", "soon");
        chronicle.told(BEGIN, "OverBudget", "a/b", "costs 4");
        chronicle.told(BEGIN, "WindowImproved", "a/d", "sooner");
        chronicle.told(BEGIN, "WindowImproved", "a/d", "still sooner");

        assertThat(written()).doesNotContain("costs 2").contains("costs 1", "costs 3", "costs 4", "still sooner");
    }
}
