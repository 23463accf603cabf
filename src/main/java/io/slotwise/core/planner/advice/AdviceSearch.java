package io.slotwise.core.planner.advice;

import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.AccountBalances.Span;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Advice;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Anticipating;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.RequestChange;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Cycle;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.runtime.Prediction;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The search for one gang's advice, see {@link Advisor}. */
final class AdviceSearch {
    private final Planner planner;
    private final Snapshot otherSnapshot;
    private final Gang gang;
    private final @Nullable RuntimeSource source;
    private final Cycle cycle;
    private final long horizonEnd;

    /** The second before which a window must start to help. */
    private final long before;

    private final List<Advice> advices = new ArrayList<>();

    /** The source is null if no past runs are known. */
    AdviceSearch(
            Policy policy,
            RandomSource random,
            Snapshot otherSnapshot,
            Request request,
            @Nullable RuntimeSource source) {
        Policy stayingPolicy = policy.withMigration(MigrationPolicy.NONE).withPreemption(Policy.Preempting.NONE);
        PlannerResources resources = new PlannerResources(Workers.CALLER, random, SearchObserver.NONE);
        this.planner = new Planner(stayingPolicy, resources);
        this.otherSnapshot = isIndependent(policy) ? otherSnapshot.settled() : otherSnapshot;
        this.gang = request.gang();
        this.source = source;
        this.horizonEnd = otherSnapshot.now() + policy.horizon();
        Promise promise = request.promise();
        this.before = promise == null ? Interval.FOREVER : promise.window().start();
        this.cycle = new Cycle(
                asking(gang),
                stayingPolicy,
                stayingPolicy.tariffs(otherSnapshot.cluster().inventory()),
                resources);
        cycle.keepPromises();
    }

    /** Returns whether only the room and money of others matter. Then the plans need not include those gangs. */
    private static boolean isIndependent(Policy policy) {
        Policy.Batch batch = policy.batch();
        return batch.limit().measure() == Measure.NOTHING
                && batch.split().equals(Split.NONE)
                && batch.anticipating().equals(Anticipating.NOT)
                && policy.backfill() != Backfill.EASY;
    }

    List<Advice> advices() {
        budget();
        maxPrice();
        deadline();
        size();
        runtime();
        criterion();
        limits();
        accounts();
        return List.copyOf(advices);
    }

    private boolean isPending() {
        return before == Interval.FOREVER;
    }

    private SlotTerms sooner(Gang gang) {
        SlotTerms terms = SlotTerms.of(gang, otherSnapshot.now(), horizonEnd);
        return terms.within(before - 1, terms.deadline());
    }

    private Optional<Window> best(Gang askingGang, Criterion criterion, SlotTerms terms) {
        List<Eligibility> eligibility = cycle.eligibility(askingGang);
        WindowSearch search = new WindowSearch(askingGang, eligibility);
        Cost limit = askingGang.budget().limit();
        List<Span> spans = cycle.balances().spans(gang.id(), terms.earliest(), terms.latest() + 1);
        return spans.stream()
                .flatMap(span ->
                        search
                                .best(criterion, terms.between(span.start(), span.end() - 1), limit.min(span.maxCost()))
                                .stream())
                .min(WindowSearch.order(criterion, askingGang));
    }

    private boolean helps(Gang gang) {
        return best(gang, Criterion.START, sooner(gang)).isPresent();
    }

    /** Adds a change with the window that the planner then gives, if that window helps. */
    private void tell(RequestChange change) {
        planned(change).filter(window -> window.start() < before).ifPresent(window -> add(new Advice(change, window)));
    }

    /** Adds an advice, unless an earlier one of the same kind gives an alike window. */
    private void add(Advice advice) {
        String key = advice.change().key();
        if (advices.stream()
                .noneMatch(knownAdvice ->
                        knownAdvice.change().key().equals(key) && isAlike(knownAdvice.window(), advice.window()))) {
            advices.add(advice);
        }
    }

