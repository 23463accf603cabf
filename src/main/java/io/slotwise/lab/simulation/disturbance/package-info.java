/**
 * Events of a cluster other than jobs: failures and returns of nodes, price changes, and jobs of the nodes' owners.
 * {@link io.slotwise.lab.simulation.disturbance.DisturbanceFile} reads them, {@link
 * io.slotwise.lab.simulation.disturbance.NodeFailures} draws them.
 */
@NullMarked
package io.slotwise.lab.simulation.disturbance;

import org.jspecify.annotations.NullMarked;
