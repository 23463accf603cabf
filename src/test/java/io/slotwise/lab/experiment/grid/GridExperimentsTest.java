package io.slotwise.lab.experiment.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.lab.experiment.ExperimentRun;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.grid.GridExperiment.GridPaper;
import io.slotwise.lab.experiment.grid.GridExperiment.GridPaper.Reading;
import io.slotwise.lab.experiment.grid.GridWorkload.Stretch;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogFolder;
import io.slotwise.testing.SharedData;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class GridExperimentsTest {
    private static final int RUNS = 2;

    @Test
    void theJobsAreAsManyAsThePapersWithTwoTasksMore() {
        List<Job> jobs = new GridWorkload(logs(), Stretch.HPC2N).jobs();

        assertThat(jobs).hasSize(1500);
        assertThat(jobs.stream().mapToInt(Job::size).sum()).isEqualTo(24_154);
        assertThat(jobs.getFirst().submit()).isZero();
        assertThat(jobs).allSatisfy(job -> assertThat(job.size()).isBetween(1, 64));
    }

    @Test
    void allFiguresOfAllScenariosAreThere() {
        ExperimentRun run = ExperimentRun.of(GridExperiment.migration(logs(), Reading.FIRST), RUNS);

        assertThat(run.results().rows()).hasSize(6 * 5 * 2 + 6 + 6 * 3).allSatisfy(row -> {
            assertThat(row.value()).isNotNull().isFinite();
            assertThat(row.ci95()).isNotNull();
        });
        assertThat(run.verdict("migration lowers the average response time")).isEqualTo(Verdict.YES);
        assertThat(run.verdict("migration raises the utilisation")).isEqualTo(Verdict.YES);
        assertThat(run.verdict("AFCFSm loses less capacity")).isEqualTo(Verdict.YES);
        assertThat(run.value("LGFS", "", GridPaper.LOCAL)).isZero();
    }

    @Test
    void theFirstScenarioIsTheSameInBothExperiments() {
        ExperimentRun alone = ExperimentRun.of(GridExperiment.gangs(logs(), Reading.FIRST), RUNS);
        ExperimentRun beside = ExperimentRun.of(GridExperiment.migration(logs(), Reading.FIRST), RUNS);

        assertThat(alone.value("AFCFS", GridPaper.end(), GridPaper.RESPONSE))
                .isLessThan(alone.value("LGFS", GridPaper.end(), GridPaper.RESPONSE));
        assertThat(alone.results().rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row)
                        .isEqualTo(beside.row(
                                row.point().series(),
                                row.point().x(),
                                row.point().metric())));
    }

    @Test
    void withoutTheLogTheExperimentSaysWhatItNeeds() {
        assertThat(GridExperiment.gangs(LogFolder.NONE).missing())
                .hasValueSatisfying(
                        what -> assertThat(what).contains("--data FOLDER").contains("HPC2N-2002-first3170jobs.swf.gz"));
    }

    @Test
    void theSecondReadingIsShownNextToTheFirst() {
        ExperimentRun first = ExperimentRun.of(GridExperiment.gangs(logs(), Reading.FIRST), RUNS);
        ExperimentRun second = ExperimentRun.of(GridExperiment.gangs(logs(), Reading.SECOND), RUNS);
        ExperimentRun both = ExperimentRun.of(GridExperiment.gangs(logs()), RUNS);

        assertThat(both.value("LGFS", "", GridPaper.LOSS)).isEqualTo(first.value("LGFS", "", GridPaper.LOSS));
        assertThat(both.row("LGFS", "", GridPaper.LOSS).second())
                .isNotNull()
                .satisfies(other -> assertThat(other.value()).isEqualTo(second.value("LGFS", "", GridPaper.LOSS)));
    }

    @Test
    void bothReadingsOfAllScenariosAreShownSideBySide() {
        ExperimentRun both = ExperimentRun.of(GridExperiment.migration(logs()), 1);

        assertThat(both.results().rows())
                .hasSize(6 * 5 * 2 + 6 + 6 * 3)
                .allSatisfy(row -> assertThat(row.second()).isNotNull());
    }

    private static LogFolder logs() {
        Path log = SharedData.file("swf/HPC2N-2002-first3170jobs.swf.gz").orElse(null);
        Assumptions.assumeTrue(log != null, "the log is not there");
        return new LogFolder(log.getParent());
    }
}