    private Optional<Window> planned(RequestChange change) {
        Gang changedGang = change.of(gang);
        Snapshot snapshot = asking(changedGang);
        snapshot = switch (change) {
            case RequestChange.NamespaceBudget budget -> raised(snapshot, budget.namespace(), budget.money());
            case RequestChange.QueueBudget budget -> raised(snapshot, Account.ofQueue(budget.queue()), budget.money());
            default -> snapshot;
        };
        return planner.plan(snapshot).windows().stream()
                .filter(planned -> planned.gang().id().equals(changedGang.id()))
                .map(Planned::window)
                .findFirst();
    }

    /** Returns the snapshot in which this gang waits too. */
    private Snapshot asking(Gang askingGang) {
        List<Request> requests = new ArrayList<>(otherSnapshot.requests());
        requests.add(new Request(askingGang, null));
        return otherSnapshot.withRequests(requests);
    }

    private void budget() {
        if (gang.budget().total() == null) {
            return;
        }
        Gang richGang = gang.paying(new Budget(null, gang.budget().slotPrice()));
        SlotTerms terms = sooner(richGang);
        best(richGang, Criterion.COST, terms).ifPresent(this::raiseTo);
        best(richGang, Criterion.START, terms)
                .flatMap(first -> best(richGang, Criterion.COST, terms.between(first.start(), first.start())))
                .ifPresent(window -> {
                    raiseTo(window);
                    raiseForTheEarliest(window);
                });
    }

    private void raiseTo(Window window) {
        if (window.cost().compareTo(gang.budget().limit()) > 0) {
            tell(new RequestChange.Budget(window.cost().roundedUp()));
        }
    }

    /** Advises an earliest start, too: a gang with another criterion takes the earliest window at no budget. */
    private void raiseForTheEarliest(Window window) {
        boolean told =
                advices.stream().anyMatch(knownAdvice -> knownAdvice.window().start() <= window.start());
        if (!told
                && isPending()
                && gang.criterion() != Criterion.START
                && gang.preferences().isNone()
                && window.cost().compareTo(gang.budget().limit()) > 0) {
            tell(new RequestChange.BudgetAndCriterion(window.cost().roundedUp(), Criterion.START));
        }
    }

    /** Tries the prices that pods pay somewhere, the only ones at which more slots qualify. */
    private void maxPrice() {
        Money limit = gang.budget().slotPrice();
        if (limit == null) {
            return;
        }
        TreeSet<Long> prices = new TreeSet<>();
        for (Eligibility eligibility : cycle.eligibility(gang)) {
            for (Offer offer : eligibility.offers()) {
                StepFunction rate = offer.rate();
                for (int i = 0; i < rate.pieces(); i++) {
                    prices.add(rate.value(i));
                }
            }
        }
        List<Long> higher = List.copyOf(prices.tailSet(limit.micros(), false));
        long found = least(
                0, higher.size(), i -> helps(new RequestChange.MaxPrice(new Money(higher.get((int) i))).of(gang)));
        if (found < higher.size()) {
            tell(new RequestChange.MaxPrice(new Money(higher.get((int) found))));
        }
    }

    private void deadline() {
        if (gang.deadline() == Interval.FOREVER) {
            return;
        }
        Gang patientGang = gang.endingBy(Interval.FOREVER);
        best(patientGang, Criterion.FINISH, sooner(patientGang))
                .filter(window -> window.end() > gang.deadline())
                .ifPresent(window -> tell(new RequestChange.Deadline(window.end())));
    }

    private void size() {
        int size = gang.size();
        if (!gang.isUniform() || gang.isSliced() || size == 1) {
            return;
        }
        // Searches the number of pods that are given up.
        long fewer = least(1, size, less -> helps(gang.first(size - (int) less)));
        if (fewer < size) {
            tell(new RequestChange.Size(size - (int) fewer));
        }
        long first = Math.max(otherSnapshot.now(), gang.earliestStart());
        long atOnce = least(1, size, less -> startsAt(first, gang.first(size - (int) less)));
        if (atOnce < size && first < before) {
            RequestChange change = new RequestChange.Size(size - (int) atOnce);
            planned(change)
                    .filter(window -> window.start() == first)
                    .ifPresent(window -> add(new Advice(change, window)));
        }
    }

    private boolean startsAt(long second, Gang gang) {
        return best(
                        gang,
                        Criterion.START,
                        SlotTerms.of(gang, otherSnapshot.now(), horizonEnd).between(second, second))
                .isPresent();
    }

