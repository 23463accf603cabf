package io.slotwise.lab.workload.paper;

import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import java.util.Map;

/** Converts the papers' units into those of the core. */
public final class PaperUnits {
    /** The exact cost of one unit of money, 1/3600 millionths. */
    public static final long COST = 3600 * Money.MICROS_PER_UNIT;

    /** A whole node, for one pod at a time. */
    static final Resources NODE = Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L));

    /** The price of one unit of money per time unit, millionths per hour. */
    private static final long PRICE = 3600 * Money.MICROS_PER_UNIT;

    private PaperUnits() {}

    /** Converts units of money per time unit to millionths per hour. */
    static long price(double perTimeUnit) {
        return Math.round(perTimeUnit * PRICE);
    }

    /** Converts units of money to the currency, to the millionth. */
    static Money money(double units) {
        return new Money(Math.round(units * Money.MICROS_PER_UNIT));
    }
}
