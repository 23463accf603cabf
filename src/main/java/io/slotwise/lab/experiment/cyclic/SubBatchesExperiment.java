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
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.TwoReadings;
import io.slotwise.lab.experiment.cyclic.CyclicPaper.Scene;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What cutting the batch into k sub-batches does to the plan, at three loads. */
public final class SubBatchesExperiment implements Experiment {
    private static final List<Integer> SUB_BATCHES = List.of(1, 2, 3, 5, 6, 10, 20);

    /** A load of the paper, which it tells by the share of failed cycles. */
    private record Load(String name, int nodes) {}

    private static final String HIGH = "high load";
    private static final String MEDIUM = "medium load";
    private static final String LOW = "low load";
    private static final List<String> NAMES = List.of(HIGH, MEDIUM, LOW);

    /** With these first fit fails as often as the paper says. */
    private static final List<Load> OF_FIRST_FIT =
            List.of(new Load(HIGH, 14), new Load(MEDIUM, CyclicPaper.NODES), new Load(LOW, 40));

    /** With these fair sharing does, on average over the numbers of sub-batches. */
    private static final List<Load> OF_FAIR_SHARING =
            List.of(new Load(HIGH, 17), new Load(MEDIUM, 26), new Load(LOW, 56));

    private final List<Load> loads;

    private SubBatchesExperiment(List<Load> loads) {
        this.loads = loads;
    }

    /** The paper's text as it was read first. */
    static Experiment firstReading() {
        return new SubBatchesExperiment(OF_FIRST_FIT);
    }

    /** Both readings beside each other. */
    public static Experiment both() {
        return new TwoReadings(
                firstReading(),
                new SubBatchesExperiment(OF_FAIR_SHARING),
                List.of(("The loads are %d, %d and %d nodes: with these it is the scheme that is compared, fair "
                                        + "sharing, that fails as often as")
                                .formatted(
                                        OF_FAIR_SHARING.get(0).nodes(),
                                        OF_FAIR_SHARING.get(1).nodes(),
                                        OF_FAIR_SHARING.get(2).nodes())
                        + " the paper says, on average over k, instead of first fit."));
    }

    @Override
    public ExperimentProfile profile() {
        return new ExperimentProfile(
                "sub-batches",
                "a batch cut into k sub-batches at three loads",
                CyclicPaper.SOURCE.at("section 2.3, figure 3"),
                CyclicPaper.readings(
                        ("The loads are %d, %d and %d nodes: with these, first fit leaves a job without a window "
                                                + "in 0.3, 0.03 and less")
                                        .formatted(
                                                OF_FIRST_FIT.get(0).nodes(),
                                                OF_FIRST_FIT.get(1).nodes(),
                                                OF_FIRST_FIT.get(2).nodes())
                                + " than 0.0002 of the cycles, which is how the paper tells its loads.",
                        "At most %d alternatives of a job are searched for.".formatted(CyclicScheme.MOST_ALTERNATIVES),
                        "Means are over the cycles in which every k has a plan for all jobs, so that all k are "
                                + "compared on the same" + " batches."),
                CyclicPaper.RUNS);
    }

