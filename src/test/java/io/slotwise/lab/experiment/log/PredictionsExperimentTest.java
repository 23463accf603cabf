package io.slotwise.lab.experiment.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.lab.experiment.ExperimentRun;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.workload.LogFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PredictionsExperimentTest {
    private static final ReplayedLog TINY = new ReplayedLog("tiny", "tiny.swf", 4, 1);

    /** A user whose jobs take 100, 200, 100, 200 ... seconds one after another, with an estimate of 1000. */
    private static PredictionsExperiment alternating(Path folder, int jobs) throws IOException {
        StringBuilder log = new StringBuilder("; MaxProcs: 4\n");
        for (int i = 1; i <= jobs; i++) {
            log.append("%d %d 0 %d 4 -1 -1 4 1000 -1 1 7 1 3 1 -1 -1 -1\n"
                    .formatted(i, i * 10_000, i % 2 == 1 ? 100 : 200));
        }
        Files.writeString(folder.resolve("tiny.swf"), log);
        return new PredictionsExperiment(new LogFolder(folder), List.of(TINY), PredictionsExperiment.usual());
    }

    @Test
    void everySourceOfEstimatesHasItsTrueError(@TempDir Path folder) throws IOException {
        ExperimentRun run = ExperimentRun.of(alternating(folder, 40), 1);

        // Half of the jobs are 900 s off, half 800.
        assertThat(run.value(PredictionsExperiment.USERS, "tiny", PredictionsExperiment.ERROR))
                .isEqualTo(850 / 60.0, Offset.offset(1e-3));
        assertThat(run.value(PredictionsExperiment.PERFECT, "tiny", PredictionsExperiment.ERROR))
                .isZero();
        // The mean of 100 and 200 is 50 s off, after a first default and a first run.
        assertThat(run.value(PredictionsExperiment.LAST_TWO, "tiny", PredictionsExperiment.ERROR))
                .isEqualTo((3500 + 100 + 38 * 50) / 40.0 / 60, Offset.offset(1e-3));
        // The longest of the last twenty is 200 s, which is right for half of the jobs.
        assertThat(run.value(PredictionsExperiment.LEARNT, "tiny", PredictionsExperiment.ERROR))
                .isEqualTo((3500 + 100 + 19 * 100) / 40.0 / 60, Offset.offset(1e-3));
        assertThat(run.value(PredictionsExperiment.LEARNT, "tiny", PredictionsExperiment.UNDER))
                .isEqualTo(2.5);
        assertThat(run.value(PredictionsExperiment.USERS, "tiny", PredictionsExperiment.WAIT))
                .as("who comes alone is planned at once")
                .isZero();
        assertThat(run.verdict("the mean of a user's last two runs")).isEqualTo(Verdict.YES);
    }

    @Test
    void mergedShardsEqualASingleRun(@TempDir Path folder) throws IOException {
        PredictionsExperiment experiment = alternating(folder, 12);
        Tally apart = new Tally();
        for (int part = 0; part < experiment.parts(); part++) {
            experiment.run(part, 1, apart);
        }
        Tally whole = new Tally();

        experiment.run(1, whole);

        assertThat(experiment.parts()).isEqualTo(6);
        assertThat(apart.sums()).usingRecursiveComparison().isEqualTo(whole.sums());
    }

    @Test
    void withoutALogTheExperimentSaysWhatItNeeds() {
        assertThat(new PredictionsExperiment(LogFolder.NONE).missing())
                .hasValueSatisfying(what -> assertThat(what)
                        .contains("expected --data FOLDER with one of KTH-SP2")
                        .contains("LANL-CM5"));
    }
}
