/**
 * Traces of clusters in other formats, and the machines that belong to them.
 *
 * <p>A reader for each format of jobs is a {@code JobParser}; {@link io.slotwise.lab.workload.traces.NodeFile}
 * reads the
 * lists of nodes, each kind a {@link io.slotwise.lab.workload.traces.ListedNode}, priced by {@link
 * io.slotwise.lab.workload.traces.UnitPrices} where no price is known.
 */
@NullMarked
package io.slotwise.lab.workload.traces;

import org.jspecify.annotations.NullMarked;
