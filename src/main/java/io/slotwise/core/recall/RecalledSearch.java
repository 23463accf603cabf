package io.slotwise.core.recall;

import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import io.slotwise.core.window.search.WindowSearch;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The exact search of one gang, which is made only where its answer does not follow from what is known: {@link
 * SearchRecollection}. Safe for threads as that is.
 */
public final class RecalledSearch implements SlotSelection {
    private final Gang gang;
    private final Supplier<WindowSearch> search;
    private final SearchRecollection recollection;
    private final boolean repeated;
    private @Nullable WindowSearch base;
    private @Nullable SlotSelection exact;

    /**
     * A search.
     *
     * @param search the exact one, which is asked for where it is needed
     */
    public RecalledSearch(Gang gang, Supplier<WindowSearch> search, SearchRecollection recollection) {
        this(gang, search, recollection, false);
    }

    private RecalledSearch(
            Gang gang, Supplier<WindowSearch> search, SearchRecollection recollection, boolean repeated) {
        this.gang = gang;
        this.search = search;
        this.recollection = recollection;
        this.repeated = repeated;
    }

    @Override
    public Optional<Window> best(Criterion criterion, SlotTerms terms, Cost budget, RestoredCapacity vacancy) {
        return vacancy.isEmpty()
                ? best(new WindowRequest(criterion, terms, budget, null), () -> RestoredCapacity.NONE)
                : exact().best(criterion, terms, budget, vacancy);
    }

    @Override
    public Optional<Window> best(WindowRequest sought, Timeline timeline, Gang of) {
        Window own = sought.own();
        return best(sought, () -> own == null ? RestoredCapacity.NONE : own.vacancy(timeline, of));
    }

    private Optional<Window> best(WindowRequest sought, Supplier<RestoredCapacity> vacancy) {
        SearchRecollection.Answer known = recalled(sought);
        return known == null ? searched(sought, vacancy.get()) : Optional.ofNullable(known.window());
    }

    /**
     * Up to which second within these terms it is known that at none all pods have room, however it is cut; see {@link
     * io.slotwise.core.window.units.EarliestRoom}.
     *
     * @param own the gang's window, which has its room in the timeline and counts as free
     * @return before the earliest second: it is not known of any
     */
    public long crowdedUntil(Window own, SlotTerms terms) {
        RecalledHindrances hindrances = recollection.hindrances();
        return hindrances == null ? terms.earliest() - 1 : hindrances.crowdedUntil(gang, own, terms);
    }

    /** It is so within all of these terms; they may leave no second. */
    public void noteCrowded(Window own, SlotTerms terms) {
        RecalledHindrances hindrances = recollection.hindrances();
        if (hindrances != null) {
            hindrances.noteCrowded(gang, own, terms);
        }
    }

    /**
     * Whether it is known that the window cannot start sooner on its own nodes.
     *
     * @param window the gang's, which has its room in the timeline and counts as free
     */
    public boolean isStill(Window window, SlotTerms terms) {
        RecalledHindrances hindrances = recollection.hindrances();
        return hindrances != null && hindrances.isStill(gang, window, terms);
    }

    /** It is so; the window has its room in the timeline. */
    public void noteStill(Window window, SlotTerms terms) {
        RecalledHindrances hindrances = recollection.hindrances();
        if (hindrances != null) {
            hindrances.noteStill(gang, window, terms);
        }
    }

    private SearchRecollection.@Nullable Answer recalled(WindowRequest sought) {
        return recollection.recalled(gang, sought);
    }

    private Optional<Window> searched(WindowRequest sought, RestoredCapacity vacancy) {
        SlotSelection exactly = exact();
        Optional<Window> found = exactly.best(sought.criterion(), sought.terms(), sought.budget(), vacancy);
        if (!gang.hasRules() && !exactly.bounded()) {
            recollection.note(gang, sought, found.orElse(null));
        }
        return found;
    }

    private synchronized SlotSelection exact() {
        SlotSelection made = exact;
        if (made == null) {
            made = repeated ? base().repeated() : base();
            exact = made;
        }
        return made;
    }

    /** The search that counts what both have visited. */
    private synchronized WindowSearch base() {
        WindowSearch made = base;
        if (made == null) {
            made = search.get();
            base = made;
        }
        return made;
    }

    private synchronized @Nullable SlotSelection made() {
        return exact == null ? base : exact;
    }

    @Override
    public boolean bounded() {
        SlotSelection made = made();
        return made != null && made.bounded();
    }

    @Override
    public long visited() {
        SlotSelection made = made();
        return made == null ? 0 : made.visited();
    }

    @Override
    public SlotSelection repeated() {
        return new RecalledSearch(gang, this::base, recollection, true);
    }
}
