/**
 * Money, exactly: {@link io.slotwise.core.money.Money} in millionths, {@link io.slotwise.core.money.Cost} in 1/3600
 * millionths, which a price per hour over seconds needs, and the currency as it is shown.
 */
@NullMarked
package io.slotwise.core.money;

import org.jspecify.annotations.NullMarked;
