package io.slotwise.lab.simulation.disturbance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.simulation.disturbance.Disturbance.OwnerJob;
import io.slotwise.lab.simulation.disturbance.Disturbance.Removed;
import io.slotwise.lab.simulation.disturbance.Disturbance.Repriced;
import io.slotwise.lab.simulation.disturbance.Disturbance.Returned;
import io.slotwise.lab.workload.log.MalformedWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisturbanceFileTest {
    private static final String HEADER = "second,event,node,price,cpu_milli,memory_mib,seconds\n";

    @TempDir
    private Path folder;

    @Test
    void linesBecomeDisturbancesInTheOrderOfTheirSeconds() throws IOException {
        List<Disturbance> all = read(HEADER
                + "50,returned,n1,,,,\n"
                + "40,removed,n1,,,,\n"
                + "60,price,n2,1.5,,,\n"
                + "60,owner-job,n2,,500,2,30\n");

        assertThat(all)
                .containsExactly(
                        new Removed(40, "n1"),
                        new Returned(50, "n1"),
                        new Repriced(60, "n2", Money.parse("1.5")),
                        new OwnerJob(
                                60,
                                "n2",
                                Resources.of(
                                        Map.of(Resources.CPU, 500L, Resources.MEMORY, 2L << 20, Resources.PODS, 1L)),
                                30));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            x,removed,n1,,,,     | 2:1: the field second (x) is not valid: expected a whole number
            1,gone,n1,,,,        | 2:2: the field event (gone) is not valid: expected removed, returned, price or owner-job
            1,removed,n9,,,,     | 2:3: the field node (n9) is not valid: expected the name of a node of the machine
            1,price,n1,-1,,,     | 2:4: the field price (-1) is not valid: expected a number that is not negative
            1,owner-job,n1,,0,,5 | 2:5: the field cpu_milli (0) is not valid: expected between 1 and 2147483647
            1,removed            | expected 7 (second,event,node,price,cpu_milli,memory_mib,seconds)
            """)
    void aWrongLineIsRefusedWithItsPlaceItsValueAndWhatWasExpected(String line, String message) {
        assertThatThrownBy(() -> read(HEADER + line + "\n"))
                .isInstanceOf(MalformedWorkload.class)
                .hasMessageEndingWith(message);
    }

    @Test
    void aFileWithoutTheHeaderIsRefused() {
        assertThatThrownBy(() -> read("1,removed,n1,,,,\n1,removed,n1,,,,\n"))
                .isInstanceOf(MalformedWorkload.class)
                .hasMessageContaining(":1:1: there is no column second: expected it among 1,removed,n1");
    }

    @Test
    void failuresAlternateWithReturnsUntilTheLastSecondAndFollowFromTheSeed() {
        NodeFailures failures = new NodeFailures(1000, 50, 100_000);

        List<Disturbance> all = draw(failures, 5);

        assertThat(draw(failures, 5)).isEqualTo(all);
        assertThat(draw(failures, 6)).isNotEqualTo(all);
        List<Disturbance> one = all.stream()
                .filter(disturbance -> disturbance.node().equals("n1"))
                .toList();
        assertThat(one).hasSizeBetween(120, 260);
        for (int i = 0; i < one.size(); i++) {
            assertThat(one.get(i)).isInstanceOf(i % 2 == 0 ? Removed.class : Returned.class);
        }
        assertThat(one.getLast()).isInstanceOf(Returned.class);
    }

    private static List<Disturbance> draw(NodeFailures failures, long seed) {
        return failures.of(
                List.of("n2", "n1"),
                0,
                RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
    }

    private List<Disturbance> read(String text) throws IOException {
        Path file = folder.resolve("disturbances.csv");
        Files.writeString(file, text);
        return DisturbanceFile.read(file, Set.of("n1", "n2"));
    }
}
