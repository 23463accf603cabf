package io.slotwise.core.planner.preemption;

import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.migration.CycleResources;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Cost;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import java.util.Objects;
import java.util.stream.Stream;

/** A gang that may be displaced. It can give up its room and money, and take them again. */
sealed interface Victim {
    Gang gang();

    DisplacementLoss loss();

    /** Returns the second since the epoch from which the room of a displaced gang is free. */
    long gone();

    /** Returns the seconds of its room on each node. */
    Stream<Hold> room();

    void leave();

    /** Returns the seconds in which the gang uses its queue, as far as they are left. */
    Interval interval();

    /**
     * Room on a node.
     *
     * @param interval the seconds in which the room is held
     */
    record Hold(String node, Interval interval) {
        /** Returns whether a pod on this node that starts from {@code first} to {@code last} may overlap. */
        boolean mayMeet(Offer offer, long first, long last, long turnover) {
            return interval.start() < last + offer.duration() + turnover && first < interval.end() + turnover;
        }
    }

    /** Returns whether a pod may overlap this room in a window that starts from {@code first} to {@code last}. */
    default boolean isInTheWayOf(PlanningGang gang, long first, long last, long turnover) {
        return room().anyMatch(hold -> gang.eligibility().stream().anyMatch(eligibility -> {
            Offer offer = eligibility.offer(hold.node());
            return offer != null && hold.mayMeet(offer, first, last, turnover);
        }));
    }

    /** A gang that has a window and has not started. */
    record Placed(PlanningGang planningGang, CycleResources resources) implements Victim {
        @Override
        public Gang gang() {
            return planningGang.gang;
        }

        private Window window() {
            return Objects.requireNonNull(planningGang.window());
        }

        @Override
        public DisplacementLoss loss() {
            return new DisplacementLoss(
                    false, Cost.ZERO, 0, planningGang.published() == null ? 0 : 1, gang().size(), 0);
        }

        @Override
        public long gone() {
            return resources.now();
        }

        @Override
        public Stream<Hold> room() {
            return window().placements().stream()
                    .map(placement -> new Hold(placement.node(), new Interval(placement.start(), placement.end())));
        }

        @Override
        public Interval interval() {
            return window().interval();
        }

        @Override
        public void leave() {
            resources.bookings().giveUp(gang(), window());
        }
    }

    /**
     * A running gang.
     *
     * @param overhead the overhead of a restart, seconds on the reference node
     */
    record Stopped(Running running, CycleResources resources, long overhead) implements Victim {
        @Override
        public Gang gang() {
            return running.gang();
        }

        /** Returns the least seconds that every pod loses. */
        long lost() {
            return running.keepsWork() ? overhead : running.progress().elapsed();
        }

        @Override
        public DisplacementLoss loss() {
            boolean anew = !running.keepsWork();
            return new DisplacementLoss(
                    anew,
                    anew ? running.progress().paid() : Cost.ZERO,
                    lost() * gang().size(),
                    0,
                    gang().size(),
                    running.lost());
        }

        @Override
        public long gone() {
            return resources.gone(running) + resources.turnover();
        }

        @Override
        public Stream<Hold> room() {
            return running.room().stream().map(Stopped::hold);
        }

        private static Hold hold(Occupation occupation) {
            return new Hold(occupation.node(), occupation.interval());
        }

        @Override
        public Interval interval() {
            long now = resources.now();
            return new Interval(now, Math.max(now + 1, running.progress().end()));
        }

        @Override
        public void leave() {
            resources.leave(running);
        }
    }
}
