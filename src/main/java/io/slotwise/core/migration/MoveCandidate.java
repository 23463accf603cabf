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

/** A gang that may be moved, on its way through one cycle: what is left of it, and where it may go. */
final class MoveCandidate {
    private final Running running;
    private final CycleResources ground;
    private final Reach reach;
    private final long work;
    private final Gang rest;
    private final Home home;
    private @Nullable WindowSearch search;

    MoveCandidate(Running running, MigrationPolicy policy, CycleResources ground) {
        this.running = running;
        this.ground = ground;
        this.reach = policy.reach();
        this.work = running.work(ground.timeline());
        this.rest = running.rest(ground.timeline(), policy.overhead());
        this.home = running.home(ground.timeline(), ground.domainKey());
    }

    GangId id() {
        return rest.id();
    }

    Running running() {
        return running;
    }

    int priority() {
        return rest.priority();
    }

    /** What the seconds that it has left cost where it runs. */
    Cost unpaid() {
        return running.run().unpaid();
    }

    /** The pod-seconds that it has left. */
    long left() {
        return (running.run().end() - ground.now()) * rest.size();
    }

    /** The first second in which its pods are gone for certain. */
    long gone() {
        return ground.gone(running);
    }

    /** The first second in which its pods are there again, as far as that is known of their controller. */
    long back() {
        return ground.now() + running.stop().back();
    }

    void leave() {
        ground.leave(running);
    }

    /** The window that suits its criterion best; it must have left. */
    Optional<Window> anywhere() {
        return best(rest.criterion(), terms(), rest.budget().limit());
    }

    /** The cheapest window, at less than staying costs, with no later end unless money counts. It must have left. */
    Optional<Window> cheaper() {
        SlotTerms terms = rest.criterion() == Criterion.COST
                ? terms()
                : terms().within(terms().latest(), running.run().end());
        Cost less = unpaid().minus(new Cost(1));
        return less.compareTo(Cost.ZERO) < 0
                ? Optional.empty()
                : best(Criterion.COST, terms, less.min(rest.budget().limit()));
    }

    private SlotTerms terms() {
        return SlotTerms.of(rest, ground.now(), ground.horizonEnd()).from(back());
    }

    private Optional<Window> best(Criterion criterion, SlotTerms terms, Cost budget) {
        return search().best(criterion, terms, budget).filter(ground.bookings()::pay);
    }

    private WindowSearch search() {
        if (search == null) {
            List<Eligibility> eligibility = ground.eligibility(rest);
            WindowSearch all = reach == Reach.LOCAL
                    ? WindowSearch.among(rest, eligibility, home::has)
                    : new WindowSearch(rest, eligibility);
            search = all.observedBy(ground.searches());
        }
        return search;
    }

    /** Pod-seconds by which it ends later in this window than where it runs, at least those of a restart. */
    long loss(Window window) {
        long overhead = rest.runtime() - work;
        return Math.max(window.end() - running.run().end(), overhead) * rest.size();
    }

    /** Whether there is still room and money for a window that was found before; it must have left. */
    boolean stillFits(Window window) {
        return ground.bookings().holds(rest, window);
    }

    /** Takes the window; it must have left. */
    Move accept(Window window, Purpose purpose) {
        ground.bookings().take(rest, window);
        return new Move(rest, work, back(), running.run().window(), window, ground.reach(home, window), purpose);
    }
}
