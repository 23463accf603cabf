package io.slotwise.experiment;

import io.slotwise.experiment.GridPaper.Setting;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * AFCFS and LGFS before queues of processors, in some of the paper's scenarios.
 *
 * @param settings that are compared
 * @param workload in all of them
 * @param findings of the paper's
 */
record GridExperiment(
        Profile profile, List<Setting> settings, GridWorkload workload, Function<Tally, List<Finding>> findings)
        implements Experiment {
    /** Without migration: scenario S1. */
    static GridExperiment gangs(GridWorkload workload) {
        return new GridExperiment(
                profile(
                        "gangs",
                        "gangs before a queue per processor: AFCFS and LGFS on two clusters",
                        "section VII-B, figures 2 to 4, scenario S1"),
                Setting.of(1),
                workload,
                GangsFindings::of);
    }

    /** Without migration, with it, and with the adaptive local dispatcher: scenarios S1 to S3. */
    static GridExperiment migration(GridWorkload workload) {
        return new GridExperiment(
                profile(
                        "migration",
                        "gangs before a queue per processor that migrate within and between clusters",
                        "section VII-B, figures 2 to 4"),
                IntStream.rangeClosed(1, 3)
                        .boxed()
                        .flatMap(scenario -> Setting.of(scenario).stream())
                        .toList(),
                workload,
                MigrationFindings::of);
    }

    private static Profile profile(String name, String title, String place) {
        return new Profile(name, title, GridPaper.SOURCE.at(place), GridPaper.READINGS, GridPaper.RUNS);
    }

    @Override
    public Optional<String> missing() {
        return workload.missing();
    }

    @Override
    public void run(long seed, Tally tally) {
        settings.forEach(setting -> GridPaper.run(setting, workload.jobs(), seed, tally));
    }

    @Override
    public Conclusion conclude(Tally all) {
        return new Conclusion(GridPaper.figures(settings, all), findings.apply(all));
    }
}
