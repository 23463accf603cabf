/**
 * Prices of nodes, per hour, in millionths of the currency unit.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.prices.PriceCatalogue} has prices by instance type, read by {@link
 * io.slotwise.kubernetes.manifest.prices.CatalogueRows}. {@link io.slotwise.kubernetes.manifest.prices.PriceCalendar}
 * is a node's price over time, from its annotation.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.prices;

import org.jspecify.annotations.NullMarked;