    @Override
    public void run(long seed, Tally tally) {
        for (Load load : loads) {
            Scene scene = Scene.of(load.nodes(), seed);
            List<Plan> plans = SUB_BATCHES.stream()
                    .map(k -> scene.plan(CyclicScheme.cyclic(Searching.AEP, k), scene.users()))
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
    public Conclusion conclude(Tally all) {
        return new Conclusion(
                List.of(
                        figure("Figure 3: processor time of a job", CycleMeans.PROCESSOR_TIME, all),
                        figure("Section 2.3: alternatives of a job", CycleMeans.ALTERNATIVES, all),
                        figure("Section 2.3: cost of a job", CycleMeans.COST, all),
                        figure("Section 2.3: cycles without a plan for all jobs", CycleMeans.FAILURES, all)),
                List.of(
                        most(all),
                        rising(all, CycleMeans.ALTERNATIVES, "the alternatives of a job grow with k", 1),
                        rising(all, CycleMeans.COST, "the cost of the batch falls with k", -1),
                        rising(all, CycleMeans.FAILURES, "failures grow with k", 1),
                        resources(all)));
    }

    private static Figure figure(String title, String metric, Tally all) {
        Figure.Builder figure = new Figure.Builder(title, all);
        for (String load : NAMES) {
            SUB_BATCHES.forEach(k -> figure.mean(load, String.valueOf(k), metric));
        }
        return figure.build();
    }

    private static double of(Tally all, String load, int k, String metric) {
        return all.mean(load, String.valueOf(k), metric);
    }

    private static int best(Tally all, String load) {
        return SUB_BATCHES.stream()
                .min(Comparator.comparingDouble(k -> of(all, load, k, CycleMeans.PROCESSOR_TIME)))
                .orElseThrow();
    }

    private static Finding most(Tally all) {
        List<String> words = NAMES.stream()
                .map(load -> "at %s k = %d (%s; k = 1: %s; k = 20: %s)"
                        .formatted(
                                load,
                                best(all, load),
                                brief(of(all, load, best(all, load), CycleMeans.PROCESSOR_TIME)),
                                brief(of(all, load, 1, CycleMeans.PROCESSOR_TIME)),
                                brief(of(all, load, 20, CycleMeans.PROCESSOR_TIME))))
                .toList();
        return new Finding(
                "figure 3",
                "the least processor time comes with few sub-batches at high load, with many at low "
                        + "load, and sub-batches beat the" + " whole batch",
                Verdict.of(
                        best(all, HIGH) <= 5,
                        best(all, LOW) >= 10,
                        best(all, HIGH) < best(all, LOW),
                        best(all, MEDIUM) > 1,
                        best(all, LOW) > 1),
                String.join(", ", words));
    }

    private static Finding rising(Tally all, String metric, String statement, int sign) {
        List<String> words = new ArrayList<>();
        boolean[] parts = new boolean[NAMES.size()];
        for (int i = 0; i < parts.length; i++) {
            String load = NAMES.get(i);
            double from = of(all, load, SUB_BATCHES.getFirst(), metric);
            double to = of(all, load, SUB_BATCHES.getLast(), metric);
            boolean both = from == 0 && to == 0;
            parts[i] = both || sign * (to - from) > 0;
            words.add("%s %s to %s".formatted(load, two(from), two(to)));
        }
        return new Finding(
                "section 2.3", statement, Verdict.of(parts), "from k = 1 to 20: " + String.join(", ", words));
    }

    private static Finding resources(Tally all) {
        double[] alternatives = NAMES.stream()
                .mapToDouble(load -> of(all, load, 1, CycleMeans.ALTERNATIVES))
                .toArray();
        double[] failures = NAMES.stream()
                .mapToDouble(load -> of(all, load, 1, CycleMeans.FAILURES))
                .toArray();
        double[] costs = NAMES.stream()
                .mapToDouble(load -> of(all, load, 1, CycleMeans.COST))
                .toArray();
        return new Finding(
                "section 2.3",
                "with more resources there are more alternatives, fewer failures and lower costs",
                Verdict.of(
                        alternatives[0] < alternatives[1] && alternatives[1] < alternatives[2],
                        failures[0] > failures[1] && failures[1] >= failures[2],
                        costs[0] > costs[1] && costs[1] > costs[2]),
                "k = 1, high, medium, low load: alternatives %s, %s, %s; failures %s, %s, %s; cost %s, %s, %s"
                        .formatted(
                                brief(alternatives[0]),
                                brief(alternatives[1]),
                                brief(alternatives[2]),
                                two(failures[0]),
                                two(failures[1]),
                                two(failures[2]),
                                brief(costs[0]),
                                brief(costs[1]),
                                brief(costs[2])));
    }
}
