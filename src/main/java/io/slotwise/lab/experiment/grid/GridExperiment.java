package io.slotwise.lab.experiment.grid;

import static io.slotwise.lab.experiment.grid.GridExperiment.GridPaper.EXTERNAL;
import static io.slotwise.lab.experiment.grid.GridExperiment.GridPaper.LOCAL;
import static io.slotwise.lab.experiment.grid.GridExperiment.GridPaper.LOSS;
import static io.slotwise.lab.experiment.grid.GridExperiment.GridPaper.RESPONSE;
import static io.slotwise.lab.experiment.grid.GridExperiment.GridPaper.UTILISATION;

import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.TwoReadings;
import io.slotwise.lab.experiment.grid.GridExperiment.GridPaper.Reading;
import io.slotwise.lab.experiment.grid.GridExperiment.GridPaper.Setting;
import io.slotwise.lab.experiment.grid.GridWorkload.Stretch;
import io.slotwise.lab.simulation.grid.GangOrder;
import io.slotwise.lab.simulation.grid.Grid;
import io.slotwise.lab.simulation.grid.GridRecord;
import io.slotwise.lab.simulation.grid.GridSimulation;
import io.slotwise.lab.simulation.grid.GridSimulation.Rules;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogFolder;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** AFCFS and LGFS with queues of processors, in some of the paper's scenarios, all with the same workload. */
public record GridExperiment(
        ExperimentProfile profile,
        List<Setting> settings,
        GridWorkload workload,
        Reading reading,
        Function<Tally, List<Finding>> findings)
        implements Experiment {
    /** Returns scenario S1, without migration. */
    static GridExperiment gangs(LogFolder logs, Reading reading) {
        return new GridExperiment(
                ExperimentProfile.named("gangs"),
                Setting.of(1),
                new GridWorkload(logs, reading.stretch()),
                reading,
                tally -> new GridFindings(tally).withoutMigration());
    }

    /** Returns scenarios S1 to S3: without migration, with it, and with the adaptive local dispatcher. */
    static GridExperiment migration(LogFolder logs, Reading reading) {
        return new GridExperiment(
                ExperimentProfile.named("migration"),
                IntStream.rangeClosed(1, 3)
                        .boxed()
                        .flatMap(scenario -> Setting.of(scenario).stream())
                        .toList(),
                new GridWorkload(logs, reading.stretch()),
                reading,
                tally -> new GridFindings(tally).ofMigration());
    }

    public static Experiment gangs(LogFolder logs) {
        return new TwoReadings(gangs(logs, Reading.FIRST), gangs(logs, Reading.SECOND));
    }

    public static Experiment migration(LogFolder logs) {
        return new TwoReadings(migration(logs, Reading.FIRST), migration(logs, Reading.SECOND));
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
    public Conclusion conclude(Tally tally) {
        return new Conclusion(GridPaper.figures(settings, tally), findings.apply(tally));
    }

    private record GridFindings(Tally tally) {
        private static final List<String> AFCFS = List.of("AFCFS", "AFCFSm", "AFCFSm aLD");
        private static final List<String> LGFS = List.of("LGFS", "LGFSm", "LGFSm aLD");
        private static final List<String> PLAIN = List.of("AFCFS", "LGFS");
        private static final Measure TIME = new Measure(GridPaper.end(), RESPONSE, true);
        private static final Measure USE = new Measure(GridPaper.end(), UTILISATION, false);
        private static final Measure LOST = new Measure("", LOSS, true);

        /** A number of the figures at one x; {@code lowers} tells whether migration is to lower it or raise it. */
        private record Measure(String x, String metric, boolean lowers) {}

        List<Finding> withoutMigration() {
            List<String> executed = GridPaper.executed();
            return List.of(
                    new Finding(
                            "figure 2",
                            "AFCFS has the lower average response time whatever the number of executed jobs",
                            Verdict.each(executed, x -> grows(x, RESPONSE, PLAIN, 0)),
                            after(executed)),
                    new Finding(
                            "figure 2",
                            "the average response time grows with the number of executed jobs",
                            Verdict.each(
                                    PLAIN,
                                    series -> tally.mean(series, executed.getFirst(), RESPONSE)
                                            < tally.mean(series, GridPaper.end(), RESPONSE)),
                            after(List.of(executed.getFirst(), GridPaper.end()))),
                    ascending(
                            "figure 3",
                            "AFCFS uses more of the clusters than LGFS (50 against 42.5 %)",
                            USE,
                            PLAIN.reversed()),
                    ascending("figure 4", "AFCFS loses less capacity than LGFS (30.4 against 31.1 %)", LOST, PLAIN));
        }

        List<Finding> ofMigration() {
            return List.of(
                    step("figure 2", "migration lowers the average response time", TIME, 0),
                    ascending(
                            "figure 2",
                            "the adaptive dispatcher lowers AFCFSm's average response time further",
                            TIME,
                            List.of("AFCFSm aLD", "AFCFSm")),
                    littleChange(),
                    ascending(
                            "figure 2",
                            "AFCFSm has a lower average response time than LGFSm",
                            TIME,
                            List.of("AFCFSm", "LGFSm")),
                    step("figure 3", "migration raises the utilisation (50 to 60 %, 42.5 to 50 %)", USE, 0),
                    step("figure 3", "the adaptive dispatcher raises it further", USE, 1),
                    step("figure 4", "migration lowers the loss of capacity (30.4 to 7.08 %, 31.1 to 24.3 %)", LOST, 0),
                    step("figure 4", "the adaptive dispatcher lowers it further", LOST, 1),
                    ascending("figure 4", "AFCFSm loses less capacity than LGFSm", LOST, List.of("AFCFSm", "LGFSm")),
                    fewerMigrations());
        }

        private boolean grows(String x, String metric, List<String> series, int from) {
            return tally.mean(series.get(from), x, metric) < tally.mean(series.get(from + 1), x, metric);
        }

        /** Returns the finding that a number grows from each of these series to the next one. */
        private Finding ascending(String place, String statement, Measure measure, List<String> series) {
            return new Finding(
                    place,
                    statement,
                    Verdict.each(
                            IntStream.range(0, series.size() - 1).boxed().toList(),
                            from -> grows(measure.x, measure.metric, series, from)),
                    numbers(measure.x, measure.metric, series));
        }

        /** Returns the finding for the step from a scenario, counted from 0, to the next one, for both orders. */
        private Finding step(String place, String statement, Measure measure, int from) {
            List<List<String>> steps = List.of(AFCFS.subList(from, from + 2), LGFS.subList(from, from + 2));
            return new Finding(
                    place,
                    statement,
                    Verdict.each(
                            steps,
                            series -> grows(measure.x, measure.metric, measure.lowers ? series.reversed() : series, 0)),
                    steps.stream()
                            .map(series -> numbers(measure.x, measure.metric, series))
                            .collect(Collectors.joining("; ")));
        }

        private String after(List<String> executed) {
            return executed.stream()
                    .map(x -> "after %s jobs %s".formatted(x, numbers(x, RESPONSE, PLAIN)))
                    .collect(Collectors.joining("; "));
        }

        private String numbers(String x, String metric, List<String> series) {
            return series.stream()
                    .map(one -> String.format(
                            Locale.ROOT,
                            metric.equals(RESPONSE) ? "%s %.0f" : "%s %.1f",
                            one,
                            tally.mean(one, x, metric)))
                    .collect(Collectors.joining(", "));
        }

        /** The paper's own numbers contradict its text. */
        private Finding littleChange() {
            double before = tally.mean("LGFSm", GridPaper.end(), RESPONSE);
            double after = tally.mean("LGFSm aLD", GridPaper.end(), RESPONSE);
            return new Finding(
                    "figure 2",
                    "LGFSm's average response time changes by less than 5 % with the adaptive dispatcher; the paper"
                            + " calls it a reduction, its numbers (1.063e6 to 1.076e6) are a rise of 1.2 %",
                    Verdict.of(Math.abs(after / before - 1) < 0.05),
                    String.format(Locale.ROOT, "%.0f to %.0f, %+.1f %%", before, after, 100 * (after / before - 1)));
        }

        private Finding fewerMigrations() {
            return new Finding(
                    "section VII-B",
                    "there are fewer migrations with the adaptive dispatcher",
                    Verdict.each(List.of(AFCFS, LGFS), order -> migrations(order.get(2)) < migrations(order.get(1))),
                    String.format(
                            Locale.ROOT,
                            "AFCFSm %.0f to %.0f, LGFSm %.0f to %.0f",
                            migrations(AFCFS.get(1)),
                            migrations(AFCFS.get(2)),
                            migrations(LGFS.get(1)),
                            migrations(LGFS.get(2))));
        }

        private double migrations(String series) {
            return tally.mean(series, "", LOCAL) + tally.mean(series, "", EXTERNAL);
        }
    }

    /**
     * The scenarios and numbers of the paper on gangs in queues.
     *
     * <p>Source: F. A. P. Pinto, C. B. Chaves, L. G. Leite, F. H. L. Vasconcelos, G. C. Barroso, "Analysis of
     * Scheduling Algorithms with Migration Strategies in Distributed Systems" (2014), section VII.
     */
    static final class GridPaper {
        static final String RESPONSE = "average response time";
        static final String UTILISATION = "utilisation, %";
        static final String LOSS = "loss of capacity, %";
        static final String LOCAL = "local migrations";
        static final String EXTERNAL = "external migrations";
        static final String INTERRUPTIONS = "interruptions";

        private static final List<Integer> CLUSTERS = List.of(32, 64);
        private static final int EVERY = 300;
        private static final int AGING = 10;
        private static final long LOCAL_TRANSFER = 1;
        private static final long EXTERNAL_TRANSFER = 10;

        /**
         * A reading of the paper.
         *
         * @param lossByCluster whether idle processors only count as lost in the waiting gang's cluster
         * @param unitsASecond time units of the paper in a second
         */
        record Reading(Stretch stretch, boolean lossByCluster, int unitsASecond) {
            static final Reading FIRST = new Reading(Stretch.HPC2N, false, 1);
            static final Reading SECOND = new Reading(Stretch.NASA, true, 1000);
        }

        private GridPaper() {}

        /** A scheduler in a scenario: gangs migrate in S2 and S3, and running tasks are counted in S3. */
        record Setting(GangOrder order, boolean migrates, boolean adaptive) {
            /** Returns the settings of scenario S1, S2 or S3. */
            static List<Setting> of(int scenario) {
                return List.of(
                        new Setting(GangOrder.AFCFS, scenario > 1, scenario > 2),
                        new Setting(GangOrder.LGFS, scenario > 1, scenario > 2));
            }

            String series() {
                return order + (migrates ? "m" : "") + (adaptive ? " aLD" : "");
            }
        }

        /** Simulates one setting. The same seed gives all settings the same grid. */
        static void run(Setting setting, Reading reading, List<Job> jobs, long seed, Tally tally) {
            Grid grid = Grid.random(CLUSTERS, Seeds.generator(Seeds.of(seed, 0)));
            Rules rules = new Rules(
                    setting.order(), setting.migrates(), setting.adaptive(), AGING, LOCAL_TRANSFER, EXTERNAL_TRANSFER);

            GridRecord record = GridSimulation.run(grid, rules, jobs, Seeds.generator(Seeds.of(seed, 1)), EVERY);
            String series = setting.series();
            for (GridRecord.Checkpoint checkpoint : record.checkpoints()) {
                String x = Integer.toString(checkpoint.executed());
                tally.add(series, x, RESPONSE, reading.unitsASecond() * checkpoint.responseTime());
                tally.add(series, x, UTILISATION, 100 * checkpoint.utilisation());
            }
            double lost = reading.lossByCluster() ? record.lossOfCapacityByCluster() : record.lossOfCapacity();
            tally.add(series, "", LOSS, 100 * lost);
            tally.add(series, "", LOCAL, (double) record.localMigrations());
            tally.add(series, "", EXTERNAL, (double) record.externalMigrations());
            tally.add(series, "", INTERRUPTIONS, (double) record.interruptions());
        }

        static List<String> executed() {
            return IntStream.rangeClosed(1, GridWorkload.JOBS / EVERY)
                    .mapToObj(i -> Integer.toString(i * EVERY))
                    .toList();
        }

        static String end() {
            return Integer.toString(GridWorkload.JOBS);
        }

        /** Returns figures 2 to 4 for these settings, with the paper's numbers where it gives some. */
        static List<Figure> figures(List<Setting> settings, Tally tally) {
            Figure.Builder responseBuilder =
                    new Figure.Builder("Figure 2: average response time by executed jobs, time units", tally);
            Figure.Builder utilisationBuilder = new Figure.Builder("Figure 3: utilisation by executed jobs, %", tally);
            Figure.Builder lossBuilder = new Figure.Builder("Figure 4: loss of capacity, %", tally);
            Figure.Builder countsBuilder = new Figure.Builder("Migrations and interruptions", tally);
            for (Setting setting : settings) {
                String series = setting.series();
                List<@Nullable Double> paper =
                        Objects.requireNonNull(ExperimentProfile.named("gangs").row(series));
                for (String x : executed()) {
                    responseBuilder.mean(series, x, RESPONSE, x.equals(end()) ? paper.get(0) : null);
                    utilisationBuilder.mean(series, x, UTILISATION, x.equals(end()) ? paper.get(1) : null);
                }
                lossBuilder.mean(series, "", LOSS, paper.get(2));
                countsBuilder.mean(series, "", LOCAL).mean(series, "", EXTERNAL).mean(series, "", INTERRUPTIONS);
            }
            return List.of(
                    responseBuilder.build(), utilisationBuilder.build(), lossBuilder.build(), countsBuilder.build());
        }
    }
}
