package io.slotwise.core.planner.queue;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.combination.AccountBalances.Span;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.AlternativeSearch;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.baseline.BaselineSelection;
import io.slotwise.core.window.search.WindowSearch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A gang on its way through one cycle: scratch of {@code Cycle}. What becomes of it is said by the methods that change
 * it: it was promised a window, or becomes so; takes a window and gives it up; is left out; and its promise is kept,
 * replaced or broken. Who has a window is not left out.
 */
public final class PlanningGang {
    public final Gang gang;
    private final Supplier<List<Eligibility>> eligible;
    private final Searching searching;
    private final PlannerResources resources;
    private @Nullable List<Eligibility> eligibility;
    private @Nullable WindowSearch search;
    private @Nullable SearchChoice choice;

    private final SlotTerms terms;
    private UnaryOperator<SlotTerms> bounds = UnaryOperator.identity();

    private @Nullable GangId behindId;
    private long successorSince = Interval.FOREVER;
    private @Nullable Promise promise;
    private long leastGain;
    private boolean fresh;
    private boolean hasTurn = true;
    private @Nullable Window publishedWindow;
    private @Nullable PromiseBound bound;
    private @Nullable Window window;
    private WindowOrigin origin = WindowOrigin.CYCLIC;
    private @Nullable Refusal refusal;

    /** A gang that waits; its nodes are asked for where they are needed. */
    public PlanningGang(
            Gang gang,
            Supplier<List<Eligibility>> eligible,
            SlotTerms terms,
            Searching searching,
            PlannerResources resources) {
        this.gang = gang;
        this.eligible = eligible;
        this.searching = searching;
        this.resources = resources;
        this.terms = terms;
    }

    /** It goes behind this gang in every order; null: behind none. */
    public void goesBehind(@Nullable GangId other) {
        behindId = other;
    }

    public @Nullable GangId behind() {
        return behindId;
    }

    /** When its pods came, if they follow others that still leave its room; {@link Interval#FOREVER}: they do not. */
    public void setSuccessorSince(long second) {
        successorSince = second;
    }

    /** See {@link #setSuccessorSince}. */
    public long successorSince() {
        return successorSince;
    }

    /** Where its slots may lie: for one in a chain as the windows of the others in it are at this moment. */
    public SlotTerms terms() {
        return bounds.apply(terms);
    }

    /** Its slots lie within its own terms as these narrow them at each moment. */
    public void setBounds(UnaryOperator<SlotTerms> others) {
        bounds = others;
    }

    public synchronized List<Eligibility> eligibility() {
        List<Eligibility> known = eligibility;
        if (known == null) {
            known = eligible.get();
            eligibility = known;
        }
        return known;
    }

    public synchronized WindowSearch search() {
        WindowSearch knownSearch = search;
        if (knownSearch == null) {
            knownSearch = new WindowSearch(gang, eligibility()).observedBy(resources.observer());
            search = knownSearch;
        }
        return knownSearch;
    }

    /** The search for its alternatives in the cyclic part. */
    public synchronized SearchChoice selecting() {
        SearchChoice knownChoice = choice;
        if (knownChoice == null) {
            knownChoice = SearchChoice.of(searching, gang, search(), eligibility(), resources);
            choice = knownChoice;
        }
        return knownChoice;
    }

    /** Whether a search of the gang may have missed a better window. */
    public synchronized boolean bounded() {
        return (search != null && search.bounded())
                || (choice != null && choice.selection().bounded());
    }

    /**
     * What it was promised before this cycle.
     *
     * @param promiseBound what binds of that where promises have slack; null: the window itself
     * @param gain by how many seconds a window that is better in time only must be earlier
     */
    public void wasPromised(Promise before, @Nullable PromiseBound promiseBound, boolean recently, long gain) {
        promise = before;
        publishedWindow = before.window();
        bound = promiseBound;
        fresh = recently;
        leastGain = gain;
    }

    /** The promise that still holds; null: none, or it is broken. */
    @Nullable
    public Promise promise() {
        return promise;
    }

