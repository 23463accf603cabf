/**
 * What happens to a cluster besides its jobs: nodes that go and come back, prices that change, jobs of the nodes'
 * owners. {@link io.slotwise.lab.simulation.disturbance.DisturbanceFile} reads them, {@link
 * io.slotwise.lab.simulation.disturbance.NodeFailures} draws them.
 */
@NullMarked
package io.slotwise.lab.simulation.disturbance;

import org.jspecify.annotations.NullMarked;
