/**
 * What pods ask of other pods.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.neighbours.PodNeighbours} turns affinity, anti-affinity and spreads into
 * the planner's rules; {@link io.slotwise.kubernetes.manifest.neighbours.AntiAffinity} and {@link
 * io.slotwise.kubernetes.manifest.neighbours.ClosedNodes} say which nodes are closed by who is there; {@link
 * io.slotwise.kubernetes.manifest.neighbours.DisruptionBudgets} how many pods may be stopped. The meaning is
 * kube-scheduler's.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.neighbours;

import org.jspecify.annotations.NullMarked;
