/**
 * Kubernetes objects in, the planner's snapshot out.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.ClusterObjects} are the objects, from watches or from files ({@code
 * file}). {@link io.slotwise.kubernetes.manifest.Intake} makes an {@link
 * io.slotwise.kubernetes.manifest.IntakeResult} of them by {@link io.slotwise.kubernetes.manifest.GangIntake}: {@link
 * io.slotwise.kubernetes.manifest.PodSorter} sorts pods into gangs, {@link
 * io.slotwise.kubernetes.manifest.WaitingGangs} makes requests of those that wait, {@link
 * io.slotwise.kubernetes.manifest.RunningGangs} says which run, {@link io.slotwise.kubernetes.manifest.PodNeeds} what
 * pods ask of nodes, {@link io.slotwise.kubernetes.manifest.NodeOccupants} who holds room, {@link
 * io.slotwise.kubernetes.manifest.StoppableGangs} who may be stopped; {@link
 * io.slotwise.kubernetes.manifest.IntakeCache} keeps what was read of objects that have not changed.
 *
 * <p>Each kind of thing has a room: {@code pods} (where a pod's request is read), {@code gang} (what its pods say of
 * it), {@code neighbours}, {@code volumes} and {@code device} (what limits where pods go), {@code nodes}, {@code
 * prices}, {@code holds} (advance reservations), {@code inquiry} (gangs that are only described), {@code workload}
 * (pods that controllers will make), and {@code field} for what all of them read values with.
 *
 * <p>Invariant: every label and annotation of ours is in {@link
 * io.slotwise.kubernetes.manifest.field.AnnotationKeys}: it is read, or refused by name; nothing is silently ignored.
 * What is wrong with one gang holds up this gang only.
 */
@NullMarked
package io.slotwise.kubernetes.manifest;

import org.jspecify.annotations.NullMarked;
