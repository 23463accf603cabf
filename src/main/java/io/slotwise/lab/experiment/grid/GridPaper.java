package io.slotwise.lab.experiment.grid;

import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.PaperSource;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.grid.GridWorkload.Stretch;
import io.slotwise.lab.simulation.grid.GangInterruption;
import io.slotwise.lab.simulation.grid.GangOrder;
import io.slotwise.lab.simulation.grid.Grid;
import io.slotwise.lab.simulation.grid.GridRecord;
import io.slotwise.lab.simulation.grid.GridSimulation;
import io.slotwise.lab.simulation.grid.GridSimulation.Rules;
import io.slotwise.lab.workload.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** What the experiments of the paper on gangs before queues share: its scenarios, its numbers and its readings. */
final class GridPaper {
    static final PaperSource SOURCE = new PaperSource(
            "F. A. P. Pinto, C. B. Chaves, L. G. Leite, F. H. L. Vasconcelos, G. C. Barroso",
            "Analysis of Scheduling Algorithms with Migration Strategies in Distributed Systems",
            2014,
            "section VII");

    /** The paper's number of simulations. */
    static final int RUNS = 10;

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

    static final List<String> READINGS = List.of(
            ("The log is HPC2N's of 2002: %d jobs of at most 64 processors, from the 1050th such job "
                                    + "on, with %d tasks (the paper: 24152);")
                            .formatted(GridWorkload.JOBS, GridWorkload.TASKS)
                    + " the paper does not name its own.",
            "All tasks of a gang start, stop and end together: it keeps its processors until its "
                    + "task on the slowest is done.",
            "Of queues of one length any is as likely to get the next task; clusters with the same "
                    + "load are taken in order.",
            "A single task looks for an idle processor in its cluster, then in the other one, then "
                    + "for one that is only reserved;" + " a gang that it stops goes on where it was.",
            "A migration takes 1 s within a cluster and 10 s to another one; the paper gives no time.",
            "Aging: a gang that 10 gangs have migrated past lets no later one migrate before it "
                    + "starts; the paper gives no rule.",
            "Capacity is lost while a gang waits in a cluster that has as many idle processors as "
                    + "the gang has tasks, as (6) says.",
            "The paper's time unit, which it does not name, is a second.",
            "Figure 3 runs over iterations that the paper does not explain; here over executed jobs.");

    static final List<String> SECOND_READING = List.of(
            "The log is NASA-iPSC's of 1993: its first %d jobs of at most 64 processors, all of them powers of two."
                    .formatted(GridWorkload.JOBS),
            "Capacity is lost in each cluster by itself: only the idle processors of the cluster in which the gang "
                    + "waits count.",
            "The paper's time unit is a millisecond.");

    /**
     * How the paper's text is read.
     *
     * @param log which jobs are executed
     * @param lossByCluster whether idle processors of another cluster than that of the waiting gang are not lost
     * @param unitsASecond time units of the paper in a second
     */
    record Reading(Stretch log, boolean lossByCluster, int unitsASecond) {
        static final Reading FIRST = new Reading(Stretch.HPC2N, false, 1);
        static final Reading SECOND = new Reading(Stretch.NASA, true, 1000);
    }

    /** The numbers that the paper's text gives, by series. */
    private static final class Papers {
        private static final Map<String, Double> RESPONSE = Map.of("LGFSm", 1.063e6, "LGFSm aLD", 1.076e6);
        private static final Map<String, Double> UTILISATION = Map.of(
                "AFCFS", 50.0, "LGFS", 42.5, "AFCFSm", 60.0, "LGFSm", 50.0, "AFCFSm aLD", 75.0, "LGFSm aLD", 75.0);
        private static final Map<String, Double> LOSS =
                Map.of("AFCFS", 30.4, "LGFS", 31.1, "AFCFSm", 7.08, "LGFSm", 24.3);
    }

    private GridPaper() {}

    /**
     * A scheduler in a scenario.
     *
     * @param order of the queues
     * @param migrates whether gangs migrate (scenarios S2 and S3)
     * @param adaptive whether the local dispatcher counts running tasks (scenario S3)
     */
    record Setting(GangOrder order, boolean migrates, boolean adaptive) {
        /** The settings of scenario S1, S2 or S3. */
        static List<Setting> of(int scenario) {
            return List.of(
                    new Setting(GangOrder.AFCFS, scenario > 1, scenario > 2),
                    new Setting(GangOrder.LGFS, scenario > 1, scenario > 2));
        }

        /** The paper's name for it. */
        String series() {
            return order + (migrates ? "m" : "") + (adaptive ? " aLD" : "");
        }
    }

    /** Simulates one setting; the same seed gives all settings the same grid. */
    static void run(Setting setting, Reading reading, List<Job> jobs, long seed, Tally tally) {
        Grid grid = Grid.random(CLUSTERS, Seeds.generator(Seeds.of(seed, 0)));
        Rules rules = new Rules(
                setting.order(),
                setting.migrates(),
                setting.adaptive(),
                GangInterruption.RESUME,
                AGING,
                LOCAL_TRANSFER,
                EXTERNAL_TRANSFER);
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

    /** The numbers of executed jobs at which figures 2 and 3 are read. */
    static List<String> executed() {
        return IntStream.rangeClosed(1, GridWorkload.JOBS / EVERY)
                .mapToObj(i -> Integer.toString(i * EVERY))
                .toList();
    }

    /** All jobs executed. */
    static String end() {
        return Integer.toString(GridWorkload.JOBS);
    }

    /** Figures 2 to 4 for these settings, with the paper's numbers where its text gives some. */
    static List<Figure> figures(List<Setting> settings, Tally all) {
        Figure.Builder response =
                new Figure.Builder("Figure 2: average response time by executed jobs, time units", all);
        Figure.Builder utilisation = new Figure.Builder("Figure 3: utilisation by executed jobs, %", all);
        Figure.Builder loss = new Figure.Builder("Figure 4: loss of capacity, %", all);
        Figure.Builder counts = new Figure.Builder("Migrations and interruptions", all);
        for (Setting setting : settings) {
            String series = setting.series();
            for (String x : executed()) {
                response.mean(series, x, RESPONSE, x.equals(end()) ? Papers.RESPONSE.get(series) : null);
                utilisation.mean(series, x, UTILISATION, x.equals(end()) ? Papers.UTILISATION.get(series) : null);
            }
            loss.mean(series, "", LOSS, Papers.LOSS.get(series));
            counts.mean(series, "", LOCAL).mean(series, "", EXTERNAL).mean(series, "", INTERRUPTIONS);
        }
        return List.of(response.build(), utilisation.build(), loss.build(), counts.build());
    }

    /** Whether a number grows strictly from each of these series to the next one. */
    static boolean[] ascending(Tally all, String x, String metric, List<String> series) {
        boolean[] parts = new boolean[series.size() - 1];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = all.mean(series.get(i), x, metric) < all.mean(series.get(i + 1), x, metric);
        }
        return parts;
    }

    /** A finding that a number grows from each of these series to the next one. */
    static Finding ascending(String place, String statement, Tally all, String x, String metric, List<String> series) {
        return new Finding(
                place, statement, Verdict.of(ascending(all, x, metric, series)), numbers(all, x, metric, series));
    }

    /** These series' numbers in words. */
    static String numbers(Tally all, String x, String metric, List<String> series) {
        List<String> words = new ArrayList<>();
        for (String one : series) {
            words.add(String.format(
                    Locale.ROOT, metric.equals(RESPONSE) ? "%s %.0f" : "%s %.1f", one, all.mean(one, x, metric)));
        }
        return String.join(", ", words);
    }
}
