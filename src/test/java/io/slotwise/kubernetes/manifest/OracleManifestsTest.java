package io.slotwise.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.testing.OracleWindows;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class OracleManifestsTest {
    @Test
    void allManifestsAreReadWithoutNotes() throws IOException {
        assumeTrue(
                OracleWindows.file().isPresent(),
                "oracle/windows.jsonl.gz is neither in ../shared/data nor in SLOTWISE_DATA: nothing to compare with");

        List<OracleWindows.Case> cases =
                OracleWindows.cases(OracleWindows.file().orElseThrow());

        assertThat(cases).hasSize(160);
        for (OracleWindows.Case oracle : cases) {
            IntakeResult result = oracle.taken(Criterion.COST);
            assertThat(result.warnings()).filteredOn(IntakeWarning::isOfConcern).isEmpty();
            assertThat(result.snapshot().held()).isEmpty();
            assertThat(result.snapshot().cluster().inventory())
                    .hasSize(8)
                    .allSatisfy(node -> assertThat(node.schedulable()).isTrue());
            assertThat(result.snapshot().cluster().occupations())
                    .allSatisfy(occupation ->
                            assertThat(occupation.interval().end()).isLessThan(Interval.FOREVER));
            assertThat(result.snapshot().requests()).hasSize(1);
            Gang gang = result.snapshot().requests().getFirst().gang();
            assertThat(gang.size()).isBetween(2, 4);
            assertThat(gang.criterion()).isEqualTo(Criterion.COST);
            assertThat(gang.budget().total()).isNotNull();
        }
    }
}
