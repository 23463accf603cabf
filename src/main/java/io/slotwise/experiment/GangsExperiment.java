package io.slotwise.experiment;

import static io.slotwise.experiment.GridPaper.LOSS;
import static io.slotwise.experiment.GridPaper.RESPONSE;
import static io.slotwise.experiment.GridPaper.UTILISATION;

import io.slotwise.experiment.Finding.Verdict;
import io.slotwise.experiment.GridPaper.Setting;
import java.util.List;
import java.util.Optional;

/** AFCFS and LGFS before queues, gangs without migration: scenario S1. */
final class GangsExperiment implements Experiment {
    private static final List<Setting> SETTINGS = Setting.of(1);
    private static final List<String> SERIES =
            SETTINGS.stream().map(Setting::series).toList();

    private final GridWorkload workload;

    GangsExperiment(GridWorkload workload) {
        this.workload = workload;
    }

    @Override
    public Profile profile() {
        return new Profile(
                "gangs",
                "gangs before a queue per processor: AFCFS and LGFS on two clusters",
                GridPaper.SOURCE.at("section VII-B, figures 2 to 4, scenario S1"),
                GridPaper.READINGS,
                GridPaper.RUNS);
    }

    @Override
    public Optional<String> missing() {
        return workload.missing();
    }

    @Override
    public void run(long seed, Tally tally) {
        SETTINGS.forEach(setting -> GridPaper.run(setting, workload.jobs(), seed, tally));
    }

    @Override
    public Conclusion conclude(Tally all) {
        List<String> reversed = SERIES.reversed();
        return new Conclusion(
                GridPaper.figures(SETTINGS, all),
                List.of(
                        lowerResponse(all),
                        growth(all),
                        GridPaper.ascending(
                                "figure 3",
                                "AFCFS uses more of the clusters than LGFS (50 against 42.5 %)",
                                all,
                                GridPaper.end(),
                                UTILISATION,
                                reversed),
                        GridPaper.ascending(
                                "figure 4",
                                "AFCFS loses less capacity than LGFS (30.4 against 31.1 %)",
                                all,
                                "",
                                LOSS,
                                SERIES)));
    }

    private static Finding lowerResponse(Tally all) {
        List<String> executed = GridPaper.executed();
        boolean[] parts = new boolean[executed.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = GridPaper.ascending(all, executed.get(i), RESPONSE, SERIES)[0];
        }
        return new Finding(
                "figure 2",
                "AFCFS has the lower average response time whatever the number of executed jobs",
                Verdict.of(parts),
                GridPaper.numbers(all, GridPaper.end(), RESPONSE, SERIES));
    }

    private static Finding growth(Tally all) {
        List<String> executed = GridPaper.executed();
        boolean[] parts = new boolean[SERIES.size()];
        for (int i = 0; i < parts.length; i++) {
            String series = SERIES.get(i);
            parts[i] = all.mean(series, executed.getFirst(), RESPONSE) < all.mean(series, GridPaper.end(), RESPONSE);
        }
        return new Finding(
                "figure 2",
                "the average response time grows with the number of executed jobs",
                Verdict.of(parts),
                "after %s jobs %s; after %s jobs %s"
                        .formatted(
                                executed.getFirst(),
                                GridPaper.numbers(all, executed.getFirst(), RESPONSE, SERIES),
                                GridPaper.end(),
                                GridPaper.numbers(all, GridPaper.end(), RESPONSE, SERIES)));
    }
}
