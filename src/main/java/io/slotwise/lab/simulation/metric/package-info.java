/**
 * The results of simulations. {@link io.slotwise.lab.simulation.metric.ReplicationMetrics} observes a simulation and
 * makes the {@link io.slotwise.lab.simulation.metric.ReplicationOutcome} of one replication. {@link
 * io.slotwise.lab.simulation.metric.Comparison} has the outcomes of several policies and replications.
 *
 * <p>Sums are exact integers and divided once, so that separate replications merge into the same figures. Memory grows
 * with waiting jobs and users, not with the log: percentiles come from histograms of three significant digits.
 */
@NullMarked
package io.slotwise.lab.simulation.metric;

import org.jspecify.annotations.NullMarked;
