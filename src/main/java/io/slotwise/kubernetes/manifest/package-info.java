/**
 * Turns Kubernetes objects into the planner's snapshot.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.ClusterObjects} are the objects, from watches or from files ({@code file}).
 * {@link io.slotwise.kubernetes.manifest.Intake} makes an {@link io.slotwise.kubernetes.manifest.IntakeResult} from
 * them, using {@link io.slotwise.kubernetes.manifest.GangIntake}. {@link io.slotwise.kubernetes.manifest.PodSorter}
 * sorts pods into gangs. {@link io.slotwise.kubernetes.manifest.WaitingGangs} makes requests from waiting gangs, and
 * {@link io.slotwise.kubernetes.manifest.RunningGangs} takes in running ones. {@link
 * io.slotwise.kubernetes.manifest.PodNeeds} reads what pods need of nodes, {@link
 * io.slotwise.kubernetes.manifest.NodeOccupants} tracks occupied room, and {@link
 * io.slotwise.kubernetes.manifest.StoppableGangs} finds gangs that may be stopped. {@link
 * io.slotwise.kubernetes.manifest.IntakeCache} keeps the values of unchanged objects.
 *
 * <p>The subpackages are {@code pods} (requests of pods), {@code gang} (terms of gangs), {@code neighbours}, {@code
 * volumes} and {@code device} (limits on where pods can run), {@code nodes} and {@code prices}. Further ones are {@code
 * holds} (advance reservations), {@code inquiry} (gangs that are only described), {@code workload} (pods that
 * controllers will create), and {@code field} (reading of single values).
 *
 * <p>Invariants: every label and annotation of Slotwise is listed in {@link
 * io.slotwise.kubernetes.manifest.field.AnnotationKeys}, and is either read or refused by name, never silently ignored.
 * An error in one gang affects only that gang.
 */
@NullMarked
package io.slotwise.kubernetes.manifest;

import org.jspecify.annotations.NullMarked;