    public boolean promised() {
        return promise != null;
    }

    public Window promisedWindow() {
        return Objects.requireNonNull(promise).window();
    }

    /** By how many seconds a window that is better in time only must be earlier than the promised one. */
    public long leastGain() {
        return leastGain;
    }

    /** Its promise stays as it is in this cycle. */
    public void passesTurn() {
        hasTurn = false;
    }

    /** Whether it looks for a better window in this cycle if it has one. */
    public boolean hasTurn() {
        return hasTurn;
    }

    /** Whether the promise was given a moment ago: it makes no room for others. */
    public boolean fresh() {
        return fresh;
    }

    /** What was published and is not broken, whether or not this cycle may plan it anew; null: nothing. */
    @Nullable
    public Window published() {
        return publishedWindow;
    }

    /** What binds of that where promises have slack; null: the window itself. */
    @Nullable
    public PromiseBound bound() {
        return bound;
    }

    /** What binds of its promise, without slack the window itself; null: nothing was promised. */
    @Nullable
    public PromiseBound binding() {
        return bound == null && promise != null ? PromiseBound.of(promise.window()) : bound;
    }

    /** The window that it has in this cycle; null: none, so far. */
    @Nullable
    public Window window() {
        return window;
    }

    public WindowOrigin via() {
        return origin;
    }

    /** Why the gang is left out, where that is decided before the diagnosis; null: it is not. */
    @Nullable
    public Refusal leftOut() {
        return refusal;
    }

    /** The window that it has, in this cycle or promised; null: none. */
    @Nullable
    public Window held() {
        return window != null || promise == null ? window : promise.window();
    }

    /** It is promised this window, from this cycle on. */
    public void becomesPromised(Window first) {
        promise = new Promise(first, WindowOrigin.CYCLIC, false);
    }

    /** Its promise is of this window again. */
    public void goesBackTo(Window before) {
        promise = Objects.requireNonNull(promise).withWindow(before);
    }

    /** It is promised again what it was, or a window in its place. */
    public void renewPromise(Promise repeatedPromise) {
        promise = repeatedPromise;
    }

    /** It is planned as if nothing had been promised, though that was published. */
    public void clearPromise() {
        promise = null;
    }

    /** Its promise does not hold any more. */
    public void breakPromise() {
        promise = null;
        publishedWindow = null;
        bound = null;
    }

    /** Takes the window as its own, whose room and money are taken. */
    public void accept(Window chosenWindow, WindowOrigin windowOrigin) {
        window = chosenWindow;
        origin = promise != null && chosenWindow.equals(promise.window()) ? promise.origin() : windowOrigin;
        refusal = null;
    }

    /** Takes the window as its own, with its room and its money. */
    public void take(Bookings bookings, Window chosenWindow, WindowOrigin origin) {
        accept(chosenWindow, origin);
        bookings.take(gang, chosenWindow);
    }

    /** It has no window any more; the room and the money of the one that it had are still taken. */
    public Window withdraw() {
        Window lostWindow = Objects.requireNonNull(window);
        window = null;
        return lostWindow;
    }

    /** It has no window any more, and gives up the room and the money of the one that it had. */
    public void giveUp(Bookings bookings) {
        bookings.giveUp(gang, withdraw());
    }

    /** It gets no window, for this reason. */
    public void leaveOut(Refusal givenRefusal) {
        refusal = givenRefusal;
    }

    /** Whether its promise is not to be touched any more. */
    public boolean released() {
        return promise != null && promise.released();
    }

    /** Whether what it was promised, if anything, gives way to this window. */
    public boolean takes(Window other) {
        return promise == null || other.improves(promise.window(), gang, leastGain);
    }

