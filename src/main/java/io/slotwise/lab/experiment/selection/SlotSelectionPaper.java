package io.slotwise.lab.experiment.selection;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.baseline.Baseline;
import io.slotwise.core.window.baseline.Csa;
import io.slotwise.core.window.baseline.FreeSlotList;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.lab.experiment.PaperSource;
import io.slotwise.lab.workload.paper.EnvironmentModel;
import io.slotwise.lab.workload.paper.EnvironmentModel.MarketPrice;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the experiments of the paper on AEP share: its words for the algorithms, and its readings. */
final class SlotSelectionPaper {
    static final PaperSource SOURCE = new PaperSource(
            "V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov",
            "Slot Selection and Co-allocation Algorithms for Economic Scheduling in Distributed Computing",
            2013,
            "section 3");

    static final String CSA = "CSA";
    static final String ALTERNATIVES = "alternatives";
    static final String SLOTS = "slots";
    static final String ENVIRONMENT = "environment";
    static final String NET = " net";

    static final List<Criterion> CRITERIA =
            List.of(Criterion.START, Criterion.FINISH, Criterion.RUNTIME, Criterion.PROCESSOR_TIME, Criterion.COST);

    private static final Map<Criterion, String> ALGORITHMS = Map.of(
            Criterion.START, "AMP",
            Criterion.FINISH, "minFinish",
            Criterion.RUNTIME, "minRuntime",
            Criterion.PROCESSOR_TIME, "minProcTime",
            Criterion.COST, "minCost");

    static final List<String> READINGS = List.of(
            "The job's 150 time units hold on the slowest node, of performance 2: a node of "
                    + "performance p takes 300 / p."
                    + " With 150 / p no window could be as long as those that the paper reports.",
            "A node costs 1.1 times its performance per time unit, with a normal deviation of 20 %, "
                    + "so that the budget of 1500" + " bites as the paper says.",
            "Local tasks are 10 to 100 time units long; an owner's load is one of 10, 20, 30, 40 and "
                    + "50 %, hyper-geometrically.",
            "A substitution of minRuntime and minFinish is within the budget if the window's cost "
                    + "with both slots is, as the" + " pseudo-code has it; \"net\" takes off the slot that leaves.");

    /** Nodes whose prices grow faster than their performance. */
    static final EnvironmentModel STEEPER = new EnvironmentModel(
            PaperEnvironment.MODEL.slowest(),
            PaperEnvironment.MODEL.fastest(),
            MarketPrice.power(0.95, 1.1),
            PaperEnvironment.MODEL.deviation(),
            PaperEnvironment.MODEL.load());

    private SlotSelectionPaper() {}

    /** An environment with the job in it, as the searches take them. */
    record Scene(Gang job, Eligibility eligibility, List<Offer> offers, SlotTerms terms) {
        static Scene of(int nodes, long interval, long seed) {
            return of(PaperEnvironment.MODEL, nodes, interval, seed);
        }

        static Scene of(EnvironmentModel model, int nodes, long interval, long seed) {
            PaperEnvironment environment = PaperEnvironment.of(model, nodes, interval, seed);
            Gang job = PaperEnvironment.job(Criterion.START);
            Eligibility eligibility = environment.eligibility(job);
            return new Scene(job, eligibility, eligibility.offers(), environment.terms(job));
        }

        Optional<Window> papers(Baseline baseline) {
            return baseline.best(job, offers, terms, job.budget().limit());
        }

        Optional<Window> exact(Criterion criterion) {
            return new WindowSearch(job, eligibility)
                    .best(criterion, terms, job.budget().limit());
        }

        List<Window> alternatives() {
            return Csa.alternatives(job, offers, terms, job.budget().limit());
        }

        int slots() {
            return FreeSlotList.of(offers, terms).slots().size();
        }
    }

    /** The paper's name of the algorithm for a criterion. */
    static String algorithm(Criterion criterion) {
        String name = ALGORITHMS.get(criterion);
        if (name == null) {
            throw new IllegalArgumentException("The paper has no algorithm for %s.".formatted(criterion.key()));
        }
        return name;
    }

    /** The series of our exact search. */
    static String exact(Criterion criterion) {
        return "exact " + criterion.key();
    }

    /** The series of an algorithm that substitutes slots net of the slot that leaves. */
    static String net(Criterion criterion) {
        return algorithm(criterion) + NET;
    }
}
