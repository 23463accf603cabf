/**
 * The answers of several clusters as one. {@link io.slotwise.report.clusters.ClusterQuotes} makes one menu of the menus
 * of all. These are pure functions of the answers. {@code cli.remote.ClustersOptions} asks.
 */
@NullMarked
package io.slotwise.report.clusters;

import org.jspecify.annotations.NullMarked;
