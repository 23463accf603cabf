package io.slotwise.lab.workload.paper;

import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import java.util.Map;

/** The papers' units in those of the core. */
public final class PaperUnits {
    /** One unit of money in exact costs, 1/3600 millionths. */
    public static final long COST = 3600 * Money.MICROS_PER_UNIT;

    /** All of a node: it holds one pod at a time. */
    static final Resources NODE = Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L));

    /** The price of one unit of money per time unit, millionths per hour. */
    private static final long PRICE = 3600 * Money.MICROS_PER_UNIT;

    private PaperUnits() {}

    /** A price in units of money per time unit, in millionths per hour. */
    static long price(double perTimeUnit) {
        return Math.round(perTimeUnit * PRICE);
    }

    /** An amount in units of money, to the millionth. */
    static Money money(double units) {
        return new Money(Math.round(units * Money.MICROS_PER_UNIT));
    }
}
