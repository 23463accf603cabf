package io.slotwise.core.migration;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Move.Purpose;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A gang that may be moved in one cycle, with its rest and its possible windows. */
final class MoveCandidate {
    private final Running running;
    private final CycleResources resources;
    private final Reach reach;
    private final long work;
    private final Gang remainingGang;
    private final Home home;
    private @Nullable WindowSearch search;

    MoveCandidate(Running running, MigrationPolicy policy, CycleResources resources) {
        this.running = running;
        this.resources = resources;
        this.reach = policy.reach();
        this.work = running.work(resources.timeline());
        this.remainingGang = running.rest(resources.timeline(), policy.overhead());
        this.home = running.home(resources.timeline(), resources.domainKey());
    }

    GangId id() {
        return remainingGang.id();
    }

    Running running() {
        return running;
    }

    int priority() {
        return remainingGang.priority();
    }

    /** Returns the cost of its remaining seconds where it runs. */
    Cost unpaid() {
        return running.progress().unpaid();
    }

    /** Returns the gang's remaining pod-seconds. */
    long left() {
        return (running.progress().end() - resources.now()) * remainingGang.size();
    }

    /** Returns the first second by which its pods are certainly gone. */
    long gone() {
        return resources.gone(running);
    }

    /** Returns the first second by which its controller is expected to have made its pods again. */
    long back() {
        return resources.now() + running.timing().back();
    }

    void leave() {
        resources.leave(running);
    }

    /** Returns the best window by its criterion. Precondition: it has left. */
    Optional<Window> anywhere() {
        return best(remainingGang.criterion(), terms(), remainingGang.budget().limit());
    }

    /** Returns the cheapest window below the cost of staying, with no later end unless money counts. */
    Optional<Window> cheaper() {
        SlotTerms terms = remainingGang.criterion() == Criterion.COST
                ? terms()
                : terms().within(terms().latest(), running.progress().end());
        Cost lessCost = unpaid().minus(new Cost(1));
        return lessCost.compareTo(Cost.ZERO) < 0
                ? Optional.empty()
                : best(
                        Criterion.COST,
                        terms,
                        lessCost.min(remainingGang.budget().limit()));
    }

    private SlotTerms terms() {
        return SlotTerms.of(remainingGang, resources.now(), resources.horizonEnd())
                .from(back());
    }

    private Optional<Window> best(Criterion criterion, SlotTerms terms, Cost budget) {
        return search().best(criterion, terms, budget).filter(resources.bookings()::pay);
    }

    private WindowSearch search() {
        if (search == null) {
            List<Eligibility> eligibility = resources.eligibility(remainingGang);
            WindowSearch windowSearch = reach == Reach.LOCAL
                    ? WindowSearch.among(remainingGang, eligibility, home::has)
                    : new WindowSearch(remainingGang, eligibility);
            search = windowSearch.observedBy(resources.observer());
        }
        return search;
    }

    /** Returns the pod-seconds by which it ends later in this window, at least those of a restart. */
    long loss(Window window) {
        long overhead = remainingGang.runtime() - work;
        return Math.max(window.end() - running.progress().end(), overhead) * remainingGang.size();
    }

    /** Returns whether a window found before still has room and money. Precondition: it has left. */
    boolean stillFits(Window window) {
        return resources.bookings().holds(remainingGang, window);
    }

    /** Takes the window. Precondition: it has left. */
    Move accept(Window window, Purpose purpose) {
        resources.bookings().take(remainingGang, window);
        return new Move(
                remainingGang,
                work,
                back(),
                running.progress().window(),
                window,
                resources.reach(home, window),
                purpose);
    }
}
