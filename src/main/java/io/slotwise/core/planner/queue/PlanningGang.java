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
import io.slotwise.core.window.search.NearestSpan;
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
 * The working state of a gang in one cycle: its promise, its window, and its refusal. Invariant: a gang with a window
 * has no refusal.
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

    /** The eligible nodes are computed when they are first needed. */
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

    /** Places this gang behind another gang in every order. Null places it behind none. */
    public void goesBehind(@Nullable GangId other) {
        behindId = other;
    }

    public @Nullable GangId behind() {
        return behindId;
    }

    /** Sets the arrival of a gang whose pods replace old pods that are still ending; else {@link Interval#FOREVER}. */
    public void setSuccessorSince(long second) {
        successorSince = second;
    }

    public long successorSince() {
        return successorSince;
    }

    /** Returns the terms of the gang's slots. In a chain they depend on the present windows of the other gangs. */
    public SlotTerms terms() {
        return bounds.apply(terms);
    }

    /** Narrows the gang's terms by a function that is applied at each use. */
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

    public synchronized SearchChoice selecting() {
        SearchChoice knownChoice = choice;
        if (knownChoice == null) {
            knownChoice = SearchChoice.of(searching, gang, search(), eligibility(), resources);
            choice = knownChoice;
        }
        return knownChoice;
    }

    /**
     * Returns the exact search. If the gang has patience, it finds the best window in any account period of the
     * namespace, in the span that is the nearest on the gang's full terms.
     */
    public SlotSelection search(AccountBalances balances) {
        return search().within(() -> {
            SlotTerms slotTerms = terms();
            return balances.spans(gang.id(), slotTerms.earliest(), slotTerms.latest() + 1).stream()
                    .map(span -> new NearestSpan.Place(
                            search(),
                            slotTerms.between(span.start(), span.end() - 1),
                            span.maxCost().min(gang.budget().limit())))
                    .toList();
        });
    }

    public synchronized boolean bounded() {
        return (search != null && search.bounded())
                || (choice != null && choice.selection().bounded());
    }

    /**
     * Sets the promise from before this cycle.
     *
     * @param promiseBound what the promise binds if promises have slack, or null for the window itself
     * @param gain the least seconds by which a window that is better only in time must be earlier
     */
    public void wasPromised(Promise before, @Nullable PromiseBound promiseBound, boolean recently, long gain) {
        promise = before;
        publishedWindow = before.window();
        bound = promiseBound;
        fresh = recently;
        leastGain = gain;
    }

    /** Returns the promise that still holds, or null if there is none or it is broken. */
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

    /** Returns the least seconds by which a window that is better only in time must be earlier. */
    public long leastGain() {
        return leastGain;
    }

    public void passesTurn() {
        hasTurn = false;
    }

    /** Returns whether a gang with a window searches for a better one in this cycle. */
    public boolean hasTurn() {
        return hasTurn;
    }

    /** Returns whether the promise is recent, so that it makes no room for others. */
    public boolean fresh() {
        return fresh;
    }

    /** Returns the published window that is not broken, even if this cycle may plan it again, or null. */
    @Nullable
    public Window published() {
        return publishedWindow;
    }

    /** Returns what the published promise binds if promises have slack, or null for the window itself. */
    @Nullable
    public PromiseBound bound() {
        return bound;
    }

    /** Returns what the promise binds, without slack the window itself, or null if there is none. */
    @Nullable
    public PromiseBound binding() {
        return bound == null && promise != null ? PromiseBound.of(promise.window()) : bound;
    }

    /** Returns the window of this cycle, or null if there is none yet. */
    @Nullable
    public Window window() {
        return window;
    }

    /** Returns whether the window of this cycle is within what a published one promised. */
    public boolean keeps(Window before) {
        return window != null && (bound == null ? window.keeps(before, gang) : bound.holds(window));
    }

    public WindowOrigin via() {
        return origin;
    }

    /** Returns the refusal if it is decided before the diagnosis, or null if it is not. */
    @Nullable
    public Refusal leftOut() {
        return refusal;
    }

    /** Returns the window of this cycle or of the promise, or null. */
    @Nullable
    public Window held() {
        return window != null || promise == null ? window : promise.window();
    }

    public void becomesPromised(Window first) {
        promise = new Promise(first, WindowOrigin.CYCLIC, false);
    }

    /** Makes this window the promise again. */
    public void goesBackTo(Window before) {
        promise = Objects.requireNonNull(promise).withWindow(before);
    }

    /** Sets the former promise again, or one in its place. */
    public void renewPromise(Promise repeatedPromise) {
        promise = repeatedPromise;
    }

    /** Plans the gang as if nothing had been promised, though its window was published. */
    public void clearPromise() {
        promise = null;
    }

    public void breakPromise() {
        promise = null;
        publishedWindow = null;
        bound = null;
    }

    /** Accepts a window whose room and money are taken. */
    public void accept(Window chosenWindow, WindowOrigin windowOrigin) {
        window = chosenWindow;
        origin = promise != null && chosenWindow.equals(promise.window()) ? promise.origin() : windowOrigin;
        refusal = null;
    }

    public void take(Bookings bookings, Window chosenWindow, WindowOrigin origin) {
        accept(chosenWindow, origin);
        bookings.take(gang, chosenWindow);
    }

    public Window withdraw() {
        Window lostWindow = Objects.requireNonNull(window);
        window = null;
        return lostWindow;
    }

    public void giveUp(Bookings bookings) {
        bookings.giveUp(gang, withdraw());
    }

    public void leaveOut(Refusal givenRefusal) {
        refusal = givenRefusal;
    }

    /** Returns whether the promise is fixed, since the pods are on their way. */
    public boolean released() {
        return promise != null && promise.released();
    }

    /** Returns whether the promise, if any, gives way to this window. */
    public boolean takes(Window other) {
        return promise == null || other.improves(promise.window(), gang, leastGain);
    }

    /**
     * Returns the searches for alternatives: one, or one for each account period of the namespace. A gang with patience
     * has one for all periods. A promise is improved by one search, since an improvement costs no more.
     */
    public List<AlternativeSearch> seekers(AccountBalances balances) {
        if (promise != null) {
            return List.of(new AlternativeSearch(gang, selecting().selection(), terms(), promise.window(), leastGain));
        }
        if (gang.topology().patience() != null) {
            return List.of(new AlternativeSearch(gang, search(balances), terms()));
        }
        List<AlternativeSearch> seekers = new ArrayList<>();
        SlotTerms slotTerms = terms();
        for (Span span : balances.spans(gang.id(), slotTerms.earliest(), slotTerms.latest() + 1)) {
            SlotTerms spanTerms = slotTerms.between(span.start(), span.end() - 1);
            seekers.add(
                    new AlternativeSearch(paying(span.maxCost()), selecting().selection(), spanTerms));
        }
        return seekers;
    }

    /** Returns the best window that the namespace can pay and that is {@code allowed}. */
    public Optional<Window> best(Bookings bookings, Predicate<Window> allowed) {
        return seekers(bookings.balances()).stream()
                .flatMap(search -> search.next(bookings.timeline()).stream())
                .filter(bookings::pay)
                .filter(allowed)
                .min(byValue());
    }

    /** Sorts better windows first, ignoring node names. */
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

    /** Returns an equal part of what each search found; none where the terms leave no second to start in. */
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

    /** Returns the cost of all pods on the node where one costs least at the first second, ignoring free room. */
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

    /** Returns all pods' seconds on the reference node. */
    public long estimatedProcessorTime() {
        return gang.runtime() * gang.size();
    }

    public Planned planned(Window chosenWindow, PromiseSlack slack) {
        PromiseBound promiseBound = publishedWindow == null ? slack.promised(gang, chosenWindow) : bound;
        return new Planned(gang, chosenWindow, origin, chosenWindow.equals(publishedWindow)).withBound(promiseBound);
    }

    /** The search for a gang's alternatives in the cyclic part, and why it is not the policy's, or null if it is. */
    public record SearchChoice(
            SlotSelection selection, @Nullable String unserved) {
        /** Returns the policy's search if it can serve the gang, else the exact one. */
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
