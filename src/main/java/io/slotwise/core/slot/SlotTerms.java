package io.slotwise.core.slot;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.Interval;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The conditions on every slot of one search.
 *
 * @param earliest the first start of a slot, seconds since the epoch
 * @param latest the last start of a slot, seconds since the epoch
 * @param deadline first second after the last one that may be used, since the epoch
 * @param slotPrice the highest rate of a pod, millionths per hour, at any second of its slot, or null for no limit
 * @param closed the seconds that no slot may touch on any node, disjoint and ascending
 */
public record SlotTerms(
        long earliest, long latest, long deadline, @Nullable Money slotPrice, List<Interval> closed) {
    /** Terms without closed seconds. */
    public SlotTerms(long earliest, long latest, long deadline, @Nullable Money slotPrice) {
        this(earliest, latest, deadline, slotPrice, List.of());
    }

    /** Returns the terms of a gang for windows inside {@code [now, horizonEnd)}. */
    public static SlotTerms of(Gang gang, long now, long horizonEnd) {
        return new SlotTerms(
                Math.max(now, gang.earliestStart()),
                horizonEnd - 1,
                Math.min(horizonEnd, gang.deadline()),
                gang.budget().slotPrice());
    }

    /** Returns the terms for windows that start no later than {@code start} and end no later than {@code end}. */
    public SlotTerms within(long start, long end) {
        return new SlotTerms(earliest, Math.min(latest, start), Math.min(deadline, end), slotPrice, closed);
    }

    /** Returns the terms for windows that start from {@code first} to {@code last}. */
    public SlotTerms between(long first, long last) {
        return new SlotTerms(Math.max(earliest, first), Math.min(latest, last), deadline, slotPrice, closed);
    }

    /** Returns the terms for windows that start no earlier than {@code start}. */
    public SlotTerms from(long start) {
        return new SlotTerms(Math.max(earliest, start), latest, deadline, slotPrice, closed);
    }

    /** Returns the terms for windows that end by {@code end}. */
    public SlotTerms endingBy(long end) {
        return new SlotTerms(earliest, latest, end, slotPrice, closed);
    }

    public SlotTerms withoutSlotPrice() {
        return new SlotTerms(earliest, latest, deadline, null, closed);
    }

    /** Returns whether some second in which a window may start, up to {@code last}, is not closed. */
    public boolean opensBy(long last) {
        long end = Math.min(latest, last);
        return earliest <= end
                && closed.stream().noneMatch(interval -> interval.start() <= earliest && interval.end() > end);
    }

    /** Returns the terms for slots that do not touch these seconds either. */
    public SlotTerms closedIn(List<Interval> intervals) {
        return intervals.isEmpty()
                ? this
                : new SlotTerms(
                        earliest,
                        latest,
                        deadline,
                        slotPrice,
                        Interval.union(Stream.concat(closed.stream(), intervals.stream())
                                .toList()));
    }
}