    /** Tries runtimes no shorter than past runs. A stated runtime that they contradict is always corrected. */
    private void runtime() {
        long runtime = gang.runtime();
        Prediction prediction = source == null ? null : source.prediction();
        if (source != null && prediction != null && source.isContradicted(runtime)) {
            RequestChange right = new RequestChange.Lasting(prediction.within());
            planned(right).ifPresent(window -> add(new Advice(right, window)));
            return;
        }
        long most = runtime - (prediction == null ? 1 : prediction.within());
        long shorter = least(1, Math.max(1, most + 1), less -> helps(gang.lasting(runtime - less)));
        if (shorter <= most) {
            tell(new RequestChange.Lasting(runtime - shorter));
        }
    }

    /** Tries other criteria. Only energy can prevent any window, as energy needs nodes with a stated power. */
    private void criterion() {
        if (isPending() && !gang.criterion().needsPower()) {
            return;
        }
        List<Window> found = new ArrayList<>();
        for (Criterion other : Criterion.values()) {
            RequestChange change = new RequestChange.Wanting(other);
            if (other != gang.criterion() && !isSenseless(other)) {
                planned(change)
                        .filter(window -> window.start() < before)
                        .filter(window -> found.stream().noneMatch(knownWindow -> isAlike(knownWindow, window)))
                        .ifPresent(window -> {
                            found.add(window);
                            add(new Advice(change, window));
                        });
            }
        }
    }

    /** Returns whether the gang lacks what a criterion needs, or has settings that exclude it. */
    private boolean isSenseless(Criterion other) {
        return switch (other) {
            case VALUE -> gang.valueOfTime().isNone() || !gang.preferences().isNone();
            case PREFERENCE -> gang.preferences().isNone();
            case START, FINISH, RUNTIME, COST, PROCESSOR_TIME, ENERGY ->
                !gang.preferences().isNone();
        };
    }

    private static boolean isAlike(Window window, Window other) {
        return window.start() == other.start() && window.cost().equals(other.cost());
    }

    private void limits() {
        if (gang.topology().isRequirement()) {
            tell(new RequestChange.AnyTopology());
        }
        if (gang.maxPerNode() < gang.size()) {
            long pods = least(gang.maxPerNode() + 1L, gang.size() + 1L, most -> helps(gang.spread((int) most)));
            if (pods <= gang.size()) {
                tell(new RequestChange.MaxPerNode((int) pods));
            }
        }
        if (gang.lockstep()) {
            tell(new RequestChange.Loose());
        }
        if (gang.earliestStart() > otherSnapshot.now()) {
            tell(new RequestChange.AnyStart());
        }
    }

    private void accounts() {
        SlotTerms terms = SlotTerms.of(gang, otherSnapshot.now(), horizonEnd);
        if (!isPending() || !cycle.balances().bind(gang.id())) {
            return;
        }
        new WindowSearch(gang, cycle.eligibility(gang))
                .best(Criterion.COST, terms, gang.budget().limit())
                .ifPresent(window -> cycle.balances()
                        .payers(window)
                        .forEach(account -> raise(cycle.balances().left(account), window)));
    }

    /** Advises to raise what is left to an account, if the window costs more. */
    private void raise(Account account, Window window) {
        Cost missingCost = window.cost().minus(account.left());
        if (missingCost.compareTo(Cost.ZERO) > 0) {
            String queue = account.queue();
            Money money = missingCost.roundedUp();
            tell(
                    queue == null
                            ? new RequestChange.NamespaceBudget(account.holder(), money)
                            : new RequestChange.QueueBudget(queue, money));
        }
    }

    private static Snapshot raised(Snapshot snapshot, String holder, Money money) {
        return snapshot.withAccounts(snapshot.accounts().stream()
                .map(account -> account.holder().equals(holder)
                        ? new Account(
                                holder,
                                account.start(),
                                account.end(),
                                account.left().plus(Cost.of(money)))
                        : account)
                .toList());
    }

    /** Returns the least number of a range that satisfies a monotone condition, or {@code to} if none does. */
    private static long least(long from, long to, LongPredicate holds) {
        long low = from;
        long high = to;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (holds.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
