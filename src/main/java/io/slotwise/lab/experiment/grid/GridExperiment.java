package io.slotwise.lab.experiment.grid;

import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.TwoReadings;
import io.slotwise.lab.experiment.grid.GridPaper.Reading;
import io.slotwise.lab.experiment.grid.GridPaper.Setting;
import io.slotwise.lab.workload.LogFolder;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * AFCFS and LGFS before queues of processors, in some of the paper's scenarios.
 *
 * @param settings that are compared
 * @param workload in all of them
 * @param reading of the paper's text
 * @param findings of the paper's
 */
public record GridExperiment(
        ExperimentProfile profile,
        List<Setting> settings,
        GridWorkload workload,
        Reading reading,
        Function<Tally, List<Finding>> findings)
        implements Experiment {
    /** Without migration: scenario S1. */
    static GridExperiment gangs(LogFolder logs, Reading reading) {
        return new GridExperiment(
                profile(
                        "gangs",
                        "gangs before a queue per processor: AFCFS and LGFS on two clusters",
                        "section VII-B, figures 2 to 4, scenario S1"),
                Setting.of(1),
                new GridWorkload(logs, reading.log()),
                reading,
                GangsFindings::of);
    }

    /** Without migration, with it, and with the adaptive local dispatcher: scenarios S1 to S3. */
    static GridExperiment migration(LogFolder logs, Reading reading) {
        return new GridExperiment(
                profile(
                        "migration",
                        "gangs before a queue per processor that migrate within and between clusters",
                        "section VII-B, figures 2 to 4"),
                IntStream.rangeClosed(1, 3)
                        .boxed()
                        .flatMap(scenario -> Setting.of(scenario).stream())
                        .toList(),
                new GridWorkload(logs, reading.log()),
                reading,
                MigrationFindings::of);
    }

    /** Both readings beside each other, without migration. */
    public static Experiment gangs(LogFolder logs) {
        return new TwoReadings(gangs(logs, Reading.FIRST), gangs(logs, Reading.SECOND), GridPaper.SECOND_READING);
    }

    /** Both readings beside each other, with migration. */
    public static Experiment migration(LogFolder logs) {
        return new TwoReadings(
                migration(logs, Reading.FIRST), migration(logs, Reading.SECOND), GridPaper.SECOND_READING);
    }

    private static ExperimentProfile profile(String name, String title, String place) {
        return new ExperimentProfile(name, title, GridPaper.SOURCE.at(place), GridPaper.READINGS, GridPaper.RUNS);
    }

    @Override
    public Optional<String> missing() {
        return workload.missing();
    }

    @Override
    public void run(long seed, Tally tally) {
        settings.forEach(setting -> GridPaper.run(setting, reading, workload.jobs(), seed, tally));
    }

    @Override
    public Conclusion conclude(Tally all) {
        return new Conclusion(GridPaper.figures(settings, all), findings.apply(all));
    }
}
