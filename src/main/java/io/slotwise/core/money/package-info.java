/**
 * Exact money: {@link io.slotwise.core.money.Money} in millionths, {@link io.slotwise.core.money.Cost} in 1/3600
 * millionths, which a price per hour over seconds needs, and the displayed currency.
 */
@NullMarked
package io.slotwise.core.money;

import org.jspecify.annotations.NullMarked;
