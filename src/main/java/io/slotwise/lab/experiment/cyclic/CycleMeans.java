package io.slotwise.lab.experiment.cyclic;

import io.slotwise.core.plan.ChoiceExplanation;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.window.Window;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.workload.paper.PaperUnits;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The means over the jobs of one planning cycle. */
public final class CycleMeans {
    static final String ALTERNATIVES = "alternatives";
    public static final String START = "start";
    static final String RUNTIME = "runtime";
    public static final String FINISH = "finish";
    public static final String COST = "cost";
    public static final String PROCESSOR_TIME = "processor time";
    static final String FAILURES = "failures";

    private CycleMeans() {}

    /** Returns whether some job of the batch has no window. */
    static boolean failed(Plan plan) {
        return !plan.pending().isEmpty();
    }

    /** Counts whether the cycle failed, and adds the means of its windows if not. */
    static boolean note(Tally tally, String series, String x, Plan plan) {
        tally.add(series, x, FAILURES, failed(plan) ? 1 : 0);
        if (!failed(plan)) {
            noteWindows(tally, series, x, plan, _ -> true);
        }
        return !failed(plan);
    }

    static void noteWindows(Tally tally, String series, String x, Plan plan, Predicate<Planned> which) {
        List<Planned> jobs = plan.windows().stream().filter(which).toList();
        if (jobs.isEmpty()) {
            return;
        }
        noteWindows(tally, series, x, jobs.stream().map(Planned::window).toList());
        List<ChoiceExplanation> choices = plan.choices().stream()
                .filter(choice ->
                        jobs.stream().anyMatch(planned -> planned.gang().id().equals(choice.gang())))
                .toList();
        if (!choices.isEmpty()) {
            tally.add(
                    series,
                    x,
                    ALTERNATIVES,
                    mean(choices, choice -> choice.alternatives().size()));
        }
    }

    static double mean(Plan plan, ToDoubleFunction<Window> value) {
        return mean(plan.windows(), planned -> value.applyAsDouble(planned.window()));
    }

    public static void noteWindows(Tally tally, String series, String x, List<Window> windows) {
        tally.add(series, x, START, mean(windows, Window::start));
        tally.add(series, x, RUNTIME, mean(windows, Window::runtime));
        tally.add(series, x, FINISH, mean(windows, Window::end));
        tally.add(series, x, PROCESSOR_TIME, mean(windows, Window::processorTime));
        tally.add(
                series,
                x,
                COST,
                mean(windows, window -> (double) window.cost().microSecondsPerHour() / PaperUnits.COST));
    }

    public static <T> double mean(List<T> of, ToDoubleFunction<T> value) {
        return of.stream().mapToDouble(value).average().orElseThrow();
    }
}
