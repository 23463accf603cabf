/**
 * Traces of clusters in other formats, and their machines.
 *
 * <p>Each format of jobs has a {@code JobParser}. {@link io.slotwise.lab.workload.traces.NodeFile} reads the lists of
 * nodes as {@link io.slotwise.lab.workload.traces.ListedNode}s, with {@link io.slotwise.lab.workload.traces.UnitPrices}
 * for nodes without a price.
 */
@NullMarked
package io.slotwise.lab.workload.traces;

import org.jspecify.annotations.NullMarked;
