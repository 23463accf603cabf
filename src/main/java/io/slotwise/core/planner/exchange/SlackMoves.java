package io.slotwise.core.planner.exchange;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.planner.batch.AnticipatedBatch;
import io.slotwise.core.planner.online.OnlinePlacement;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import org.jspecify.annotations.Nullable;

/** Which windows may move within the slack of their promises, and where to. */
final class SlackMoves {
    private final Policy policy;
    private final long now;
    private final Bookings bookings;

    SlackMoves(Policy policy, long now, Bookings bookings) {
        this.policy = policy;
        this.now = now;
        this.bookings = bookings;
    }

    /** Whether windows move at all under this policy: its objective is a sum over gangs, without a limit on them. */
    boolean areAsked() {
        Policy.Batch batch = policy.batch();
        return (batch.objective() == Objective.USER || batch.objective() == Objective.MAX_VALUE)
                && batch.limit().measure() == Measure.NOTHING
                && !AnticipatedBatch.isAsked(policy);
    }

    /** Whether windows are given anew to those that may start now, not to gain by whole runtimes. */
    boolean areByStarts() {
        return policy.leastSaving() > 0 && policy.batch().objective() == Objective.MAX_VALUE;
    }

    /**
     * Whether the window of a gang may move: it has one that is not due, was not promised a moment ago and belongs to
     * no online mode, its pods are not on their way, and have no rules about others.
     */
    boolean mayMove(PlanningGang contender) {
        boolean due = contender.published() != null && contender.published().start() <= now;
        return contender.window() != null && !due && !contender.released() && !contender.fresh() && isAlone(contender);
    }

    /** Whether a gang belongs to no online mode and its pods have no rules about others. */
    boolean isAlone(PlanningGang contender) {
        return !contender.gang.hasRules() && !OnlinePlacement.isOnline(contender, policy.online());
    }

    /**
     * Where a gang's windows may lie to keep what it was promised.
     *
     * @param bound null: it was promised nothing
     */
    static SlotTerms terms(PlanningGang contender, @Nullable PromiseBound bound) {
        return bound == null ? contender.terms() : contender.terms().within(bound.start(), bound.end());
    }

    /**
     * What a gang's windows may cost to keep what it was promised.
     *
     * @param bound null: it was promised nothing
     */
    static Cost most(PlanningGang contender, @Nullable PromiseBound bound) {
        Cost limit = contender.gang.budget().limit();
        return bound == null ? limit : limit.min(bound.cost());
    }

    /** The best window there is that its namespace can pay; null: there is none. */
    @Nullable
    Window find(WindowSearch search, Criterion criterion, SlotTerms terms, Cost most) {
        return terms.latest() < terms.earliest()
                ? null
                : search.best(criterion, terms, most).filter(bookings::pay).orElse(null);
    }

    /**
     * The best window in place of another one of a gang: one whose runtime, processor time or energy does not grow
     * where the gang wants that least.
     *
     * @param search for the gang, which may weigh its windows otherwise than the gang itself
     * @param bound what it keeps; null: nothing
     * @return null: there is none
     */
    @Nullable
    Window inPlaceOf(Window own, PlanningGang contender, WindowSearch search, @Nullable PromiseBound bound) {
        Gang gang = contender.gang;
        Window found = find(search, gang.criterion(), terms(contender, bound), most(contender, bound));
        return found != null && grows(gang, own, found) ? null : found;
    }

    /** Whether a gang that wants a figure of the window's shape least would have more of it than in its own. */
    static boolean grows(Gang gang, Window own, Window found) {
        return gang.criterion().isOfShape() && found.value(gang) > own.value(gang);
    }
}
