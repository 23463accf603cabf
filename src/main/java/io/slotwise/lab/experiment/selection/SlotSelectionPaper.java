package io.slotwise.lab.experiment.selection;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.baseline.Aep;
import io.slotwise.core.window.baseline.Csa;
import io.slotwise.core.window.baseline.FreeSlotList;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.lab.workload.paper.EnvironmentModel;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The names of algorithms in the paper on AEP.
 *
 * <p>Source: V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for
 * Economic Scheduling in Distributed Computing" (2013), section 3.
 */
final class SlotSelectionPaper {
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

    /** Nodes whose prices grow faster than their performance. */
    static final EnvironmentModel STEEPER = new EnvironmentModel(
            PaperEnvironment.MODEL.slowest(),
            PaperEnvironment.MODEL.fastest(),
            performance -> 0.95 * StrictMath.pow(performance, 1.1),
            PaperEnvironment.MODEL.deviation(),
            PaperEnvironment.MODEL.load());

    private SlotSelectionPaper() {}

    record Situation(Gang gang, Eligibility eligibility, List<Offer> offers, SlotTerms terms) {
        static Situation of(int nodes, long interval, long seed) {
            return of(PaperEnvironment.MODEL, nodes, interval, seed);
        }

        static Situation of(EnvironmentModel model, int nodes, long interval, long seed) {
            PaperEnvironment environment = PaperEnvironment.of(model, nodes, interval, seed);
            Gang gang = PaperEnvironment.job(Criterion.START);
            Eligibility eligibility = environment.eligibility(gang);
            return new Situation(gang, eligibility, eligibility.offers(), environment.terms(gang));
        }

        Optional<Window> papers(Aep aep) {
            return aep.best(gang, offers, terms, gang.budget().limit());
        }

        Optional<Window> exact(Criterion criterion) {
            return new WindowSearch(gang, eligibility)
                    .best(criterion, terms, gang.budget().limit());
        }

        List<Window> alternatives() {
            return Csa.alternatives(gang, offers, terms, gang.budget().limit());
        }

        int slots() {
            return FreeSlotList.of(offers, terms).slots().size();
        }
    }

    static String algorithm(Criterion criterion) {
        String name = ALGORITHMS.get(criterion);
        if (name == null) {
            throw new IllegalArgumentException("The paper has no algorithm for %s.".formatted(criterion.key()));
        }
        return name;
    }

    static String exact(Criterion criterion) {
        return "exact " + criterion.key();
    }

    /** The series of an algorithm that values a new slot net of the slot that it replaces. */
    static String net(Criterion criterion) {
        return algorithm(criterion) + NET;
    }
}
