package io.slotwise.core.gang;

import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import org.jspecify.annotations.Nullable;

/**
 * The limits on what a gang pays.
 *
 * @param total the most that the whole gang may cost (S), or null for no limit
 * @param slotPrice with the price limit {@code slot}, the highest rate of a pod within its own slot (F), millionths per
 *     hour, or null for no limit
 */
public record Budget(@Nullable Money total, @Nullable Money slotPrice) {
    public static final Budget UNLIMITED = new Budget(null, null);

    public Cost limit() {
        return total == null ? Cost.UNLIMITED : Cost.of(total);
    }

    /** Returns the rest of the budget after {@code spent}, rounded down to a millionth, and zero if overspent. */
    public Budget after(Cost spent) {
        return total == null
                ? this
                : new Budget(limit().minus(spent).orNothing().roundedDown(), slotPrice);
    }
}
