package io.slotwise.lab.experiment.cyclic;

import static io.slotwise.lab.experiment.Numbers.brief;
import static io.slotwise.lab.experiment.Numbers.two;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.COMBINED;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.JOBS;

import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.cyclic.CyclicPaper.Situation;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;

/** The combined method: the cyclic scheme for the first jobs, and backfilling for the others. */
public final class CombinedExperiment implements Experiment {
    private static final int STEPS = 10;
    private static final String EXACT = "combined, exact";
    private static final List<String> SERIES = List.of(COMBINED, EXACT);
    private static final List<Integer> PARTS =
            IntStream.rangeClosed(0, STEPS).boxed().toList();
    private static final List<String> XS =
            PARTS.stream().map(CombinedExperiment::x).toList();

    @Override
    public ExperimentProfile profile() {
        return ExperimentProfile.named("combined");
    }

    @Override
    public void run(long seed, Tally tally) {
        Situation situation = Situation.of(CyclicPaper.NODES, seed);
        run(situation, COMBINED, Searching.AEP, tally);
        run(situation, EXACT, Searching.EXACT, tally);
    }

    private static void run(Situation situation, String series, Searching searching, Tally tally) {
        List<Plan> plans =
                PARTS.stream().map(part -> plan(situation, part, searching)).toList();
        boolean whole = plans.stream().noneMatch(CycleMeans::failed);
        for (int part : PARTS) {
            Plan plan = plans.get(part);
            tally.add(series, x(part), CycleMeans.FAILURES, CycleMeans.failed(plan) ? 1 : 0);
            if (whole) {
                CycleMeans.noteWindows(tally, series, x(part), plan, _ -> true);
            }
        }
    }

    private static Plan plan(Situation situation, int part, Searching searching) {
        int first = JOBS * part / STEPS;
        return situation.plan(
                CyclicScheme.combined(CyclicScheme.cyclic(searching, 1), first, JOBS),
                situation.indifferentFrom(first));
    }

    private static String x(int part) {
        return BigDecimal.valueOf(part, 1).toPlainString();
    }

    @Override
    public Conclusion conclude(Tally tally) {
        return new Conclusion(
                List.of(
                        Figure.grid("Figure 4: processor time of a job", tally, CycleMeans.PROCESSOR_TIME, SERIES, XS),
                        Figure.grid("Figure 4: start of a job", tally, CycleMeans.START, SERIES, XS),
                        Figure.grid("Cycles without a plan for all jobs", tally, CycleMeans.FAILURES, SERIES, XS)),
                List.of(monotone(tally, COMBINED), crossing(tally, COMBINED), crossing(tally, EXACT)));
    }

    private static Finding monotone(Tally tally, String series) {
        double[] times = tally.means(series, XS, CycleMeans.PROCESSOR_TIME);
        double[] starts = tally.means(series, XS, CycleMeans.START);
        boolean falls = true;
        boolean rises = true;
        for (int i = 0; i < STEPS; i++) {
            falls &= times[i + 1] <= times[i];
            rises &= starts[i + 1] >= starts[i];
        }
        return new Finding(
                "figure 4",
                "the larger the cyclic part, the less processor time and the later the start, without exception",
                Verdict.of(falls, rises),
                "processor time %s to %s, start %s to %s"
                        .formatted(brief(times[0]), brief(times[STEPS]), brief(starts[0]), brief(starts[STEPS])));
    }

    private static Finding crossing(Tally tally, String series) {
        double[] times = tally.means(series, XS, CycleMeans.PROCESSOR_TIME);
        double[] starts = tally.means(series, XS, CycleMeans.START);
        double at = Double.NaN;
        for (int i = 0; i < STEPS && Double.isNaN(at); i++) {
            double before = times[i] - starts[i];
            double after = times[i + 1] - starts[i + 1];
            if (before >= 0 && after < 0) {
                at = (i + before / (before - after)) / STEPS;
            }
        }
        return new Finding(
                series.equals(COMBINED) ? "figure 4" : "ours",
                "the curves of processor time and start cross at a compromise"
                        + (series.equals(COMBINED) ? "" : "; with the exact search"),
                Verdict.of(Double.isFinite(at)),
                Double.isFinite(at) ? "they cross at a part of " + two(at) : "they do not cross");
    }
}
