/**
 * Gangs placed one by one as they arrive, without waiting for a batch: of the resource domains of the cluster the one
 * that is the best compromise between time, cost and fragmentation.
 *
 * <p>A domain is all nodes with one value of a label, such as the zone. {@link io.slotwise.core.online.DomainChoice}
 * finds the gang's window in every domain by the exact search and lets {@link io.slotwise.core.online.Topsis} rank
 * them. What is compared, and with what result, is kept next to the window for readers who ask why.
 *
 * <p>Source: S. Bansal, C. Hota, "Distributed Scheduling on Utility Grids".
 */
@NullMarked
package io.slotwise.core.online;

import org.jspecify.annotations.NullMarked;
