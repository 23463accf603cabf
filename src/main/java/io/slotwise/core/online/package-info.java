/**
 * Gangs placed one by one as they arrive, without waiting for a batch, each in the resource domain that is the best
 * compromise between time, cost and fragmentation.
 *
 * <p>A domain is all nodes with one value of a label, such as the zone. {@link io.slotwise.core.online.DomainChoice}
 * finds the gang's window in every domain by the exact search, and {@link io.slotwise.core.online.Topsis} ranks them.
 * The comparison is kept with the window for readers who ask for the reason.
 *
 * <p>Source: S. Bansal, C. Hota, "Distributed Scheduling on Utility Grids".
 */
@NullMarked
package io.slotwise.core.online;

import org.jspecify.annotations.NullMarked;
