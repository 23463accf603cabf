package io.slotwise.lab.experiment.grid;

import static io.slotwise.lab.experiment.grid.GridPaper.LOSS;
import static io.slotwise.lab.experiment.grid.GridPaper.RESPONSE;
import static io.slotwise.lab.experiment.grid.GridPaper.UTILISATION;

import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.grid.GridPaper.Setting;
import java.util.List;
import java.util.stream.Collectors;

/** What the paper on gangs before queues finds of AFCFS and LGFS without migration. */
final class GangsFindings {
    private static final List<String> SERIES =
            Setting.of(1).stream().map(Setting::series).toList();

    private GangsFindings() {}

    static List<Finding> of(Tally all) {
        List<String> reversed = SERIES.reversed();
        return List.of(
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
                        SERIES));
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
                after(all, executed));
    }

    private static String after(Tally all, List<String> executed) {
        return executed.stream()
                .map(x -> "after %s jobs %s".formatted(x, GridPaper.numbers(all, x, RESPONSE, SERIES)))
                .collect(Collectors.joining("; "));
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
                after(all, List.of(executed.getFirst(), GridPaper.end())));
    }
}
