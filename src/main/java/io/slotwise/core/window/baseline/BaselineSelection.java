package io.slotwise.core.window.baseline;

import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Field;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.core.work.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Selects windows of one gang by a paper's algorithm, within all the gang's limits.
 *
 * <p>A gang in a topology domain or in lockstep is searched once in every set of {@link Field}, and the
 * best of these windows by the criterion is the result; ties as in the exact search. Earliest start, deadline,
 * unavailable intervals and the limit on the slot price bound the slots of the {@link FreeSlotList}. The budget is the
 * papers' S. With one pod on a node no limit on pods per node can be exceeded.
 *
 * <p>Invariant: a window found has room, lies within the terms and costs at most the budget. But a better one may
 * exist, and there may be one where none is found. A node holds one pod of the gang at a time. A window begins only
 * where a slot begins, so a search does not wait for a price that falls later.
 *
 * <p>The windows that the search for the least processor time draws follow from the gang's id and the terms alone. Each
 * set of nodes has its own generator, seeded from them. So the same question on the same free capacity has the same
 * result, regardless of the caller and of the order of questions. At another second other windows are drawn.
 *
 * <p>Time as that of the algorithm, once for each set of nodes; O(m + N) space for m slots of N nodes. Source: that of
 * the algorithms, {@link Aep} and {@link Csa}.
 */
public final class BaselineSelection implements SlotSelection {
    /** A bound on CSA's alternatives. The papers' intervals hold tens, a week of a large cluster millions. */
    static final int MOST_ALTERNATIVES = 1000;

    private final Gang gang;
    private final List<List<Offer>> fields;
    private final Algorithm algorithm;

    private boolean bounded;
    private long visited;

    /** Selects a window in one list of slots. */
    private interface Algorithm {
        Answer best(Gang gang, Criterion criterion, FreeSlotList slots, Cost budget, long seed);
    }

    private record Answer(Optional<Window> window, long visited, boolean bounded) {}

    private BaselineSelection(Gang gang, Eligibility eligibility, Algorithm algorithm) {
        this.gang = gang;
        this.fields = uniform(gang, eligibility);
        this.algorithm = algorithm;
    }

    private static List<List<Offer>> uniform(Gang gang, Eligibility eligibility) {
        return Field.of(gang, List.of(eligibility)).stream()
                .map(field -> field.shapes().getFirst())
                .toList();
    }

    /** Returns the paper's algorithm for the criterion, see {@link Aep#of} and {@link #unserved}. */
    public static BaselineSelection aep(Gang gang, Eligibility eligibility, RandomSource random) {
        return new BaselineSelection(gang, eligibility, (of, criterion, slots, budget, seed) -> {
            Aep aep = Aep.of(criterion, random.seeded(seed));
            return new Answer(aep.best(of, slots, budget), slots.slots().size(), false);
        });
    }

    /** Returns {@link Csa}: the best of at most {@value #MOST_ALTERNATIVES} disjoint alternatives that AMP finds. */
    public static BaselineSelection csa(Gang gang, Eligibility eligibility) {
        return new BaselineSelection(gang, eligibility, (of, criterion, slots, budget, _) -> {
            Csa.Alternatives foundAlternatives = Csa.alternatives(of, slots, budget, MOST_ALTERNATIVES);
            return new Answer(
                    Csa.best(foundAlternatives.windows(), criterion),
                    foundAlternatives.visited(),
                    foundAlternatives.bounded());
        });
    }

    /** Returns why the papers' algorithms cannot serve this gang on any capacity; null if they can. */
    public static @Nullable String unserved(Gang gang, List<Eligibility> eligibility) {
        if (!gang.isUniform()) {
            return "the papers' pods all ask for the same";
        }
        if (gang.hasRules()) {
            return "the papers' pods do not look at other pods";
        }
        if (gang.queue() != null && eligibility.getFirst().queues() != null) {
            return "the papers' gangs have no queues";
        }
        if (gang.isSliced()) {
            return "the papers' gangs run in no slices";
        }
        if (gang.topology().patience() != null) {
            return "the papers' gangs prefer no domain";
        }
        if (!Aep.serves(gang.criterion())) {
            return "no paper gives an algorithm for the criterion "
                    + gang.criterion().key();
        }
        List<List<Offer>> fields = uniform(gang, eligibility.getFirst());
        return !fields.isEmpty() && fields.stream().allMatch(field -> field.size() < gang.size())
                ? "the papers place one pod on a node, and there are fewer nodes than pods"
                : null;
    }

    @Override
    public Optional<Window> best(WindowRequest request, RestoredCapacity restored) {
        SlotTerms terms = request.terms();
        List<Window> found = new ArrayList<>();
        for (int field = 0; field < fields.size(); field++) {
            FreeSlotList slots = FreeSlotList.of(Offers.of(fields.get(field)).with(restored), terms);
            Answer answer =
                    algorithm.best(gang, request.criterion(), slots, request.budget(), seed(gang.id(), terms, field));
            count(answer);
            answer.window().ifPresent(found::add);
        }
        return found.stream().min(WindowSearch.order(request.criterion(), gang));
    }

    private synchronized void count(Answer answer) {
        bounded |= answer.bounded();
        visited += answer.visited();
    }

    @Override
    public synchronized boolean bounded() {
        return bounded;
    }

    @Override
    public synchronized long visited() {
        return visited;
    }

    /** FNV-1a over the letters of the gang's id and the figures of the terms: the same in every process. */
    private static long seed(GangId gang, SlotTerms terms, int field) {
        long seed = 0xcbf29ce484222325L;
        String id = gang.toString();
        for (int i = 0; i < id.length(); i++) {
            seed = mixed(seed, id.charAt(i));
        }
        seed = mixed(seed, terms.earliest());
        seed = mixed(seed, terms.latest());
        seed = mixed(seed, terms.deadline());
        seed = mixed(seed, terms.slotPrice() == null ? -1 : terms.slotPrice().micros());
        return mixed(seed, field);
    }

    private static long mixed(long seed, long with) {
        return (seed ^ with) * 0x100000001b3L;
    }
}
