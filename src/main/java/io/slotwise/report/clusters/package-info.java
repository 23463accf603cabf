/**
 * The answers of several clusters as one. {@link io.slotwise.report.clusters.ClusterQuotes} compares the quotes for
 * one gang: it makes one menu of all, and finds the best cluster by a criterion. {@link
 * io.slotwise.report.clusters.ClusterPlanReport} shows the choice for each of several gangs. These are pure functions
 * of the answers. {@code cli.remote.ClustersOptions} asks.
 */
@NullMarked
package io.slotwise.report.clusters;

import org.jspecify.annotations.NullMarked;
