package io.slotwise.core.gang;

import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import org.jspecify.annotations.Nullable;

/**
 * What a gang may pay.
 *
 * @param total the most that the whole gang may cost (S); null: unlimited
 * @param slotPrice with the price limit {@code slot}: the highest rate of a pod, millionths per hour, within its own
 *     slot (F); null: no such limit
 */
public record Budget(@Nullable Money total, @Nullable Money slotPrice) {
    public static final Budget UNLIMITED = new Budget(null, null);

    /** The total as an exact cost. */
    public Cost limit() {
        return total == null ? Cost.UNLIMITED : Cost.of(total);
    }

    /** What is left of it after {@code spent}, rounded down to a millionth; nothing after more than the total. */
    public Budget after(Cost spent) {
        return total == null
                ? this
                : new Budget(limit().minus(spent).orNothing().roundedDown(), slotPrice);
    }
}
