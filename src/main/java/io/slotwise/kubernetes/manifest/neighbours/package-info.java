/**
 * The requirements of pods about other pods, with kube-scheduler's semantics.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.neighbours.PodNeighbours} turns affinity, anti-affinity and spread
 * constraints into the planner's rules. {@link io.slotwise.kubernetes.manifest.neighbours.AntiAffinity} and {@link
 * io.slotwise.kubernetes.manifest.neighbours.ClosedNodes} find the nodes that existing pods close. {@link
 * io.slotwise.kubernetes.manifest.neighbours.DisruptionBudgets} tells how many pods may be stopped.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.neighbours;

import org.jspecify.annotations.NullMarked;
