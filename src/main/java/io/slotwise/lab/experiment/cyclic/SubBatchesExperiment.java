package io.slotwise.lab.experiment.cyclic;

import static io.slotwise.lab.experiment.Numbers.brief;
import static io.slotwise.lab.experiment.Numbers.two;

import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Numbers;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.TwoReadings;
import io.slotwise.lab.experiment.cyclic.CyclicPaper.Situation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** The effect of k sub-batches on the plan, at three loads. */
public record SubBatchesExperiment(List<Load> loads) implements Experiment {
    private static final List<Integer> SUB_BATCHES = List.of(1, 2, 3, 5, 6, 10, 20);
    private static final List<String> XS =
            SUB_BATCHES.stream().map(String::valueOf).toList();

    /** A load of the paper, which names it by the share of failed cycles. */
    record Load(String name, int nodes) {}

    private static final String HIGH = "high load";
    private static final String MEDIUM = "medium load";
    private static final String LOW = "low load";
    private static final List<String> NAMES = List.of(HIGH, MEDIUM, LOW);

    /** The loads at which first fit fails as often as in the paper. */
    private static final List<Load> OF_FIRST_FIT =
            List.of(new Load(HIGH, 14), new Load(MEDIUM, CyclicPaper.NODES), new Load(LOW, 40));

    /** The loads at which fair sharing fails as often, on average over the numbers of sub-batches. */
    private static final List<Load> OF_FAIR_SHARING =
            List.of(new Load(HIGH, 17), new Load(MEDIUM, 26), new Load(LOW, 56));

    static Experiment firstReading() {
        return new SubBatchesExperiment(OF_FIRST_FIT);
    }

    public static Experiment both() {
        return new TwoReadings(firstReading(), new SubBatchesExperiment(OF_FAIR_SHARING));
    }

    @Override
    public ExperimentProfile profile() {
        return ExperimentProfile.named("sub-batches");
    }

    @Override
    public void run(long seed, Tally tally) {
        for (Load load : loads) {
            Situation situation = Situation.of(load.nodes(), seed);
            List<Plan> plans = SUB_BATCHES.stream()
                    .map(k -> situation.plan(CyclicScheme.cyclic(Searching.AEP, k), situation.users()))
                    .toList();
            boolean whole = plans.stream().noneMatch(CycleMeans::failed);
            for (int i = 0; i < plans.size(); i++) {
                String x = String.valueOf(SUB_BATCHES.get(i));
                Plan plan = plans.get(i);
                tally.add(load.name(), x, CycleMeans.FAILURES, CycleMeans.failed(plan) ? 1 : 0);
                if (whole) {
                    CycleMeans.noteWindows(tally, load.name(), x, plan, _ -> true);
                }
            }
        }
    }

    @Override
    public Conclusion conclude(Tally tally) {
        return new Conclusion(
                List.of(
                        Figure.grid("Figure 3: processor time of a job", tally, CycleMeans.PROCESSOR_TIME, NAMES, XS),
                        Figure.grid("Section 2.3: alternatives of a job", tally, CycleMeans.ALTERNATIVES, NAMES, XS),
                        Figure.grid("Section 2.3: cost of a job", tally, CycleMeans.COST, NAMES, XS),
                        Figure.grid(
                                "Section 2.3: cycles without a plan for all jobs",
                                tally,
                                CycleMeans.FAILURES,
                                NAMES,
                                XS)),
                List.of(
                        most(tally),
                        rising(tally, CycleMeans.ALTERNATIVES, "the alternatives of a job grow with k", 1),
                        rising(tally, CycleMeans.COST, "the cost of the batch falls with k", -1),
                        rising(tally, CycleMeans.FAILURES, "failures grow with k", 1),
                        resources(tally)));
    }

    private static double of(Tally tally, String load, int k, String metric) {
        return tally.mean(load, String.valueOf(k), metric);
    }

    private static int best(Tally tally, String load) {
        return SUB_BATCHES.stream()
                .min(Comparator.comparingDouble(k -> of(tally, load, k, CycleMeans.PROCESSOR_TIME)))
                .orElseThrow();
    }

    private static Finding most(Tally tally) {
        List<String> words = NAMES.stream()
                .map(load -> "at %s k = %d (%s; k = 1: %s; k = 20: %s)"
                        .formatted(
                                load,
                                best(tally, load),
                                brief(of(tally, load, best(tally, load), CycleMeans.PROCESSOR_TIME)),
                                brief(of(tally, load, 1, CycleMeans.PROCESSOR_TIME)),
                                brief(of(tally, load, 20, CycleMeans.PROCESSOR_TIME))))
                .toList();
        return new Finding(
                "figure 3",
                "the least processor time comes with few sub-batches at high load, with many at low load, and "
                        + "sub-batches beat the whole batch",
                Verdict.of(
                        best(tally, HIGH) <= 5,
                        best(tally, LOW) >= 10,
                        best(tally, HIGH) < best(tally, LOW),
                        best(tally, MEDIUM) > 1,
                        best(tally, LOW) > 1),
                String.join(", ", words));
    }

    private static Finding rising(Tally tally, String metric, String statement, int sign) {
        return new Finding(
                "section 2.3",
                statement,
                Verdict.each(NAMES, load -> {
                    double from = of(tally, load, SUB_BATCHES.getFirst(), metric);
                    double to = of(tally, load, SUB_BATCHES.getLast(), metric);
                    return (from == 0 && to == 0) || sign * (to - from) > 0;
                }),
                NAMES.stream()
                        .map(load -> "%s %s to %s"
                                .formatted(
                                        load,
                                        two(of(tally, load, SUB_BATCHES.getFirst(), metric)),
                                        two(of(tally, load, SUB_BATCHES.getLast(), metric))))
                        .collect(Collectors.joining(", ", "from k = 1 to 20: ", "")));
    }

    private static double[] whole(Tally tally, String metric) {
        return NAMES.stream().mapToDouble(load -> of(tally, load, 1, metric)).toArray();
    }

    private static Finding resources(Tally tally) {
        double[] alternatives = whole(tally, CycleMeans.ALTERNATIVES);
        double[] failures = whole(tally, CycleMeans.FAILURES);
        double[] costs = whole(tally, CycleMeans.COST);
        return new Finding(
                "section 2.3",
                "with more resources there are more alternatives, fewer failures and lower costs",
                Verdict.of(
                        alternatives[0] < alternatives[1] && alternatives[1] < alternatives[2],
                        failures[0] > failures[1] && failures[1] >= failures[2],
                        costs[0] > costs[1] && costs[1] > costs[2]),
                "k = 1, high, medium, low load: alternatives %s; failures %s; cost %s"
                        .formatted(
                                words(alternatives, Numbers::brief),
                                words(failures, Numbers::two),
                                words(costs, Numbers::brief)));
    }

    private static String words(double[] numbers, DoubleFunction<String> words) {
        return Arrays.stream(numbers).mapToObj(words).collect(Collectors.joining(", "));
    }
}
