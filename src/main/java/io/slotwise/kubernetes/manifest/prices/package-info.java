/**
 * What nodes cost.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.prices.PriceCatalogue} has prices by instance type, read by {@link
 * io.slotwise.kubernetes.manifest.prices.CatalogueRows}; {@link io.slotwise.kubernetes.manifest.prices.PriceCalendar}
 * is a node's price over time as its annotation says it. Prices are per hour, in millionths of the currency unit.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.prices;

import org.jspecify.annotations.NullMarked;
