/**
 * How a plan becomes true: the {@link io.slotwise.live.PlanningLoop} looks at the cluster, plans and publishes; the
 * {@link io.slotwise.live.GangStarter} starts gangs when their windows come. Nothing here knows Kubernetes: the ports
 * {@link io.slotwise.live.ClusterView}, {@link io.slotwise.live.Registry}, {@link io.slotwise.live.Starter}, {@link io.slotwise.live.Gatekeeper},
 * {@link io.slotwise.live.Announcer} and {@link io.slotwise.live.Recorder} are what the loop needs of its host. What an admin has set
 * comes through {@link io.slotwise.live.CurrentSettings}.
 *
 * <pre>
 *  ClusterView + Underway -> LifeCycle (late, ended, gone) -> Promises (edited) -> Planner -> Verdicts -> Publication -> Registry
 *                                                                       GangStarter -> Starter (Slotwise binds)
 *                                                                                   -> Gatekeeper (kube-scheduler binds)
 * </pre>
 *
 * <p>A cycle does not wait for the writes that take room: they are {@link io.slotwise.live.Underway} until they are answered, and the next cycle
 * leaves their gangs alone. A gang whose window is now starts as soon as its own record is written. When the next cycle begins says
 * {@link io.slotwise.live.Pace}.
 *
 * <p>Invariant: every write names the version of the record that it was decided from, so a decision made from an old picture is
 * refused instead of carried out. All memory lies in the registry; a replica that takes over goes on from there.
 */
@NullMarked
package io.slotwise.live;

import org.jspecify.annotations.NullMarked;
