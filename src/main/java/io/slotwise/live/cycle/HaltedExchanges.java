package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.live.cycle.WriteOrder.Step;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges of windows that were only partly written, mostly because a gang started meanwhile. A gang that gave its
 * window up and got no other one gets its own back, or is told that others have its room.
 *
 * @param written the outcome of each step; empty if not known to be written
 * @param known returns the current record of a gang; null if there is none
 */
record HaltedExchanges(
        List<Step> steps,
        List<Optional<GangRecord>> written,
        RecordStore records,
        Function<GangId, @Nullable GangRecord> known) {
    /** Returns the steps by which gangs gave up their windows for nothing. O(steps) for each such window. */
    List<Integer> places() {
        return IntStream.range(0, steps.size()).filter(this::isHalted).boxed().toList();
    }

    private boolean isHalted(int place) {
        RecordUpdate giver = steps.get(place).update();
        return steps.get(place).withdrawn()
                && written.get(place).isPresent()
                && giver.before().phase() == Phase.PROMISED
                && IntStream.range(place + 1, steps.size())
                        .noneMatch(next -> steps.get(next).update() == giver
                                && written.get(next).isPresent());
    }

    /**
     * Returns the update of the gang of such a step. Null if it is not known which gang has the room, or others have it
     * because the API server did not answer: the next cycle then reports an outage.
     *
     * @param answered whether the API server has answered all writes of the cycle
     */
    @Nullable
    RecordUpdate ended(int place, boolean answered, long now) {
        GangRecord before = steps.get(place).update().before();
        GangRecord left = written.get(place).orElseThrow();
        boolean taken = false;
        for (int next = place + 1; next < steps.size(); next++) {
            RecordUpdate other = steps.get(next).update();
            GangId gang = other.before().gang();
            if (steps.get(next).after().contains(place) && !gang.equals(before.gang())) {
                if (written.get(next).isEmpty() && !records.catchUp(gang)) {
                    return null;
                }
                GangRecord record = known.apply(gang);
                taken |= record != null && record.hasWindowOf(other.after());
            }
        }
        if (taken && !answered) {
            return null;
        }
        RecordUpdate update = new RecordUpdate(left);
        if (taken) {
            update.breakPromise(
                    Cause.ROOM_TAKEN,
                    "other gangs took its room in an exchange, and its next window could not be written",
                    now);
        } else {
            update.become(before.withVersion(left.version()));
        }
        return update;
    }
}