    /**
     * Who looks for its alternatives: one seeker, or one for each period that its namespace has an account for. A
     * promise is improved by one seeker, since an improvement costs no more.
     */
    public List<AlternativeSearch> seekers(AccountBalances balances) {
        if (promise != null) {
            return List.of(new AlternativeSearch(gang, selecting().selection(), terms(), promise.window(), leastGain));
        }
        List<AlternativeSearch> seekers = new ArrayList<>();
        SlotTerms withinTerms = terms();
        for (Span span : balances.spans(gang.id().namespace(), withinTerms.earliest(), withinTerms.latest() + 1)) {
            SlotTerms there = withinTerms.between(span.start(), span.end() - 1);
            seekers.add(
                    new AlternativeSearch(paying(span.maxCost()), selecting().selection(), there));
        }
        return seekers;
    }

    /** The window that suits it best of those that its namespace can pay and that are {@code allowed}. */
    public Optional<Window> best(Bookings bookings, Predicate<Window> allowed) {
        return seekers(bookings.balances()).stream()
                .flatMap(search -> search.next(bookings.timeline()).stream())
                .filter(bookings::pay)
                .filter(allowed)
                .min(byValue());
    }

    /** Better ones first, whatever their nodes are called. */
    private Comparator<Window> byValue() {
        return Comparator.comparingLong((Window foundWindow) -> foundWindow.value(gang))
                .thenComparingLong(Window::start)
                .thenComparing(Window::cost);
    }

    private Gang paying(Cost maxCost) {
        return maxCost.compareTo(gang.budget().limit()) >= 0
                ? gang
                : gang.paying(new Budget(maxCost.roundedDown(), gang.budget().slotPrice()));
    }

    /** What its seekers found, an equal part of each; none where its terms leave no second to start in. */
    public List<Window> alternatives(List<List<Window>> bySeeker, int most) {
        if (bySeeker.size() <= 1) {
            return bySeeker.isEmpty() ? List.of() : bySeeker.getFirst();
        }
        int part = Math.ceilDiv(most, bySeeker.size());
        return bySeeker.stream()
                .flatMap(windows -> windows.stream().limit(part))
                .sorted(byValue())
                .toList();
    }

    /** All pods on the eligible node where one costs least at the gang's first second, whether or not there is room. */
    public Cost estimatedCost() {
        long all = 0;
        for (int shape = 0; shape < eligibility().size(); shape++) {
            long one = eligibility().get(shape).offers().stream()
                    .mapToLong(offer -> offer.cost(terms.earliest()).microSecondsPerHour())
                    .min()
                    .orElse(0);
            all += one * gang.shapes().get(shape).pods().size();
        }
        return new Cost(all);
    }

    /** All pods' seconds on the reference node. */
    public long estimatedProcessorTime() {
        return gang.runtime() * gang.size();
    }

    public Planned planned(Window chosenWindow, PromiseSlack slack) {
        PromiseBound promiseBound = publishedWindow == null ? slack.promised(gang, chosenWindow) : bound;
        return new Planned(gang, chosenWindow, origin, chosenWindow.equals(publishedWindow)).withBound(promiseBound);
    }

    /** Which search finds a gang's alternatives in the cyclic part, and why it is not the policy's; null: it is. */
    public record SearchChoice(
            SlotSelection selection, @Nullable String unserved) {
        /** What the policy asks for, where that can serve the gang. */
        static SearchChoice of(
                Searching searching,
                Gang gang,
                WindowSearch exactSearch,
                List<Eligibility> eligibility,
                PlannerResources resources) {
            if (searching == Searching.EXACT) {
                return new SearchChoice(exactSearch, null);
            }
            String unserved = BaselineSelection.unserved(gang, eligibility);
            if (unserved != null) {
                return new SearchChoice(exactSearch, unserved);
            }
            Eligibility nodeEligibility = eligibility.getFirst();
            SlotSelection selection = switch (searching) {
                case EXACT -> exactSearch;
                case AEP ->
                    BaselineSelection.aep(gang, nodeEligibility, resources.random())
                            .observedBy(resources.observer());
                case CSA -> BaselineSelection.csa(gang, nodeEligibility).observedBy(resources.observer());
            };
            return new SearchChoice(selection, null);
        }
    }
}
