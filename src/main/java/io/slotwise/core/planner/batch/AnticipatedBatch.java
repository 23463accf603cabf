package io.slotwise.core.planner.batch;

import io.slotwise.core.anticipation.Anticipation;
import io.slotwise.core.anticipation.Distance;
import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.anticipation.Follower;
import io.slotwise.core.anticipation.Reference;
import io.slotwise.core.booking.Bookings;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.batch.BatchCombination.Chosen;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.IntersectingAlternatives;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Plans a batch by anticipation. The alternatives of each gang are searched as if it were alone. The combination
 * chooses one alternative for each gang, although alternatives may overlap. Then each gang, in queue order, gets the
 * free window that is most like its choice.
 *
 * <p>If the distance includes the start, the reference start is the start that the gang gets in conservative
 * backfilling over the batch, since that start is attainable. Promises stay. A gang without a window, or without one
 * that its namespace's account and the batch's limit allow, is left to backfilling.
 *
 * <p>Source: the paper on anticipation, section 3, and section 4.2 for the start.
 */
public record AnticipatedBatch(Policy policy, long now, Bookings bookings, BatchCombiner combiner) {
    public static boolean isAsked(Policy policy) {
        return policy.batch().anticipating().form() != null;
    }

    /** Plans one sub-batch, whose promises have their room, and takes the room and money of chosen windows. */
    void plan(List<PlanningGang> batch, List<Window> later) {
        BatchCombination combination =
                combiner.combine(batch.stream().map(this::alternatives).toList(), later);
        combination.leftOut().forEach(leftOut -> leftOut.gang().leaveOut(leftOut.refusal()));
        List<Chosen> followers = new ArrayList<>();
        for (Chosen chosen : combination.chosen()) {
            if (chosen.gang().promised()) {
                chosen.gang().accept(chosen.window(), WindowOrigin.CYCLIC);
            } else {
                followers.add(chosen);
            }
        }
        replicate(followers);
    }

    private GangAlternatives alternatives(PlanningGang gang) {
        return gang.promised()
                ? GangAlternatives.promised(gang)
                : new GangAlternatives(
                        gang,
                        IntersectingAlternatives.find(
                                gang.gang,
                                gang.search(),
                                gang.terms(),
                                policy.batch().alternatives()));
    }

    /** Gives each gang the free window most like its reference. */
    private void replicate(List<Chosen> followers) {
        Policy.Anticipating anticipating = policy.batch().anticipating();
        Form form = Objects.requireNonNull(anticipating.form());
        Map<GangId, Long> starts =
                anticipating.criteria().contains(Criterion.START) ? backfilledStarts(followers) : Map.of();
        List<Follower> queue = new ArrayList<>();
        Map<GangId, PlanningGang> byId = new HashMap<>();
        // A replica may weigh more than its reference, their sum may not: the limit holds for the references.
        BigInteger most = BigInteger.ZERO;
        for (Chosen chosen : followers) {
            PlanningGang gang = chosen.gang();
            Window window = chosen.window();
            most = most.add(combiner.limit().weight(window));
            Reference reference = Reference.to(window, gang.gang, now);
            Long start = starts.get(gang.gang.id());
            queue.add(new Follower(
                    gang.gang,
                    gang.search(),
                    gang.terms(),
                    start == null ? reference : reference.startingAt(start, gang.gang)));
            byId.put(gang.gang.id(), gang);
        }
        BigInteger given = BigInteger.ZERO;
        for (Window window :
                new Anticipation(new Distance(form, anticipating.criteria())).replicate(queue, bookings.timeline())) {
            PlanningGang gang = Objects.requireNonNull(byId.get(window.gang()));
            BigInteger with = given.add(combiner.limit().weight(window));
            boolean within = !combiner.limit().holdsForAll() || with.compareTo(most) <= 0;
            if (within && bookings.pay(window)) {
                given = with;
                bookings.takeMoney(window);
                gang.accept(window, WindowOrigin.CYCLIC);
            } else {
                bookings.giveUpRoom(gang.gang, window);
            }
        }
    }

    /** Returns each gang's start if the batch were backfilled. */
    private Map<GangId, Long> backfilledStarts(List<Chosen> followers) {
        Map<GangId, Long> starts = new HashMap<>();
        int mark = bookings.mark();
        for (Chosen chosen : followers) {
            PlanningGang gang = chosen.gang();
            gang.search()
                    .best(Criterion.START, gang.terms(), gang.gang.budget().limit())
                    .ifPresent(window -> {
                        starts.put(gang.gang.id(), window.start());
                        bookings.takeRoom(gang.gang, window);
                    });
        }
        bookings.rollbackTo(mark);
        return starts;
    }
}
