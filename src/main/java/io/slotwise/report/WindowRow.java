package io.slotwise.report;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A window as shown.
 *
 * @param gang {@code namespace/name}
 * @param start first second, since the epoch
 * @param end first second after the last pod's planned end
 * @param cost of the whole gang, rounded up to a millionth
 * @param budget the most that the gang may cost; null: unlimited
 * @param criterion what the gang wants to be least
 * @param via which part of the cycle gave the window
 * @param processorSeconds the sum of the pods' seconds
 * @param valueOfTime what it is worth to the gang that its end comes an hour earlier; null: nothing
 * @param valueUntil a later end than this costs it nothing more, seconds since the epoch; null: it always does
 * @param delayValue what its end is worth at that, rounded up to a millionth; null without one
 * @param promisedBy the latest start that is promised, since the epoch; null: {@code start}
 * @param preferred what the gang prefers; null: nothing
 * @param after the gangs after whose end it starts, {@code namespace/name}
 * @param placement one for each pod, by pod name; their costs sum to {@code cost}
 */
public record WindowRow(
        String gang,
        long start,
        long end,
        Money cost,
        @Nullable Money budget,
        String criterion,
        String via,
        long processorSeconds,
        @Nullable Money valueOfTime,
        @Nullable Long valueUntil,
        @Nullable Money delayValue,
        @Nullable Long promisedBy,
        @Nullable PreferenceRow preferred,
        List<String> after,
        List<PodRow> placement) {
    /**
     * A pod of the window as shown.
     *
     * @param pod {@code namespace/name}
     * @param node where it runs
     * @param start first second, since the epoch
     * @param end first second after its planned end
     * @param cost rounded down to a millionth; the last pod by name takes the rest of the window's cost
     */
    public record PodRow(String pod, String node, long start, long end, Money cost) {}

    public WindowRow {
        after = List.copyOf(after);
        placement = List.copyOf(placement);
    }

    /** The row of a planned gang. */
    static WindowRow of(Planned planned, Currency currency) {
        Window window = planned.window();
        Gang gang = planned.gang();
        PromiseBound by = planned.by();
        boolean valued = !gang.valueOfTime().isNone();
        return new WindowRow(
                window.gang().toString(),
                window.start(),
                window.end(),
                window.cost().roundedUp(),
                planned.gang().budget().total(),
                planned.gang().criterion().key(),
                planned.via().key(),
                window.processorTime(),
                valued ? gang.valueOfTime().hour() : null,
                until(gang.valueOfTime()),
                valued ? new Cost(gang.delay(window.end())).roundedUp() : null,
                by == null ? null : Long.valueOf(by.start()),
                PreferenceRow.of(gang.preferences(), window, currency),
                gang.after().gangs().stream().map(GangId::toString).toList(),
                pods(window));
    }

    /** When a value of time falls, seconds since the epoch; null: it does not. */
    static @Nullable Long until(ValueOfTime time) {
        return !time.isNone() && time.falls() ? Long.valueOf(time.until()) : null;
    }

    /** The value of an hour as shown, with when it falls. */
    static String hour(Currency currency, Money hour, @Nullable Long until) {
        return currency.of(hour) + " an hour" + (until == null ? "" : " until " + TimeText.instant(until));
    }

    /** The pods of a window as shown, by pod name. O(pods log pods). */
    public static List<PodRow> pods(Window window) {
        List<Placement> placements = window.placements().stream()
                .sorted(Comparator.comparing(Placement::pod))
                .toList();
        long rest = window.cost().roundedUp().micros();
        List<PodRow> rows = new ArrayList<>();
        for (Placement placement : placements) {
            boolean last = rows.size() == placements.size() - 1;
            Money cost = last ? new Money(rest) : placement.cost().roundedDown();
            rest -= cost.micros();
            rows.add(new PodRow(
                    window.gang().namespace() + "/" + placement.pod(),
                    placement.node(),
                    placement.start(),
                    placement.end(),
                    cost));
        }
        return rows;
    }
}
