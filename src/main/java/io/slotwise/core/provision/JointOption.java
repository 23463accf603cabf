package io.slotwise.core.provision;

import io.slotwise.core.combination.Account;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Placement;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one gang of a joint choice might have. Without pods at all: no window.
 *
 * @param start of the window, seconds since the epoch
 * @param ground the pods on nodes that are there, with what they cost
 * @param moved whether these pods take room that they do not have yet
 * @param seats the pods on nodes that are bought, a seat for each node
 * @param reruns what is to be expected of these, if the gang paid all of them
 * @param rank what counts before money: the least sum is best, not negative
 * @param worth what the delay is worth, added to the money, 1/3600 millionths
 * @param most what the gang pays at most, with what is to be expected of nodes that are taken away
 * @param account that pays; null: none is limited
 * @param energy of the window
 */
record JointOption(
        long start,
        List<Placement> ground,
        boolean moved,
        List<JointSeat> seats,
        Reruns reruns,
        long rank,
        long worth,
        Cost most,
        @Nullable Account account,
        long energy) {
    JointOption {
        ground = List.copyOf(ground);
        seats = List.copyOf(seats);
    }

    /** What is paid on nodes that are there. */
    Cost own() {
        return ground.stream().map(Placement::cost).reduce(Cost.ZERO, Cost::plus);
    }

    boolean isNone() {
        return ground.isEmpty() && seats.isEmpty();
    }

    /** What it costs at least and its delay is worth, whoever shares its nodes. */
    BigInteger least() {
        return seats.stream()
                .map(JointSeat::least)
                .reduce(own().exact().add(BigInteger.valueOf(worth)), BigInteger::add);
    }

    /** Whether both take room on one node at the same time, which may be too much for it. */
    boolean meets(JointOption other, long turnover) {
        return moved
                && other.moved
                && ground.stream()
                        .anyMatch(seat -> other.ground.stream()
                                .anyMatch(one -> one.node().equals(seat.node())
                                        && one.start() < seat.end() + turnover
                                        && seat.start() < one.end() + turnover));
    }
}
