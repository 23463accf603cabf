/**
 * What a simulation comes to: {@link io.slotwise.lab.simulation.metric.ReplicationMetrics} sees it and makes the {@link
 * io.slotwise.lab.simulation.metric.ReplicationOutcome} of one replication; {@link
 * io.slotwise.lab.simulation.metric.Comparison} has those of several policies, and of several replications of each.
 *
 * <p>Sums are exact integers and are divided once, so that replications that ran apart come together to the same
 * figures. Memory grows with the jobs that wait and with the users, not with the log: percentiles come from histograms
 * of three significant digits.
 */
@NullMarked
package io.slotwise.lab.simulation.metric;

import org.jspecify.annotations.NullMarked;
