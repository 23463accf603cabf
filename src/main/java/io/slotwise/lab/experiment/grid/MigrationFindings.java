package io.slotwise.lab.experiment.grid;

import static io.slotwise.lab.experiment.grid.GridPaper.EXTERNAL;
import static io.slotwise.lab.experiment.grid.GridPaper.LOCAL;
import static io.slotwise.lab.experiment.grid.GridPaper.LOSS;
import static io.slotwise.lab.experiment.grid.GridPaper.RESPONSE;
import static io.slotwise.lab.experiment.grid.GridPaper.UTILISATION;

import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Tally;
import java.util.List;
import java.util.Locale;

/** What the paper on gangs before queues finds of migration and of the adaptive dispatcher. */
final class MigrationFindings {
    private static final List<String> AFCFS = List.of("AFCFS", "AFCFSm", "AFCFSm aLD");
    private static final List<String> LGFS = List.of("LGFS", "LGFSm", "LGFSm aLD");

    private MigrationFindings() {}

    static List<Finding> of(Tally all) {
        return List.of(
                migrating(
                        "figure 2", "migration lowers the average response time", all, GridPaper.end(), RESPONSE, true),
                GridPaper.ascending(
                        "figure 2",
                        "the adaptive dispatcher lowers AFCFSm's average response time further",
                        all,
                        GridPaper.end(),
                        RESPONSE,
                        List.of("AFCFSm aLD", "AFCFSm")),
                littleChange(all),
                GridPaper.ascending(
                        "figure 2",
                        "AFCFSm has a lower average response time than LGFSm",
                        all,
                        GridPaper.end(),
                        RESPONSE,
                        List.of("AFCFSm", "LGFSm")),
                migrating(
                        "figure 3",
                        "migration raises the utilisation (50 to 60 %, 42.5 to 50 %)",
                        all,
                        GridPaper.end(),
                        UTILISATION,
                        false),
                adaptive(
                        "figure 3",
                        "the adaptive dispatcher raises it further",
                        all,
                        GridPaper.end(),
                        UTILISATION,
                        false),
                migrating(
                        "figure 4",
                        "migration lowers the loss of capacity (30.4 to 7.08 %, 31.1 to 24.3 %)",
                        all,
                        "",
                        LOSS,
                        true),
                adaptive("figure 4", "the adaptive dispatcher lowers it further", all, "", LOSS, true),
                GridPaper.ascending(
                        "figure 4", "AFCFSm loses less capacity than LGFSm", all, "", LOSS, List.of("AFCFSm", "LGFSm")),
                fewerMigrations(all));
    }

    private static Finding migrating(
            String place, String statement, Tally all, String x, String metric, boolean lowers) {
        return change(place, statement, all, x, metric, lowers, 0);
    }

    private static Finding adaptive(
            String place, String statement, Tally all, String x, String metric, boolean lowers) {
        return change(place, statement, all, x, metric, lowers, 1);
    }

    /** From scenario number {@code from}, counted from 0, to the next one, for both orders. */
    private static Finding change(
            String place, String statement, Tally all, String x, String metric, boolean lowers, int from) {
        boolean[] parts = new boolean[2];
        List<List<String>> orders = List.of(AFCFS, LGFS);
        for (int i = 0; i < parts.length; i++) {
            double before = all.mean(orders.get(i).get(from), x, metric);
            double after = all.mean(orders.get(i).get(from + 1), x, metric);
            parts[i] = lowers ? after < before : after > before;
        }
        return new Finding(
                place,
                statement,
                Verdict.of(parts),
                GridPaper.numbers(all, x, metric, AFCFS.subList(from, from + 2)) + "; "
                        + GridPaper.numbers(all, x, metric, LGFS.subList(from, from + 2)));
    }

    /** The paper's own numbers say the opposite of its words. */
    private static Finding littleChange(Tally all) {
        double before = all.mean("LGFSm", GridPaper.end(), RESPONSE);
        double after = all.mean("LGFSm aLD", GridPaper.end(), RESPONSE);
        return new Finding(
                "figure 2",
                "LGFSm's average response time changes by less than 5 % with the adaptive dispatcher; "
                        + "the paper calls it a reduction," + " its numbers (1.063e6 to 1.076e6) are a rise of 1.2 %",
                Verdict.of(Math.abs(after / before - 1) < 0.05),
                String.format(Locale.ROOT, "%.0f to %.0f, %+.1f %%", before, after, 100 * (after / before - 1)));
    }

    private static Finding fewerMigrations(Tally all) {
        boolean[] parts = new boolean[2];
        List<List<String>> orders = List.of(AFCFS, LGFS);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = migrations(all, orders.get(i).get(2))
                    < migrations(all, orders.get(i).get(1));
        }
        return new Finding(
                "section VII-B",
                "there are fewer migrations with the adaptive dispatcher",
                Verdict.of(parts),
                String.format(
                        Locale.ROOT,
                        "AFCFSm %.0f to %.0f, LGFSm %.0f to %.0f",
                        migrations(all, AFCFS.get(1)),
                        migrations(all, AFCFS.get(2)),
                        migrations(all, LGFS.get(1)),
                        migrations(all, LGFS.get(2))));
    }

    private static double migrations(Tally all, String series) {
        return all.mean(series, "", LOCAL) + all.mean(series, "", EXTERNAL);
    }
}
